package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/session"
)

// goToPicked goes to the session that is marked.
func (a *app) goToPicked() tea.Cmd {
	s, ok := a.session()
	if !ok {
		return nil
	}
	if session.Check(s.Name) != nil {
		return a.warn(a.words.sessions.Misnamed, "")
	}
	return a.goToSession(s.Name)
}

// goToSession leaves for another session, or a new one of that name, as by quitting:
// it asks first if agents are at work, or if something would be lost.
func (a *app) goToSession(name string) tea.Cmd {
	w := a.words.sessions
	switch {
	case a.sessions.going != "" || a.cfg.Enter == nil:
		return nil
	case name == a.cfg.Session:
		a.picks.Close()
		return a.tell(fmt.Sprintf(w.IsHere, shownSession(name)), "")
	}
	if len(a.busy()) == 0 && a.replica.Unsaved() == "" {
		return a.enterSession(Leaving{To: name})
	}
	q := a.goQuestion(name)
	q.again = func() (question, bool) { return a.goQuestion(name), true }
	return a.ask(q)
}

func (a *app) goQuestion(name string) question {
	w := a.words.sessions
	q := question{title: fmt.Sprintf(w.GoTitle, shownSession(name)), body: a.leavingBody(w.Saved)}
	q.choices = []choice{
		{label: a.words.app.Cancel},
		{label: w.Go, key: "y", does: func() tea.Cmd { return a.enterSession(Leaving{To: name}) }},
	}
	if len(a.busy()) > 0 {
		q.choices = append(q.choices, choice{label: w.GoPause, key: "p", does: func() tea.Cmd { return a.enterSession(Leaving{To: name, Pause: true}) }})
	}
	return q
}

// sessionEntered says whether the session that is gone to was opened.
type sessionEntered struct {
	how Leaving
	err error
}

// enterSession opens the other session. Only then this one is left: where the other
// cannot be opened nothing has happened to its agents.
func (a *app) enterSession(how Leaving) tea.Cmd {
	if a.sessions.going != "" {
		return nil
	}
	a.sessions.going = how.To
	opening := later(a, func(ctx context.Context) sessionEntered { return sessionEntered{how, a.cfg.Enter(ctx, how.To)} }, a.takeEntered)
	return tea.Batch(a.tell(fmt.Sprintf(a.words.sessions.Opening, shownSession(how.To)), ""), opening)
}

func (a *app) takeEntered(m sessionEntered) tea.Cmd {
	a.sessions.going = ""
	switch {
	case a.leaving: // by another way
		return nil
	case m.err != nil:
		return tea.Batch(a.sayNotDone(a.words.sessions.NotOpened, m.how.To, m.err), a.refreshSessions(""))
	}
	a.picks.Close()
	return a.leave(m.how)
}

// sayNotDone says of a session what was not done, and why.
func (a *app) sayNotDone(what, name string, err error) tea.Cmd {
	hint := ""
	if problemOf(err).Why == session.Damaged {
		hint = fmt.Sprintf(a.words.sessions.HintDamage, shownSession(name))
	}
	return a.warn(fmt.Sprintf(what, shownSession(name), a.sessionProblem(err)), hint)
}
