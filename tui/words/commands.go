package words

import "society-tui/runtime/protocol"

// Commands are the words of what is written as a command and has no pane: making and
// naming an agent, and searching all conversations.
type Commands struct {
	NeedsRole   string
	UnknownRole string // %s
	HintRoles   string
	Spawned     string // %s: the agent, %s: its parent
	HintSpawned string // of one that waits
	Named       string // %s: the id, %s: the name
	Unnamed     string // %s: the id

	NeedsText    string
	Found        string // %s: what is looked for, %s: how many places
	Finding      string // %s of %s messages
	FoundNewest  string // %s: how many are listed
	FoundNothing string
	BackToFound  string
	// Where in a message something stands.
	InThought, InCall, InResult string
}

// ForCommands returns the words in lang; English for a language it does not know.
func ForCommands(lang protocol.Lang) Commands {
	if lang == protocol.Chinese {
		return Commands{
			NeedsRole: "/spawn 需要角色的名称", UnknownRole: "没有角色 %s", HintRoles: "/roles 列出角色，也可创建",
			Spawned: "已创建 %s，在 %s 之下", HintSpawned: "写一条消息让它开始",
			Named: "%s 现在叫 %s", Unnamed: "%s 不再有别名",
			NeedsText: "/find 需要要查找的文字", Found: "所有对话中的“%s”：%s 处", Finding: "已查 %s/%s 条", FoundNewest: "列出最新的 %s 处", FoundNothing: "没有找到",
			BackToFound: "/find 回到找到的列表", InThought: "思考", InCall: "工具调用", InResult: "工具结果",
		}
	}
	return Commands{
		NeedsRole: "/spawn needs the name of a role", UnknownRole: "there is no role %s", HintRoles: "/roles lists them, and makes one",
		Spawned: "made %s, below %s", HintSpawned: "write to it, and it begins",
		Named: "%s is called %s now", Unnamed: "%s has no name of its own any more",
		NeedsText: "/find needs a text to look for", Found: "“%s” in all conversations: %s", Finding: "%s of %s messages searched", FoundNewest: "the newest %s", FoundNothing: "not found",
		BackToFound: "/find goes back to the list", InThought: "thinking", InCall: "tool call", InResult: "tool result",
	}
}
