package words

import "society-tui/runtime/protocol"

// Inspector are the words of the pane that shows one agent in full.
type Inspector struct {
	Title    string
	Brief    string // the titles of the other tabs
	Prompt   string
	Contacts string
	Graph    string
	Tools    string

	// The names of what is shown of an agent.
	State, Task, Role, Parent, Model, Context, Tokens, Tree, Mailbox string

	You      string
	Kids     string // %d children, %s descendants
	Round    string // %d of %d
	All      string // behind the key that shows all of a text
	Messages string // %d messages in the model's context
	Message  string // one message there
	Spent    string // %s tokens in, %s out
	Waiting  string // %d messages that wait
	Delayed  string // %d messages whose time has not come
	NoTask   string

	NeedYou string // %d agents
	Nobody  string
	Events  string
	Nothing string

	// The words for events.
	Spawned, Told, Retrying, Paused, Resumed, Terminated string
	Drained                                              string // it was told to finish what it has, and to end
	DrainEnded                                           string // %d agents, %d messages that it could not read any more
	Compressed                                           string // its context
	LaterDropped, Undelivered                            string // delayed messages, before their time and at it

	// The parts of a brief.
	Objective, Constraints, Inputs, Outputs, Criteria, Collaborators, References, Priority string

	NoContacts string
	// How an agent came to know another: it is the parent, a child, named in the
	// brief, was introduced by somebody, wrote first, or was there from the beginning.
	Above, Below, InBrief, Introduced, WroteFirst, FromBeginning string
	// How to work with a contact, and what its introducer wrote of it.
	Interface, IntroducerSays string

	MayUse                                                        string // %d tools
	NoTools                                                       string
	OnlyReads, Writes, Commits                                    string // what a call of a tool does
	Calls, NoCalls                                                string
	CallsNewest                                                   string // %d calls
	NoResult                                                      string // it has not ended
	CallFailed, CallSkipped, CallAborted, CallNotRun, CallUnknown string // how it ended

	NoBrief string // root has none
	Loading string
	Failed  string // before why nothing can be read
	Tokened string // %s: an estimate of tokens
}

// ForInspector returns the words in lang; English for a language it does not
// know.
func ForInspector(lang protocol.Lang) Inspector {
	if lang == protocol.Chinese {
		return Inspector{
			Title: "详情", Brief: "委托", Prompt: "系统提示词", Contacts: "联系人", Graph: "图与经过", Tools: "工具",
			State: "状态", Task: "任务", All: "全文", Role: "角色", Parent: "上级", Model: "模型",
			Context: "上下文", Tokens: "词元", Tree: "含下级", Mailbox: "信箱",
			You: "你", Kids: "下级 %d（共 %s）", Round: "第 %d/%d 轮", Messages: "%d 条消息", Message: "1 条消息",
			Spent: "输入 %s  输出 %s", Waiting: "%d 条待读", Delayed: "%d 条延迟", NoTask: "没有任务",
			NeedYou: "需要你 (%d)", Nobody: "没有智能体在等你", Events: "事件", Nothing: "还没有事件",
			Spawned: "已创建", Told: "告诉了你", Retrying: "重试", Paused: "已暂停", Resumed: "已恢复", Terminated: "已终止", Drained: "受命收尾",
			DrainEnded: "终止 %d 截断 %d", Compressed: "上下文已压缩", LaterDropped: "丢弃延迟消息", Undelivered: "延迟消息未送达",
			Objective: "目标", Constraints: "约束", Inputs: "输入", Outputs: "输出", Criteria: "完成标准",
			Collaborators: "协作者", References: "参考", Priority: "优先级",
			Above: "上级", Below: "下级", InBrief: "委托书中指定", Introduced: "引荐者", WroteFirst: "首次来信", FromBeginning: "一开始就有",
			Interface: "接口", IntroducerSays: "引荐者的说法",
			NoContacts: "还不认识任何智能体",
			MayUse:     "可用工具（%d）", NoTools: "没有工具", OnlyReads: "只读取", Writes: "会更改内容", Commits: "会更改，且无法撤销",
			Calls: "调用", NoCalls: "还没有调用", CallsNewest: "调用，最新的在前（%d）", NoResult: "还没有结果",
			CallFailed: "失败", CallSkipped: "已跳过：被打断", CallAborted: "已中断，效果未知", CallNotRun: "未执行", CallUnknown: "效果未知：程序重启",
			NoBrief: "没有任务委托书：它直接听从于你。", Loading: "读取中…", Failed: "无法读取：",
			Tokened: "约%s词元",
		}
	}
	return Inspector{
		Title: "Inspector", Brief: "Brief", Prompt: "System prompt", Contacts: "Contacts", Graph: "Graph", Tools: "Tools",
		State: "state", Task: "task", All: "all", Role: "role", Parent: "parent", Model: "model",
		Context: "ctx", Tokens: "tokens", Tree: "tree", Mailbox: "mailbox",
		You: "you", Kids: "kids %d (%s)", Round: "round %d/%d", Messages: "%d messages", Message: "1 message",
		Spent: "in %s  out %s", Waiting: "%d waiting", Delayed: "%d delayed", NoTask: "none",
		NeedYou: "Needs you (%d)", Nobody: "nobody waits for you", Events: "Events", Nothing: "nothing yet",
		Spawned: "spawned", Told: "told you", Retrying: "retry", Paused: "paused", Resumed: "resumed", Terminated: "terminated", Drained: "told to finish",
		DrainEnded: "ended %d, cut %d", Compressed: "context compressed", LaterDropped: "delayed dropped", Undelivered: "delayed refused",
		Objective: "objective", Constraints: "constraints", Inputs: "inputs", Outputs: "outputs", Criteria: "completion criteria",
		Collaborators: "collaborators", References: "references", Priority: "priority",
		Above: "parent", Below: "child", InBrief: "in its brief", Introduced: "introduced by", WroteFirst: "first message", FromBeginning: "from the beginning",
		Interface: "interface", IntroducerSays: "introducer says",
		NoContacts: "it knows nobody yet",
		MayUse:     "May use (%d)", NoTools: "no tools", OnlyReads: "only reads", Writes: "changes something", Commits: "changes something for good",
		Calls: "Calls", NoCalls: "none yet", CallsNewest: "Calls, the newest first (%d)", NoResult: "no result yet",
		CallFailed: "failed", CallSkipped: "skipped: interrupted", CallAborted: "aborted, effect unknown", CallNotRun: "not run", CallUnknown: "effect unknown: the program restarted",
		NoBrief: "No brief: it takes its orders from you.", Loading: "reading…", Failed: "cannot be read: ",
		Tokened: "~%s tok",
	}
}
