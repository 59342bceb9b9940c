package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/page"
)

// quitKind is the kind of the question whether to quit.
const quitKind = "quit"

// ask opens a question, and disarms keys.
func (a *app) ask(q page.Question) tea.Cmd {
	a.disarmEscape()
	a.dialogs.Open(q.Dialog(), a.now())
	return nil
}

// askAgain updates open questions after changes. One with nothing left to ask
// closes, and keys meant for it are blocked.
func (a *app) askAgain() {
	if !a.dialogs.Shown() {
		return
	}
	open := a.dialogs.Len()
	a.dialogs.Refresh()
	if a.dialogs.Len() < open {
		a.guardRepeat("")
	}
}
