package command

import "society-tui/runtime/i18n"

// A Group is a section of the help, the palette and the documentation.
type Group uint8

// The groups in order. Every command must have one.
const (
	GroupConversation Group = iota + 1
	GroupAgents
	GroupTasks
	GroupRoles
	GroupSessions
	GroupView
	GroupProgram
)

func Groups() []Group {
	return []Group{GroupConversation, GroupAgents, GroupTasks, GroupRoles, GroupSessions, GroupView, GroupProgram}
}

// Title returns the heading of a group.
func (g Group) Title() i18n.Text {
	return [...]i18n.Text{
		{},
		{EN: "Conversation", ZH: "对话"},
		{EN: "Agents", ZH: "智能体"},
		{EN: "Tasks and teams", ZH: "任务与团队"},
		{EN: "Roles and models", ZH: "角色与模型"},
		{EN: "Sessions and data", ZH: "会话与数据"},
		{EN: "View", ZH: "视图"},
		{EN: "Program", ZH: "程序"},
	}[g]
}

// Grouped sets the group of those commands that have none.
func Grouped(g Group, commands []*Command) []*Command {
	for _, c := range commands {
		if c.Group == 0 {
			c.Group = g
		}
	}
	return commands
}
