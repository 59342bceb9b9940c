package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/dialog"
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
	a.dialogs.Refresh(func(d dialog.Dialog) (dialog.Dialog, bool) {
		to, _ := d.Payload.(*page.Answers)
		if to == nil || to.Again == nil {
			return d, true
		}
		now, still := to.Again()
		now.Again = to.Again
		return now.Dialog(), still
	})
	if a.dialogs.Len() < open {
		a.guardRepeat("")
	}
}
