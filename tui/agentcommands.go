package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// agentCommands are the commands for agents: a key acts on the targets, a
// written command on the named agent.
func (a *app) agentCommands() []*command.Command {
	verb := func(v action.Verb, slash string, keys ...command.Key) *command.Command {
		c := command.Base(slash)
		c.Keys, c.AnyPane, c.Args.Complete = keys, true, a.completeAgent
		c.Blocked = func(int) string { return a.blocked(v) }
		c.Run = a.runVerb(v)
		return c
	}
	interrupt := verb(action.Interrupt, "/interrupt", command.Key{In: command.Verbs, Press: "i"}, command.Key{In: command.Tree, Press: "i"})
	interrupt.Args.Complete, interrupt.Run = nil, a.runInterrupt
	return command.Grouped(command.GroupAgents, []*command.Command{
		{
			ID: "talk", Title: i18n.Text{EN: "Write to the agent", ZH: "给该智能体写消息"}, Hint: i18n.Text{EN: "talk", ZH: "对话"}, Keys: command.Keys(command.Tree, "enter"),
			Run: a.inTree(func() tea.Cmd { return a.runNow(a.tree.Choose()) }),
		},
		interrupt,
		{
			ID: "stop_or_resume", Title: i18n.Text{EN: "Stop or resume agent and subtree", ZH: "停止或恢复该智能体及其下级"}, Keys: command.Keys(command.Tree, "s"), AnyPane: true,
			Offer:   a.offerStopOrResume,
			Blocked: func(int) string { return a.noTarget(a.targets()) },
			Run: func(in command.Input) tea.Cmd {
				return a.guarded(in, func() tea.Cmd { return a.stopOrResume(a.targets()) })
			},
		},
		verb(action.Stop, "/stop", command.Keys(command.Verbs, "s")...),
		verb(action.Pause, "/pause", command.Keys(command.Verbs, "p")...),
		verb(action.Resume, "/resume", command.Keys(command.Verbs, "r")...),
		verb(action.Terminate, "/terminate", command.Key{In: command.Verbs, Press: "t"}, command.Key{In: command.Tree, Press: "T"}),
		verb(action.Retry, "/retry", command.Keys(command.Tree, "R")...),
		{
			ID: "interrupt_and_send", Title: i18n.Text{EN: "Interrupt and send the text", ZH: "中断并发送输入的文字"}, Hint: i18n.Text{EN: "interrupt and send", ZH: "中断并发送"},
			Keys: command.Keys(command.Verbs, "enter"), AnyPane: true, Blocked: func(int) string { return a.interruptSendBlocked() },
			Run: func(in command.Input) tea.Cmd { return a.guarded(in, a.interruptSend) },
		},
		{
			ID: "edit_waiting", Title: i18n.Text{EN: "Edit your last unread or dropped message", ZH: "编辑最近一条未读或被丢弃的消息"}, Hint: i18n.Text{EN: "edit waiting", ZH: "编辑未读"},
			Also: i18n.Text{EN: "undo unsend change correct", ZH: "撤销 修改 更正"}, Keys: command.Keys(command.Verbs, "e"), AnyPane: true,
			Blocked: func(int) string {
				if _, dropped := a.transcript.Dropped(); dropped {
					return a.noTarget([]society.AgentID{a.recipient()})
				}
				return a.noneWaits()
			},
			Run: func(in command.Input) tea.Cmd {
				return a.guarded(in, func() tea.Cmd { return a.withdrawMessage(true) })
			},
		},
		{
			ID: "drop_waiting", Title: i18n.Text{EN: "Withdraw your last unread message", ZH: "撤回最近一条未读消息"}, Hint: i18n.Text{EN: "drop waiting", ZH: "撤回未读"},
			Also: i18n.Text{EN: "undo unsend cancel delete remove", ZH: "撤销 取消 删除"}, Keys: command.Keys(command.Verbs, "backspace"), AnyPane: true,
			Blocked: func(int) string { return a.noneWaits() },
			Run: func(in command.Input) tea.Cmd {
				return a.guarded(in, func() tea.Cmd { return a.withdrawMessage(false) })
			},
		},
		{
			Slash: "/name", Title: i18n.Text{EN: "Name the agent", ZH: "给智能体起名"}, NeedsArgs: true, Run: a.runName,
			Args: command.Args{Label: i18n.Text{EN: "[text]", ZH: "[文字]"}}, Also: i18n.Text{EN: "rename alias", ZH: "改名 别名"},
		},
	})
}

// runVerb runs a verb for the targets of a key, or for the written agent.
func (a *app) runVerb(v action.Verb) func(command.Input) tea.Cmd {
	return func(in command.Input) tea.Cmd {
		if !in.Written {
			return a.guarded(in, func() tea.Cmd { return a.verb(v, a.targets()) })
		}
		id, ok := a.agentNamed(in.Text)
		if !ok {
			in.Refuse()
			return a.notify(a.actions.Unknown(in.Text))
		}
		return a.writtenVerb(in, v, id)
	}
}

func (a *app) writtenVerb(in command.Input, v action.Verb, id society.AgentID) tea.Cmd {
	cmd, taken := a.tryVerb(v, []society.AgentID{id})
	if !taken {
		in.Refuse()
	}
	return cmd
}

func (a *app) runInterrupt(in command.Input) tea.Cmd {
	switch {
	case !in.Written:
		return a.guarded(in, func() tea.Cmd { return a.verb(action.Interrupt, a.targets()) })
	case in.Text == "":
		return a.writtenVerb(in, action.Interrupt, a.nav.open)
	}
	return a.interruptWith(a.recipient(), in.Text)
}

// guarded runs a verb, unless the key was meant for an agent that has just
// disappeared. A repeated key counts as one press: it must neither undo the
// first one nor hit the next target.
func (a *app) guarded(in command.Input, verb func() tea.Cmd) tea.Cmd {
	if removed, blocked := a.keyboard.target.blocks(a.now()); blocked {
		return a.warn(a.text(page.TextGone, removed), "")
	}
	if !a.writing() { // else it would be text
		defer func() {
			if !a.dialogs.Shown() {
				a.guardRepeat(in.Key)
			}
		}()
	}
	return verb()
}

func (a *app) offerStopOrResume() (hint string, ok bool) {
	if a.allHalted(a.targets()) {
		return a.text(hintResume), true
	}
	return a.text(hintStop), a.noTarget(a.targets()) == ""
}

// blocked explains why a verb has no effect on any of its targets, or returns
// "".
func (a *app) blocked(v action.Verb) string {
	ids := a.targets()
	if why := a.noTarget(ids); why != "" {
		return why
	}
	halted := func(r *api.Row) bool { return r.State.Ended() || r.State == society.Stopping }
	switch v {
	case action.Interrupt:
		return a.unlessAny(ids, func(r *api.Row) bool { return r.State.Active() }, a.text(whyNotAtWork))
	case action.Stop:
		return a.unlessAny(ids, func(r *api.Row) bool { return !halted(r) }, a.text(whyIsStopped))
	case action.Pause:
		if why := a.unlessAny(ids, func(r *api.Row) bool { return !halted(r) }, a.text(whyIsStopped)); why != "" {
			return why
		}
		return a.unlessAny(ids, func(r *api.Row) bool { return !halted(r) && r.Paused == "" }, a.text(whyIsPaused))
	case action.Resume:
		return a.unlessAny(ids, func(r *api.Row) bool { return a.actions.CanRetry(r.ID) }, a.text(whyGoesOn))
	case action.Retry:
		return a.unlessAny(ids, func(r *api.Row) bool { return r.Error != "" }, a.text(whyNotFailed))
	case action.Terminate:
		if slices.Contains(ids, society.Root) {
			return a.text(whyRootStays)
		}
	}
	return ""
}

// noTarget explains why there is no agent to act on, or returns "".
func (a *app) noTarget(ids []society.AgentID) string {
	switch {
	case slices.Contains(ids, society.User):
		return a.text(page.TextNotYou)
	case len(a.actions.Present(ids)) == 0:
		return a.actions.Gone(ids).Text
	}
	return ""
}

// unlessAny returns why with the agents' names, or "" if the condition holds
// for one of them.
func (a *app) unlessAny(ids []society.AgentID, is func(*api.Row) bool, why string) string {
	if slices.ContainsFunc(ids, func(id society.AgentID) bool {
		row, here := a.replica.Row(id)
		return here && is(&row)
	}) {
		return ""
	}
	return fmt.Sprintf(why, a.agentNames(ids))
}

func (a *app) interruptSendBlocked() string {
	to := []society.AgentID{a.recipient()}
	if why := a.noTarget(to); why != "" {
		return why
	}
	if a.composer.Empty() {
		return a.text(whyNoText)
	}
	return a.unlessAny(to, func(r *api.Row) bool { return r.State.Active() }, a.text(whyNotAtWork))
}

func (a *app) noneWaits() string {
	to := []society.AgentID{a.recipient()}
	if why := a.noTarget(to); why != "" {
		return why
	}
	return a.unlessAny(to, func(r *api.Row) bool { return r.Waiting > 0 }, a.text(whyNoneWaits))
}

// runMessages opens the conversation of an agent. The number of messages is
// only used in plain mode.
func (a *app) runMessages(in command.Input) tea.Cmd {
	if !in.Written {
		return a.focus(layout.Transcript)
	}
	name, _, _ := strings.Cut(in.Text, " ")
	if _, err := strconv.Atoi(name); err == nil {
		name = ""
	}
	id, ok := a.agentNamed(name)
	if !ok {
		in.Refuse()
		return a.notify(a.actions.Unknown(name))
	}
	return tea.Batch(a.openAgent(id), a.focus(layout.Transcript))
}

// armPrefix arms the prefix for the present targets.
func (a *app) armPrefix() tea.Cmd { return a.arm(prefixArmed, a.targets()...) }

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
	return b.Press(key)
}

// runName sets or removes the recipient's display name.
func (a *app) runName(in command.Input) tea.Cmd {
	id := a.recipient()
	if row, _ := a.replica.Row(id); in.Text == "" && row.Name == "" {
		in.Refuse()
		return a.warn(a.text(textNoName, id), a.text(textHintName))
	}
	return page.Do(a.deps(), society.Rename{Agent: id, Name: in.Text}, func(_ society.Done, err error) tea.Cmd {
		switch {
		case err != nil:
			in.Refuse()
			return a.notifyError(err)
		case in.Text == "":
			return a.inform(a.text(textUnnamed, id), "")
		}
		return a.inform(a.text(textNamed, id, sanitize.Line(in.Text, page.NameCells)), "")
	})
}
