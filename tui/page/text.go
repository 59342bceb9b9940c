package page

import "society-tui/runtime/i18n"

// Texts of the prompt editor.
var (
	onlyInEditor = i18n.Text{EN: "only in the prompt editor", ZH: "只在编辑提示词时"}
	hintSave     = i18n.Text{EN: "save", ZH: "保存"}
	hintCancel   = i18n.Text{EN: "cancel", ZH: "取消"}
	discardTitle = i18n.Text{EN: "Discard changes?", ZH: "放弃修改？"}
	discardBody  = i18n.Text{EN: "Your changes are not saved.", ZH: "你的修改尚未保存。"}
	keepEditing  = i18n.Text{EN: "Keep editing", ZH: "继续编辑"}
	discard      = i18n.Text{EN: "Discard", ZH: "放弃"}
)

// Texts of several features.
var (
	TextYou            = i18n.Text{EN: "you", ZH: "你"}
	TextNotSetUp       = i18n.Text{EN: "not set up", ZH: "未设置"}
	TextCancel         = i18n.Text{EN: "Cancel", ZH: "取消"}
	TextClose          = i18n.Text{EN: "Close", ZH: "关闭"}
	TextMoreAgents     = i18n.Text{EN: "and %d more", ZH: "还有 %d 个"}
	TextGone           = i18n.Text{EN: "%s no longer exists", ZH: "%s 已不存在"}
	TextUnknownCommand = i18n.Text{EN: "Unknown command %s", ZH: "未知命令 %s"}
	TextHintCommands   = i18n.Text{EN: "/ lists all commands, {next_pane} completes", ZH: "输入 / 列出全部命令，{next_pane} 补全"}
	TextHintGo         = i18n.Text{EN: "{next_needs_you} goes there", ZH: "{next_needs_you} 前往"}
	TextOpenIt         = i18n.Text{EN: "open", ZH: "打开"}
	TextNothingYet     = i18n.Text{EN: "Nothing yet", ZH: "还没有"}
	TextNotYou         = i18n.Text{EN: "this is you", ZH: "这是你自己"}
	TextOnlyList       = i18n.Text{EN: "only in a list", ZH: "仅在列表中"}
	TextNotHere        = i18n.Text{EN: "not available here", ZH: "这里不可用"}
	TextFailed         = i18n.Text{EN: "Failed: %s", ZH: "失败：%s"}
)
