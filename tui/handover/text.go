package handover

import "society-tui/runtime/i18n"

// Why a session stays where it is.
var (
	textNotLaunched = i18n.Text{EN: "the background process cannot start: %s", ZH: "后台进程无法启动：%s"}
	textDied        = i18n.Text{EN: "the background process has ended", ZH: "后台进程已结束"}
	textFailed      = i18n.Text{EN: "the background process failed: %s", ZH: "后台进程出错：%s"}
	textSlow        = i18n.Text{EN: "the background process did not answer within %d s", ZH: "后台进程在 %d 秒内没有应答"}
	textStrange     = i18n.Text{EN: "the background process answers %q; the program was replaced, so quit and start it again", ZH: "后台进程的应答是 %q；程序已被替换，请退出后重新启动"}
	textReplaced    = i18n.Text{EN: "the program was replaced by version %s, and this is %s; quit and start it again", ZH: "程序已被替换为版本 %s，当前运行的是 %s；请退出后重新启动"}
)
