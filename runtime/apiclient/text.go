package apiclient

import "society-tui/runtime/i18n"

var (
	textCut   = i18n.Text{EN: "the connection to the program was lost: %s", ZH: "与程序的连接已断开：%s"}
	textEnded = i18n.Text{EN: "the program has ended before the task", ZH: "程序在任务完成前已退出"}
)

// ErrEnded is returned when the society has ended before the task.
var ErrEnded error = textEnded.With()
