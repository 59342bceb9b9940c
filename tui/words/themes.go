package words

import "society-tui/runtime/protocol"

// Themes are the words of the list of themes, and of what comes of it.
type Themes struct {
	Title    string
	Suits    string // of the theme that suits the terminal
	Dark     string
	Light    string
	Own      string // of a theme of the person's
	Broken   string
	Weak     string // %s
	Is       string // %s
	OnlyNow  string // %s: what the settings or the command line say
	NoColour string
	Unknown  string // %s
	Refused  string // %s
	HintList string
	HintMend string
}

// ForThemes returns the words in lang; English for a language it does not know.
func ForThemes(lang protocol.Lang) Themes {
	if lang == protocol.Chinese {
		return Themes{
			Title: "颜色", Suits: "随终端", Dark: "深色", Light: "浅色", Own: "自己的", Broken: "有错误",
			Weak:     "难以辨认：%s",
			Is:       "主题 %s",
			OnlyNow:  "设置或 --theme 指定的是 %s，下次启动仍以它为准",
			NoColour: "已设置 NO_COLOR：不显示任何颜色",
			Unknown:  "没有主题 %s",
			Refused:  "无法使用主题 %s",
			HintList: "/theme 列出全部主题",
			HintMend: "请修改文件后再选一次。",
		}
	}
	return Themes{
		Title: "Colours", Suits: "as the terminal", Dark: "dark", Light: "light", Own: "your own", Broken: "has mistakes",
		Weak:     "hard to read: %s",
		Is:       "theme %s",
		OnlyNow:  "the settings or --theme say %s, which holds again at the next start",
		NoColour: "NO_COLOR is set: nothing is coloured",
		Unknown:  "there is no theme %s",
		Refused:  "the theme %s cannot be used",
		HintList: "/theme lists them",
		HintMend: "Mend the file and choose it again.",
	}
}
