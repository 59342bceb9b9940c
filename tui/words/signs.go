package words

import "society-tui/runtime/protocol"

// Signs say in the help what each sign on the screen means. Those of states begin with
// the word that stands beside the sign, see Symbols.
type Signs struct {
	Heading string

	Thinking, Tool, Slot, Retry, Waits, Pausing, Paused, Asks        string
	Stopping, Stopped, Draining, Terminating, Failed, Reported, Idle string
	Counts, Below, Unread, Tokens, Rate, Worked, Ago, At             string
	You, Cursor, Marked, MarkedCursor, Folded, Unfolded              string
}

// ForSigns returns the words in lang; English for a language it does not know.
func ForSigns(lang protocol.Lang) Signs {
	if lang == protocol.Chinese {
		return Signs{
			Heading: "符号",

			Thinking: "思考中：模型正在作答；若有任务，则显示任务", Tool: "工具名称：正在执行此工具", Slot: "排队等待模型：同时请求模型的智能体已满额",
			Retry: "重试 n/m：模型没有应答，稍后再请求", Waits: "等待：所列智能体的回答", Pausing: "正在暂停…：手头的事一结束就休息",
			Paused: "已暂停：原因；给它写消息或恢复它，它就继续", Asks: "向你提问：需要你的回答", Stopping: "正在停止…：正在截断它所做的事",
			Stopped: "已停止：恢复之前不接收消息", Draining: "收尾中 n：处理完 n 条消息后结束", Terminating: "正在终止…：即将永久结束",
			Failed: "错误内容：上一轮失败，可以重试", Reported: "已汇报：已说出结果；你读到末尾后即为空闲", Idle: "空闲：无事可做",
			Counts: "各状态的智能体数，在首行和折叠的智能体之后；思考中包括执行工具，空闲包括已汇报", Below: "折叠的智能体之下有多少个", Unread: "你尚未看过的消息数",
			Tokens: "所有智能体用去的词元（发送与写出），包括已结束的；带 ~ 时为首个回答至今的约数", Rate: "工作时最近五秒内每秒写出的词元", Worked: "有智能体在工作的总时间", Ago: "处于此状态多久；重试时：多久后再试", At: "自何时起空闲或处于静止",
			You: "你自己：给你的消息", Cursor: "按键所作用的行", Marked: "已标记：操作对全部标记者生效", MarkedCursor: "已标记，且是按键所作用的行", Folded: "已折叠：下级未显示", Unfolded: "已展开：下级在其下",
		}
	}
	return Signs{
		Heading: "Signs",

		Thinking: "thinking: the model is answering; its task stands here if it has one", Tool: "name of a tool: that tool runs", Slot: "waits for a slot: as many agents ask the model as may at once",
		Retry: "retry n/m: the model gave no answer and is asked again in a while", Waits: "waits: for the answers of those who are named", Pausing: "pausing…: rests as soon as what it is at has ended",
		Paused: "paused: why; goes on when you write to it or resume it", Asks: "asks you: needs your answer", Stopping: "stopping…: what it does is being cut short",
		Stopped: "stopped: takes no messages until it is resumed", Draining: "draining n: works off n messages, then ends", Terminating: "terminating…: is being ended for good",
		Failed: "what went wrong: its last turn failed, and can be tried again", Reported: "reported: has told its result; idle as soon as you have read that to its end", Idle: "idle: has nothing to do",
		Counts: "how many agents are in which state, in the first row and behind a collapsed agent; those who run a tool count as thinking, those who reported as idle", Below: "how many agents are below a collapsed one", Unread: "messages that you have not looked at",
		Tokens: "tokens that all agents have used, sent and written, ended ones too; with ~ those of the first answer so far, about", Rate: "tokens written a second, over the last five, while anybody is at work", Worked: "how long agents have been at work, added up while any was", Ago: "how long it has been in this state; of a retry, until the next one", At: "since when it has been at rest",
		You: "you: the messages to you", Cursor: "the row that keys are for", Marked: "marked: an act is for all that are", MarkedCursor: "marked, and the row that keys are for", Folded: "collapsed: those below are not shown", Unfolded: "expanded: those below stand under it",
	}
}
