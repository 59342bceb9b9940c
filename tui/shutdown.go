package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/terminal"
)

// askQuit asks whether to quit, and names the working agents.
func (a *app) askQuit() tea.Cmd {
	q := a.quitQuestion()
	q.Again = func() (page.Question, bool) { return a.quitQuestion(), true }
	return a.ask(q)
}

func (a *app) quitQuestion() page.Question {
	q := page.Question{Kind: quitKind, Title: a.text(action.TextQuitTitle), Body: a.leavingBody(a.text(textQuitSaved), a.text(textQuitContinues))}
	q.Choices = []page.Choice{
		{Label: a.text(page.TextCancel)},
		{Label: a.text(textQuit), Keys: []string{"y"}, Run: func() tea.Cmd { return a.leave(Leaving{}) }},
	}
	if len(a.replica.Active()) > 0 {
		q.Choices = append(q.Choices, page.Choice{Label: a.text(textQuitPause), Keys: []string{"p"}, Run: func() tea.Cmd { return a.leave(Leaving{Pause: true}) }})
	}
	return q
}

// leavingBody describes which agents are working, and what leaving does to
// them; continues is about those at work.
func (a *app) leavingBody(saved, continues string) []dialog.Line {
	busy := a.replica.Active()
	body := dialog.Text(a.actions.Working(len(busy)))
	if len(busy) > 0 {
		body = append(body, a.agentLines(busy)...)
	}
	if a.replica.Unsaved() != "" {
		return append(body, dialog.Line{Tone: dialog.Danger, Text: a.text(action.TextQuitUnsaved)})
	}
	body = append(body, dialog.Line{Tone: dialog.Quiet, Text: saved})
	if len(busy) > 0 {
		body = append(body, dialog.Line{Tone: dialog.Quiet, Text: continues})
	}
	return body
}

// left tells that the society has ended.
type left struct{}

// leave starts ending the society. The screen stays until its calls have ended,
// and shows what it waits for.
func (a *app) leave(how Leaving) tea.Cmd {
	a.exit.leaving = true
	a.pump.Leaving.Store(true)
	a.exit.result.Leaving = how
	last := a.view.begin(a.changedView())
	return a.command(func(ctx context.Context) tea.Msg {
		_ = a.save(ctx, last) // only the view: nobody waits for that
		if a.cfg.Leave != nil {
			_ = a.cfg.Leave(ctx, how) // package process reports how the society ended
		}
		return left{}
	})
}

// endInput quits. If another session follows, it first ends the reader of keys:
// otherwise the reader would keep this program in memory, and swallow keys.
func (a *app) endInput() tea.Cmd {
	in, ok := a.cfg.Input.(*terminal.Input)
	if !ok || a.exit.result.To == "" {
		return tea.Quit
	}
	return a.command(func(ctx context.Context) tea.Msg {
		in.End(ctx)
		return tea.Quit()
	})
}

// force leaves without waiting for the society.
func (a *app) force() tea.Cmd {
	a.exit.result.Force = true
	return tea.Quit
}

// farewell describes what the screen waits for while leaving.
func (a *app) farewell() string {
	total := a.replica.Total()
	said := a.text(textClosing)
	if n := total.Busy(); n > 0 {
		said = a.printer.N(textFinishing, n)
	}
	return said + " " + a.text(textLeaveAtOnce)
}
