package statusline

import "society-tui/runtime/i18n"

var (
	// TextTokens and TextRate follow a number, textHelp and textMore a key.
	TextTokens  = i18n.Text{EN: "tok", ZH: "词元"}
	TextRate    = i18n.Text{EN: "tok/s", ZH: "词元/秒"}
	textSaved   = i18n.Text{EN: "saved", ZH: "已保存"}
	textUnsaved = i18n.Text{EN: "NOT SAVED: ", ZH: "未保存："}
	textCut     = i18n.Text{EN: "NOT CONNECTED", ZH: "连接已断开"}
	textWell    = i18n.Text{EN: "ok", ZH: "正常"}
	textNoModel = i18n.Text{EN: "no model", ZH: "没有模型"}
	textHelp    = i18n.Text{EN: "help", ZH: "帮助"}
	textMore    = i18n.Text{EN: "more", ZH: "更多"}

	textAttached      = i18n.Text{EN: "attached to %s", ZH: "已连接 %s"}
	textAttachedShort = i18n.Text{EN: "attached", ZH: "已连接"}
	textLook          = i18n.Text{EN: "look only", ZH: "只能查看"}
	textScreens       = i18n.Plural{One: "%d screen", Other: "%d screens", ZH: "%d 个界面"}
)
