package words

import "society-tui/runtime/protocol"

// App are the words of the screen as a whole: its dialogs, the help, the first
// run.
type App struct {
	TooSmall  string // %d columns, %d rows that are needed at least
	SmallKeys string // which key does something there
	SmallQuit string // it was pressed once
	You       string // the person, where named
	Inbox     string // the title of the person's own conversation
	TreePane  string // what a hidden pane is called in the row of hints
	ChatPane  string
	Details   string
	EscAgain  string // %s, behind esc
	NewTask   string // behind the recipient's name, when what is written begins a task

	NotSetUp    string // of a model that a role asks for
	NoticeTitle string // of what is to be said when the screen opens

	Cancel string
	Close  string

	QuitTitle    string
	QuitNobody   string
	QuitRunning  string // %d agents
	QuitSaved    string
	QuitUnsaved  string
	Quit         string
	QuitPause    string
	Finishing    string // %d calls
	FinishingOne string
	Closing      string
	LeaveAtOnce  string
	MoreAgents   string // %d, after a list of names

	StopTitle      string // %s
	StopBody       string // %d agents, %s: Below
	Stop           string // %d
	TerminateTitle string // %s
	TerminateBody  string // %d agents, %s: Below
	Terminate      string // %d
	Below          string // %d: of those who stand below the ones that were chosen
	Marked         string // %d marked agents, in place of a name
	Lost           string // %s: the next three that apply, joined by Comma
	LostAnswers    string // %d
	LostCalls      string // %d
	LostMessages   string // %d
	Waiters        string // %s: who waits for them, and is told nothing
	Read           string // %d messages that were read since it was asked
	Comma          string
	InboxStays     string // behind Lost
	Grown          string // %d agents there were when the question was asked
	GrowsOn        string // behind Grown, where they end for good

	StoppedTitle string // %s
	StoppedBody  string
	KeepText     string
	ResumeSend   string

	Welcome        string
	WelcomeOffline string
	WelcomeModel   string // %s
	WelcomeSet     string // where there are no lists
	WelcomeModels  string
	WelcomePick    string // %s: a key
	WelcomeTeam    string // how to begin with agents that are ready
	WelcomeWaits   string // %s: those that wait below root

	// What the slash commands do, for their completion.
	// What may follow a command, in the help.
	// What may follow /export, for its completion.
	ExportBelow, ExportMarkdown, ExportJSON string
}

// ForApp returns the words in lang; English for a language it does not know.
func ForApp(lang protocol.Lang) App {
	if lang == protocol.Chinese {
		return chineseApp()
	}
	return App{
		TooSmall:  "too small (%dx%d)",
		SmallKeys: "No key does anything here but ctrl+c.",
		SmallQuit: "ctrl+c again quits.",
		You:       "you",
		Inbox:     "you (inbox)",
		TreePane:  "agents",
		ChatPane:  "conversation",
		Details:   "inspector",
		EscAgain:  "again to interrupt %s",
		NewTask:   "new task",

		NotSetUp: "not set up", NoticeTitle: "Before you begin",

		Cancel: "Cancel",
		Close:  "Close",

		QuitTitle:    "Quit?",
		QuitNobody:   "No agent is at work.",
		QuitRunning:  "Agents at work: %d",
		QuitSaved:    "Everything is saved: agents, conversations, waiting messages, your drafts. What was begun goes on at the next start.",
		QuitUnsaved:  "Nothing is being saved at present: what happened since then would be lost.",
		Quit:         "Quit",
		QuitPause:    "Quit and pause all",
		Finishing:    "finishing %d calls…",
		FinishingOne: "finishing one call…",
		Closing:      "closing the file…",
		LeaveAtOnce:  "press ctrl+c again to leave at once",
		MoreAgents:   "and %d more",

		StopTitle:      "Stop %s?",
		StopBody:       "Stops agents: %d%s. What they have said stays; what they are doing is cut short. Resume makes them ready again.",
		Stop:           "Stop %d",
		TerminateTitle: "Terminate %s?",
		TerminateBody:  "Ends agents: %d%s, and deletes their conversations; their bytes leave the file when you leave (above 64 MiB: society-tui compact). Cannot be undone.",
		Terminate:      "Terminate %d",
		Below:          " (below those chosen: %d)",
		Marked:         "%d marked agents",
		Lost:           "Lost: %s.",
		LostAnswers:    "half-written answers: %d",
		LostCalls:      "running tool calls: %d",
		LostMessages:   "waiting messages: %d",
		Waiters:        "Waits for that, and will be told nothing: %s.",
		Read:           "Messages read since this was asked: %d.",
		Comma:          ", ",
		InboxStays:     " Your inbox stays.",
		Grown:          "Agents when this was asked: %d.",
		GrowsOn:        " If more keep coming, stop it first.",

		StoppedTitle: "%s is stopped",
		StoppedBody:  "It takes no messages until it is resumed. That takes up what is stopped below it too. Your text is kept either way.",
		KeepText:     "Keep the text",
		ResumeSend:   "Resume and send",

		Welcome:        "Tell root what you want. It makes roles, spawns agents, and you see each of them at work.",
		WelcomeOffline: "This is the offline demo model: it needs no network and no key.",
		WelcomeModel:   "The model is %s.",
		WelcomeSet:     "For a real one set OPENAI_API_KEY (OPENAI_BASE_URL, SOCIETY_MODEL) and start again.",
		WelcomeModels:  "For a real one: /models, or OPENAI_API_KEY and SOCIETY_MODEL.",
		WelcomePick:    "%s goes to the examples, enter takes one:",
		WelcomeTeam:    "Or begin with a ready team: /template",
		WelcomeWaits:   "Below root there wait: %s. Root knows what they are for.",

		ExportBelow:    "with all below it; of root: the whole society",
		ExportMarkdown: "Markdown, to be read", ExportJSON: "all of it; a whole society can be read in again",
	}
}

func chineseApp() App {
	return App{
		TooSmall:  "窗口太小（%dx%d）",
		SmallKeys: "此时只有 ctrl+c 有作用。",
		SmallQuit: "再按一次 ctrl+c 退出。",
		You:       "你",
		Inbox:     "你（收件箱）",
		TreePane:  "智能体",
		ChatPane:  "对话",
		Details:   "详情",
		EscAgain:  "再按一次中断 %s",
		NewTask:   "新任务",

		NotSetUp: "未设置", NoticeTitle: "开始之前",

		Cancel: "取消",
		Close:  "关闭",

		QuitTitle:    "退出？",
		QuitNobody:   "没有智能体在工作。",
		QuitRunning:  "正在工作的智能体：%d",
		QuitSaved:    "一切都已保存：智能体、对话、待读消息和你的草稿。未完成的工作下次启动时继续。",
		QuitUnsaved:  "目前没有在保存：此后发生的事会丢失。",
		Quit:         "退出",
		QuitPause:    "退出并全部暂停",
		Finishing:    "正在完成 %d 个调用…",
		FinishingOne: "正在完成一个调用…",
		Closing:      "正在关闭文件…",
		LeaveAtOnce:  "再按 ctrl+c 立即离开",
		MoreAgents:   "还有 %d 个",

		StopTitle:      "停止 %s？",
		StopBody:       "将停止智能体：%d%s。说过的话保留，正在做的会被中止。恢复后可再用。",
		Stop:           "停止 %d",
		TerminateTitle: "终止 %s？",
		TerminateBody:  "将终止智能体：%d%s，并删除其对话；离开时清除文件中残留的字节（超过 64 MiB：society-tui compact）。无法撤销。",
		Terminate:      "终止 %d",
		Below:          "（其中下属 %d 个）",
		Marked:         "%d 个已标记的智能体",
		Lost:           "将丢失：%s。",
		LostAnswers:    "写了一半的回答 %d 个",
		LostCalls:      "正在执行的工具调用 %d 个",
		LostMessages:   "待读消息 %d 条",
		Waiters:        "在等待它、但不会得到通知的：%s。",
		Read:           "提问之后已被读取的消息：%d 条。",
		Comma:          "，",
		InboxStays:     "你的收件箱保留。",
		Grown:          "提问时的智能体：%d。",
		GrowsOn:        "如果还在增加，请先停止它。",

		StoppedTitle: "%s 已停止",
		StoppedBody:  "恢复之前它不接收消息。恢复时其下停止的也一并恢复。无论如何你的文字都会保留。",
		KeepText:     "保留文字",
		ResumeSend:   "恢复并发送",

		Welcome:        "告诉 root 你想要什么。它会设立角色、派生智能体，你能看到每一个在做什么。",
		WelcomeOffline: "这是离线演示模型：不需要网络，也不需要密钥。",
		WelcomeModel:   "模型是 %s。",
		WelcomeSet:     "要用真实模型，请设置 OPENAI_API_KEY（OPENAI_BASE_URL、SOCIETY_MODEL）后重新启动。",
		WelcomeModels:  "要用真实模型：/models，或设置 OPENAI_API_KEY 和 SOCIETY_MODEL。",
		WelcomePick:    "按 %s 进入示例列表，按 enter 选用：",
		WelcomeTeam:    "也可以从现成的团队开始：/template",
		WelcomeWaits:   "root 之下等待任务的有：%s。root 知道它们的用途。",

		ExportBelow:    "连同其下属；对 root 则是整个社会",
		ExportMarkdown: "Markdown，供阅读", ExportJSON: "全部内容；整个社会可以再读入",
	}
}
