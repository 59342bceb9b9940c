package settings

import "society-tui/runtime/i18n"

var (
	title      = i18n.Text{EN: "Settings in effect, and where each comes from", ZH: "当前设置及其来源"}
	takes      = i18n.Text{EN: "change", ZH: "更改"}
	none       = i18n.Text{EN: "No settings", ZH: "没有设置"}
	themeNow   = i18n.Text{EN: "now %s; {list.take} chooses another", ZH: "现在是 %s；按 {list.take} 选择"}
	aboutMouse = i18n.Text{EN: "Whether the screen has the mouse, or the terminal.", ZH: "由界面还是由终端使用鼠标。"}
	ofSession  = i18n.Text{EN: "of this session, not of the file", ZH: "属于此会话，不在文件中"}
	atRestart  = i18n.Text{EN: "needs a restart", ZH: "需要重启"}
	unset      = i18n.Text{EN: "empty", ZH: "空"}
	value      = i18n.Text{EN: "Value:", ZH: "值："}
	save       = i18n.Text{EN: "Save", ZH: "保存"}
	isNow      = i18n.Text{EN: "%s is now %s", ZH: "%s 现在是 %s"}
	isThen     = i18n.Text{EN: "%s is %s from the next start on", ZH: "从下次启动起，%s 是 %s"}
	overridden = i18n.Text{EN: "at the next start %s decides about it", ZH: "下次启动时由 %s 决定"}
	noEditor   = i18n.Text{EN: "Set $EDITOR first", ZH: "请先设置 $EDITOR"}
	inFile     = i18n.Text{EN: "%s is read at the start", ZH: "%s 在启动时读取"}
	howTo      = i18n.Text{EN: "change it in the settings file; society-tui config init writes one", ZH: "在设置文件中修改；society-tui config init 写出该文件"}
	howToThere = i18n.Text{EN: "change it in the settings file of the program that runs the session", ZH: "在运行此会话的程序的设置文件中修改"}
	notChanged = i18n.Text{EN: "The settings file was not changed", ZH: "设置文件未更改"}
	TextPaste  = i18n.Text{EN: "Put this into the settings file:", ZH: "请把以下内容写入设置文件："}
	copyLines  = i18n.Text{EN: "Copy for the file", ZH: "复制文件用的内容"}
)
