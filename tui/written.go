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

// runWritten runs a written command. A refused one returns to the composer.
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

// meant returns the command in a text typed after the / of a filter or a
// search, or "".
func (a *app) meant(text string) string {
	text = "/" + strings.TrimPrefix(strings.TrimSpace(text), "/")
	if name, _, _ := strings.Cut(text, " "); a.registry.Slash(name) == nil {
		return ""
	}
	return text
}

// meantInTree returns the command in the filter line, unless agents match.
func (a *app) meantInTree() string {
	if text, matches := a.tree.Filtered(); !matches {
		return a.meant(text)
	}
	return ""
}

// writeCommand writes a command into the composer. The old text can be
// restored.
func (a *app) writeCommand(text string) tea.Cmd {
	said, _ := a.clearText()
	a.composing.completion = completion{}
	a.composer.SetText(text)
	return tea.Batch(said, a.focus(layout.Composer))
}

// completeAgent completes ids of agents.
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

// agentsCalled returns the agents whose id or name has a prefix.
func (a *app) agentsCalled(begin string) []society.AgentID {
	return slices.DeleteFunc(a.replica.Subtree(society.Root), func(id society.AgentID) bool {
		return !strings.HasPrefix(string(id), begin) && !strings.HasPrefix(a.name(id), begin)
	})
}

// about describes an agent beside its id: its name, if different, and its role.
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

// clearText clears the draft, and tells how to restore it.
func (a *app) clearText() (said tea.Cmd, was bool) {
	if !a.composer.Clear() {
		return nil, false
	}
	return a.mention(action.Notice{Text: a.text(textCleared), Hint: a.text(textHintBring)}), true
}

// agentNamed finds an agent by id or name; an empty name is the recipient.
func (a *app) agentNamed(name string) (society.AgentID, bool) {
	if name == "" {
		return a.nav.open, true
	}
	return a.actions.Named(name)
}

// giveBack returns a text to its recipient's draft, or to the visible one if
// the recipient was removed.
func (a *app) giveBack(msg composer.Submitted) { a.composer.Restore(a.keeper(msg.To), msg.Text) }

// refuse returns a command to the composer; typing replaces it.
func (a *app) refuse(msg composer.Submitted) { a.composer.Refuse(a.keeper(msg.To), msg.Text) }

// keeper returns the recipient whose draft keeps a text to an agent.
func (a *app) keeper(to society.AgentID) society.AgentID {
	if _, here := a.replica.Row(to); here {
		return to
	}
	return a.recipient()
}
