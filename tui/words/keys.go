package words

import "society-tui/runtime/protocol"

// Keys says what each key does: the words of the help and of the row of hints.
type Keys struct {
	// The headings of the help, behind the one of where the person is Here (%s), and
	// what is said where nothing in it holds what is searched for.
	Here, NothingFound                                                                       string
	Anywhere, Outside, Tree, Chat, Inspector, Composer, Prefix, Mouse, Commands, List, Sheet string

	Click, DoubleClick, Wheel, Drag                           string
	MouseClick, MouseDouble, MouseWheel, MouseDrag, Clipboard string
	HintSearch, HintOlderMatch                                string
	HintNewerMatch, HintSearchEnd                             string
	HintExport                                                string
	HintRest                                                  string

	// Short words for the row of hints; the long ones are above.
	HintCommands                                                    string // HintNextAsks: %d agents
	HintInterrupt, HintStop                                         string
	HintUnzoom                                                      string
	HintQuickReply, HintClose, HintCancel, HintRetry                string
	HintKeepFilter, HintShowAll, HintChoose, HintMove, HintComplete string
	HintExamples                                                    string
	HintResume                                                      string
	HintView, HintMakeRole, HintEditRole                            string
	HintChooseModel, HintChooseGraph, HintDo, HintGo, HintKind      string
	HintRename, HintDelete, HintMeant                               string // HintMeant: %s, a command that a filter or a search names
}

// ForKeys returns the words in lang; English for a language it does not know.
func ForKeys(lang protocol.Lang) Keys {
	if lang == protocol.Chinese {
		return chineseKeys()
	}
	return Keys{
		Here: "%s (you are here)", NothingFound: "Nothing here holds that. esc shows all; ctrl+p finds all that can be done.",
		Anywhere: "Anywhere", Outside: "Anywhere but in the composer", Tree: "Agents", Chat: "Conversation", Inspector: "Inspector",
		Composer: "Composer", Prefix: "After ctrl+x", Mouse: "Mouse", Commands: "Commands, written",

		Click: "click", DoubleClick: "double click", Wheel: "wheel", Drag: "drag",
		MouseClick: "select, focus; on a fold mark: fold or unfold", MouseDouble: "in the tree: talk to it",
		MouseWheel: "scroll the pane under the pointer", MouseDrag: "copy what is dragged over in a pane; move the border of the agents",
		Clipboard: "how what is copied reaches the clipboard: by the terminal, which does not answer; where nothing arrives, set -g set-clipboard on in tmux, or /mouse off and select with the terminal",

		HintUnzoom: "all panes", HintCommands: "commands",
		HintSearch: "search", HintOlderMatch: "older", HintNewerMatch: "newer", HintSearchEnd: "go back",
		HintInterrupt: "interrupt", HintStop: "stop",
		HintRetry: "try again", HintQuickReply: "quick reply", HintClose: "close", HintCancel: "cancel", HintKeepFilter: "keep the filter",
		HintShowAll: "show all", HintChoose: "choose", HintMove: "move", HintComplete: "complete", HintExamples: "examples",
		List: "Lists of roles, templates, themes, sessions", Sheet: "Writing a prompt",
		HintRename: "rename", HintDelete: "delete", HintChooseGraph: "graph",

		HintExport: "export",
		HintRest:   "all of it",
		HintDo:     "do it", HintGo: "go there", HintKind: "kind", HintView: "view", HintMakeRole: "make", HintEditRole: "edit", HintChooseModel: "model",
		HintMeant: "write the command %s", HintResume: "resume",
	}
}

func chineseKeys() Keys {
	return Keys{
		Here: "%s（你在这里）", NothingFound: "这里没有相符的内容。esc 显示全部；ctrl+p 可查找能做的一切。",
		Anywhere: "任何地方", Outside: "输入框以外的任何地方", Tree: "智能体", Chat: "对话", Inspector: "详情",
		Composer: "输入框", Prefix: "ctrl+x 之后", Mouse: "鼠标", Commands: "书写的命令",

		HintRename: "改名", HintDelete: "删除", HintChooseGraph: "图",

		Click: "单击", DoubleClick: "双击", Wheel: "滚轮", Drag: "拖动",
		MouseClick: "选择、聚焦；点折叠标记则折叠或展开", MouseDouble: "在智能体树中：与它对话",
		MouseWheel: "滚动指针下的窗格", MouseDrag: "复制窗格中拖过的内容；移动智能体树的边界",
		Clipboard: "复制的内容由终端送到剪贴板，终端不作回答；若没有收到，在 tmux 中设置 set -g set-clipboard on，或用 /mouse off 后由终端选择",

		HintUnzoom: "显示全部窗格", HintCommands: "命令",
		HintSearch: "查找", HintOlderMatch: "更早", HintNewerMatch: "更新", HintSearchEnd: "回到原处",
		HintInterrupt: "中断", HintStop: "停止",
		HintRetry: "重试", HintQuickReply: "快捷回复", HintClose: "关闭", HintCancel: "取消", HintKeepFilter: "保留筛选",
		HintShowAll: "显示全部", HintChoose: "选用", HintMove: "移动", HintComplete: "补全", HintExamples: "示例",
		List: "角色与模板列表", Sheet: "编写提示词",

		HintExport: "导出",
		HintRest:   "全文",
		HintDo:     "执行", HintGo: "前往", HintKind: "种类", HintView: "查看", HintMakeRole: "新建", HintEditRole: "编辑", HintChooseModel: "模型",
		HintMeant: "写成命令 %s", HintResume: "恢复",
	}
}
