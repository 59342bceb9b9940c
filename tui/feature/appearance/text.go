package appearance

import "society-tui/runtime/i18n"

var (
	title    = i18n.Text{EN: "Themes", ZH: "主题"}
	suits    = i18n.Text{EN: "like the terminal", ZH: "随终端"}
	dark     = i18n.Text{EN: "dark", ZH: "深色"}
	light    = i18n.Text{EN: "light", ZH: "浅色"}
	own      = i18n.Text{EN: "your own", ZH: "自己的"}
	weak     = i18n.Text{EN: "hard to read: %s", ZH: "难以辨认：%s"}
	is       = i18n.Text{EN: "Theme %s", ZH: "主题 %s"}
	onlyNow  = i18n.Text{EN: "the settings or --theme say %s, which returns at the next start", ZH: "设置或 --theme 指定的是 %s，下次启动仍以它为准"}
	onlyHere = i18n.Text{EN: "in this session; for all: /settings theme", ZH: "仅限此会话；用于全部会话：/settings theme"}
	noColour = i18n.Text{EN: "No colours: NO_COLOR is set, or the terminal has none", ZH: "不显示颜色：已设置 NO_COLOR，或终端没有颜色"}
	unknown  = i18n.Text{EN: "No theme named %s", ZH: "没有主题 %s"}
	refused  = i18n.Text{EN: "Theme %s cannot be used", ZH: "无法使用主题 %s"}
	hintList = i18n.Text{EN: "/theme lists them", ZH: "/theme 列出全部主题"}
	hintMend = i18n.Text{EN: "Correct the file and choose it again.", ZH: "请修改文件后再选一次。"}
)

// Mistakes in theme files.
var (
	notAuto     = i18n.Text{EN: "auto means the theme that suits the terminal; give the file another name", ZH: "auto 指随终端而定的主题；请给文件另取名称"}
	notAFile    = i18n.Text{EN: "is not a file", ZH: "不是文件"}
	tooLarge    = i18n.Text{EN: "is larger than %d bytes", ZH: "超过 %d 字节"}
	noRole      = i18n.Text{EN: "%q is not a role; the roles are %s", ZH: "没有颜色角色 %q；可用的有 %s"}
	noRoleMeant = i18n.Text{EN: "%q is not a role; did you mean %s?", ZH: "没有颜色角色 %q；是否指 %s？"}
	noBase      = i18n.Text{EN: "base: %q is none of %s", ZH: "base：%q 不在 %s 之中"}
	notAColour  = i18n.Text{EN: `%s: %q is not a colour of the form "#rrggbb"`, ZH: `%s：%q 不是 "#rrggbb" 形式的颜色`}
	noTables    = i18n.Text{EN: `a theme has no tables: write role = "#rrggbb" lines only`, ZH: `主题文件没有表：只写 角色 = "#rrggbb" 这样的行`}
	twice       = i18n.Text{EN: "this is set twice: remove one of the two lines", ZH: "这一项出现了两次：请去掉其中一行"}
	noTOML      = i18n.Text{EN: `write role = "#rrggbb", with both quotes; a comment begins with #`, ZH: `请写成 角色 = "#rrggbb"，两边都要有引号；注释以 # 开头`}
)
