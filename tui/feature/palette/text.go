package palette

import "society-tui/runtime/i18n"

var (
	title    = i18n.Text{EN: "Command palette", ZH: "命令面板"}
	takes    = i18n.Text{EN: "run", ZH: "执行"}
	now      = i18n.Text{EN: "Now", ZH: "现在可用"}
	lastUsed = i18n.Text{EN: "Last used", ZH: "最近使用"}
	inLists  = i18n.Text{EN: "Opens its list first", ZH: "先打开其列表"}
	never    = i18n.Text{EN: "Not available now", ZH: "现在不可用"}
)
