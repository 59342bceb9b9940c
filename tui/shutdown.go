package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/terminal"
)

// askQuit quits, after a question if agents are working, or if something is unsaved or unsent.
func (a *app) askQuit() tea.Cmd {
	if a.isAtRest() && a.composer.Unsent() == 0 {
		a.exit.unasked = a.now().Add(reaction)
		return a.leave(Leaving{})
	}
	return a.openQuit()
}

// openQuit asks whether to quit.
func (a *app) openQuit() tea.Cmd {
	q := a.quitQuestion()
	q.Again = func() (page.Question, bool) { return a.quitQuestion(), true }
	return a.ask(q)
}

// runQuit quits by a written command. The key always asks: a letter is pressed by mistake, as
// the first of a text that was meant for the composer.
func (a *app) runQuit(in command.Input) tea.Cmd {
	if in.Written {
		return a.askQuit()
	}
	return a.openQuit()
}

// isAtRest reports whether quitting ends no work and loses nothing. A screen of a society
// that runs elsewhere never is: its question is also where that one is ended.
func (a *app) isAtRest() bool {
	unsaved := func(p page.Page) bool {
		e, edits := p.(interface{ Unsaved() bool })
		return edits && e.Unsaved()
	}
	return a.cfg.Attached == "" && len(a.replica.Active()) == 0 && a.actions.ProcessesEnd() == "" && a.running.unanswered == 0 &&
		a.replica.Unsaved() == "" && len(a.view.unsaved) == 0 && !slices.ContainsFunc(a.pages, unsaved)
}

func (a *app) quitQuestion() page.Question {
	if a.cfg.Attached != "" {
		return a.closeQuestion()
	}
	q := page.Question{Kind: quitKind, Title: a.text(action.TextQuitTitle), Body: a.leavingBody(a.text(textQuitSaved), a.text(textQuitContinues))}
	q.Choices = []page.Choice{
		{Label: a.text(page.TextCancel)},
		{Label: a.text(textQuit), Keys: []string{"y"}, Run: func() tea.Cmd { return a.leave(Leaving{}) }},
	}
	if a.isAtRest() {
		q.Selected = 1 // it loses nothing
	}
	if len(a.replica.Active()) > 0 {
		q.Choices = append(q.Choices, page.Choice{Label: a.text(textQuitPause), Keys: []string{"p"}, Run: func() tea.Cmd { return a.leave(Leaving{Pause: true}) }})
	}
	total := a.replica.Total()
	calls := total.Busy()
	if calls > 0 {
		q.Body = append(q.Body, dialog.Line{Tone: dialog.Quiet, Text: a.printer.N(textQuitWaits, calls)})
	}
	if a.cfg.Detach != nil {
		about := a.text(textBackgroundIdle)
		if calls > 0 {
			about = a.printer.N(textBackgroundWaits, calls)
		}
		q.Body = append(q.Body, dialog.Line{Tone: dialog.Quiet, Text: about})
		q.Choices = append(q.Choices, page.Choice{Label: a.text(textKeepRunning), Keys: []string{"b"}, Run: a.detach})
	}
	return q
}

// detachable explains why the agents cannot go on without this screen, or returns "".
func (a *app) detachable(int) string {
	switch {
	case a.cfg.Attached != "": // detach explains it
	case a.cfg.Detach == nil:
		return a.text(whyNotRunHere)
	case a.replica.Unsaved() != "":
		return a.text(whyUnsaved)
	}
	return ""
}

// detach leaves the agents at work in the background. The process there gets ready first, so
// that a failure changes nothing.
func (a *app) detach() tea.Cmd {
	switch {
	case a.cfg.Attached != "" && a.replica.IsCut():
		return a.warn(a.text(action.TextNotConnected), "")
	case a.cfg.Attached != "":
		return a.inform(a.text(textGoesOn), "")
	}
	if why := a.detachable(1); why != "" {
		return a.warn(why, "")
	}
	if a.exit.detaching {
		return nil
	}
	a.exit.detaching = true
	return tea.Batch(a.inform(a.text(textDetaching), ""), a.command(func(ctx context.Context) tea.Msg {
		err := a.cfg.Detach(ctx)
		return outcome(func() tea.Cmd { return a.onDetached(err) })
	}))
}

// onDetached leaves when a process is ready to go on with the society.
func (a *app) onDetached(err error) tea.Cmd {
	a.exit.detaching = false
	switch {
	case a.exit.leaving: // otherwise
		return nil
	case err != nil:
		return a.warn(a.text(textNotDetached, sanitize.Line(i18n.Error(a.printer.Lang, err), page.TextCells)), "")
	}
	return tea.Batch(a.leave(Leaving{Background: true}), a.watchDelays())
}

// watchDelays shows why leaving takes long.
func (a *app) watchDelays() tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		select {
		case why := <-a.cfg.Delays:
			return outcome(func() tea.Cmd {
				a.exit.delay = sanitize.Line(why, page.TextCells)
				a.statusLine.Pressed() // an error would hide it
				return a.watchDelays()
			})
		case <-ctx.Done():
			return nil
		}
	})
}

// leavingBody describes which agents are working, and what leaving does to
// them; continues is about those at work.
func (a *app) leavingBody(saved, continues string) []dialog.Line {
	busy := a.replica.Active()
	body := dialog.Text(a.actions.Working(len(busy)))
	if len(busy) > 0 {
		body = append(body, a.agentLines(busy)...)
	}
	if end := a.actions.ProcessesEnd(); end != "" {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: end})
	}
	if a.replica.Unsaved() != "" {
		return append(body, dialog.Line{Tone: dialog.Danger, Text: a.text(action.TextQuitUnsaved)})
	}
	if n := a.composer.Unsent(); n > 0 {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: a.printer.N(textUnsent, n)})
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
	a.exit.leaving, a.exit.begun = true, a.now()
	a.pump.Leaving.Store(true)
	a.exit.result.Leaving = how
	return a.saveThen(lastWrites, func() tea.Cmd {
		return a.command(func(ctx context.Context) tea.Msg {
			if a.cfg.Leave != nil {
				_ = a.cfg.Leave(ctx, how) // package process reports how the society ended
			}
			return left{}
		})
	})
}

// endInput quits. If another session follows, it first ends the reader of keys:
// otherwise the reader would keep this program in memory, and swallow keys.
func (a *app) endInput() tea.Cmd {
	in, ok := a.cfg.Input.(*terminal.Input)
	if !ok || a.exit.result.To == "" && !a.exit.result.Background { // which may come back
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
	if a.exit.result.Background { // which may come back
		return a.endInput()
	}
	return tea.Quit
}

// leaveCalls is how long the calls that run get to end, as in package runtime.
const leaveCalls = 25 * time.Second

// farewell describes what the screen waits for while leaving.
func (a *app) farewell() string {
	total := a.replica.Total()
	said := a.text(textClosing)
	if a.cfg.Attached != "" {
		said = a.text(textClosingScreen)
	}
	if n := total.Busy(); n > 0 && (a.cfg.Attached == "" || a.exit.result.End) { // else its calls go on
		left := max(leaveCalls-a.now().Sub(a.exit.begun), time.Second)
		said = a.printer.N(textFinishing, n, int(left.Round(time.Second)/time.Second))
	}
	if a.exit.delay != "" {
		return a.exit.delay + " " + a.text(textLeaveAtOnce)
	}
	if a.exit.result.Background {
		return said + " " + a.text(textCutForBackground)
	}
	return said + " " + a.text(textLeaveAtOnce)
}
