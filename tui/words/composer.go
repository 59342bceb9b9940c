package words

import "society-tui/runtime/protocol"

// Composer are the words of the box that the person writes in.
type Composer struct {
	To        string // %s: the recipient's name
	Aside     string // %s: what is said of the recipient behind its name
	You       string // beside root when the person writes to the inbox
	Answers   string // the recipient has asked
	Stopped   string // the recipient takes no message
	Paused    string // what is written lets the recipient go on
	Waiting   string // %d messages that the recipient has not read
	Newline   string // %s: the key that makes a new line
	Above     string // %d rows of the text are above what is seen
	Below     string // the same below
	Pasted    string // %s: a size, %s: how many lines
	PastedOne string // %s: the size of one line
	InParts   string // %s: the size of a text that a model is not sent whole
	TooLarge  string // %s: a size, %s: the most that is taken
	Write     string // in the empty box; %s: the recipient's name
	FirstRun  string // in the empty box, before anything was said
	Searching string // %s: what the history is searched for
	Refused   string // what is written is a command that was not carried out
}

// ForComposer returns the words in lang; English for a language it does not know.
func ForComposer(lang protocol.Lang) Composer {
	if lang == protocol.Chinese {
		return Composer{
			To:        "发给：%s",
			Aside:     "（%s）",
			You:       "写给自己的话由 root 接收",
			Answers:   "回答它的问题",
			Stopped:   "已停止，不接收消息",
			Paused:    "已暂停，写给它即恢复",
			Waiting:   "%d 条待读",
			Newline:   "%s 换行",
			Above:     "↑ 还有 %d 行",
			Below:     "↓ 还有 %d 行",
			Pasted:    "[已粘贴 %s，%s 行]",
			PastedOne: "[已粘贴 %s，1 行]",
			InParts:   "共 %s：只发送一部分，模型可续读",
			TooLarge:  "共 %s：太大，最多 %s",
			Write:     "写给 %s…",
			FirstRun:  "告诉 root 你想做什么，例如：把下面的文字总结成三点……",
			Searching: "在历史中查找：%s",
			Refused:   "未执行：继续输入将替换它",
		}
	}
	return Composer{
		To:        "to: %s",
		Aside:     " (%s)",
		You:       "what you write to yourself reaches root",
		Answers:   "answers its question",
		Stopped:   "stopped: takes no messages",
		Paused:    "paused: goes on when you write",
		Waiting:   "%d waiting",
		Newline:   "%s newline",
		Above:     "↑ %d more",
		Below:     "↓ %d more",
		Pasted:    "[pasted %s, %s lines]",
		PastedOne: "[pasted %s, 1 line]",
		InParts:   "%s: sent in part, its model can read on",
		TooLarge:  "%s: too large, %s at most",
		Write:     "write to %s…",
		FirstRun:  "Tell root what you want, for example: summarise the text below in three points …",
		Searching: "searching what you wrote: %s",
		Refused:   "not carried out: what you type replaces it",
	}
}
