package tui

import (
	"society-tui/tui/command"
	"society-tui/tui/page"

	tea "charm.land/bubbletea/v2"
)

// run runs a command.
func (a *app) run(c *command.Command, in command.Input) tea.Cmd {
	act := func() tea.Cmd { return a.act(c.Act(in), in.Refuse) }
	switch {
	case c.Act == nil:
		return c.Run(in)
	case in.Written:
		return act()
	}
	return a.guarded(in, act)
}

// pressBinding runs the command of a pressed key.
func (a *app) pressBinding(b *command.Binding, key string) tea.Cmd {
	return a.run(b.Command, b.Pressed(key))
}

// guarded runs a verb, unless the key was meant for an agent that has just
// disappeared. A repeated key counts as one press: it must neither undo the
// first one nor hit the next target.
func (a *app) guarded(in command.Input, verb func() tea.Cmd) tea.Cmd {
	if removed, blocked := a.keyboard.target.blocks(a.now()); blocked {
		return a.warn(a.text(page.TextGone, a.name(removed)), "")
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
