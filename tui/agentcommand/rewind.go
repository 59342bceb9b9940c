package agentcommand

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/command"
)

// Rewind is the command that goes back to before one of the user's messages. The frontend sets
// its Run.
func (e Env) Rewind() *command.Command {
	agent := e.agent()
	named := agent.Complete
	agent.Complete = func(text string) []command.Candidate {
		if text == "" { // it goes back in the open conversation
			return nil
		}
		return named(text)
	}
	return &command.Command{
		ID: "rewind", Slash: "/rewind", Group: command.GroupAgents, Title: i18n.Text{EN: "Go back: edit a message and send it again…", ZH: "回退：修改消息并重新发送…"},
		Args: []command.Arg{agent}, AnyPane: true, Changes: true,
		Also: i18n.Text{EN: "edit resend undo back message correct", ZH: "编辑 重发 撤销 返回 更正 消息"},
	}
}

// fork is the command that copies an agent.
func (e Env) fork() *command.Command {
	return e.verb(action.Fork, command.Command{
		ID: "fork", Slash: "/fork", Title: i18n.Text{EN: "Copy the agent with its conversation", ZH: "复制智能体及其对话"},
		Args: []command.Arg{e.agent()}, Act: func(in command.Input) action.Action { return e.Actions.Fork(e.targets(in)) },
		Also: i18n.Text{EN: "fork branch clone duplicate", ZH: "分叉 分支 克隆 副本"},
	})
}
