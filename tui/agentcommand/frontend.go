package agentcommand

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
)

// The following commands need the frontend, which sets their Run.

// New is the command that begins a new task.
func New() *command.Command {
	return &command.Command{
		Slash: "/new", Aliases: []string{"/clear"}, Group: command.GroupTasks, Changes: true, Title: i18n.Text{EN: "New task", ZH: "新任务"}, Args: []command.Arg{command.Text()},
		Also: i18n.Text{EN: "reset clear fresh context", ZH: "重置 清空 上下文"},
	}
}

// To is the command that changes the recipient.
func (e Env) To() *command.Command {
	to := e.agent()
	to.AtOnce = true
	to.Missing = i18n.Text{EN: "%s needs the name of an agent", ZH: "%s 需要智能体的名称"}
	return &command.Command{
		Slash: "/to", Group: command.GroupConversation, Title: i18n.Text{EN: "Write to another agent", ZH: "更换收件人"}, Args: []command.Arg{to}, NeedsArgs: true,
		Also: i18n.Text{EN: "switch recipient agent talk", ZH: "切换 收件人 对象 发给"},
	}
}

// Next is the command that goes to the next agent that needs the user.
func (e Env) Next() *command.Command {
	return &command.Command{
		ID: "next_needs_you", Slash: "/next", Group: command.GroupAgents, Title: i18n.Text{EN: "Next agent that needs you", ZH: "下一个需要你的智能体"},
		Also: i18n.Text{EN: "question attention unread asks", ZH: "问题 提问 未读"}, Blocked: func(int) string { return e.Actions.NobodyNeedsYou() },
	}
}

// Tree is the command that shows all agents.
func Tree() *command.Command {
	return &command.Command{ID: "to_tree", Slash: "/agents", Group: command.GroupView, Title: i18n.Text{EN: "Agent tree", ZH: "智能体树"}, Also: i18n.Text{EN: "list overview sidebar", ZH: "列表 总览 侧栏"}}
}

// Board is the command that lists all agents in a table, sorted by one of the columns.
func Board(columns ...string) *command.Command {
	return &command.Command{
		ID: "board", Slash: "/board", Group: command.GroupAgents, Title: i18n.Text{EN: "Board of all agents", ZH: "智能体总表"},
		Also: i18n.Text{EN: "table overview sort top dashboard", ZH: "表格 总览 排序 看板"},
		Args: []command.Arg{command.Rarely(command.OneOf(columns...))},
	}
}

// Ended is the command that lists the terminated agents.
func Ended() *command.Command {
	return &command.Command{
		Slash: "/ended", Group: command.GroupAgents, Title: i18n.Text{EN: "Ended agents", ZH: "已终止的智能体"},
		Also: i18n.Text{EN: "dead gone past", ZH: "结束 完成 过去"},
	}
}

// Messages is the command that shows a conversation. The number of messages is
// only used in plain mode.
func (e Env) Messages() *command.Command {
	return &command.Command{
		ID: "to_conversation", Slash: "/messages", Group: command.GroupConversation, Title: i18n.Text{EN: "Read a conversation", ZH: "阅读对话"}, Also: i18n.Text{EN: "messages chat transcript", ZH: "消息 聊天 记录"},
		Args: []command.Arg{e.agent(), command.Number()},
	}
}

// Inbox is the command that shows the messages to the user.
func Inbox() *command.Command {
	return &command.Command{
		Slash: "/inbox", Group: command.GroupConversation, Title: i18n.Text{EN: "Your inbox", ZH: "你的收件箱"},
		Also: i18n.Text{EN: "mail messages you letters", ZH: "收件箱 邮件 信箱 消息"},
	}
}

// Help is the command that explains the others.
func Help() *command.Command {
	return &command.Command{
		ID: "help", Slash: "/help", Group: command.GroupProgram, Title: i18n.Text{EN: "Help", ZH: "帮助"}, Args: []command.Arg{command.Rarely(command.Text())},
		Also: i18n.Text{EN: "manual how usage shortcuts hotkeys keybindings symbols legend", ZH: "手册 快捷键 说明 符号 图例"},
	}
}

// Detach is the command that leaves the agents at work.
func Detach() *command.Command {
	return &command.Command{
		ID: "detach", Slash: "/detach", Group: command.GroupProgram, Title: i18n.Text{EN: "Keep the agents running in the background", ZH: "让智能体在后台继续运行"},
		Also: i18n.Text{EN: "quit exit leave close background daemon serve attach", ZH: "退出 离开 关闭 后台"},
	}
}

// Quit is the command that leaves.
func Quit() *command.Command {
	return &command.Command{
		Slash: "/quit", Aliases: []string{"/exit"}, Group: command.GroupProgram, Title: i18n.Text{EN: "Quit", ZH: "退出"},
		Also: i18n.Text{EN: "exit close leave bye", ZH: "关闭 离开 结束"},
	}
}
