package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/session"
	"society-tui/tui/dialog"
	"society-tui/tui/symbols"
)

// nameKind is the kind of the dialog that asks for the name of a session.
const nameKind = "name"

// makeSession asks for a name, and goes to a new session that is called so.
func (a *app) makeSession() tea.Cmd {
	w := a.words.sessions
	return a.askName(w.New, w.Make, "", func(name string) tea.Cmd {
		if slices.ContainsFunc(a.sessions.list, func(s seenSession) bool { return s.Name == name }) {
			return a.warn(fmt.Sprintf(w.There, name), w.HintName)
		}
		return a.goToSession(name)
	})
}

// renameSession asks what the session that is marked is to be called.
func (a *app) renameSession() tea.Cmd {
	s, ok := a.session()
	if !ok {
		return nil
	}
	w := a.words.sessions
	if s.Name == a.cfg.Session {
		return a.sayNotDone(w.NotRenamed, s.Name, &session.Problem{Why: session.Open})
	}
	was := s.Name
	if session.Check(was) != nil {
		was = "" // nothing of it could stay
	}
	return a.askName(fmt.Sprintf(w.RenameTitle, shownSession(s.Name)), w.Rename, was, func(name string) tea.Cmd {
		return later(a, func(context.Context) sessionChanged {
			err := a.cfg.Sessions.Rename(s.Name, name)
			return sessionChanged{then: func() tea.Cmd {
				if err != nil {
					return tea.Batch(a.sayNotDone(w.NotRenamed, s.Name, err), a.refreshSessions(""))
				}
				return tea.Batch(a.tell(fmt.Sprintf(w.Renamed, shownSession(s.Name), name), ""), a.refreshSessions(name))
			}}
		}, func(m sessionChanged) tea.Cmd { return m.then() })
	})
}

// sessionChanged brings what came of a change back into the event loop.
type sessionChanged struct{ then func() tea.Cmd }

// askName asks for the name of a session until it is one, and does something with it.
func (a *app) askName(title, button, text string, does func(name string) tea.Cmd) tea.Cmd {
	w := a.words.sessions
	var given func(string) tea.Cmd
	open := func(text string, body ...dialog.Line) {
		a.dialogs.Open(dialog.Dialog{
			Kind: nameKind, Title: title, Body: append(body, dialog.Line{Tone: dialog.Quiet, Text: w.Rules}),
			Line:    &dialog.Field{Label: w.Name, Text: text, Most: session.MaxName},
			Buttons: []dialog.Button{{Choice: a.words.app.Cancel, Label: a.words.app.Cancel}, {Choice: button, Label: button}},
			Payload: &answers{writes: map[string]func(string) tea.Cmd{button: func(text string) tea.Cmd { return given(text) }}},
		}, a.now())
	}
	given = func(text string) tea.Cmd {
		if session.Check(text) != nil {
			open(text, dialog.Line{Tone: dialog.Warning, Text: fmt.Sprintf(w.NoName, text)})
			return nil
		}
		return does(text)
	}
	a.disarmEscape()
	open(text)
	return nil
}

// mostUncounted is how many agents are deleted with a session without their number
// being typed, as with those that are terminated.
const mostUncounted = 10

// deleteSession asks whether the session that is marked is to be deleted, with what
// would be lost as it is now.
func (a *app) deleteSession() tea.Cmd {
	s, ok := a.session()
	if !ok {
		return nil
	}
	if s.Name == a.cfg.Session {
		return a.sayNotDone(a.words.sessions.NotDeleted, s.Name, &session.Problem{Why: session.Open})
	}
	return later(a, func(ctx context.Context) sessionChanged {
		s.glimpse, s.err = a.cfg.Sessions.Look(ctx, s.Name)
		return sessionChanged{then: func() tea.Cmd { return a.askDelete(s) }}
	}, func(m sessionChanged) tea.Cmd { return m.then() })
}

func (a *app) askDelete(s seenSession) tea.Cmd {
	w := a.words.sessions
	if why := problemOf(s.err).Why; s.err != nil && (why == session.InUse || why == session.Gone) {
		return tea.Batch(a.sayNotDone(w.NotDeleted, s.Name, s.err), a.refreshSessions(""))
	}
	size, n := symbols.Bytes(int(s.Size)), s.glimpse.Agents
	q := question{title: fmt.Sprintf(w.DeleteTitle, shownSession(s.Name))}
	switch {
	case s.err != nil:
		q.body = dialog.Text(fmt.Sprintf(w.DeleteUnknown, size, a.sessionProblem(s.err)))
	case n > 1:
		q.body = dialog.Text(fmt.Sprintf(w.DeleteSays, size, n))
	default:
		q.body = dialog.Text(fmt.Sprintf(w.DeleteOne, size))
	}
	if s.glimpse.Request != "" {
		q.body = append(q.body, dialog.Line{Tone: dialog.Quiet, Text: fmt.Sprintf(w.DeleteLast, shownRequest(s.glimpse))})
	}
	q.body = append(q.body, dialog.Line{Tone: dialog.Danger, Text: w.DeleteGrave})
	if n > mostUncounted {
		q.number = n
	}
	q.choices = []choice{
		{label: a.words.app.Cancel},
		{label: w.Delete, key: "y", grave: true, does: func() tea.Cmd { return a.deleteNow(s.Name) }},
	}
	return a.ask(q)
}

func (a *app) deleteNow(name string) tea.Cmd {
	w := a.words.sessions
	return later(a, func(context.Context) sessionChanged {
		err := a.cfg.Sessions.Delete(name)
		return sessionChanged{then: func() tea.Cmd {
			if err != nil {
				return tea.Batch(a.sayNotDone(w.NotDeleted, name, err), a.refreshSessions(""))
			}
			return tea.Batch(a.tell(fmt.Sprintf(w.Deleted, shownSession(name)), ""), a.refreshSessions(""))
		}}
	}, func(m sessionChanged) tea.Cmd { return m.then() })
}
