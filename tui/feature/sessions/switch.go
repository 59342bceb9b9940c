package sessions

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/session"
	"society-tui/tui/page"
)

// switchToMarked goes to the session that is marked.
func (f *Feature) switchToMarked() tea.Cmd {
	s, ok := f.marked()
	if !ok {
		return nil
	}
	if session.Check(s.Name) != nil {
		return f.Warn(f.words.Misnamed, "")
	}
	return f.switchTo(s.Name)
}

// switchTo leaves for another session, or a new one of that name, as by quitting:
// it asks first if agents are at work, or if something would be lost.
func (f *Feature) switchTo(name string) tea.Cmd {
	w := f.words
	switch {
	case f.going != "" || f.enter == nil:
		return nil
	case name == f.current:
		f.Screen.List().Close()
		return f.Tell(fmt.Sprintf(w.IsHere, shownName(name)), "")
	}
	if len(f.Replica.Active()) == 0 && f.Replica.Unsaved() == "" {
		return f.enterNow(page.Leaving{To: name})
	}
	q := f.switchQuestion(name)
	q.Again = func() (page.Question, bool) { return f.switchQuestion(name), true }
	return f.Screen.Ask(q)
}

func (f *Feature) switchQuestion(name string) page.Question {
	w := f.words
	q := page.Question{Title: fmt.Sprintf(w.GoTitle, shownName(name)), Body: f.Screen.LeavingBody(w.Saved)}
	q.Choices = []page.Choice{
		{Label: f.App.Cancel},
		{Label: w.Go, Key: "y", Run: func() tea.Cmd { return f.enterNow(page.Leaving{To: name}) }},
	}
	if len(f.Replica.Active()) > 0 {
		q.Choices = append(q.Choices, page.Choice{Label: w.GoPause, Key: "p", Run: func() tea.Cmd { return f.enterNow(page.Leaving{To: name, Pause: true}) }})
	}
	return q
}

// entered says whether the session that is gone to was opened.
type entered struct {
	how page.Leaving
	err error
}

// enterNow opens the other session. Only then this one is left: where the other
// cannot be opened nothing has happened to its agents.
func (f *Feature) enterNow(how page.Leaving) tea.Cmd {
	if f.going != "" {
		return nil
	}
	f.going = how.To
	opening := page.Later(f.Screen, func(ctx context.Context) entered { return entered{how, f.enter(ctx, how.To)} }, f.onEntered)
	return tea.Batch(f.Tell(fmt.Sprintf(f.words.Opening, shownName(how.To)), ""), opening)
}

func (f *Feature) onEntered(m entered) tea.Cmd {
	f.going = ""
	switch {
	case f.Screen.IsLeaving(): // by another way
		return nil
	case m.err != nil:
		return tea.Batch(f.notDone(f.words.NotOpened, m.how.To, m.err), f.refresh(""))
	}
	f.Screen.List().Close()
	return f.Screen.Leave(m.how)
}

// notDone says of a session what was not done, and why.
func (f *Feature) notDone(what, name string, err error) tea.Cmd {
	hint := ""
	if problemOf(err).Why == session.Damaged {
		hint = fmt.Sprintf(f.words.HintDamage, shownName(name))
	}
	return f.Warn(fmt.Sprintf(what, shownName(name), f.problemText(err)), hint)
}
