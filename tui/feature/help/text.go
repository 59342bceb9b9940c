package help

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
)

var (
	title = i18n.Text{EN: "Help", ZH: "帮助"}
	here  = i18n.Text{EN: "%s (you are here)", ZH: "%s（你在这里）"}
	what  = i18n.Text{EN: "society-tui runs a team of AI agents in your terminal.", ZH: "society-tui 在终端中运行一个 AI 智能体团队。"}
	intro = i18n.Text{
		EN: "Write a request to root and press {composer.send}. Root builds a team and reports back.",
		ZH: "给 root 写下请求，按 {composer.send} 发送。root 会组建团队并向你汇报。",
	}
)

// Titles of the tabs.
var (
	start     = i18n.Text{EN: "Start", ZH: "入门"}
	keysHere  = i18n.Text{EN: "Here", ZH: "此处"}
	allKeys   = i18n.Text{EN: "All keys", ZH: "所有按键"}
	commands  = i18n.Text{EN: "Commands", ZH: "命令"}
	signs     = i18n.Text{EN: "Symbols", ZH: "符号"}
	mouse     = i18n.Text{EN: "Mouse", ZH: "鼠标"}
	slashes   = i18n.Text{EN: "Slash commands", ZH: "斜杠命令"}
	slashesOf = i18n.Text{EN: "Slash commands: %s", ZH: "斜杠命令：%s"}
)

// places are the tabs with keys, and the scopes of which each has them.
var places = []struct {
	title  i18n.Text
	scopes []command.Scope
}{
	{command.Global.Title(), []command.Scope{command.Global}},
	{command.Composer.Title(), []command.Scope{command.Composer}},
	{command.Tree.Title(), []command.Scope{command.Tree, command.Verbs, command.Board}},
	{command.Conversation.Title(), []command.Scope{command.Conversation, command.Inspector}},
	{i18n.Text{EN: "Lists", ZH: "列表"}, []command.Scope{command.List, command.Prompt}},
}

// firstKeys are the keys in the first tab: how to talk, watch, stop, undo, find and leave, and
// what leads further.
var firstKeys = []struct{ key, does i18n.Text }{
	{i18n.Text{EN: "{composer.send}", ZH: "{composer.send}"}, i18n.Text{EN: "Talk: send what you wrote", ZH: "对话：发送所写内容"}},
	{i18n.Text{EN: "{to_tree} {tree.talk}", ZH: "{to_tree} {tree.talk}"}, i18n.Text{EN: "Watch an agent of the tree", ZH: "查看智能体树中的一个智能体"}},
	{i18n.Text{EN: "{verbs_follow}", ZH: "{verbs_follow}"}, i18n.Text{EN: "Stop, pause, resume …", ZH: "停止、暂停、恢复……"}},
	{i18n.Text{EN: "/undo", ZH: "/undo"}, i18n.Text{EN: "Undo what an agent changed in files", ZH: "撤销智能体对文件的更改"}},
	{i18n.Text{EN: "/find", ZH: "/find"}, i18n.Text{EN: "Find text here; {conversation.search_all} then searches all conversations", ZH: "在此查找文字；再按 {conversation.search_all} 搜索所有对话"}},
	{i18n.Text{EN: "{quit}", ZH: "{quit}"}, i18n.Text{EN: "Leave; all is saved and continues next time", ZH: "退出；一切已保存，下次继续"}},
	{i18n.Text{EN: "{palette}", ZH: "{palette}"}, i18n.Text{EN: "Command palette", ZH: "命令面板"}},
	{i18n.Text{EN: "{next_pane}", ZH: "{next_pane}"}, i18n.Text{EN: "Next pane", ZH: "下一个窗格"}},
	{i18n.Text{EN: "{next_needs_you}", ZH: "{next_needs_you}"}, i18n.Text{EN: "Agent that needs you", ZH: "需要你的智能体"}},
	{i18n.Text{EN: "esc esc", ZH: "esc esc"}, i18n.Text{EN: "Interrupt", ZH: "中断"}},
	{i18n.Text{EN: "/", ZH: "/"}, i18n.Text{EN: "Commands in the composer", ZH: "输入框中的命令"}},
}

// share is how agents get a folder.
var (
	shareTitle = i18n.Text{EN: "Files", ZH: "文件"}
	share      = i18n.Text{EN: "Share a folder with the agents: start the program with it. @ then names its files", ZH: "与智能体共享文件夹：启动程序时给出。之后用 @ 引用其中的文件"}
)

// gestures explains the mouse, and how to copy text.
var gestures = []struct{ what, does i18n.Text }{
	{i18n.Text{EN: "Click", ZH: "单击"}, i18n.Text{EN: "An agent: talk to it; a pane: focus; a row of a list: choose it, or select it first where more keys act on it; a fold mark: fold or unfold", ZH: "点智能体：与其对话；点窗格：聚焦；点列表的行：选用，若还有其他按键可用则先选中；点折叠标记：折叠或展开"}},
	{i18n.Text{EN: "Double click", ZH: "双击"}, i18n.Text{EN: "On the board: talk to the agent", ZH: "在总表中：与该智能体对话"}},
	{i18n.Text{EN: "Wheel", ZH: "滚轮"}, i18n.Text{EN: "Scroll the pane under the pointer", ZH: "滚动指针下的窗格"}},
	{i18n.Text{EN: "Drag", ZH: "拖动"}, i18n.Text{EN: "Copy the text; on the edge of the agent tree: change its width", ZH: "复制文字；拖动智能体树的边界则改变宽度"}},
	{i18n.Text{EN: "Right click", ZH: "右键"}, i18n.Text{EN: "Nothing here; with shift, most terminals open their own menu", ZH: "在此没有作用；多数终端按住 shift 会打开自己的菜单"}},
	{i18n.Text{EN: "OSC 52", ZH: "OSC 52"}, i18n.Text{
		EN: "How copied text reaches the clipboard: through the terminal, which does not confirm it. Where nothing arrives, set -g set-clipboard on in tmux, or /mouse off and select with the terminal",
		ZH: "复制的文字由终端送到剪贴板，终端不作确认；若没有收到，在 tmux 中设置 set -g set-clipboard on，或用 /mouse off 后由终端选择",
	}},
}

// Meanings of the signs.
var (
	signCounts       = i18n.Text{EN: "agents in each state, in the first row and behind a collapsed agent; running a tool counts as thinking, reported as idle", ZH: "各状态的智能体数，在首行和折叠的智能体之后；思考中包括执行工具，空闲包括已汇报"}
	signBelow        = i18n.Text{EN: "agents below a collapsed one", ZH: "折叠的智能体之下的智能体数"}
	signUnread       = i18n.Text{EN: "messages that you have not seen", ZH: "你尚未看过的消息数"}
	signTodo         = i18n.Text{EN: "things done, of those that an agent has to do", ZH: "智能体的待办：已完成数与总数"}
	signProcesses    = i18n.Text{EN: "background processes of an agent", ZH: "智能体的后台进程数"}
	signTokens       = i18n.Text{EN: "tokens used by all agents, input and output, including terminated agents; ~ marks an estimate during the first answer", ZH: "所有智能体用去的词元（输入与输出），包括已终止的智能体；带 ~ 的是首个回答期间的估计值"}
	signRate         = i18n.Text{EN: "tokens per second over the last five seconds of work", ZH: "最近五秒工作中每秒输出的词元"}
	signWorked       = i18n.Text{EN: "total time during which an agent worked", ZH: "有智能体工作的总时间"}
	signAgo          = i18n.Text{EN: "time in this state; for a retry, until the next one", ZH: "处于此状态的时间；重试时为距下次重试的时间"}
	signAt           = i18n.Text{EN: "idle since", ZH: "从何时起空闲"}
	signYou          = i18n.Text{EN: "you, and the messages to you", ZH: "你，以及给你的消息"}
	signCursor       = i18n.Text{EN: "the row that keys act on", ZH: "按键作用的行"}
	signMarked       = i18n.Text{EN: "marked: commands act on all marked agents", ZH: "已标记：命令对全部已标记的智能体生效"}
	signMarkedCursor = i18n.Text{EN: "marked, and the row that keys act on", ZH: "已标记，且是按键作用的行"}
	signFolded       = i18n.Text{EN: "collapsed: those below are hidden", ZH: "已折叠：下级未显示"}
	signUnfolded     = i18n.Text{EN: "expanded", ZH: "已展开"}
)
