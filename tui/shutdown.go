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
	q := question{kind: quitKind, title: w.QuitTitle, body: a.leavingBody(w.QuitSaved)}
	q.choices = []choice{
		{label: w.Cancel},
		{label: w.Quit, key: "y", does: func() tea.Cmd { return a.leave(Leaving{}) }},
	}
	if len(a.busy()) > 0 {
		q.choices = append(q.choices, choice{label: w.QuitPause, key: "p", does: func() tea.Cmd { return a.leave(Leaving{Pause: true}) }})
	}
	return q
}

// busy are the agents at work.
func (a *app) busy() []society.AgentID {
	var busy []society.AgentID
	for _, id := range a.replica.Subtree(society.Root) {
		if row, _ := a.replica.Row(id); row.State.Active() {
			busy = append(busy, id)
		}
	}
	return busy
}

// leavingBody says who is at work when the society is to be left, and what becomes of
// all.
func (a *app) leavingBody(saved string) []dialog.Line {
	w, busy := a.words.app, a.busy()
	var body []dialog.Line
	if len(busy) == 0 {
		body = dialog.Text(w.QuitNobody)
	} else {
		body = append(dialog.Text(fmt.Sprintf(w.QuitRunning, len(busy))), a.list(busy)...)
	}
	if a.replica.Unsaved() != "" {
		return append(body, dialog.Line{Tone: dialog.Danger, Text: w.QuitUnsaved})
	}
	return append(body, dialog.Line{Tone: dialog.Quiet, Text: saved})
}

// left says that the society has come to its end.
type left struct{ err error }

// leave begins to end the society. The screen stays until that has ended its calls;
// until then it says what it waits for.
func (a *app) leave(how Leaving) tea.Cmd {
	a.leaving = true
	a.pump.leaving.Store(true)
	a.result.Leaving = how
	a.handed = append(a.handed, a.changed()...)
	last := slices.Clone(a.handed)
	return a.command(func(ctx context.Context) tea.Msg {
		err := a.keep(ctx, last)
		if a.cfg.Leave != nil {
			err = a.cfg.Leave(ctx, how)
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
	total := a.replica.Total()
	switch total.Busy() {
	case 0:
		return w.Closing + " " + w.LeaveAtOnce
	case 1:
		return w.FinishingOne + " " + w.LeaveAtOnce
	}
	return fmt.Sprintf(w.Finishing, total.Busy()) + " " + w.LeaveAtOnce
}
