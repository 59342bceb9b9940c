package words

import "society-tui/runtime/protocol"

// Sessions are the words of the list of sessions, and of what comes of it. In them %s
// is the name of a session, if nothing else is said.
type Sessions struct {
	Title    string
	Here     string // of the one that is open
	One      string
	Agents   string // %d
	Fresh    string // of one in which the person has written nothing yet
	Unread   string // of one that is still to be looked into
	InUse    string
	InUseBy  string // %d: the process, %s: since when
	Damaged  string
	Newer    string
	Misnamed string
	Slow     string
	Failed   string // %s: why

	GoTitle    string
	Go         string // a button
	GoPause    string // another
	Saved      string
	Opening    string
	IsHere     string
	NotOpened  string // %s, %s: why
	NotRenamed string // the same
	NotDeleted string // the same
	Gone       string // a reason
	Taken      string // the same; %s: the one that is there
	OpenHere   string // the same
	HintDamage string // %s

	New         string // the title of the question for a name
	Name        string // before the name that is written
	Rules       string
	NoName      string
	Make        string // a button
	Rename      string // another
	RenameTitle string
	There       string
	HintName    string
	Renamed     string // %s, %s: the new name

	DeleteTitle   string
	DeleteSays    string // %s: its size, %d agents
	DeleteOne     string // %s: its size
	DeleteUnknown string // %s: its size, %s: why nothing is known of it
	DeleteLast    string // %s: what the person wrote last
	DeleteGrave   string
	Delete        string // a button
	Deleted       string
}

// ForSessions returns the words in lang; English for a language it does not know.
func ForSessions(lang protocol.Lang) Sessions {
	if lang == protocol.Chinese {
		return chineseSessions()
	}
	return Sessions{
		Title: "Sessions", Here: "open here", One: "1 agent", Agents: "%d agents",
		Fresh: "nothing was asked here yet", Unread: "is being looked into",
		InUse: "is open in another society-tui", InUseBy: "is open in another society-tui (pid %d, since %s)",
		Damaged: "is damaged", Newer: "was written by a newer version of this program",
		Misnamed: "its file is called as no session can be: give it another name",
		Slow:     "is too large to be looked into", Failed: "cannot be read: %s",

		GoTitle: "Go to %s?", Go: "Go", GoPause: "Pause all and go",
		Saved:   "Everything is saved. What was begun goes on when you come back.",
		Opening: "opening %s", IsHere: "%s is open",
		NotOpened: "%s was not opened: it %s", NotRenamed: "%s was not renamed: it %s", NotDeleted: "%s was not deleted: it %s",
		Gone: "is not there any more", Taken: "would be called like %s, which there is", OpenHere: "is open here; go to another session first",
		HintDamage: "started with --session %s the program moves it aside and begins anew",

		New: "A new session", Name: "Name:", Make: "Make", Rename: "Rename", RenameTitle: "Rename %s",
		Rules:  "Letters of any script and digits, at most 64, and between them - _ . but no blanks. Not .db at the end, and no device of Windows such as con.",
		NoName: "“%s” is no name that a session can have.",
		There:  "there is a session %s", HintName: "enter in the list goes there",
		Renamed: "%s is called %s now",

		DeleteTitle:   "Delete %s?",
		DeleteSays:    "Deletes its file (%s): %d agents, all that they have said, and what they wrote to you.",
		DeleteOne:     "Deletes its file (%s): root, all that it has said, and what it wrote to you.",
		DeleteUnknown: "Deletes its file (%s). What is in it is not known: it %s.",
		DeleteLast:    "You wrote last: %s", DeleteGrave: "Cannot be undone.",
		Delete: "Delete", Deleted: "%s is deleted",
	}
}

func chineseSessions() Sessions {
	return Sessions{
		Title: "会话", Here: "在此打开", One: "1 个智能体", Agents: "%d 个智能体",
		Fresh: "还没有提出过请求", Unread: "正在查看",
		InUse: "正在另一个 society-tui 中打开", InUseBy: "正在另一个 society-tui 中打开（pid %d，自 %s）",
		Damaged: "已损坏", Newer: "由本程序的更新版本写成",
		Misnamed: "它的文件名不能用作会话名：请改名",
		Slow:     "太大，无法查看", Failed: "无法读取：%s",

		GoTitle: "转到 %s？", Go: "转到", GoPause: "全部暂停后转到",
		Saved:   "一切都已保存。未完成的工作在你回来后继续。",
		Opening: "正在打开 %s", IsHere: "%s 已打开",
		NotOpened: "没有打开 %s：它%s", NotRenamed: "没有改名 %s：它%s", NotDeleted: "没有删除 %s：它%s",
		Gone: "已不在", Taken: "的名称与已有的 %s 相同", OpenHere: "在此打开；请先转到另一个会话",
		HintDamage: "用 --session %s 启动时，程序会把它移开并重新开始",

		New: "新会话", Name: "名称：", Make: "新建", Rename: "改名", RenameTitle: "为 %s 改名",
		Rules:  "可用任何文字的字母和数字，中间可用 - _ . ，不能有空格；最多 64 个。末尾不能是 .db，也不能是 con 等 Windows 设备名。",
		NoName: "“%s” 不能用作会话名。",
		There:  "已有会话 %s", HintName: "在列表中按 enter 转到它",
		Renamed: "%s 现在叫 %s",

		DeleteTitle:   "删除 %s？",
		DeleteSays:    "将删除它的文件（%s）：%d 个智能体，它们说过的一切，以及写给你的消息。",
		DeleteOne:     "将删除它的文件（%s）：root，它说过的一切，以及写给你的消息。",
		DeleteUnknown: "将删除它的文件（%s）。不知道其中有什么：它%s。",
		DeleteLast:    "你最后写的是：%s", DeleteGrave: "无法撤销。",
		Delete: "删除", Deleted: "%s 已删除",
	}
}
