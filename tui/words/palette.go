package words

import "society-tui/runtime/protocol"

// Palette are texts of exports and the timeline, and the reasons why a command has no effect
// now: in these %s is the agent.
type Palette struct {
	Timeline   string // %s: whose, with all below it
	Export     string // %s: the title of how it can be exported
	Markdown   string
	MarkdownIs string
	JSON       string
	JSONIs     string
	AndBelow   string // %s: one of these, with all below it
	ExportFile string // how another file is written
	NothingYet string

	NotAtWork string
	IsStopped string
	IsPaused  string
	GoesOn    string // neither stopped nor paused, and has not failed
	NotFailed string
	RootStays string
	NotYou    string
	NoneWaits string // no message waits for it
	NoText    string // nothing is written
	NoReplies string // it offers none
	Follows   string // the conversation is at its end already
	NotSeen   string // a pane that has no room or is hidden
	OnlyList  string // works only in a list
	NoPin     string
	NotHere   string // this program has no way to do it
	NoSearch  string // the conversation is not searched for anything
}

// ForPalette returns the words in lang; English for a language it does not know.
func ForPalette(lang protocol.Lang) Palette {
	if lang == protocol.Chinese {
		return Palette{
			Timeline: "%s 及其下属发生过什么", Export: "把 %s 导出到工作目录的新文件", Markdown: "Markdown", MarkdownIs: "供阅读：谁说了什么、何时、调用了哪些工具", JSON: "JSON", JSONIs: "供程序使用：全部记录", AndBelow: "%s，连同全部下属", ExportFile: "指定文件名：/export … 文件",
			NothingYet: "没有",
			NotAtWork:  "%s 没有在工作", IsStopped: "%s 已停止", IsPaused: "%s 已暂停",
			GoesOn: "%s 没有停止或暂停", NotFailed: "%s 没有失败", RootStays: "root 不能终止", NotYou: "这是你自己",
			NoneWaits: "%s 没有待读消息", NoText: "没有输入文字", NoReplies: "%s 没有给出快捷回复", Follows: "已在末尾",
			NotSeen:  "屏幕上没有它的位置",
			OnlyList: "只在列表中", NoPin: "没有固定的智能体", NotHere: "这里做不到", NoSearch: "没有在查找",
		}
	}
	return Palette{
		Timeline: "What happened: %s and below", Export: "Export %s to a new file in the working folder", Markdown: "Markdown", MarkdownIs: "to be read: who said what and when, and which tools were called", JSON: "JSON", JSONIs: "for programs: all that is recorded", AndBelow: "%s, with all below it", ExportFile: "to a file of your choice: /export … file",
		NothingYet: "nothing",
		NotAtWork:  "%s is not at work", IsStopped: "%s is stopped", IsPaused: "%s is paused",
		GoesOn: "%s is not stopped or paused", NotFailed: "%s has not failed", RootStays: "root stays", NotYou: "that is you",
		NoneWaits: "no message waits for %s", NoText: "nothing is written", NoReplies: "%s offers none", Follows: "it does",
		NotSeen:  "has no room on the screen",
		OnlyList: "only in a list", NoPin: "nobody is pinned to it", NotHere: "not here", NoSearch: "nothing is searched for",
	}
}
