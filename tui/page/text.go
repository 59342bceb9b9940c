package page

import "society-tui/runtime/i18n"

// Hints of lists, and of the screen.
var (
	HintMove    = i18n.Text{EN: "move", ZH: "移动"}
	HintBack    = i18n.Text{EN: "back", ZH: "返回"}
	HintClose   = i18n.Text{EN: "close", ZH: "关闭"}
	HintCancel  = i18n.Text{EN: "cancel", ZH: "取消"}
	HintShowAll = i18n.Text{EN: "show all", ZH: "显示全部"}
	hintKind    = i18n.Text{EN: "kind", ZH: "种类"}
)

// Texts of the prompt editor.
var (
	onlyInEditor    = i18n.Text{EN: "only in the prompt editor", ZH: "只在编辑提示词时"}
	hintSave        = i18n.Text{EN: "save", ZH: "保存"}
	discardTitle    = i18n.Text{EN: "Discard changes?", ZH: "放弃修改？"}
	discardBody     = i18n.Text{EN: "Your changes are not saved.", ZH: "你的修改尚未保存。"}
	TextKeepEditing = i18n.Text{EN: "Keep editing", ZH: "继续编辑"}
	discard         = i18n.Text{EN: "Discard", ZH: "放弃"}
)

// Texts of several features.
var (
	HintChoose       = i18n.Text{EN: "choose", ZH: "选用"}
	HintSearch       = i18n.Text{EN: "search", ZH: "搜索"}
	TextCurrent      = i18n.Text{EN: "current", ZH: "当前选择"}
	TextNowUses      = i18n.Text{EN: "%s now uses %s", ZH: "%s 现在使用：%s"}
	TextAlreadyUses  = i18n.Text{EN: "%s already uses %s", ZH: "%s 已在使用：%s"}
	TextAnyModel     = i18n.Text{EN: "any: %s", ZH: "任一：%s"}
	TextBuiltIn      = i18n.Text{EN: "built in", ZH: "内置"}
	TextMistakes     = i18n.Text{EN: "has mistakes", ZH: "有错误"}
	TextAgents       = i18n.Plural{One: "%d agent", Other: "%d agents", ZH: "%d 个智能体"}
	TextNotSetUp     = i18n.Text{EN: "not set up", ZH: "未设置"}
	TextCancel       = i18n.Text{EN: "Cancel", ZH: "取消"}
	TextClose        = i18n.Text{EN: "Close", ZH: "关闭"}
	TextGone         = i18n.Text{EN: "%s no longer exists", ZH: "%s 已不存在"}
	TextHintCommands = i18n.Text{EN: "/ lists all commands, {next_pane} completes", ZH: "输入 / 列出全部命令，{next_pane} 补全"}
	TextHintGo       = i18n.Text{EN: "{next_needs_you} goes there", ZH: "{next_needs_you} 前往"}
	TextOpenIt       = i18n.Text{EN: "open", ZH: "打开"}
	TextNothingYet   = i18n.Text{EN: "Nothing yet", ZH: "还没有内容"}
	TextNoMatches    = i18n.Text{EN: "No matches. esc clears the search.", ZH: "没有匹配项。按 esc 清除搜索。"}
	textNoUse        = i18n.Text{EN: "Typing does nothing in this list; keys are ignored for a moment", ZH: "在此列表中输入文字不起作用；按键暂时不响应"}
	textOnlyList     = i18n.Text{EN: "only in a list", ZH: "仅在列表中"}
)

// Texts of an export to a file.
var (
	textFile         = i18n.Text{EN: "File:", ZH: "文件："}
	textExportNow    = i18n.Text{EN: "Export", ZH: "导出"}
	textNoFile       = i18n.Text{EN: "Write the name of a file", ZH: "请写文件名"}
	textReplaceTitle = i18n.Text{EN: "Replace the file?", ZH: "替换文件？"}
	textReplaceBody  = i18n.Text{EN: "%s exists. Its content would be lost.", ZH: "%s 已存在，其内容将会丢失。"}
	textKeepIt       = i18n.Text{EN: "Keep the file", ZH: "保留文件"}
	textReplace      = i18n.Text{EN: "Replace", ZH: "替换"}
)
