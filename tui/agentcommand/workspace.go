package agentcommand

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
)

// Workspace is the command that tells where agents work on files. The frontend sets its Run.
func (e Env) Workspace() *command.Command {
	return &command.Command{
		Slash: "/workspace", Group: command.GroupAgents, Title: i18n.Text{EN: "Where agents work on files", ZH: "智能体在哪里处理文件"},
		Also:    i18n.Text{EN: "folder workspace directory path", ZH: "文件夹 工作区 目录"},
		Blocked: func(int) string { return e.unless(e.Actions.Workspace.Dir != "") },
	}
}
