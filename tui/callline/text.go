package callline

import "society-tui/runtime/i18n"

var (
	textHits       = i18n.Plural{One: "%[2]s hit", Other: "%[2]s hits", ZH: "%[2]s 处"}
	textFiles      = i18n.Plural{One: "%[2]s file", Other: "%[2]s files", ZH: "%[2]s 个文件"}
	textEntries    = i18n.Plural{One: "%[2]s entry", Other: "%[2]s entries", ZH: "%[2]s 项"}
	textBackground = i18n.Text{EN: "background: %s", ZH: "后台：%s"}
	// textPart says which lines of how many.
	textPart = i18n.Text{EN: "%s–%s of %s", ZH: "第 %s–%s 行，共 %s 行"}
)
