package tui

import "society-tui/runtime/i18n"

var (
	textTooSmall  = i18n.Text{EN: "Needs at least %d x %d", ZH: "至少需要 %d x %d"}
	textSmallKeys = i18n.Text{EN: "Only ctrl+c works here.", ZH: "此时只有 ctrl+c 可用。"}
	textSmallQuit = i18n.Text{EN: "Press ctrl+c again to quit.", ZH: "再按一次 ctrl+c 退出。"}

	// What is told outside the window.
	textNeedYou = i18n.Plural{One: "%d agent needs you", Other: "%d agents need you", ZH: "%d 个智能体需要你处理"}
	textFailed  = i18n.Plural{One: "%d agent failed", Other: "%d agents failed", ZH: "%d 个智能体出错"}

	// The questions before something is lost.
	textRead    = i18n.Plural{One: "%d message was read since this was asked.", Other: "%d messages were read since this was asked.", ZH: "提问之后已有 %d 条消息被读取。"}
	textGrowsOn = i18n.Text{EN: " If more keep coming, stop it first.", ZH: "如果还在增加，请先停止它。"}

	// While the program is left.
	textFinishing   = i18n.Plural{One: "Finishing %d call…", Other: "Finishing %d calls…", ZH: "正在完成 %d 个调用…"}
	textClosing     = i18n.Text{EN: "Closing the file…", ZH: "正在关闭文件…"}
	textLeaveAtOnce = i18n.Text{EN: "Press ctrl+c again to leave at once.", ZH: "再按 ctrl+c 立即离开。"}
)
