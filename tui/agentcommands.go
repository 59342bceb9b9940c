package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/layout"
)

// commandEnv is where agent commands are given.
func (a *app) commandEnv() agentcommand.Env {
	return agentcommand.Env{Actions: a.actions, Targets: a.targets, Open: func() society.AgentID { return a.nav.open }}
}

// agentCommands are the commands for agents: a key acts on the targets, a
// written command on the named agent.
func (a *app) agentCommands() []*command.Command {
	talk := &command.Command{
		ID: "talk", Title: command.TitleTalk, Also: i18n.Text{EN: "message chat recipient", ZH: "对话 聊天 收件人"}, Hint: command.HintTalk, Keys: command.Keys(command.Tree, "enter"),
		Run: a.inTree(func() tea.Cmd { return a.talk(a.tree.Selected()) }),
	}
	commands := append([]*command.Command{talk}, a.commandEnv().Agents()...)
	return command.Grouped(command.GroupAgents, append(commands,
		a.otherTextCommand(),
		a.rewindCommand(),
		&command.Command{
			ID: "interrupt_and_send", Title: i18n.Text{EN: "Interrupt and send the text", ZH: "中断并发送输入的文字"}, Also: i18n.Text{EN: "abort redirect correct", ZH: "打断 改变 纠正"}, Hint: i18n.Text{EN: "interrupt and send", ZH: "中断并发送"},
			Keys: command.Keys(command.Verbs, "enter"), AnyPane: true, Changes: true, Blocked: func(int) string { return a.interruptSendBlocked() },
			Run: func(in command.Input) tea.Cmd { return a.guarded(in, a.interruptSend) },
		},
		&command.Command{
			ID: "edit_waiting", Title: i18n.Text{EN: "Edit your last unread or dropped message", ZH: "编辑最近一条未读或被丢弃的消息"}, Hint: i18n.Text{EN: "edit waiting", ZH: "编辑未读"},
			Also: i18n.Text{EN: "undo unsend change correct take back", ZH: "撤销 修改 更正 取回"}, Keys: command.Keys(command.Verbs, "e"), AnyPane: true, Changes: true,
			Blocked: func(int) string {
				if _, dropped := a.transcript.Dropped(); dropped {
					return a.actions.NoTarget([]society.AgentID{a.recipient()})
				}
				return a.actions.NoneUnread(a.recipient())
			},
			Run: func(in command.Input) tea.Cmd {
				return a.guarded(in, func() tea.Cmd { return a.withdrawMessage(true) })
			},
		},
		&command.Command{
			ID: "drop_waiting", Title: i18n.Text{EN: "Withdraw your last unread message", ZH: "撤回最近一条未读消息"}, Hint: i18n.Text{EN: "take back", ZH: "撤回未读"},
			Also: i18n.Text{EN: "undo unsend cancel message delete remove take back", ZH: "撤销 取消消息 删除 取回"}, Keys: command.Keys(command.Verbs, "backspace"), AnyPane: true, Changes: true,
			Blocked: func(int) string { return a.actions.NoneUnread(a.recipient()) },
			Run: func(in command.Input) tea.Cmd {
				return a.guarded(in, func() tea.Cmd { return a.withdrawMessage(false) })
			},
		},
	))
}

func (a *app) interruptSendBlocked() string {
	if len(a.several()) > 0 {
		return a.text(whySeveral)
	}
	to := []society.AgentID{a.recipient()}
	if a.composer.Empty() && a.actions.NoTarget(to) == "" {
		return a.text(whyNoText)
	}
	return a.actions.Blocked(action.Interrupt, to)
}

// runMessages opens the conversation of an agent.
func (a *app) runMessages(in command.Input) tea.Cmd {
	if !in.Written {
		return a.focus(layout.Transcript)
	}
	return tea.Batch(a.openAgent(in.Agent), a.focus(layout.Transcript))
}

// armPrefix arms the prefix for the present targets. It waits for the next key however long
// that takes: its commands are to be read first, and a late one would be written as text.
func (a *app) armPrefix() tea.Cmd {
	a.keyboard.disarms.Off()
	a.keyboard.armed, a.keyboard.targets = prefixArmed, a.targets()
	return nil
}

func (a *app) pressAfterPrefix(k tea.KeyPressMsg) tea.Cmd {
	key := command.Stroke(k)
	targets := a.keyboard.targets
	a.keyboard.disarm(prefixArmed)
	b := a.registry.Find(key, command.Verbs, false)
	if b == nil {
		if key == "ctrl+c" {
			return a.ctrlC()
		}
		if key != "esc" && key != "alt+esc" && key != a.registry.Key("verbs_follow") {
			return a.inform(a.text(textNotAVerb, key), "")
		}
		return nil // a setting that changes no agent
	}
	if !slices.Contains(targets, society.User) && len(a.actions.Present(targets)) == 0 {
		return a.notify(a.actions.Gone(targets))
	}
	return a.pressBinding(b, key)
}
