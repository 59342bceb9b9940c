package words

import "society-tui/runtime/protocol"

// Notices are the sentences of the message row: what came of a command, or why
// nothing did, and what can be done.
type Notices struct {
	Lang protocol.Lang // of the rules' own sentences

	// What came of a command. %s is the agent.
	Interrupting    string // %s
	Interrupted     string // %s, %d waiting
	NothingRan      string // %s: there was nothing to interrupt
	NoneRan         string // %s: the same of several
	OnlyWaits       string // %s, %s: it waits for the others, nothing of its own runs
	InterruptedText string // %s: it goes on with the text
	Pausing         string // %s
	PausesSoon      string // %s: it rests when what it is at has ended
	PauseSoon       string // %s: several
	PausedNow       string // %s: they were at rest
	WasPaused       string // %s
	WerePaused      string // %s: several
	Stopping        string // %s
	Stopped         string // %d agents, %d messages
	WaitedFor       string // %s, who waited for the stopped or terminated
	ReadBefore      string // %d messages that would have been dropped
	WasStopped      string // %s: it had been stopped already
	Resuming        string // %s
	Resumed         string // %d agents
	NothingResumed  string // %s
	Retrying        string // %s
	Retried         string // %d agents
	ResumedOnly     string // %d agents: they had nothing that could be tried again
	NothingRetried  string // %s
	NoneRetried     string // %s: several
	Terminating     string // %s
	Terminated      string // %d agents
	WithDropped     string // %d messages, behind it
	Abandoned       string // %s: names whose work did not end in time
	Sent            string // %s
	ResumedSent     string // %d agents, %s
	NewTask         string // the next text begins a task
	SameTask        string // the next text begins no task
	NewTaskSent     string // %s
	Dropped         string // a waiting message was taken back
	Taken           string // it is in the composer again
	TakenDropped    string // so is one that a stop has dropped
	Copied          string // %s
	CopiedSoFar     string // %s: of an answer that is being written
	HintCopied      string
	CopiedMarked    string // %s, %s characters
	NothingToCopy   string
	Cleared         string
	FromHistory     string
	NotInHistory    string
	NotAVerb        string // %s: a key
	SearchedFor     string // %s: a text that is a command too, see HintCommand
	NoKeyHere       string // %s: a key that means nothing in this pane
	Pinned          string // %s, %d
	Unpinned        string // %s
	Marked          string // %d
	NoneMarked      string
	NothingFolded   string
	NothingToFold   string
	Cycles          string // what the key for it goes through
	OrderSpawn      string // how the agents stand now
	OrderActivity   string
	OrderState      string
	OrderTokens     string
	Filtered        string // %s
	Unfiltered      string
	NoPin           string // %d
	AllPinsTaken    string
	NobodyAsks      string
	AsksHere        string // %s: nobody else does
	NoParent        string
	NowhereBack     string
	MouseOn         string
	MouseOff        string
	// MouseInGNUScreen says that the mouse is off there, and why; HintMouseOn how it is
	// turned on.
	MouseInGNUScreen, HintMouseOn string
	NoEditor                      string
	EditorFailed                  string // %s

	// Why a verb was refused before anybody was asked.
	RootStays   string
	UserIsYou   string
	NoTarget    string
	AlreadyGone string // %s
	AllGone     string // %s: several
	StillAtIt   string // %s: the verb before is not finished

	// Why a verb was refused.
	BeingEnded    string // %s
	StillStopping string // %s
	WasEnding     string // %s: it was being terminated already
	WereEnding    string // %s: several

	// Slash commands.
	UnknownCommand string // %s
	NeedsAgent     string // %s
	Takes          string // %s, %s: what may follow it
	UnknownAgent   string // %s
	NeedsFile      string // %s
	BackingUp      string // %s: the file
	BackedUp       string // %s: the file, and its size
	FileThere      string // %s
	BackupNoFolder string // %s: the folder
	BackupFailed   string // %s
	Exporting      string // %s: what
	Exported       string // %s: what, %d: entries of conversations, %s: the file
	ExportedAtWork string // as Exported, of what was at work then
	HintAtWork     string // what such an export has not
	ExportNoFolder string // %s: the folder
	ExportFailed   string // %s
	TheSociety     string // all of it
	AndBelow       string // %s: an agent, and all below it
	EmptyText      string

	// Refusals, by their code. %s is the agent, or what the rules said.
	AgentNotFound    string
	AgentStopped     string
	InvalidRecipient string
	TaskNotFound     string
	LimitReached     string
	MailboxFull      string
	TooLarge         string
	StoreUnavailable string
	Refused          string // any other, with the rules' own sentence
	Failed           string // what no rule foresaw

	// What to do next.
	HintResumeInterrupted string
	HintResume            string
	HintStopFirst         string
	HintDisk              string
	HintUnsaved           string
	HintFileOld           string // what is not saved is not in it
	HintText              string
	HintWait              string
	HintWrite             string // to those who were stopped
	HintGoOn              string // to those of whom nothing was tried again
	HintMeant             string // %s: agents that may be meant
	HintMeantCommand      string // %s: commands that may be meant
	HintAgain             string
	HintRetry             string // %s
	HintBring             string
	HintCommands          string
	HintGo                string
	HintTakeBack          string
	HintShowAll           string
	HintMarked            string
	HintAddress           string
	HintOlder             string
	HintCommand           string // %s: a command
	HintToWrite           string // how to get to where text is written

	// What happened by itself.
	// What the terminal shows while the window has not the focus.
	NotifyAsks   string // %d agents
	NotifyFailed string // %d agents
	NotifyRest   string
	// Instead of NotifyRest: %d agents are paused, %d wait for others.
	NotifyPaused, NotifyWaiting, NotifyPausedWaiting string

	AgentFailed string // %s, %s
	AgentAsks   string // %s
	Drained     string // %s, %d agents, %d messages
	GoOn        string // %d agents whose work a restart has taken up
	StayPaused  string // %d agents, after it
	StayStopped string // %d agents, after it
	Unsaved     string // %s
	SavedAgain  string
	KeepFailed  string // %s
}

// ForNotices returns the words in lang; English for a language it does not know.
func ForNotices(lang protocol.Lang) Notices {
	if lang == protocol.Chinese {
		return chineseNotices()
	}
	return Notices{
		Lang: protocol.English,

		Interrupting:    "interrupting %s…",
		Interrupted:     "interrupted %s · paused, %d waiting",
		NothingRan:      "%s was not working: there was nothing to interrupt",
		NoneRan:         "%s were not working: there was nothing to interrupt",
		OnlyWaits:       "%s waits for %s: nothing of its own runs",
		InterruptedText: "interrupted %s: it goes on with your text",
		Stopping:        "stopping %s…",
		Stopped:         "stopped agents: %d, messages dropped: %d",
		WaitedFor:       "%s waited for that, and is told nothing: write to it",
		ReadBefore:      "read just before: %d",
		WasStopped:      "%s had been stopped already",
		Pausing:         "pausing %s…",
		PausesSoon:      "asked %s to rest as soon as what it is at has ended",
		PauseSoon:       "asked %s to rest as soon as what they are at has ended",
		PausedNow:       "paused %s",
		WasPaused:       "%s was paused already",
		WerePaused:      "%s were paused already",
		Resuming:        "resuming %s…",
		Resumed:         "resumed agents: %d",
		NothingResumed:  "nothing to resume: %s and those below are neither paused nor stopped",
		Retrying:        "trying again: %s…",
		Retried:         "tried again: agents: %d",
		ResumedOnly:     "resumed, with nothing to try again: agents: %d",
		NothingRetried:  "%s has not failed: there is nothing to try again",
		NoneRetried:     "%s have not failed: there is nothing to try again",
		Terminating:     "terminating %s…",
		Terminated:      "terminated agents: %d",
		WithDropped:     ", messages dropped: %d",
		Abandoned:       "not ended in time, their answers no longer count: %s",
		Sent:            "sent to %s",
		ResumedSent:     "resumed agents: %d, and sent to %s",
		NewTask:         "what you write next begins a new task",
		SameTask:        "what you write next goes on with the present task",
		NewTaskSent:     "%s has a new task",
		Dropped:         "took the waiting message back: ctrl+y brings its text",
		Taken:           "took the waiting message back into the composer",
		TakenDropped:    "the dropped message is in the composer again",
		Copied:          "sent to the terminal's clipboard: %s",
		CopiedSoFar:     "still being written; sent to the terminal's clipboard so far: %s",
		HintCopied:      "nothing there? /help OSC 52",
		CopiedMarked:    "sent to the terminal's clipboard, characters: %[2]s · %[1]s",
		NothingToCopy:   "nothing to copy here",
		Cleared:         "cleared",
		FromHistory:     "your newest text with that in it",
		NotInHistory:    "none of your texts holds what is written",
		NotAVerb:        "ctrl+x %s is no command: nothing was done",
		SearchedFor:     "this conversation is searched for %s",
		NoKeyHere:       "%s does nothing in this pane",
		Pinned:          "pinned %s: alt+%d",
		Unpinned:        "%s is no longer pinned",
		Marked:          "marked agents: %d",
		NoneMarked:      "no agent is marked",
		NothingFolded:   "nothing is collapsed below it",
		NothingToFold:   "nothing to collapse: root stays open",
		Cycles:          "f goes on: all agents, those with problems, those that run",
		OrderSpawn:      "agents as they were spawned: no line moves by itself",
		OrderActivity:   "agents by activity: those at work first, then who came to rest last",
		OrderState:      "agents by state: those that need you, or have one below that does, first",
		OrderTokens:     "agents by tokens, with all below them: the most first",
		Filtered:        "the agents are narrowed to %s",
		Unfiltered:      "all agents are shown",
		NoPin:           "nothing is pinned to alt+%d",
		AllPinsTaken:    "alt+4 … alt+9 are all taken: p on one of them frees it",
		NobodyAsks:      "nobody needs you",
		AsksHere:        "%s needs you, and is open; nobody else does",
		NoParent:        "this is the top",
		NowhereBack:     "there is no agent to go back to",
		MouseOn:         "mouse on: the wheel scrolls, a click selects",
		MouseOff:        "mouse off: the terminal selects text itself",

		MouseInGNUScreen: "mouse off: GNU screen would hold back esc", HintMouseOn: "on all the same: /mouse on",
		NoEditor:     "neither VISUAL nor EDITOR is set",
		EditorFailed: "the editor failed: %s",

		RootStays:   "root cannot be terminated: the society stands on it",
		UserIsYou:   "this is you: choose an agent",
		NoTarget:    "choose an agent first",
		AlreadyGone: "%s is gone already",
		AllGone:     "%s are gone already",
		StillAtIt:   "%s: the last command is still being carried out",

		BeingEnded:    "%s is being ended and takes nothing more",
		StillStopping: "%s is still stopping",
		WasEnding:     "%s was being terminated already",
		WereEnding:    "%s were being terminated already",

		UnknownCommand: "%s is no command",
		NeedsFile:      "%s needs the name of a new file",
		BackingUp:      "Copying to %s…",
		BackedUp:       "Backup written: %s",
		FileThere:      "There already, and left as it is: %s",
		BackupNoFolder: "No backup: there is no folder %s",
		BackupFailed:   "No backup: %s",
		Exporting:      "Exporting %s…",
		Exported:       "Exported %s, entries: %d, to %s",
		ExportedAtWork: "Exported %s while at work, entries so far: %d, to %s",
		HintAtWork:     "what is being written now is not in it",
		ExportNoFolder: "No export: there is no folder %s",
		ExportFailed:   "No export: %s",
		TheSociety:     "the society",
		AndBelow:       "%s and all below",
		NeedsAgent:     "%s needs an agent's name",
		Takes:          "%s takes: %s",
		UnknownAgent:   "there is no agent %s",
		EmptyText:      "nothing is written yet",

		AgentNotFound:    "there is no agent %s",
		AgentStopped:     "%s is stopped and takes no messages",
		InvalidRecipient: "this cannot be sent to %s",
		TaskNotFound:     "%s does not work on that task",
		LimitReached:     "a limit is reached: %s",
		MailboxFull:      "%s has too many messages waiting",
		TooLarge:         "that is too large: %s",
		StoreUnavailable: "nothing can be saved now, so nothing was done",
		Refused:          "refused: %s",
		Failed:           "that failed: %s",

		HintResumeInterrupted: "ctrl+x r resumes, or write to it",
		HintResume:            "resume: ctrl+x r",
		HintStopFirst:         "ctrl+x s stops it and all below it",
		HintUnsaved:           "not saved yet: written first when the disk works again",
		HintFileOld:           "what is not saved at present is not in it",
		HintDisk:              "see that the disk has space; it goes on by itself",
		HintText:              "your text is kept: choose who gets it",
		HintWait:              "wait for it, or interrupt it: ctrl+x i",
		HintWrite:             "after a stop they wait for a message: write to go on",
		HintGoOn:              "write to go on",
		HintMeant:             "perhaps you mean: %s",
		HintMeantCommand:      "perhaps you mean: %s; a blank before the / sends it as text",
		HintAgain:             "try again in a moment",
		HintRetry:             "ctrl+n go there, ctrl+x r tries again",
		HintBring:             "ctrl+y brings it back",
		HintCommands:          "/ alone lists all of them, tab completes",
		HintGo:                "ctrl+n go there",
		HintTakeBack:          "esc takes that back",
		HintShowAll:           "esc shows all",
		HintMarked:            "i s T are for all of them, esc takes the marks away",
		HintAddress:           "a blank before the @ sends it as it stands",
		HintOlder:             "ctrl+r again: an older one, down goes back",
		HintCommand:           "to carry it out, write %s in the composer",
		HintToWrite:           "esc goes to where you write, F1 lists the keys",

		NotifyAsks:   "waiting for you: %d",
		NotifyFailed: "failed: %d",
		NotifyRest:   "all agents are at rest",
		NotifyPaused: "no agent is working; %d paused", NotifyWaiting: "no agent is working; %d waiting", NotifyPausedWaiting: "no agent is working; %d paused, %d waiting",

		AgentFailed: "%s: %s",
		AgentAsks:   "%s asks you",
		Drained:     "%s ended by its parent · agents: %d, cut off: %d",
		GoOn:        "agents that go on where they were: %d",
		StayPaused:  "paused: %d",
		StayStopped: "stopped: %d",
		Unsaved:     "nothing is being saved: %s",
		SavedAgain:  "everything is being saved again",
		KeepFailed:  "your draft cannot be saved: %s",
	}
}

func chineseNotices() Notices {
	return Notices{
		Lang: protocol.Chinese,

		Interrupting:    "正在中断 %s…",
		Interrupted:     "已中断 %s · 已暂停，%d 条待读",
		NothingRan:      "%s 没有在工作：无可中断",
		NoneRan:         "%s 都没有在工作：无可中断",
		OnlyWaits:       "%s 在等待 %s：自身没有运行",
		InterruptedText: "已中断 %s：它将按你的文字继续",
		Stopping:        "正在停止 %s…",
		Stopped:         "已停止智能体：%d，丢弃消息：%d",
		WaitedFor:       "%s 原在等待，不会得到通知：请写给它",
		ReadBefore:      "之前刚被读取：%d",
		WasStopped:      "%s 早已停止",
		Pausing:         "正在暂停 %s…",
		PausesSoon:      "已要求 %s 完成手头的一步后暂停",
		PauseSoon:       "已要求 %s 完成手头的一步后暂停",
		PausedNow:       "已暂停 %s",
		WasPaused:       "%s 早已暂停",
		WerePaused:      "%s 早已暂停",
		Resuming:        "正在恢复 %s…",
		Resumed:         "已恢复智能体：%d",
		NothingResumed:  "无可恢复：%s 及其下属既未暂停也未停止",
		Retrying:        "正在重试 %s…",
		Retried:         "已重试的智能体：%d",
		ResumedOnly:     "已恢复、但无可重试的智能体：%d",
		NothingRetried:  "%s 没有失败：无可重试",
		NoneRetried:     "%s 都没有失败：无可重试",
		Terminating:     "正在终止 %s…",
		Terminated:      "已终止智能体：%d",
		WithDropped:     "，丢弃消息：%d",
		Abandoned:       "未能及时结束，其回答不再有效：%s",
		Sent:            "已发送给 %s",
		ResumedSent:     "已恢复智能体：%d，并已发送给 %s",
		NewTask:         "接下来的文字将开始一个新任务",
		SameTask:        "接下来的文字继续当前任务",
		NewTaskSent:     "%s 有了新任务",
		Dropped:         "已撤回待读消息：ctrl+y 找回其文字",
		Taken:           "已把待读消息撤回到输入框",
		TakenDropped:    "已丢弃的消息已回到输入框",
		Copied:          "已发送到终端剪贴板：%s",
		CopiedSoFar:     "仍在书写；目前的内容已发送到终端剪贴板：%s",
		HintCopied:      "没有收到？/help OSC 52",
		CopiedMarked:    "已发送到终端剪贴板，字符：%[2]s · %[1]s",
		NothingToCopy:   "这里没有可复制的",
		Cleared:         "已清空",
		FromHistory:     "你写过的文字中含有所输入内容的最新一条",
		NotInHistory:    "你写过的文字中没有含所输入内容的",
		NotAVerb:        "ctrl+x %s 不是命令：什么都没有做",
		SearchedFor:     "正在此对话中查找 %s",
		NoKeyHere:       "%s 在此面板中没有作用",
		Pinned:          "已固定 %s：alt+%d",
		Unpinned:        "%s 不再固定",
		Marked:          "已标记的智能体：%d",
		NoneMarked:      "没有标记任何智能体",
		NothingFolded:   "其下没有折叠的",
		NothingToFold:   "没有可折叠的：root 保持展开",
		Cycles:          "f 依次切换：全部、有问题的、运行中的",
		OrderSpawn:      "智能体按创建顺序：各行不会自行移动",
		OrderActivity:   "智能体按活动：工作中的在前，其后是最近停下的",
		OrderState:      "智能体按状态：自身或其下属需要你的在前",
		OrderTokens:     "智能体按词元（含下属）：最多的在前",
		Filtered:        "智能体已筛选为 %s",
		Unfiltered:      "已显示全部智能体",
		NoPin:           "alt+%d 没有固定的智能体",
		AllPinsTaken:    "alt+4 … alt+9 都已占用：在其中一个上按 p 可释放",
		NobodyAsks:      "没有谁需要你",
		AsksHere:        "需要你的只有 %s，它已打开",
		NoParent:        "已在最上层",
		NowhereBack:     "没有可返回的智能体",
		MouseOn:         "鼠标开：滚轮滚动，点击选择",
		MouseOff:        "鼠标关：由终端选择文字",

		MouseInGNUScreen: "鼠标关：否则 GNU screen 会扣住 esc 键", HintMouseOn: "仍要打开：/mouse on",
		NoEditor:     "没有设置 VISUAL 或 EDITOR",
		EditorFailed: "编辑器出错：%s",

		RootStays:   "不能终止 root：整个社会以它为根",
		UserIsYou:   "这是你自己：请选择一个智能体",
		NoTarget:    "请先选择一个智能体",
		AlreadyGone: "%s 已经不在了",
		AllGone:     "%s 都已经不在了",
		StillAtIt:   "%s：上一个命令还在执行",

		BeingEnded:    "%s 正在被终止，不再接收任何内容",
		StillStopping: "%s 仍在停止中",
		WasEnding:     "%s 已经在终止中",
		WereEnding:    "%s 都已经在终止中",

		UnknownCommand: "没有命令 %s",
		NeedsFile:      "%s 需要一个新文件的名称",
		BackingUp:      "正在复制到 %s…",
		BackedUp:       "备份已写入：%s",
		FileThere:      "已存在，保持原样：%s",
		BackupNoFolder: "未能备份：没有文件夹 %s",
		BackupFailed:   "未能备份：%s",
		Exporting:      "正在导出：%s…",
		Exported:       "已导出：%s，记录 %d 条，到 %s",
		ExportedAtWork: "已在工作途中导出：%s，目前记录 %d 条，到 %s",
		HintAtWork:     "此刻正在写的内容不在其中",
		ExportNoFolder: "未能导出：没有文件夹 %s",
		ExportFailed:   "未能导出：%s",
		TheSociety:     "整个社会",
		AndBelow:       "%s 及其下属",
		NeedsAgent:     "%s 需要智能体的名字",
		Takes:          "%s 可用：%s",
		UnknownAgent:   "没有智能体 %s",
		EmptyText:      "还没有写任何文字",

		AgentNotFound:    "没有智能体 %s",
		AgentStopped:     "%s 已停止，不接收消息",
		InvalidRecipient: "不能发送给 %s",
		TaskNotFound:     "%s 没有在做那个任务",
		LimitReached:     "已达上限：%s",
		MailboxFull:      "%s 的待读消息太多",
		TooLarge:         "太大了：%s",
		StoreUnavailable: "现在无法保存，因此什么都没有做",
		Refused:          "被拒绝：%s",
		Failed:           "失败：%s",

		HintResumeInterrupted: "ctrl+x r 恢复，或给它写消息",
		HintResume:            "恢复：ctrl+x r",
		HintStopFirst:         "ctrl+x s 停止它及其下属",
		HintUnsaved:           "尚未保存：磁盘恢复后最先写入",
		HintFileOld:           "目前未保存的内容不在其中",
		HintDisk:              "请检查磁盘空间；之后会自行继续",
		HintText:              "你的文字已保留：请选择收件人",
		HintWait:              "请等待，或中断它：ctrl+x i",
		HintWrite:             "停止之后它们等待消息：写一条即可继续",
		HintGoOn:              "写一条消息即可继续",
		HintMeant:             "也许是：%s",
		HintMeantCommand:      "也许是：%s；在 / 前加空格则作为文字发送",
		HintAgain:             "请稍后再试",
		HintRetry:             "ctrl+n 前往，ctrl+x r 重试",
		HintBring:             "ctrl+y 找回",
		HintCommands:          "单独的 / 列出全部，tab 补全",
		HintGo:                "ctrl+n 前往",
		HintTakeBack:          "esc 撤销",
		HintShowAll:           "esc 显示全部",
		HintMarked:            "i s T 作用于全部，esc 取消标记",
		HintAddress:           "在 @ 前加空格则原样发送",
		HintOlder:             "再按 ctrl+r：更早的一条，down 返回",
		HintCommand:           "若要执行，请在输入框中写 %s",
		HintToWrite:           "esc 回到输入框，F1 列出按键",

		NotifyAsks:   "等待你的：%d",
		NotifyFailed: "出错的：%d",
		NotifyRest:   "所有智能体都已空闲",
		NotifyPaused: "没有智能体在工作；%d 个已暂停", NotifyWaiting: "没有智能体在工作；%d 个在等待", NotifyPausedWaiting: "没有智能体在工作；%d 个已暂停，%d 个在等待",

		AgentFailed: "%s：%s",
		AgentAsks:   "%s 向你提问",
		Drained:     "%s 已由其上级终止 · 智能体：%d，截断消息：%d",
		GoOn:        "从原处继续的智能体：%d",
		StayPaused:  "已暂停：%d",
		StayStopped: "已停止：%d",
		Unsaved:     "没有在保存：%s",
		SavedAgain:  "一切又在保存了",
		KeepFailed:  "无法保存你的草稿：%s",
	}
}
