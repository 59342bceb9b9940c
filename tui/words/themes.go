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

	// What is wrong in the file of a theme.
	NotAuto     string
	NotAFile    string
	TooLarge    string // %d bytes
	NoRole      string // %q, %s: those that there are
	NoRoleMeant string // %q, %s: what is meant
	NoBase      string // %q, %s: those that there are
	NotAColour  string // %s: the role, %q
	NoTables    string
	Twice       string
	NoTOML      string
}

// ForThemes returns the words in lang; English for a language it does not know.
func ForThemes(lang protocol.Lang) Themes {
	if lang == protocol.Chinese {
		return Themes{
			Title: "颜色", Suits: "随终端", Dark: "深色", Light: "浅色", Own: "自己的", Broken: "有错误",
			Weak:     "难以辨认：%s",
			Is:       "主题 %s",
			OnlyNow:  "设置或 --theme 指定的是 %s，下次启动仍以它为准",
			NoColour: "不显示任何颜色：已设置 NO_COLOR，或终端没有颜色",
			Unknown:  "没有主题 %s",
			Refused:  "无法使用主题 %s",
			HintList: "/theme 列出全部主题",
			HintMend: "请修改文件后再选一次。",

			NotAuto:     "auto 指随终端而定的主题；请给文件另取名称",
			NotAFile:    "不是文件",
			TooLarge:    "超过 %d 字节",
			NoRole:      "没有颜色角色 %q；可用的有 %s",
			NoRoleMeant: "没有颜色角色 %q；是否指 %s？",
			NoBase:      "base：%q 不在 %s 之中",
			NotAColour:  `%s：%q 不是 "#rrggbb" 形式的颜色`,
			NoTables:    `主题文件没有表：只写 角色 = "#rrggbb" 这样的行`,
			Twice:       "这一项出现了两次：请去掉其中一行",
			NoTOML:      `请写成 角色 = "#rrggbb"，两边都要有引号；注释以 # 开头`,
		}
	}
	return Themes{
		Title: "Colours", Suits: "as the terminal", Dark: "dark", Light: "light", Own: "your own", Broken: "has mistakes",
		Weak:     "hard to read: %s",
		Is:       "theme %s",
		OnlyNow:  "the settings or --theme say %s, which holds again at the next start",
		NoColour: "NO_COLOR is set, or the terminal has no colours",
		Unknown:  "there is no theme %s",
		Refused:  "the theme %s cannot be used",
		HintList: "/theme lists them",
		HintMend: "Mend the file and choose it again.",

		NotAuto:     "auto is what suits the terminal; give the file another name",
		NotAFile:    "is not a file",
		TooLarge:    "is larger than %d bytes",
		NoRole:      "%q is not a role; there are %s",
		NoRoleMeant: "%q is not a role; is %s meant?",
		NoBase:      "base: %q is none of %s",
		NotAColour:  `%s: %q is not a colour of the form "#rrggbb"`,
		NoTables:    `a theme has no tables: write role = "#rrggbb" lines only`,
		Twice:       "this stands twice: take one of the two lines away",
		NoTOML:      `write role = "#rrggbb", with both quotes; a note begins with #`,
	}
}
