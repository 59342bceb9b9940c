package help

import "society-tui/runtime/i18n"

var (
	title   = i18n.Text{EN: "Help", ZH: "帮助"}
	noMatch = i18n.Text{EN: "No matches. esc clears the search.", ZH: "没有匹配项。按 esc 清除搜索。"}
	here    = i18n.Text{EN: "%s (you are here)", ZH: "%s（你在这里）"}
	outside = i18n.Text{EN: "Outside the composer", ZH: "输入框之外"}
	intro   = i18n.Text{
		EN: "Write a request to root and press enter. Root builds a team and reports back.",
		ZH: "给 root 写下请求，按 enter 发送。root 会组建团队并向你汇报。",
	}
)

// The parts behind the first page.
var (
	keysHere  = i18n.Text{EN: "Keys here", ZH: "此处按键"}
	allKeys   = i18n.Text{EN: "All keys", ZH: "所有按键"}
	commands  = i18n.Text{EN: "Commands", ZH: "命令"}
	symbols   = i18n.Text{EN: "Symbols", ZH: "符号"}
	mouse     = i18n.Text{EN: "Mouse and copying", ZH: "鼠标与复制"}
	slashes   = i18n.Text{EN: "Slash commands", ZH: "斜杠命令"}
	slashesOf = i18n.Text{EN: "Slash commands: %s", ZH: "斜杠命令：%s"}
)

// firstKeys are the keys that the first page names.
var firstKeys = []struct{ key, does i18n.Text }{
	{i18n.Text{EN: "{palette}", ZH: "{palette}"}, i18n.Text{EN: "Command palette", ZH: "命令面板"}},
	{i18n.Text{EN: "{next_pane}", ZH: "{next_pane}"}, i18n.Text{EN: "Next pane", ZH: "下一个窗格"}},
	{i18n.Text{EN: "{to_tree} {tree.talk}", ZH: "{to_tree} {tree.talk}"}, i18n.Text{EN: "Watch an agent of the tree", ZH: "在智能体树中查看一个智能体"}},
	{i18n.Text{EN: "{next_needs_you}", ZH: "{next_needs_you}"}, i18n.Text{EN: "Agent that needs you", ZH: "需要你的智能体"}},
	{i18n.Text{EN: "{verbs_follow}", ZH: "{verbs_follow}"}, i18n.Text{EN: "Stop, pause, resume …", ZH: "停止、暂停、恢复……"}},
	{i18n.Text{EN: "esc esc", ZH: "esc esc"}, i18n.Text{EN: "Interrupt", ZH: "中断"}},
	{i18n.Text{EN: "/", ZH: "/"}, i18n.Text{EN: "Commands in the composer", ZH: "输入框中的命令"}},
	{i18n.Text{EN: "/find", ZH: "/find"}, i18n.Text{EN: "Search the conversation", ZH: "搜索对话"}},
	{i18n.Text{EN: "{help}", ZH: "{help}"}, i18n.Text{EN: "Back to this page", ZH: "回到本页"}},
	{i18n.Text{EN: "{quit}", ZH: "{quit}"}, i18n.Text{EN: "Quit", ZH: "退出"}},
}

// gestures are what the mouse does, and how text is copied.
var gestures = []struct{ what, does i18n.Text }{
	{i18n.Text{EN: "Click", ZH: "单击"}, i18n.Text{EN: "Select, focus; on a fold mark: fold or unfold", ZH: "选择、聚焦；点折叠标记则折叠或展开"}},
	{i18n.Text{EN: "Double click", ZH: "双击"}, i18n.Text{EN: "In the tree: talk to the agent", ZH: "在智能体树中：与该智能体对话"}},
	{i18n.Text{EN: "Wheel", ZH: "滚轮"}, i18n.Text{EN: "Scroll the pane under the pointer", ZH: "滚动指针下的窗格"}},
	{i18n.Text{EN: "Drag", ZH: "拖动"}, i18n.Text{EN: "Copy the text; on the edge of the agent tree: change its width", ZH: "复制文字；拖动智能体树的边界则改变宽度"}},
	{i18n.Text{EN: "OSC 52", ZH: "OSC 52"}, i18n.Text{
		EN: "How copied text reaches the clipboard: through the terminal, which does not confirm it. Where nothing arrives, set -g set-clipboard on in tmux, or /mouse off and select with the terminal",
		ZH: "复制的文字由终端送到剪贴板，终端不作确认；若没有收到，在 tmux 中设置 set -g set-clipboard on，或用 /mouse off 后由终端选择",
	}},
}
