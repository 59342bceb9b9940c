package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/dialog"
)

// askQuit asks whether to quit, with who is at work.
func (a *app) askQuit() tea.Cmd {
	q := a.quitQuestion()
	q.again = func() (question, bool) { return a.quitQuestion(), true }
	return a.ask(q)
}

func (a *app) quitQuestion() question {
	w := a.words.app
	var busy []society.AgentID
	for _, id := range a.tree.Subtree(society.Root) {
		if row, _ := a.tree.Row(id); row.State.Active() {
			busy = append(busy, id)
		}
	}
	q := question{kind: quitKind, title: w.QuitTitle}
	if len(busy) == 0 {
		q.body = dialog.Text(w.QuitNobody)
	} else {
		q.body = dialog.Text(fmt.Sprintf(w.QuitRunning, len(busy)))
		q.body = append(q.body, a.list(busy)...)
	}
	if a.unsaved == "" {
		q.body = append(q.body, dialog.Line{Tone: dialog.Quiet, Text: w.QuitSaved})
	} else {
		q.body = append(q.body, dialog.Line{Tone: dialog.Danger, Text: w.QuitUnsaved})
	}
	q.choices = []choice{
		{label: w.Cancel},
		{label: w.Quit, key: "y", does: func() tea.Cmd { return a.leave(false) }},
	}
	if len(busy) > 0 {
		q.choices = append(q.choices, choice{label: w.QuitPause, key: "p", does: func() tea.Cmd { return a.leave(true) }})
	}
	return q
}

// left says that the society has come to its end.
type left struct{ err error }

// leave begins to end the program. The screen stays until the society has ended
// its calls; until then it says what it waits for.
func (a *app) leave(pause bool) tea.Cmd {
	a.leaving = true
	a.pump.leaving.Store(true)
	a.result.Pause = pause
	a.handed = append(a.handed, a.changed()...)
	last := slices.Clone(a.handed)
	return a.command(func(ctx context.Context) tea.Msg {
		err := a.keep(ctx, last)
		if a.cfg.Leave != nil {
			err = a.cfg.Leave(ctx, pause)
		}
		return left{err}
	})
}

// force leaves without waiting for the society any longer.
func (a *app) force() tea.Cmd {
	a.result.Force = true
	return tea.Quit
}

// farewell is what the screen waits for while it is left.
func (a *app) farewell() string {
	w := a.words.app
	total := a.tree.Total()
	if total.Busy() == 1 {
		return w.FinishingOne + " " + w.LeaveAtOnce
	}
	return fmt.Sprintf(w.Finishing, total.Busy()) + " " + w.LeaveAtOnce
}
