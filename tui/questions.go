package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
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

// notifyAnswered tells that another screen has answered the recipient's question while the
// user writes an answer here, which stays.
func (a *app) notifyAnswered(before *api.Row) tea.Cmd {
	row, here := a.replica.Row(before.ID)
	switch {
	case !here || !before.Asks || row.Asks:
		return nil
	case a.composing.answered == row.ID: // from here
		a.composing.answered = ""
		return nil
	case row.ID != a.recipient() || a.composer.Empty():
		return nil
	}
	return a.inform(a.text(textAnsweredElsewhere, a.name(row.ID)), a.text(textHintAnswerKept))
}
