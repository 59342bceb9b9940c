package words

import "society-tui/runtime/protocol"

// Statusline are the words of the header and of the last two rows.
type Statusline struct {
	Tokens  string // behind a number
	Rate    string // behind a number of tokens in a second
	Saved   string
	Unsaved string // before why nothing is being saved
	NoModel string
	Help    string // behind the key
	More    string // behind the key of all that can be done
}

// ForStatusline returns the words in lang; English for a language it does not
// know.
func ForStatusline(lang protocol.Lang) Statusline {
	if lang == protocol.Chinese {
		return Statusline{
			Tokens:  "词元",
			Rate:    "词元/秒",
			Saved:   "已保存",
			Unsaved: "未保存：",
			NoModel: "没有模型",
			Help:    "帮助",
			More:    "更多",
		}
	}
	return Statusline{
		Tokens:  "tok",
		Rate:    "tok/s",
		Saved:   "saved",
		Unsaved: "NOT SAVED: ",
		NoModel: "no model",
		Help:    "help",
		More:    "more",
	}
}
