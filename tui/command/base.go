package command

import "society-tui/runtime/i18n"

// Arguments of written commands.
func agentArg() Args { return Args{Label: i18n.Text{EN: "[agent]", ZH: "[智能体]"}} }
func textArg() Args  { return Args{Label: i18n.Text{EN: "[text]", ZH: "[文字]"}} }

// Base returns the texts of a command that the screen and plain mode share, by
// its written form. It panics for any other.
func Base(slash string) *Command {
	for _, c := range base() {
		if c.Slash == slash {
			return &c
		}
	}
	panic("no common command is written " + slash)
}

func base() []Command {
	return []Command{
		{Slash: "/new", Group: GroupTasks, Title: i18n.Text{EN: "New task", ZH: "新任务"}, Args: textArg(), Also: i18n.Text{EN: "reset clear fresh context", ZH: "重置 清空 上下文"}},
		{Slash: "/to", Group: GroupConversation, Title: i18n.Text{EN: "Write to another agent", ZH: "更换收件人"}, Args: agentArg(), NeedsArgs: true, Also: i18n.Text{EN: "switch recipient agent talk", ZH: "切换 收件人"}},
		{
			ID: "next_needs_you", Slash: "/next", Group: GroupAgents, Title: i18n.Text{EN: "Next agent that needs you", ZH: "下一个需要你的智能体"},
			Also: i18n.Text{EN: "question attention unread asks", ZH: "问题 提问 未读"},
		},
		{ID: "to_tree", Slash: "/agents", Group: GroupView, Title: i18n.Text{EN: "Agent tree", ZH: "智能体树"}},
		{ID: "to_conversation", Slash: "/messages", Group: GroupConversation, Title: i18n.Text{EN: "Read a conversation", ZH: "阅读对话"}, Args: agentArg()},
		{
			ID: "interrupt", Slash: "/interrupt", Group: GroupAgents, Title: i18n.Text{EN: "Interrupt agent", ZH: "中断智能体"}, Hint: i18n.Text{EN: "interrupt", ZH: "中断"},
			Args: textArg(), Also: i18n.Text{EN: "pause abort cancel break halt", ZH: "暂停 取消 中止 打断"},
		},
		{
			ID: "stop", Slash: "/stop", Group: GroupAgents, Title: i18n.Text{EN: "Stop agent and subtree", ZH: "停止该智能体及其下级"}, Hint: i18n.Text{EN: "stop", ZH: "停止"},
			Args: agentArg(), Also: i18n.Text{EN: "halt kill cancel abort end", ZH: "取消 结束 中止"},
		},
		{
			ID: "pause", Slash: "/pause", Group: GroupAgents, Title: i18n.Text{EN: "Pause after the current step", ZH: "完成当前步骤后暂停"}, Hint: i18n.Text{EN: "pause", ZH: "暂停"},
			Args: agentArg(), Also: i18n.Text{EN: "hold wait suspend freeze interrupt", ZH: "挂起 等待 中断"},
		},
		{
			ID: "resume", Slash: "/resume", Group: GroupAgents, Title: i18n.Text{EN: "Resume agent and subtree", ZH: "恢复该智能体及其下级"}, Hint: i18n.Text{EN: "resume", ZH: "恢复"},
			Args: agentArg(), Also: i18n.Text{EN: "continue unpause restart undo", ZH: "继续 撤销"},
		},
		{
			ID: "terminate", Slash: "/terminate", Group: GroupAgents, Title: i18n.Text{EN: "Terminate agent and subtree", ZH: "终止该智能体及其下级"}, Hint: i18n.Text{EN: "terminate", ZH: "终止"},
			Args: agentArg(), Also: i18n.Text{EN: "kill delete remove end destroy", ZH: "删除 杀掉 结束 移除"},
		},
		{
			ID: "retry", Slash: "/retry", Group: GroupAgents, Title: i18n.Text{EN: "Retry the failed turn", ZH: "重试失败的一轮"}, Hint: i18n.Text{EN: "try again", ZH: "重试"},
			Args: agentArg(), Also: i18n.Text{EN: "redo rerun repeat again", ZH: "再次 重做"},
		},
		{
			Slash: "/export", Group: GroupSessions, Title: i18n.Text{EN: "Export to a file", ZH: "导出到文件"}, Args: Args{Label: i18n.Text{EN: "[subtree] [md|json] [file]", ZH: "[subtree] [md|json] [文件]"}},
			Also: i18n.Text{EN: "save write download markdown json", ZH: "保存 下载"},
		},
		{
			Slash: "/backup", Group: GroupSessions, Title: i18n.Text{EN: "Back up everything to a file", ZH: "备份全部数据到文件"}, Args: Args{Label: i18n.Text{EN: "file", ZH: "文件"}}, NeedsArgs: true,
			Also: i18n.Text{EN: "save archive export", ZH: "保存 备份 归档"},
		},
		{ID: "help", Slash: "/help", Group: GroupProgram, Title: i18n.Text{EN: "Help", ZH: "帮助"}, Args: textArg(), Also: i18n.Text{EN: "manual how usage shortcuts hotkeys keybindings symbols legend", ZH: "手册 快捷键 说明 符号 图例"}},
		{Slash: "/quit", Group: GroupProgram, Title: i18n.Text{EN: "Quit", ZH: "退出"}, Also: i18n.Text{EN: "exit close leave bye", ZH: "关闭 离开 结束"}},
	}
}
