package words

import "society-tui/runtime/protocol"

// Conversation are the words of what was said.
type Conversation struct {
	You      string // the person, as sender and recipient
	To       string // between sender and recipient, for who listens
	Comma    string // between two things that are said of it
	Uses     string // %s: an agent, %s: the tool that it calls, for who listens
	Done     string // that call went well
	OwnNotes string // the recipient of a text that goes to nobody
	Empty    string // nothing was said yet
	NoInbox  string // nobody wrote to the person yet
	Reading  string // the conversation is being read
	Failed   string // before why it could not be read

	// What a message of an agent is, behind its recipient.
	TaskAssignment, StatusReport, IntroductionRequest, IntroductionResponse string
	CollaborationRequest, CollaborationResponse, General, Note              string

	// The names of what a message says beside its text: a brief's, and those of
	// introductions.
	Objective, Constraints, Inputs, Outputs, Criteria, Collaborators, References, Priority string
	Reason, Capability, Target, IntroducerSays, UsageHint                                  string

	Tokens  string // %s tokens
	Thought string // the heading of a model's thinking
	// The heading of a summary, and where it is known what it stands for: %s
	// entries, %s tokens before and after, by whom; and %s entries that are in no
	// summary.
	Compressed, Squeezed, ByItself, ByAgent, Unsummed string
	Merged                                            string // the heading of what branches came to, for who joins them
	Branch                                            string // %d
	NoText                                            string // an answer without a text
	Line                                              string // one line more
	Lines                                             string // %s lines
	MoreLine                                          string // one line that is not shown
	MoreLines                                         string // %s lines that are not shown
	MoreText                                          string // %s: how much is not shown
	NoResult                                          string // it is empty

	// How a call stands.
	Running, NotBegun, Skipped, AbortedCall, NotRun, Unknown, FailedCall string

	Streaming  string
	Calling    string // %s: the tool whose call is being written
	NoData     string // %s: for how long
	Aborted    string
	NotKept    string // beside an aborted answer that is still seen
	ThrownAway string // %s: how much of an answer came before it was aborted
	Superseded string
	Failure    string // before what went wrong in a turn
	RetryIn    string // %s: how long
	RetryAt    string // %s: time of day
	PausedHint string // how it goes on after a pause
	StopHint   string // the same after a stop

	Waiting     string // a message that is not read yet
	ReadBefore  string // when it will be read: the agent is busy
	ReadResumed string // the agent is paused or stopped
	ReadNext    string // as soon as it is free
	Due         string // %s: time of day at which a delayed message comes
	Dropped     string // a message of the person's that a stop has taken out of the queue
	TakeBack    string // how it comes into the composer again

	Match        string // %s of %s places in the open conversation at which a text stands that is searched for
	NoMatch      string // there is none
	Searching    string
	SearchingFar string // %d percent are searched

	Following string // in the title
	NewLines  string // %s rows came below what is seen
	NewLine   string // one did
	Below     string // the conversation goes on below
	ToFollow  string // behind these three: how to get there
	Calls     string // the levels of detail
	Short     string
	Full      string
}

// ForConversation returns the words in lang; English for a language it does not
// know.
func ForConversation(lang protocol.Lang) Conversation {
	if lang == protocol.Chinese {
		return chineseConversation()
	}
	return Conversation{
		You: "you", To: " to ", Comma: ", ", Uses: "%s uses %s", Done: "done", OwnNotes: "own notes",
		Empty: "nothing was said yet", NoInbox: "no messages to you yet",
		Reading: "reading…", Failed: "cannot read the conversation: ",

		TaskAssignment: "task", StatusReport: "report",
		IntroductionRequest: "asks for an introduction", IntroductionResponse: "introduces",
		CollaborationRequest: "asks", CollaborationResponse: "answers", General: "message", Note: "note",

		Objective: "objective", Constraints: "constraints", Inputs: "inputs", Outputs: "outputs",
		Criteria: "done when", Collaborators: "works with", References: "references", Priority: "priority",
		Reason: "reason", Capability: "looks for", Target: "who", IntroducerSays: "introducer says", UsageHint: "how",

		Tokens: "%s tok", Thought: "thinking", Compressed: "earlier messages left the model's context; their summary",
		Squeezed: "compressed: %s entries, %s tokens, %s", ByItself: "by itself", ByAgent: "by the agent",
		Unsummed: "%s without a summary",
		Merged:   "branches joined: what the next step reads of them", Branch: "branch %d",
		NoText: "(an answer without text)",
		Line:   "1 line", Lines: "%s lines", MoreLine: "+1 line", MoreLines: "+%s lines", MoreText: "+%s",
		NoResult: "(no output)",

		Running: "running", NotBegun: "waits", Skipped: "skipped", AbortedCall: "aborted, effect unknown",
		NotRun: "not run", Unknown: "effect unknown", FailedCall: "failed",

		Streaming: "streaming", Calling: "writes a call: %s", NoData: "no data for %s",
		Aborted: "aborted", NotKept: "not kept", ThrownAway: "%s of an answer thrown away", Superseded: "superseded",
		Failure: "error", RetryIn: "next try in %s", RetryAt: "next try at %s",
		PausedHint: "write to it or resume it", StopHint: "resume it and write to it",

		Waiting: "waiting", ReadBefore: "read before its next tool",
		ReadResumed: "read when it is resumed", ReadNext: "read next",
		Due:     "delayed, comes at %s",
		Dropped: "dropped, not read", TakeBack: "ctrl+x e takes it back",

		Match: "%s of %s in this conversation", NoMatch: "not found", Searching: "searching…", SearchingFar: "searching… %d%%",
		Following: "following", NewLines: "%s new lines", NewLine: "1 new line",
		Below: "more below", ToFollow: "end to follow",
		Calls: "calls only", Short: "short", Full: "full",
	}
}

func chineseConversation() Conversation {
	return Conversation{
		You: "你", To: " 致 ", Comma: "，", Uses: "%s 使用 %s", Done: "完成", OwnNotes: "自己的记录",
		Empty: "还没有对话", NoInbox: "还没有给你的消息",
		Reading: "读取中…", Failed: "无法读取对话：",

		TaskAssignment: "任务", StatusReport: "汇报",
		IntroductionRequest: "请求引荐", IntroductionResponse: "引荐",
		CollaborationRequest: "询问", CollaborationResponse: "回答", General: "消息", Note: "记录",

		Objective: "目标", Constraints: "约束", Inputs: "输入", Outputs: "输出",
		Criteria: "完成标准", Collaborators: "协作者", References: "参考", Priority: "优先级",
		Reason: "原因", Capability: "所需能力", Target: "引荐对象", IntroducerSays: "引荐者的说法", UsageHint: "用法",

		Tokens: "%s 词元", Thought: "思考", Compressed: "更早的消息已移出模型上下文，其摘要",
		Squeezed: "已压缩：%s 条，%s 词元，%s", ByItself: "自动", ByAgent: "由智能体",
		Unsummed: "%s 条没有摘要",
		Merged:   "分支已合并：下一步读到的内容", Branch: "分支 %d",
		NoText: "（没有文字的回答）",
		Line:   "1 行", Lines: "%s 行", MoreLine: "+1 行", MoreLines: "+%s 行", MoreText: "+%s",
		NoResult: "（没有输出）",

		Running: "执行中", NotBegun: "等待", Skipped: "已跳过", AbortedCall: "已中断，效果未知",
		NotRun: "未执行", Unknown: "效果未知", FailedCall: "失败",

		Streaming: "输出中", Calling: "正在写调用：%s", NoData: "%s 没有数据",
		Aborted: "已中断", NotKept: "不保留", ThrownAway: "丢弃了 %s 的回答", Superseded: "已被取代",
		Failure: "错误", RetryIn: "%s 后重试", RetryAt: "%s 重试",
		PausedHint: "给它写消息或恢复它", StopHint: "恢复并给它写消息",

		Waiting: "待读", ReadBefore: "在它下次调用工具前读取",
		ReadResumed: "恢复后读取", ReadNext: "随后读取",
		Due:     "延迟，%s 送达",
		Dropped: "已丢弃，未读", TakeBack: "ctrl+x e 取回",

		Match: "本对话第 %s 处，共 %s 处", NoMatch: "没有找到", Searching: "查找中…", SearchingFar: "查找中… %d%%",
		Following: "跟随", NewLines: "%s 行新内容", NewLine: "1 行新内容",
		Below: "下面还有", ToFollow: "按 end 跟随",
		Calls: "仅调用", Short: "简略", Full: "完整",
	}
}
