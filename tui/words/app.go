package words

import "society-tui/runtime/protocol"

// App are the words of the screen as a whole: its dialogs, the help, the first
// run.
type App struct {
	You      string // the person, where named
	Inbox    string // the title of the person's own conversation
	TreePane string // what a hidden pane is called in the row of hints
	ChatPane string
	Details  string
	EscAgain string // %s, behind esc
	NewTask  string // behind the recipient's name, when what is written begins a task

	NotSetUp    string // of a model that a role asks for
	NoticeTitle string // of what is to be said when the screen opens

	Cancel string
	Close  string

	QuitTitle   string
	QuitSaved   string
	QuitUnsaved string
	Quit        string
	QuitPause   string
	MoreAgents  string // %d, after a list of names

	Comma string

	StoppedTitle string // %s
	StoppedBody  string
	KeepText     string
	ResumeSend   string

	Welcome        string
	WelcomeOffline string
	WelcomeModel   string // %s
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
		You:      "you",
		Inbox:    "you (inbox)",
		TreePane: "agents",
		ChatPane: "conversation",
		Details:  "inspector",
		EscAgain: "again to interrupt %s",
		NewTask:  "new task",

		NotSetUp: "not set up", NoticeTitle: "Before you begin",

		Cancel: "Cancel",
		Close:  "Close",

		QuitTitle:   "Quit?",
		QuitSaved:   "Everything is saved: agents, conversations, unread messages, your drafts. Running work continues at the next start.",
		QuitUnsaved: "Saving fails at present: what happened since then would be lost.",
		Quit:        "Quit",
		QuitPause:   "Quit and pause all",
		MoreAgents:  "and %d more",

		Comma: ", ",

		StoppedTitle: "%s is stopped",
		StoppedBody:  "It takes no messages until it is resumed. Resuming it also resumes the stopped agents below it. Your text is kept either way.",
		KeepText:     "Keep the text",
		ResumeSend:   "Resume and send",

		Welcome:        "Tell root what you want. It makes roles and agents, and you see each of them at work.",
		WelcomeOffline: "This is the offline demo model. It needs no network and no key.",
		WelcomeModel:   "The model is %s.",
		WelcomeModels:  "For a real model: /models, or OPENAI_API_KEY and SOCIETY_MODEL.",
		WelcomePick:    "%s goes to the examples, enter takes one:",
		WelcomeTeam:    "Or begin with a team from a template: /template",
		WelcomeWaits:   "Waiting below root: %s. Root knows what they are for.",

		ExportBelow:    "with its subtree; of root: the whole society",
		ExportMarkdown: "Markdown, for reading", ExportJSON: "everything; a whole society can be imported again",
	}
}

func chineseApp() App {
	return App{
		You:      "你",
		Inbox:    "你（收件箱）",
		TreePane: "智能体",
		ChatPane: "对话",
		Details:  "详情",
		EscAgain: "再按一次中断 %s",
		NewTask:  "新任务",

		NotSetUp: "未设置", NoticeTitle: "开始之前",

		Cancel: "取消",
		Close:  "关闭",

		QuitTitle:   "退出？",
		QuitSaved:   "一切都已保存：智能体、对话、未读消息和你的草稿。未完成的工作下次启动时继续。",
		QuitUnsaved: "目前无法保存：此后发生的事会丢失。",
		Quit:        "退出",
		QuitPause:   "退出并全部暂停",
		MoreAgents:  "还有 %d 个",

		Comma: "，",

		StoppedTitle: "%s 已停止",
		StoppedBody:  "恢复之前它不接收消息。恢复时其下停止的智能体也一并恢复。无论如何你的文字都会保留。",
		KeepText:     "保留文字",
		ResumeSend:   "恢复并发送",

		Welcome:        "告诉 root 你想要什么。它会创建角色和智能体，你能看到每一个在做什么。",
		WelcomeOffline: "这是离线演示模型，不需要网络，也不需要密钥。",
		WelcomeModel:   "模型是 %s。",
		WelcomeModels:  "要用真实模型：/models，或设置 OPENAI_API_KEY 和 SOCIETY_MODEL。",
		WelcomePick:    "按 %s 进入示例列表，按 enter 选用：",
		WelcomeTeam:    "也可以从模板添加团队：/template",
		WelcomeWaits:   "root 之下等待任务的有：%s。root 知道它们的用途。",

		ExportBelow:    "含下级；对 root 则是整个社会",
		ExportMarkdown: "Markdown，供阅读", ExportJSON: "全部内容；整个社会可以再导入",
	}
}
