package dialog

import "society-tui/runtime/i18n"

var (
	textTypeNumber = i18n.Text{EN: "Type the number to confirm:", ZH: "输入数字以确认："}
	textOff        = i18n.Text{EN: "(off until it matches)", ZH: "（数字一致后可用）"}
	// textWrong answers a wrong number.
	textWrong = i18n.Text{EN: "%s is not %d", ZH: "%s 不是 %d"}
	// textEsc replaces textCancel where esc goes somewhere.
	textEsc    = i18n.Text{EN: "esc = %s", ZH: "esc = %s"}
	textChoose = i18n.Text{EN: "←/→ choose", ZH: "←/→ 选择"}
	textListed = i18n.Text{EN: "↑/↓ choose", ZH: "↑/↓ 选择"}
	textTabs   = i18n.Text{EN: "←/→ tab", ZH: "←/→ 切换"}
	textCancel = i18n.Text{EN: "esc cancel", ZH: "esc 取消"}
	textClose  = i18n.Text{EN: "esc close", ZH: "esc 关闭"}
	textScroll = i18n.Text{EN: "↑/↓ pgup/pgdn scroll", ZH: "↑/↓ pgup/pgdn 滚动"}
	textSearch = i18n.Text{EN: "type to search", ZH: "输入即可搜索"}
	textKept   = i18n.Text{EN: "Kept in the composer:", ZH: "已留在输入框："}
	// textMisses stands in the place of enter where a search finds nothing.
	textMisses = i18n.Text{EN: "No match", ZH: "没有匹配"}
	// textUnused precedes the keys of the answers.
	textUnused = i18n.Text{EN: "Not %s: ", ZH: "%s 无效："}
	// textPause is shown after unusable text and after an answer that came too soon; its verb is the
	// keys of the answers.
	textPause = i18n.Text{EN: "Too soon: wait a moment, then press %s or esc", ZH: "太快了：请稍等，再按 %s 或 esc"}
)
