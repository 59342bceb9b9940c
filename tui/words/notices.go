package words

import "society-tui/runtime/protocol"

// Notices are the sentences of the message row: what came of a command, or why
// nothing did, and what can be done.
type Notices struct {
	Lang protocol.Lang // of the rules' own sentences

	// What came of a command. %s is the agent.
	OnlyWaits     string // %s, %s: it waits for the others, nothing of its own runs
	NewTask       string // the next text begins a task
	SameTask      string // the next text begins no task
	Dropped       string // a waiting message was taken back
	Taken         string // it is in the composer again
	TakenDropped  string // so is one that a stop has dropped
	Copied        string // %s
	CopiedSoFar   string // %s: of an answer that is being written
	HintCopied    string
	CopiedMarked  string // %s, %s characters
	NothingToCopy string
	Cleared       string
	FromHistory   string
	NotInHistory  string
	NotAVerb      string // %s: a key
	SearchedFor   string // %s: a text that is a command too, see HintCommand
	NoKeyHere     string // %s: a key that means nothing in this pane
	Pinned        string // %s, %d
	Unpinned      string // %s
	NoneMarked    string
	NothingFolded string
	NothingToFold string
	Cycles        string // what the key for it goes through
	OrderSpawn    string // how the agents stand now
	OrderActivity string
	OrderState    string
	OrderTokens   string
	Filtered      string // %s
	Unfiltered    string
	NoPin         string // %d
	AllPinsTaken  string
	NobodyAsks    string
	AsksHere      string // %s: nobody else does
	NoParent      string
	NowhereBack   string
	MouseOn       string
	MouseOff      string
	// MouseInGNUScreen says that the mouse is off there, and why; HintMouseOn how it is
	// turned on.
	MouseInGNUScreen, HintMouseOn string
	NoEditor                      string
	EditorFailed                  string // %s

	// Why a verb was refused before anybody was asked.
	RootStays   string
	UserIsYou   string
	AlreadyGone string // %s
	StillAtIt   string // %s: the verb before is not finished

	// Why a verb was refused.
	BeingEnded    string // %s
	StillStopping string // %s

	// Slash commands.
	UnknownCommand string // %s
	NeedsAgent     string // %s
	Takes          string // %s, %s: what may follow it
	NeedsFile      string // %s
	BackingUp      string // %s: the file
	Exporting      string // %s: what
	AndBelow       string // %s: an agent, and all below it
	EmptyText      string

	// Refusals, by their code. %s is the agent, or what the rules said.
	Failed string // what no rule foresaw

	// What to do next.
	HintResume       string
	HintStopFirst    string
	HintText         string
	HintMeant        string // %s: agents that may be meant
	HintMeantCommand string // %s: commands that may be meant
	HintAgain        string
	HintRetry        string // %s
	HintBring        string
	HintCommands     string
	HintGo           string
	HintTakeBack     string
	HintShowAll      string
	HintMarked       string
	HintAddress      string
	HintOlder        string
	HintCommand      string // %s: a command
	HintToWrite      string // how to get to where text is written

	// What happened by itself.
	// What the terminal shows while the window has not the focus.
	// Instead of NotifyRest: %d agents are paused, %d wait for others.

	AgentFailed string // %s, %s
	AgentAsks   string // %s
	Unsaved     string // %s
	KeepFailed  string // %s
}

// ForNotices returns the words in lang; English for a language it does not know.
func ForNotices(lang protocol.Lang) Notices {
	if lang == protocol.Chinese {
		return chineseNotices()
	}
	return Notices{
		Lang: protocol.English,

		OnlyWaits:     "%s is waiting for %s and runs nothing itself",
		NewTask:       "Your next message starts a new task",
		SameTask:      "Your next message continues the task",
		Dropped:       "Withdrew the message: ctrl+y brings its text",
		Taken:         "The withdrawn message is in the composer",
		TakenDropped:  "The dropped message is in the composer",
		Copied:        "Copied: %s",
		CopiedSoFar:   "Copied what is written so far: %s",
		HintCopied:    "not in your clipboard? /help clipboard",
		CopiedMarked:  "Copied %[2]s characters: %[1]s",
		NothingToCopy: "Nothing to copy here",
		Cleared:       "Cleared",
		FromHistory:   "Your last text with this in it",
		NotInHistory:  "No match in your history",
		NotAVerb:      "ctrl+x %s is not a command",
		SearchedFor:   "Searching this conversation for %s",
		NoKeyHere:     "%s has no effect here",
		Pinned:        "Pinned %s to alt+%d",
		Unpinned:      "Unpinned %s",
		NoneMarked:    "No agent is marked",
		NothingFolded: "Nothing is collapsed below it",
		NothingToFold: "Nothing to collapse: root stays open",
		Cycles:        "f goes on: all agents, those with problems, those that run",
		OrderSpawn:    "Agents in the order they were created",
		OrderActivity: "Agents by activity: working ones first",
		OrderState:    "Agents by state: those that need you first",
		OrderTokens:   "Agents by tokens of their subtree: the most first",
		Filtered:      "Showing agents that match %s",
		Unfiltered:    "Showing all agents",
		NoPin:         "Nothing is pinned to alt+%d",
		AllPinsTaken:  "alt+4 to alt+9 are all taken; p on a pinned agent frees its key",
		NobodyAsks:    "No agent needs you",
		AsksHere:      "Only %s needs you",
		NoParent:      "This is the top",
		NowhereBack:   "No agent to go back to",
		MouseOn:       "Mouse on: the wheel scrolls, a click selects",
		MouseOff:      "Mouse off: the terminal selects text itself",

		MouseInGNUScreen: "Mouse off: GNU screen would hold back esc", HintMouseOn: "turn it on anyway: /mouse on",
		NoEditor:     "Set $EDITOR first",
		EditorFailed: "The editor failed: %s",

		RootStays:   "root cannot be terminated",
		UserIsYou:   "This is you; choose an agent",
		AlreadyGone: "%s no longer exists",
		StillAtIt:   "%s: the previous command is still running",

		BeingEnded:    "%s is being terminated and takes no commands",
		StillStopping: "%s is still stopping",

		UnknownCommand: "Unknown command %s",
		NeedsFile:      "%s needs the name of a new file",
		BackingUp:      "Copying to %s…",
		Exporting:      "Exporting %s…",
		AndBelow:       "%s and all below",
		NeedsAgent:     "%s needs the name of an agent",
		Takes:          "%s takes %s",
		EmptyText:      "Nothing to send yet",

		Failed: "Failed: %s",

		HintResume:       "ctrl+x r resumes",
		HintStopFirst:    "ctrl+x s stops it and its subtree",
		HintText:         "your text is kept; choose a recipient",
		HintMeant:        "did you mean %s?",
		HintMeantCommand: "did you mean %s? A space before the / sends it as text",
		HintAgain:        "try again in a moment",
		HintRetry:        "ctrl+n goes there, ctrl+x r retries",
		HintBring:        "ctrl+y restores it",
		HintCommands:     "/ lists all commands, tab completes",
		HintGo:           "ctrl+n goes there",
		HintTakeBack:     "esc undoes that",
		HintShowAll:      "esc shows all",
		HintMarked:       "i s T are for all of them, esc unmarks",
		HintAddress:      "a space before the @ sends it as it stands",
		HintOlder:        "ctrl+r: an older one; down: back",
		HintCommand:      "to run it, write %s in the composer",
		HintToWrite:      "esc goes to the composer, F1 lists the keys",

		AgentFailed: "%s: %s",
		AgentAsks:   "%s asks you",
		Unsaved:     "nothing is being saved: %s",
		KeepFailed:  "Cannot save your draft: %s",
	}
}

func chineseNotices() Notices {
	return Notices{
		Lang: protocol.Chinese,

		OnlyWaits:     "%s 在等待 %s，自身没有运行",
		NewTask:       "下一条消息将开始新任务",
		SameTask:      "下一条消息将继续当前任务",
		Dropped:       "已撤回消息，ctrl+y 取回文字",
		Taken:         "撤回的消息已在输入框中",
		TakenDropped:  "被丢弃的消息已在输入框中",
		Copied:        "已复制：%s",
		CopiedSoFar:   "已复制目前写出的部分：%s",
		HintCopied:    "剪贴板里没有？/help clipboard",
		CopiedMarked:  "已复制 %[2]s 个字符：%[1]s",
		NothingToCopy: "这里没有可复制的内容",
		Cleared:       "已清除",
		FromHistory:   "最近一条含此内容的输入",
		NotInHistory:  "历史输入中没有匹配项",
		NotAVerb:      "ctrl+x %s 不是命令",
		SearchedFor:   "正在本对话中搜索 %s",
		NoKeyHere:     "%s 在这里不可用",
		Pinned:        "已将 %s 固定到 alt+%d",
		Unpinned:      "已取消固定 %s",
		NoneMarked:    "没有标记智能体",
		NothingFolded: "其下没有折叠的内容",
		NothingToFold: "没有可折叠的：root 保持展开",
		Cycles:        "按 f 切换：全部、有问题的、运行中的",
		OrderSpawn:    "按创建顺序排列",
		OrderActivity: "按活动排列：工作中的在前",
		OrderState:    "按状态排列：等你处理的在前",
		OrderTokens:   "按词元（含下级）排列：最多的在前",
		Filtered:      "只显示匹配 %s 的智能体",
		Unfiltered:    "显示全部智能体",
		NoPin:         "没有固定到 alt+%d 的智能体",
		AllPinsTaken:  "alt+4 至 alt+9 都已占用；在已固定的智能体上按 p 可释放",
		NobodyAsks:    "没有智能体需要你处理",
		AsksHere:      "只有 %s 需要你处理",
		NoParent:      "已在最上层",
		NowhereBack:   "没有可返回的智能体",
		MouseOn:       "鼠标已开启：滚轮滚动，单击选择",
		MouseOff:      "鼠标已关闭：由终端选择文字",

		MouseInGNUScreen: "鼠标已关闭：GNU screen 会扣住 esc", HintMouseOn: "仍要开启：/mouse on",
		NoEditor:     "请先设置 $EDITOR",
		EditorFailed: "编辑器出错：%s",

		RootStays:   "root 不能终止",
		UserIsYou:   "这是你自己，请选择智能体",
		AlreadyGone: "%s 已不存在",
		StillAtIt:   "%s：上一个命令仍在执行",

		BeingEnded:    "%s 正在终止，不再接受命令",
		StillStopping: "%s 仍在停止中",

		UnknownCommand: "未知命令 %s",
		NeedsFile:      "%s 需要一个新文件的名称",
		BackingUp:      "正在复制到 %s…",
		Exporting:      "正在导出 %s…",
		AndBelow:       "%s 及其下属",
		NeedsAgent:     "%s 需要智能体的名称",
		Takes:          "%s 可接 %s",
		EmptyText:      "还没有可发送的文字",

		Failed: "失败：%s",

		HintResume:       "ctrl+x r 恢复",
		HintStopFirst:    "ctrl+x s 停止它及其下级",
		HintText:         "文字已保留，请选择收件人",
		HintMeant:        "你是否指 %s？",
		HintMeantCommand: "你是否指 %s？在 / 前加空格则作为文字发送",
		HintAgain:        "请稍后再试",
		HintRetry:        "ctrl+n 前往，ctrl+x r 重试",
		HintBring:        "ctrl+y 恢复文字",
		HintCommands:     "输入 / 列出全部命令，tab 补全",
		HintGo:           "ctrl+n 前往",
		HintTakeBack:     "esc 撤销",
		HintShowAll:      "esc 显示全部",
		HintMarked:       "i s T 对全部标记者生效，esc 取消标记",
		HintAddress:      "在 @ 前加空格则原样发送",
		HintOlder:        "ctrl+r 更早一条，down 返回",
		HintCommand:      "要执行它，请在输入框中写 %s",
		HintToWrite:      "esc 到输入框，F1 列出按键",

		AgentFailed: "%s：%s",
		AgentAsks:   "%s 等你回答",
		Unsaved:     "没有在保存：%s",
		KeepFailed:  "无法保存草稿：%s",
	}
}
