package attach

import "society-tui/runtime/i18n"

var textUnanswered = i18n.Text{
	EN: "the connection was cut before the answer came: look whether it took effect, then try again",
	ZH: "连接在收到回复之前中断：请查看是否已生效，然后重试",
}
