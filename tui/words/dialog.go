package words

import "society-tui/runtime/protocol"

// Dialog are the words that every dialog has, whatever it asks.
type Dialog struct {
	TypeNumber string // before the number that is to be typed
	Off        string // behind a button that does nothing until it matches
	Wrong      string // %s was typed and enter pressed, but %d is the number
	Enter      string // %s: what enter does
	Leave      string // %s: the same where there is only one answer, which esc takes too
	Choose     string // how to go from button to button
	Cancel     string // what esc does
	Scroll     string // how to see more
	Search     string // where something can be typed to search for
	Pause      string // text was typed where none goes; %s are the keys that take an answer
}

// ForDialog returns the words in lang; English for a language it does not know.
func ForDialog(lang protocol.Lang) Dialog {
	if lang == protocol.Chinese {
		return Dialog{
			TypeNumber: "输入数字以确认：",
			Off:        "（数字一致后可用）",
			Wrong:      "%s 不是 %d",
			Enter:      "enter = %s",
			Leave:      "enter, esc = %s",
			Choose:     "←/→ 选择",
			Cancel:     "esc 取消",
			Scroll:     "↑/↓ pgup/pgdn 滚动",
			Search:     "输入即可查找",
			Pause:      "请停一下，再按 %s 或 esc：这里不能写字",
		}
	}
	return Dialog{
		TypeNumber: "Type the number to confirm:",
		Off:        "(off until it matches)",
		Wrong:      "%s is not %d",
		Enter:      "enter = %s",
		Leave:      "enter, esc = %s",
		Choose:     "←/→ choose",
		Cancel:     "esc cancel",
		Scroll:     "↑/↓ pgup/pgdn scroll",
		Search:     "type to search",
		Pause:      "pause, then %s or esc: nothing is written here",
	}
}
