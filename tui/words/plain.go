package words

import (
	"strings"

	"society-tui/runtime/protocol"
)

// Plain are the words of the society in lines, for who listens: whole sentences, with
// words where the screen has symbols and keys.
type Plain struct {
	End   string // of a sentence
	Colon string

	Opened   string // %d agents, %s: who gets what is written
	WritesTo string // %s, %s: what it does
	Writing  string // in the list of agents: the person writes to it
	WentOver string // %s is gone, %s: who gets what is written now
	AskedYou string // %s: the first line of a question
	Choose   string // before the answers that can be chosen
	Need     string // %d agents
	RestNeed string // %d agents
	Missed   string // %d
	ReadOn   string // %s: the agent whose conversation has the rest

	Planted       string // %s: a template, %s: its agents
	PlantedBefore string // %s: a template

	// What happened. %s is the agent.
	Failed      string // %s, %s
	Spawned     string // %s: its parent, %s, %s: what for
	Retry       string // %s, %s
	Undelivered string // %s, %s: why

	Reading string // %s: whose conversation, %d messages
	ReadAll string // %s, %s: what it does

	HearsOpen, HearsAll, HearsMine string

	// Questions.
	YesOrNo     string
	QuitChoose  string
	TypeNumber  string // %d
	ResumeAsk   string
	NothingDone string
	NotSent     string // %s
	Yes         []string
	Pauses      []string

	CtrlC   string
	Leaving string

	// What the commands do that the screen has not, and what may follow them.
	Help []string

	// What to do next, where the screen names a key.
	HintText, HintCommands string
}

// ForPlain returns the words in lang; English for a language it does not know.
func ForPlain(lang protocol.Lang) Plain {
	if lang == protocol.Chinese {
		return chinesePlain()
	}
	return Plain{
		End: ".", Colon: ": ",

		Opened:   "The society is open, agents: %d. What you write goes to %s. /help lists the commands.",
		WritesTo: "What you write goes to %s: %s.", Writing: "you write to it",
		WentOver: "%s is gone. What you write goes to %s.",
		AskedYou: "It asks you: %s", Choose: "Answer in your words, or with a number:",
		Need: "Agents that need you: %d. /next goes to them.", RestNeed: "No agent is working. Agents that need you: %d. /next goes to them.",
		Missed: "Things that happened and were not written: %d.", ReadOn: "(/messages %s reads the rest)",

		Planted: "Planted the template %s: %s.", PlantedBefore: "The template %s was planted before.",

		Failed: "%s failed: %s. /retry tries again.", Spawned: "%s made %s: %s", Retry: "%s tries again: %s", Undelivered: "A delayed message of %s was not delivered: %s",

		Reading: "%s, newest messages: %d.", ReadAll: "End of what %s has: %s.",

		HearsOpen: "You hear all of the agent you write to, and a line of the others.",
		HearsAll:  "You hear all that agents say and do.",
		HearsMine: "You hear only what is for you.",

		YesOrNo: "Yes or no?", QuitChoose: "Yes, no, or pause: quit and pause all?", TypeNumber: "Type %d to do it, anything else leaves it.",
		ResumeAsk:   "It takes no messages until it is resumed, with all that is stopped below it. Resume it and send your text?",
		NothingDone: "Nothing was done.", NotSent: "Your text was not sent to %s. It was:",
		Yes: []string{"yes", "y"}, Pauses: []string{"pause", "p"},

		CtrlC:   "Ctrl+c interrupts no agent: /interrupt, /stop and /terminate do. Ctrl+c again within two seconds leaves, as ctrl+d and /quit do.",
		Leaving: "Leaving: calls in flight are finished first.",

		Help: []string{
			"A line you write is sent with enter. A line that ends in a backslash goes on in the next one.",
			"@name text sends a text to an agent, and what you write next too. These are the commands; where an agent can be named, none is the one you write to:",
		},

		HintText:     "write it again, to another agent with /to",
		HintCommands: "/help lists all there are here; others need the screen",
	}
}

func chinesePlain() Plain {
	return Plain{
		End: "。", Colon: "：",

		Opened:   "社会已打开，智能体：%d。你写的文字发给 %s。/help 列出命令。",
		WritesTo: "你写的文字发给 %s：%s。", Writing: "你在给它写",
		WentOver: "%s 已经不在了。你写的文字发给 %s。",
		AskedYou: "它问你：%s", Choose: "用你的话回答，或用数字：",
		Need: "需要你的智能体：%d。/next 前往。", RestNeed: "没有智能体在工作。需要你的智能体：%d。/next 前往。",
		Missed: "发生了但没有写出的事：%d。", ReadOn: "（/messages %s 读其余部分）",

		Planted: "已创建模板 %s：%s。", PlantedBefore: "模板 %s 以前已创建。",

		Failed: "%s 出错：%s。/retry 重试。", Spawned: "%s 派生了 %s：%s", Retry: "%s 正在重试：%s", Undelivered: "%s 的延迟消息未送达：%s",

		Reading: "%s，最新消息：%d 条。", ReadAll: "%s 的内容到此为止：%s。",

		HearsOpen: "你会听到你所写给的智能体的全部，以及其他智能体的各一行。",
		HearsAll:  "你会听到智能体所说所做的全部。",
		HearsMine: "你只会听到给你的内容。",

		YesOrNo: "是还是否？", QuitChoose: "是、否，或“暂停”：退出并全部暂停？", TypeNumber: "输入 %d 以执行，输入其他则保持不变。",
		ResumeAsk:   "恢复之前它不接收消息；其下停止的也会一并恢复。恢复它并发送你的文字吗？",
		NothingDone: "什么都没有做。", NotSent: "你的文字没有发送给 %s。原文：",
		Yes: []string{"是", "yes"}, Pauses: []string{"暂停", "pause"},

		CtrlC:   "Ctrl+c 不会中断任何智能体：请用 /interrupt、/stop 和 /terminate。两秒内再按 ctrl+c 离开，ctrl+d 和 /quit 也一样。",
		Leaving: "正在离开：先完成进行中的调用。",

		Help: []string{
			"写一行，按 enter 发送。以反斜杠结尾的一行在下一行继续。",
			"“@名字 文字”把文字发给一个智能体，接下来写的也发给它。命令如下；可写智能体名字之处，不写就是你正在写给的那一个：",
		},

		HintText:     "请重写，用 /to 可发给另一个",
		HintCommands: "/help 列出这里有的；其他的需要屏幕",
	}
}

// Notices returns the notices with hints that name commands instead of keys.
func (p Plain) Notices(n Notices) Notices {
	n.HintText, n.HintCommands = p.HintText, p.HintCommands
	return n
}

// signs are what our own words hold beside letters, as it is said.
var signs = strings.NewReplacer(" · ", ", ", "…", "", "→", ">", "▸", "", "•", "-")

// Spoken returns w, a struct of strings, without signs that would be read out.
func Spoken[W any](w W) W { return Each(w, signs.Replace) }
