package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/session"
	"society-tui/tui/action"
	"society-tui/tui/list"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// sessionList is the kind of the list of sessions.
const sessionList = "sessions"

// Sessions is what the screen needs of the sessions that there are. What it refuses is
// a *session.Problem. All of it may wait, and is never called from the event loop.
type Sessions interface {
	// List returns them, the one that was used last first.
	List() ([]session.Session, error)
	// Look says what is in one, and gives up soon after ctx is done.
	Look(ctx context.Context, name string) (session.Preview, error)
	// Rename gives one another name, and Delete deletes one; not the one that is shown.
	Rename(from, to string) error
	Delete(name string) error
}

// sessions are those of the list, and where the person is about to go.
type sessions struct {
	list    []seenSession
	looking bool   // into one of them
	going   string // being opened, "" for none
}

// A seenSession is what is known of a session.
type seenSession struct {
	session.Session
	looked  bool
	glimpse session.Preview
	err     error // why nothing could be seen
}

// sessionsRead are the sessions, read for their list.
type sessionsRead struct {
	list  []session.Session
	pick  string // the one to mark, "" for the one that is, at first the one that is open
	again bool   // the list was open
	err   error
}

// openSessions lists the sessions.
func (a *app) openSessions() tea.Cmd {
	if a.cfg.Sessions == nil {
		return a.warn(fmt.Sprintf(a.words.notices.UnknownCommand, "/sessions"), a.words.notices.HintCommands)
	}
	return a.readSessions("", false)
}

func (a *app) readSessions(pick string, again bool) tea.Cmd {
	return later(a, func(context.Context) sessionsRead {
		list, err := a.cfg.Sessions.List()
		return sessionsRead{list, pick, again, err}
	}, a.takeSessions)
}

// refreshSessions reads the sessions again if their list is open.
func (a *app) refreshSessions(pick string) tea.Cmd {
	if !a.listing(sessionList) {
		return nil
	}
	return a.readSessions(pick, true)
}

// takeSessions opens the list, and looks into one after the other from then on. What
// was seen of a file that has not changed is still known.
func (a *app) takeSessions(m sessionsRead) tea.Cmd {
	switch {
	case m.again && !a.listing(sessionList): // it was closed meanwhile
		return nil
	case m.err != nil:
		return a.sayError(m.err)
	}
	before := a.sessions.list
	a.sessions.list = make([]seenSession, len(m.list))
	for i, s := range m.list {
		a.sessions.list[i].Session = s
		for _, was := range before {
			if was.Session == s && was.err == nil && s.Name != a.cfg.Session {
				a.sessions.list[i] = was
			}
		}
	}
	a.listSessions()
	switch {
	case m.pick != "":
		a.picks.Pick(m.pick)
	case !m.again:
		a.picks.Pick(a.cfg.Session)
	}
	return a.lookOn()
}

// listSessions shows the list as far as it is known.
func (a *app) listSessions() {
	items := make([]list.Item, len(a.sessions.list))
	for i := range a.sessions.list {
		items[i] = a.sessionItem(&a.sessions.list[i])
	}
	a.openList(a.sessionsPage(), a.words.sessions.Title, "", items)
}

func (a *app) sessionsPage() listPage {
	w := a.words.keys
	return listPage{
		kind: sessionList, take: a.goToPicked, takes: w.HintGo,
		keys: map[string]func() tea.Cmd{"make_role": a.makeSession, "rename_session": a.renameSession, "delete_session": a.deleteSession},
		more: func() []statusline.Hint {
			return []statusline.Hint{a.listHint("make_role", w.HintMakeRole), a.listHint("rename_session", w.HintRename), a.listHint("delete_session", w.HintDelete)}
		},
	}
}

// sessionItem is where what is on the disk enters the screen.
func (a *app) sessionItem(s *seenSession) list.Item {
	w := a.words.sessions
	item := list.Item{ID: s.Name, Name: shownSession(s.Name)}
	var about []string
	if s.Name == a.cfg.Session {
		about = append(about, w.Here)
	}
	switch {
	case !s.looked:
		item.Text = w.Unread
	case s.err != nil:
		why := problemOf(s.err).Why
		item.Text, item.Bad = a.sessionProblem(s.err), why != session.InUse && why != session.Slow
	default:
		about = append(about, a.countAgents(s.glimpse.Agents))
		item.Text = w.Fresh
		if s.glimpse.Request != "" {
			item.Text = shownRequest(s.glimpse)
		}
	}
	if session.Check(s.Name) != nil {
		item.Text, item.Bad = w.Misnamed, true
	}
	item.Note = strings.Join(append(about, symbols.Bytes(int(s.Size)), a.dayOf(s.Used)), a.dot())
	return item
}

// sessionInHeader is the session that is shown, if it is another than the usual one.
func (a *app) sessionInHeader() string {
	if a.cfg.Session == session.Default {
		return ""
	}
	return a.cfg.Session
}

// shownSession is the name of a session as it can be drawn: a file may be called
// anything.
func shownSession(name string) string { return sanitize.Line(name, session.MaxName) }

// shownRequest is what the person wrote last there.
func shownRequest(g session.Preview) string { return sanitize.Line(g.Request, doingCells) }

func (a *app) countAgents(n int) string {
	if n == 1 {
		return a.words.sessions.One
	}
	return fmt.Sprintf(a.words.sessions.Agents, n)
}

// dayOf is when something was: today by the clock, else by the day.
func (a *app) dayOf(at time.Time) string {
	at, now := at.Local(), a.now().Local()
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return at.Format("15:04")
	}
	return at.Format(time.DateOnly)
}

// A sessionLooked is what was seen of one.
type sessionLooked struct {
	of      session.Session
	glimpse session.Preview
	err     error
}

// lookOn looks into the next one that was not looked into, while the list is open: one
// at a time, because each is read from its first page to the last.
func (a *app) lookOn() tea.Cmd {
	if !a.listing(sessionList) || a.sessions.looking {
		return nil
	}
	for i := range a.sessions.list {
		if s := a.sessions.list[i].Session; !a.sessions.list[i].looked {
			a.sessions.looking = true
			return later(a, func(ctx context.Context) sessionLooked {
				glimpse, err := a.cfg.Sessions.Look(ctx, s.Name)
				return sessionLooked{s, glimpse, err}
			}, a.takeLooked)
		}
	}
	return nil
}

func (a *app) takeLooked(m sessionLooked) tea.Cmd {
	a.sessions.looking = false
	for i := range a.sessions.list {
		if s := &a.sessions.list[i]; s.Session == m.of {
			s.looked, s.glimpse, s.err = true, m.glimpse, m.err
		}
	}
	if a.listing(sessionList) {
		a.listSessions()
	}
	return a.lookOn()
}

// session is the one that is marked in the list.
func (a *app) session() (seenSession, bool) {
	item, ok := a.picks.Picked()
	for _, s := range a.sessions.list {
		if ok && a.listing(sessionList) && s.Name == item.ID {
			return s, true
		}
	}
	return seenSession{}, false
}

// problemOf is why nothing is done with a session.
func problemOf(err error) *session.Problem {
	if p, ok := errors.AsType[*session.Problem](err); ok {
		return p
	}
	return &session.Problem{Err: err}
}

// sessionProblem says it in words, as what follows "it".
func (a *app) sessionProblem(err error) string {
	w := a.words.sessions
	p := problemOf(err)
	switch p.Why {
	case session.InUse:
		if p.PID > 0 {
			return fmt.Sprintf(w.InUseBy, p.PID, p.Since.Format(time.DateTime))
		}
		return w.InUse
	case session.Damaged:
		return w.Damaged
	case session.Newer:
		return w.Newer
	case session.Slow:
		return w.Slow
	case session.Gone:
		return w.Gone
	case session.Taken:
		return fmt.Sprintf(w.Taken, shownSession(p.Other))
	case session.Open:
		return w.OpenHere
	case session.Misnamed:
		return w.Misnamed
	}
	return fmt.Sprintf(w.Failed, sanitize.Line(action.Reason(cmp.Or(p.Err, err)), doingCells))
}
