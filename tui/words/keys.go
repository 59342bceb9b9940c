package words

import "society-tui/runtime/protocol"

// Keys says what each key does: the words of the help and of the row of hints.
type Keys struct {
	// The headings of the help, behind the one of where the person is Here (%s), and
	// what is said where nothing in it holds what is searched for.
	Here, NothingFound                                                                       string
	Anywhere, Outside, Tree, Chat, Inspector, Composer, Prefix, Mouse, Commands, List, Sheet string

	NextPane, PrevPane, FocusTree, FocusChat, FocusInspector        string
	NextAsks, PrevAsks, Parent, Back, Pinned                        string
	Help, Repaint, Suspend, HideTree, Zoom, Narrower, Wider         string
	ArmVerbs, Escape, ControlC, ReleaseMouse                        string
	Interrupt, InterruptSend, Stop, StopOrResume, Resume, Terminate string
	Retry, EditWaiting, DropWaiting                                 string
	Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom       string
	Collapse, Expand, ExpandAll, CollapseAll                        string
	Talk, Mark, Filter, Show, Order, Pin, CopyID, CopyAnswer        string
	PrevMessage, NextMessage, Fold, Detail, CopyItem, CopyCode      string
	Tab, Follow, QuickReply                                         string
	Send, Newline, HistoryBack, HistoryOn, HistorySearch, Editor    string
	Bring, EscEsc, EndOrFollow, Palette, Timeline                   string
	Click, DoubleClick, Wheel, Drag                                 string
	MouseClick, MouseDouble, MouseWheel, MouseDrag, Clipboard       string
	Roles, Take, MakeRole, EditRole, ChooseModel, Save, LineEnd     string
	Search, OlderMatch, NewerMatch, HintSearch, HintOlderMatch      string
	HintNewerMatch, HintSearchEnd                                   string
	Pause, ChooseGraph, Export, HintExport                          string
	Notices, HintRest, WholeAgent, WholeMessage                     string
	Sessions, RenameSession, DeleteSession                          string

	// Short words for the row of hints; the long ones are above.
	HintSend, HintPane, HintNextAsks, HintVerbs, HintCommands             string // HintNextAsks: %d agents
	HintTalk, HintFold, HintFilter, HintInterrupt, HintStop               string
	HintTerminate, HintFollow, HintDetail, HintUnzoom                     string
	HintTab, HintQuickReply, HintClose, HintCancel, HintRetry             string
	HintKeepFilter, HintShowAll, HintChoose, HintMove, HintComplete       string
	HintExamples                                                          string
	HintResume, HintInterruptSend, HintDropWaiting, HintEditWaiting       string
	HintView, HintPlant, HintMakeRole, HintEditRole, HintSave             string
	HintChooseModel, HintChooseGraph, HintPause, HintDo, HintGo, HintKind string
	HintRename, HintDelete, HintMeant                                     string // HintMeant: %s, a command that a filter or a search names
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

		NextPane: "next pane", PrevPane: "previous pane",
		FocusTree: "to the agents", FocusChat: "to the conversation", FocusInspector: "to the inspector, of whom the tree's cursor is on, else of whom you write to",
		NextAsks: "next agent that needs you", PrevAsks: "previous agent that needs you",
		Parent: "open the parent", Back: "back to the agent before", Pinned: "open a pinned agent",
		Help: "this help", Repaint: "draw the screen anew", Suspend: "suspend the program",
		HideTree: "agents on or off", Zoom: "zoom this pane", Narrower: "agents narrower", Wider: "agents wider",
		ArmVerbs: "interrupt, stop, resume, terminate …", Escape: "close, clear, or back to the composer",
		ControlC: "copy, clear the text, or quit", ReleaseMouse: "mouse on or off",
		Interrupt: "interrupt", InterruptSend: "interrupt and send what is typed", Stop: "stop it and all below it",
		StopOrResume: "stop or resume", Resume: "resume it and all below it", Terminate: "terminate it and all below it",
		Retry: "try again", EditWaiting: "edit the newest waiting message, or the last one that a stop dropped", DropWaiting: "drop the newest waiting message",
		Up: "up", Down: "down", PageUp: "page up", PageDown: "page down", HalfUp: "half a page up", HalfDown: "half a page down",
		Top: "first", Bottom: "last",
		Collapse: "collapse, or to the parent", Expand: "expand, or to the first child",
		ExpandAll: "expand all below", CollapseAll: "collapse all",
		Talk: "talk to it", Mark: "mark", Filter: "filter: text !text s:error role:x >5m",
		Show: "all, problems, running", Order: "order: spawn, activity, state, tokens", Pin: "pin to alt+4 … alt+9", CopyID: "copy its id", CopyAnswer: "copy its last answer",
		PrevMessage: "your previous message", NextMessage: "your next message", Fold: "fold or unfold",
		Detail: "calls only, short, full", CopyItem: "copy", CopyCode: "copy the code block",
		Follow: "to the end, and follow", QuickReply: "take a quick reply",
		Send: "send", Newline: "new line", HistoryBack: "older text, on the first line", HistoryOn: "newer text, on the last line; on the first screen to the examples",
		HistorySearch: "older text with what is written in it", Editor: "write in $EDITOR", Bring: "bring back the cleared text",
		EscEsc: "interrupt the recipient", EndOrFollow: "end of the line; there already: follow the conversation",
		Click: "click", DoubleClick: "double click", Wheel: "wheel", Drag: "drag",
		MouseClick: "select, focus; on a fold mark: fold or unfold", MouseDouble: "in the tree: talk to it",
		MouseWheel: "scroll the pane under the pointer", MouseDrag: "copy what is dragged over in a pane; move the border of the agents",
		Clipboard: "how what is copied reaches the clipboard: by the terminal, which does not answer; where nothing arrives, set -g set-clipboard on in tmux, or /mouse off and select with the terminal",

		HintSend: "send", HintUnzoom: "all panes", HintPane: "pane", HintNextAsks: "next ? (%d)", HintVerbs: "stop/terminate", HintCommands: "commands",
		Search: "search the conversation", OlderMatch: "next place that was found, back in time", NewerMatch: "the one before",
		HintSearch: "search", HintOlderMatch: "older", HintNewerMatch: "newer", HintSearchEnd: "go back",
		HintTalk: "talk", HintFold: "fold", HintFilter: "filter", HintInterrupt: "interrupt", HintStop: "stop",
		HintTerminate: "terminate", HintFollow: "follow", HintDetail: "detail",
		HintRetry: "try again", HintQuickReply: "quick reply", HintClose: "close", HintCancel: "cancel", HintKeepFilter: "keep the filter",
		HintShowAll: "show all", HintChoose: "choose", HintMove: "move", HintComplete: "complete", HintExamples: "examples",
		HintTab: "brief, prompt, graph …", Tab: "state, brief, prompt, contacts, graph, tools",
		List: "Lists of roles, templates, themes, sessions", Sheet: "Writing a prompt",
		Pause: "pause it at the next border of its graph, or when its turn ends", ChooseGraph: "choose the graph of its turns", Sessions: "sessions: other societies, each on its own", RenameSession: "rename the session", DeleteSession: "delete the session", HintRename: "rename", HintDelete: "delete", HintPause: "pause", HintChooseGraph: "graph",
		Timeline: "what has happened, to it and all below it",
		Palette:  "all that can be done: type to find it",
		Roles:    "roles: see, make, edit", Take: "view the role, plant the template, choose the model, the graph or the theme, go to the session", MakeRole: "make a role, or a session", EditRole: "edit its prompt", ChooseModel: "choose its model",
		Save: "save", LineEnd: "new line", Export: "export: choose Markdown or JSON, alone or with all below it", HintExport: "export",
		Notices: "what the row of messages said last, in full", HintRest: "all of it", WholeAgent: "its state, task and error in full", WholeMessage: "all that is known of the message",
		HintDo: "do it", HintGo: "go there", HintKind: "kind", HintView: "view", HintPlant: "plant", HintMakeRole: "make", HintEditRole: "edit", HintChooseModel: "model", HintSave: "save",
		HintMeant: "write the command %s", HintResume: "resume", HintInterruptSend: "interrupt and send", HintDropWaiting: "drop waiting", HintEditWaiting: "edit waiting",
	}
}

func chineseKeys() Keys {
	return Keys{
		Here: "%s（你在这里）", NothingFound: "这里没有相符的内容。esc 显示全部；ctrl+p 可查找能做的一切。",
		Anywhere: "任何地方", Outside: "输入框以外的任何地方", Tree: "智能体", Chat: "对话", Inspector: "详情",
		Composer: "输入框", Prefix: "ctrl+x 之后", Mouse: "鼠标", Commands: "书写的命令",

		Pause: "在图的下一个节点边界或本轮结束时暂停", ChooseGraph: "选择其回合经过的图", Sessions: "会话：其他社会，各自独立", RenameSession: "为会话改名", DeleteSession: "删除会话", HintRename: "改名", HintDelete: "删除", HintPause: "暂停", HintChooseGraph: "图",

		NextPane: "下一个窗格", PrevPane: "上一个窗格",
		FocusTree: "到智能体树", FocusChat: "到对话", FocusInspector: "到详情：树中光标所在的智能体，否则是收件人",
		NextAsks: "下一个需要你的智能体", PrevAsks: "上一个需要你的智能体",
		Parent: "打开上级", Back: "返回先前的智能体", Pinned: "打开固定的智能体",
		Help: "本帮助", Repaint: "重绘屏幕", Suspend: "挂起程序",
		HideTree: "显示或隐藏智能体树", Zoom: "放大此窗格", Narrower: "智能体树变窄", Wider: "智能体树变宽",
		ArmVerbs: "中断、停止、恢复、终止…", Escape: "关闭、清除或回到输入框",
		ControlC: "复制、清空文字或退出", ReleaseMouse: "开关鼠标",
		Interrupt: "中断", InterruptSend: "中断并发送已输入的文字", Stop: "停止它及其下属",
		StopOrResume: "停止或恢复", Resume: "恢复它及其下属", Terminate: "终止它及其下属",
		Retry: "重试", EditWaiting: "编辑最新的待读消息，或停止时最后丢弃的消息", DropWaiting: "撤回最新的待读消息",
		Up: "向上", Down: "向下", PageUp: "上一页", PageDown: "下一页", HalfUp: "上半页", HalfDown: "下半页",
		Top: "第一个", Bottom: "最后一个",
		Collapse: "折叠，或到上级", Expand: "展开，或到第一个下级",
		ExpandAll: "展开全部下级", CollapseAll: "全部折叠",
		Talk: "与它对话", Mark: "标记", Filter: "筛选：文字 !文字 s:error role:x >5m",
		Show: "全部、问题、运行中", Order: "排序：创建、活动、状态、词元", Pin: "固定到 alt+4 … alt+9", CopyID: "复制其编号", CopyAnswer: "复制其最后的回答",
		PrevMessage: "你的上一条消息", NextMessage: "你的下一条消息", Fold: "折叠或展开",
		Detail: "仅调用、简短、完整", CopyItem: "复制", CopyCode: "复制代码块",
		Follow: "到末尾并跟随", QuickReply: "选用快捷回复",
		Send: "发送", Newline: "换行", HistoryBack: "在首行：较早的文字", HistoryOn: "在末行：较新的文字；在首屏：示例",
		HistorySearch: "查找含有所输入内容的旧文字", Editor: "用 $EDITOR 编写", Bring: "找回清空的文字",
		EscEsc: "中断收件者", EndOrFollow: "到行末；已在行末：跟随对话",
		Click: "单击", DoubleClick: "双击", Wheel: "滚轮", Drag: "拖动",
		MouseClick: "选择、聚焦；点折叠标记则折叠或展开", MouseDouble: "在智能体树中：与它对话",
		MouseWheel: "滚动指针下的窗格", MouseDrag: "复制窗格中拖过的内容；移动智能体树的边界",
		Clipboard: "复制的内容由终端送到剪贴板，终端不作回答；若没有收到，在 tmux 中设置 set -g set-clipboard on，或用 /mouse off 后由终端选择",

		HintSend: "发送", HintUnzoom: "显示全部窗格", HintPane: "窗格", HintNextAsks: "下一个 ? (%d)", HintVerbs: "停止/终止", HintCommands: "命令",
		Search: "在对话中查找", OlderMatch: "下一处（往前的消息）", NewerMatch: "上一处",
		HintSearch: "查找", HintOlderMatch: "更早", HintNewerMatch: "更新", HintSearchEnd: "回到原处",
		HintTalk: "对话", HintFold: "折叠", HintFilter: "筛选", HintInterrupt: "中断", HintStop: "停止",
		HintTerminate: "终止", HintFollow: "跟随", HintDetail: "详略",
		HintRetry: "重试", HintQuickReply: "快捷回复", HintClose: "关闭", HintCancel: "取消", HintKeepFilter: "保留筛选",
		HintShowAll: "显示全部", HintChoose: "选用", HintMove: "移动", HintComplete: "补全", HintExamples: "示例",
		HintTab: "委托、提示词、图…", Tab: "状态、委托、提示词、联系人、图、工具",
		List: "角色与模板列表", Sheet: "编写提示词",
		Timeline: "它及其下属发生过什么",
		Palette:  "可以做的一切：输入即可查找",
		Roles:    "角色：查看、创建、编辑", Take: "查看角色、创建模板，或选择模型、图或主题，转到会话", MakeRole: "创建角色或会话", EditRole: "编辑其提示词", ChooseModel: "选择其模型",
		Save: "保存", LineEnd: "换行", Export: "导出：选择 Markdown 或 JSON，仅它或连同下属", HintExport: "导出",
		Notices: "消息行最近说过的全部内容", HintRest: "全文", WholeAgent: "其状态、任务与错误的全文", WholeMessage: "此消息的全部资料",
		HintDo: "执行", HintGo: "前往", HintKind: "种类", HintView: "查看", HintPlant: "创建", HintMakeRole: "新建", HintEditRole: "编辑", HintChooseModel: "模型", HintSave: "保存",
		HintMeant: "写成命令 %s", HintResume: "恢复", HintInterruptSend: "中断并发送", HintDropWaiting: "撤回待读", HintEditWaiting: "编辑待读",
	}
}
