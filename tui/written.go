package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/composer"
	"society-tui/tui/layout"
)

// runWritten runs a written command. A refused one returns to the composer.
func (a *app) runWritten(msg composer.Submitted) tea.Cmd {
	c, in, refused := a.registry.Parse(msg.Text, a.printer)
	in.Restore = func() { a.refuse(msg) }
	if !refused.Empty() {
		in.Refuse()
		return a.notify(refused)
	}
	return a.run(c, in)
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

// clearText clears the draft, and tells how to restore it.
func (a *app) clearText() (said tea.Cmd, was bool) {
	if !a.composer.Clear() {
		return nil, false
	}
	said = a.mention(action.Notice{Text: a.text(textCleared), Hint: a.text(textHintBring)})
	a.composing.cleared = true
	return said, true
}

// giveBack returns a text to its recipient's draft, or to the visible one if
// the recipient was removed.
func (a *app) giveBack(msg composer.Submitted) { a.composer.Restore(a.keeper(msg.To), msg.Text) }

// refuse returns a command to the composer, to be mended.
func (a *app) refuse(msg composer.Submitted) { a.composer.Refuse(a.keeper(msg.To), msg.Text) }

// keeper returns the recipient whose draft keeps a text to an agent.
func (a *app) keeper(to society.AgentID) society.AgentID {
	if _, here := a.replica.Row(to); here {
		return to
	}
	return a.recipient()
}
