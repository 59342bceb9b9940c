package logs

import "society-tui/runtime/i18n"

var (
	TextNoLog    = i18n.Text{EN: "No log", ZH: "没有日志"}
	textLog      = i18n.Text{EN: "Log of this run (all runs: /log all) · %s", ZH: "本次运行的日志（全部：/log all）· %s"}
	textLogOfAll = i18n.Text{EN: "Log of all runs · %s", ZH: "全部运行的日志 · %s"}
	textHintCopy = i18n.Text{EN: "copy", ZH: "复制"}
)
