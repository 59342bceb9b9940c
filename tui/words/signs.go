package words

import "society-tui/runtime/protocol"

// Signs say in the help what each sign on the screen means.
type Signs struct {
	Counts, Below, Unread, Tokens, Rate, Worked, Ago, At string
	You, Cursor, Marked, MarkedCursor, Folded, Unfolded  string
}

// ForSigns returns the words in lang; English for a language it does not know.
func ForSigns(lang protocol.Lang) Signs {
	if lang == protocol.Chinese {
		return Signs{
			Counts: "各状态的智能体数，在首行和折叠的智能体之后；思考中包括执行工具，空闲包括已汇报", Below: "折叠的智能体之下有多少个", Unread: "你尚未看过的消息数",
			Tokens: "所有智能体用去的词元（发送与写出），包括已结束的；带 ~ 时为首个回答至今的约数", Rate: "工作时最近五秒内每秒写出的词元", Worked: "有智能体在工作的总时间", Ago: "处于此状态多久；重试时：多久后再试", At: "自何时起空闲或处于静止",
			You: "你自己：给你的消息", Cursor: "按键所作用的行", Marked: "已标记：操作对全部标记者生效", MarkedCursor: "已标记，且是按键所作用的行", Folded: "已折叠：下级未显示", Unfolded: "已展开：下级在其下",
		}
	}
	return Signs{
		Counts: "how many agents are in which state, in the first row and behind a collapsed agent; those who run a tool count as thinking, those who reported as idle", Below: "how many agents are below a collapsed one", Unread: "messages that you have not looked at",
		Tokens: "tokens that all agents have used, sent and written, ended ones too; with ~ those of the first answer so far, about", Rate: "tokens written a second, over the last five, while anybody is at work", Worked: "how long agents have been at work, added up while any was", Ago: "how long it has been in this state; of a retry, until the next one", At: "since when it has been at rest",
		You: "you: the messages to you", Cursor: "the row that keys are for", Marked: "marked: an act is for all that are", MarkedCursor: "marked, and the row that keys are for", Folded: "collapsed: those below are not shown", Unfolded: "expanded: those below stand under it",
	}
}
