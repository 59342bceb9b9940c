package words

import "society-tui/runtime/protocol"

// Keys are short words for the row of hints.
type Keys struct {
	HintSearch, HintOlderMatch    string
	HintNewerMatch, HintSearchEnd string
	HintExport                    string
	HintRest                      string

	// Short words for the row of hints; the long ones are above.
	HintCommands                                                    string // HintNextAsks: %d agents
	HintInterrupt, HintStop                                         string
	HintUnzoom                                                      string
	HintQuickReply, HintClose, HintCancel, HintRetry                string
	HintKeepFilter, HintShowAll, HintChoose, HintMove, HintComplete string
	HintExamples                                                    string
	HintResume                                                      string
	HintMakeRole                                                    string
	HintGo, HintKind                                                string
	HintRename, HintDelete, HintMeant                               string // HintMeant: %s, a command that a filter or a search names
}

// ForKeys returns the words in lang; English for a language it does not know.
func ForKeys(lang protocol.Lang) Keys {
	if lang == protocol.Chinese {
		return chineseKeys()
	}
	return Keys{
		HintUnzoom: "all panes", HintCommands: "commands",
		HintSearch: "search", HintOlderMatch: "older", HintNewerMatch: "newer", HintSearchEnd: "go back",
		HintInterrupt: "interrupt", HintStop: "stop",
		HintRetry: "try again", HintQuickReply: "quick reply", HintClose: "close", HintCancel: "cancel", HintKeepFilter: "keep the filter",
		HintShowAll: "show all", HintChoose: "choose", HintMove: "move", HintComplete: "complete", HintExamples: "examples",

		HintRename: "rename", HintDelete: "delete",

		HintExport: "export",
		HintRest:   "all of it",
		HintGo:     "go there", HintKind: "kind", HintMakeRole: "make",
		HintMeant: "write the command %s", HintResume: "resume",
	}
}

func chineseKeys() Keys {
	return Keys{
		HintRename: "改名", HintDelete: "删除",

		HintUnzoom: "显示全部窗格", HintCommands: "命令",
		HintSearch: "查找", HintOlderMatch: "更早", HintNewerMatch: "更新", HintSearchEnd: "回到原处",
		HintInterrupt: "中断", HintStop: "停止",
		HintRetry: "重试", HintQuickReply: "快捷回复", HintClose: "关闭", HintCancel: "取消", HintKeepFilter: "保留筛选",
		HintShowAll: "显示全部", HintChoose: "选用", HintMove: "移动", HintComplete: "补全", HintExamples: "示例",

		HintExport: "导出",
		HintRest:   "全文",
		HintGo:     "前往", HintKind: "种类", HintMakeRole: "新建",
		HintMeant: "写成命令 %s", HintResume: "恢复",
	}
}
