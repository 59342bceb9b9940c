package page

import "society-tui/runtime/i18n"

// What the prompt editor prints.
var (
	onlyInEditor = i18n.Text{EN: "only in the prompt editor", ZH: "只在编辑提示词时"}
	hintSave     = i18n.Text{EN: "save", ZH: "保存"}
	hintCancel   = i18n.Text{EN: "cancel", ZH: "取消"}
	discardTitle = i18n.Text{EN: "Discard changes?", ZH: "放弃修改？"}
	discardBody  = i18n.Text{EN: "Your changes are not saved.", ZH: "你的修改尚未保存。"}
	keepEditing  = i18n.Text{EN: "Keep editing", ZH: "继续编辑"}
	discard      = i18n.Text{EN: "Discard", ZH: "放弃"}
)
