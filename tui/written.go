package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/layout"
	"society-tui/tui/page"
)

var takesNothing = i18n.Text{EN: "%s takes no text", ZH: "%s 后面不能带文字"}

// runWritten runs a command that was written. One that is refused stays written.
func (a *app) runWritten(msg composer.Submitted) tea.Cmd {
	name, rest, _ := strings.Cut(strings.TrimSpace(msg.Text), " ")
	restore := func() { a.refuse(msg) }
	if c := a.registry.Slash(name); c != nil && rest != "" && c.Args.Label.IsZero() {
		restore()
		return a.warn(a.text(takesNothing, name), "")
	} else if c != nil {
		return c.Run(command.Input{Written: true, Text: strings.TrimSpace(rest), Restore: restore})
	}
	restore()
	hint := a.text(page.TextHintCommands)
	if meant := a.registry.Suggest(name); len(meant) > 0 {
		hint = a.text(textHintMeantCommand, strings.Join(meant, " "))
	}
	return a.warn(a.text(page.TextUnknownCommand, name), hint)
}

// meant is the command that a text names which was typed behind the / of a filter or a
// search, "" if it names none.
func (a *app) meant(text string) string {
	text = "/" + strings.TrimPrefix(strings.TrimSpace(text), "/")
	if name, _, _ := strings.Cut(text, " "); a.registry.Slash(name) == nil {
		return ""
	}
	return text
}

// meantInTree is the command that was meant by the filter that is typed: agents that
// match come before that.
func (a *app) meantInTree() string {
	if text, matches := a.tree.Filtered(); !matches {
		return a.meant(text)
	}
	return ""
}

// writeCommand writes a command where it is carried out. What stood there can be brought
// back.
func (a *app) writeCommand(text string) tea.Cmd {
	said, _ := a.clearText()
	a.composing.completion = completion{}
	a.composer.SetText(text)
	return tea.Batch(said, a.focus(layout.Composer))
}

// completeAgent completes to the ids of agents.
func (a *app) completeAgent(text string) []command.Candidate {
	if strings.Contains(text, " ") {
		return nil
	}
	var found []command.Candidate
	for _, id := range a.agentsCalled(text) {
		found = append(found, command.Candidate{Text: string(id), Help: a.about(id)})
	}
	return found
}

// agentsCalled are the agents whose id begins so, or what they are called on the screen.
func (a *app) agentsCalled(begin string) []society.AgentID {
	return slices.DeleteFunc(a.replica.Subtree(society.Root), func(id society.AgentID) bool {
		return !strings.HasPrefix(string(id), begin) && !strings.HasPrefix(a.name(id), begin)
	})
}

// about says beside an id who that is: what it is called, if that is something
// else, and its role.
func (a *app) about(id society.AgentID) string {
	row, here := a.replica.Row(id)
	switch {
	case !here:
		return ""
	case a.name(id) != string(id):
		return a.name(id)
	}
	return row.Role
}

// clearText takes away what is written, if anything is, and says how it is brought back.
func (a *app) clearText() (said tea.Cmd, was bool) {
	if !a.composer.Clear() {
		return nil, false
	}
	return a.mention(action.Notice{Text: a.text(textCleared), Hint: a.text(textHintBring)}), true
}

// agentNamed finds an agent by its id or by what it is called; the empty name is
// the recipient.
func (a *app) agentNamed(name string) (society.AgentID, bool) {
	if name == "" {
		return a.nav.open, true
	}
	return a.actions.Named(name)
}

// giveBack writes a text into the composer again: that of its recipient, or, when
// that is gone, the one on the screen.
func (a *app) giveBack(msg composer.Submitted) { a.composer.Restore(a.keeper(msg.To), msg.Text) }

// refuse does the same with a command that was not carried out: what is typed next
// takes its place.
func (a *app) refuse(msg composer.Submitted) { a.composer.Refuse(a.keeper(msg.To), msg.Text) }

// keeper is whose composer keeps a text that was meant for an agent.
func (a *app) keeper(to society.AgentID) society.AgentID {
	if _, here := a.replica.Row(to); here {
		return to
	}
	return a.recipient()
}
