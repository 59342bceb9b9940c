package words

import "society-tui/runtime/protocol"

// Roster are the words of the tree of agents.
type Roster struct {
	Title    string // before the number of agents
	Inbox    string // the person's own row
	InboxMin string // the same where there is little room
	Empty    string
	NoMatch  string // nothing is left by the filter
	All      string // which agents are shown
	Problems string
	Running  string
	Marked   string // %d agents

	// The orders of the agents.
	BySpawn, ByActivity, ByState, ByTokens string
}

// ForRoster returns the words in lang; English for a language it does not know.
func ForRoster(lang protocol.Lang) Roster {
	if lang == protocol.Chinese {
		return Roster{
			Title:    "智能体",
			Inbox:    "你（收件箱）",
			InboxMin: "你",
			Empty:    "还没有智能体",
			NoMatch:  "没有匹配的智能体",
			All:      "全部",
			Problems: "问题",
			Running:  "运行中",
			Marked:   "已标记 %d",
			BySpawn:  "创建", ByActivity: "活动", ByState: "状态", ByTokens: "词元",
		}
	}
	return Roster{
		Title:    "Agents",
		Inbox:    "you (inbox)",
		InboxMin: "you",
		Empty:    "no agents yet",
		NoMatch:  "no agent matches",
		All:      "all",
		Problems: "problems",
		Running:  "running",
		Marked:   "%d marked",
		BySpawn:  "spawn", ByActivity: "activity", ByState: "state", ByTokens: "tokens",
	}
}
