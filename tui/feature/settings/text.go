package settings

import "society-tui/runtime/i18n"

var (
	title    = i18n.Text{EN: "Settings in effect, and where each comes from", ZH: "当前设置及其来源"}
	none     = i18n.Text{EN: "No settings", ZH: "没有设置"}
	themeNow = i18n.Text{EN: "now %s; {list.take} chooses another", ZH: "现在是 %s；按 {list.take} 选择"}
	inFile   = i18n.Text{EN: "%s is read at the start", ZH: "%s 在启动时读取"}
	howTo    = i18n.Text{EN: "change it in the settings file; society-tui config init writes one", ZH: "在设置文件中修改；society-tui config init 写出该文件"}
)
