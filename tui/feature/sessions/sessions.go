// Package sessions lists the sessions with a preview, and lets the user create,
// rename, delete and switch between them.
package sessions

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/session"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// A Store has the sessions on disk. It refuses with a *session.Problem. Its
// methods may block, so they are never called from the event loop.
type Store interface {
	// List returns the sessions, the last used one first.
	List() ([]session.Session, error)
	// Look returns a preview of one, and stops soon after ctx is done.
	Look(ctx context.Context, name string) (session.Preview, error)
	// Uncommitted returns the agents whose work in git worktrees Delete would lose; with an
	// error there may be more.
	Uncommitted(ctx context.Context, name string) ([]society.AgentID, error)
	// Rename and Delete change a session other than the current one.
	Rename(from, to string) error
	Delete(name string) error
}

// A Config has the sessions.
type Config struct {
	Store Store // nil if unavailable
	// Attached is set if another program runs the society, which alone could change the
	// session.
	Attached bool
	Current  string // the open session
	// Enter opens another or a new session while this one runs; the screen must be
	// left for it next. It is nil if there is no other.
	Enter func(ctx context.Context, name string) error
	// Leaving reports whether the program is about to leave the screen, and
	// AboutLeaving describes which agents are working, and what leaving does to them;
	// continues is about those at work.
	Leaving      func() bool
	AboutLeaving func(saved, continues string) []dialog.Line
}

// A Feature lists, creates, renames, deletes and switches sessions.
type Feature struct {
	*page.Deps
	cfg Config

	list       *page.List
	sessions   []Row
	previewing bool   // a preview is running
	going      string // the session being opened, or ""
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature {
	f := &Feature{Deps: deps, cfg: cfg}
	f.list = deps.NewList(page.Choosing{
		Take: f.switchToMarked, Takes: page.TextOpenIt,
		Keys: map[string]func() tea.Cmd{"make_role": f.create, "rename_session": f.rename, "delete_session": f.askDelete},
		More: func() []statusline.Hint {
			return []statusline.Hint{f.Hint("make_role", hintMakeRole), f.Hint("rename_session", hintRename), f.Hint("delete_session", hintDelete)}
		},
	})
	return f
}

func (f *Feature) Commands() []*command.Command {
	sessions := agentcommand.Sessions()
	sessions.Keys, sessions.Run = command.Keys(command.Global, "alt+s"), command.Run(f.open)
	sessions.Blocked = func(int) string {
		switch {
		case f.cfg.Store == nil && f.cfg.Attached:
			return f.Text(TextAttached)
		case f.cfg.Store == nil:
			return f.Text(action.TextNotHere)
		}
		return ""
	}
	return command.Grouped(command.GroupSessions, []*command.Command{sessions, f.InList("rename_session", i18n.Text{EN: "Rename session…", ZH: "重命名会话…"}, i18n.Text{EN: "title call retitle", ZH: "名称 改名 标题"}, "r"), f.InList("delete_session", i18n.Text{EN: "Delete session…", ZH: "删除会话…"}, i18n.Text{EN: "remove erase drop", ZH: "移除 清除 丢弃"}, "D")})
}

// What is looked at for the notice of the start: the sessions used last, whose files are read
// as a whole.
const (
	mostAtStart = 3
	sizeAtStart = 8 << 20
)

// Opened tells of another session whose agents were at work when it was left.
func (f *Feature) Opened() tea.Cmd {
	if f.cfg.Store == nil || f.cfg.Enter == nil {
		return nil
	}
	return page.Later(f.Screen, f.atWork, func(name string) tea.Cmd {
		if name == "" {
			return nil
		}
		return f.Screen.Notify(action.Notice{Text: f.Text(textAtWork, ShownName(name))})
	})
}

// atWork returns the session used last that has work to go on with, besides the open one, or
// "". What cannot be read is for the list to tell.
func (f *Feature) atWork(ctx context.Context) string {
	list, _ := f.cfg.Store.List()
	list = slices.DeleteFunc(list, func(s session.Session) bool { return s.Name == f.cfg.Current || s.Size > sizeAtStart })
	for _, s := range list[:min(len(list), mostAtStart)] {
		if preview, err := f.cfg.Store.Look(ctx, s.Name); err == nil && preview.AtWork {
			return s.Name
		}
	}
	return ""
}

// A Row is a session with its preview.
type Row struct {
	session.Session
	Looked  bool // the preview was read
	Preview session.Preview
	Err     error // why there is no preview
}

// listed are the sessions, read for the list.
type listed struct {
	list  []session.Session
	pick  string // session to select; "" keeps the selection, at first the open one
	again bool   // the list was open before
	err   error
}

// open lists the sessions.
func (f *Feature) open() tea.Cmd {
	if f.cfg.Store == nil && f.cfg.Attached {
		return f.Warn(i18n.Capitalized(f.Text(TextAttached)), "")
	}
	if f.cfg.Store == nil {
		return f.Warn(f.Text(command.TextUnknown, "/sessions"), f.Text(page.TextHintCommands))
	}
	return f.read("", false)
}

func (f *Feature) read(pick string, again bool) tea.Cmd {
	return page.Later(f.Screen, func(context.Context) listed {
		list, err := f.cfg.Store.List()
		return listed{list, pick, again, err}
	}, f.onRead)
}

// refresh rereads the sessions if their list is open.
func (f *Feature) refresh(pick string) tea.Cmd {
	if !f.list.IsOpen() {
		return nil
	}
	return f.read(pick, true)
}

// onRead opens the list and previews one session after the other. Previews of
// unchanged files are kept.
func (f *Feature) onRead(m listed) tea.Cmd {
	switch {
	case m.again && !f.list.IsOpen(): // it was closed meanwhile
		return nil
	case m.err != nil:
		return f.Explain(m.err)
	}
	before := f.sessions
	f.sessions = make([]Row, len(m.list))
	for i, s := range m.list {
		f.sessions[i].Session = s
		for _, was := range before {
			if was.Session == s && was.Err == nil && s.Name != f.cfg.Current {
				f.sessions[i] = was
			}
		}
	}
	f.show()
	switch {
	case m.pick != "":
		f.list.Pick(m.pick)
	case !m.again:
		f.list.Pick(f.cfg.Current)
	}
	return f.previewNext()
}

// show shows the list with the previews so far.
func (f *Feature) show() {
	items := make([]list.Item, len(f.sessions))
	for i := range f.sessions {
		items[i] = f.item(&f.sessions[i])
	}
	f.list.Show(f.Text(textTitle), "", items)
}

func (f *Feature) item(s *Row) list.Item {
	about, text := s.Shown(f.Printer, f.Now(), s.Name == f.cfg.Current)
	item := list.Item{ID: s.Name, Name: ShownName(s.Name), Note: strings.Join(about, f.Dot), Text: text, Bad: session.Check(s.Name) != nil}
	if s.Looked && s.Err != nil {
		why := problemOf(s.Err).Why
		item.Bad = item.Bad || why != session.InUse && why != session.Slow
	}
	return item
}

// Shown returns what is known about a session, and the user's last message in it or what is
// wrong with it. Text from the disk is cleaned here.
func (s *Row) Shown(p i18n.Printer, now time.Time, current bool) (about []string, text string) {
	if current {
		about = append(about, p.T(textHere))
	}
	switch {
	case !s.Looked:
		text = p.T(textUnread)
	case s.Err != nil:
		text = problemText(p, s.Err)
	default:
		about = append(about, p.N(page.TextAgents, s.Preview.Agents))
		text = p.T(textFresh)
		if s.Preview.Request != "" {
			text = shownRequest(s.Preview)
		}
	}
	if session.Check(s.Name) != nil {
		text = p.T(textMisnamed)
	}
	return append(about, symbols.Bytes(int(s.Size)), dayOf(now, s.Used)), text
}

// ShownName cleans the name of a session: a file may have any name.
func ShownName(name string) string { return sanitize.Line(name, session.MaxName) }

// shownRequest cleans the user's last message in a session.
func shownRequest(g session.Preview) string { return sanitize.Line(g.Request, page.TextCells) }

// dayOf formats a time: today the time of day, else the date.
func dayOf(now, at time.Time) string {
	at, now = at.Local(), now.Local()
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return at.Format("15:04")
	}
	return at.Format(time.DateOnly)
}

// A previewed is the preview of one session.
type previewed struct {
	of      session.Session
	preview session.Preview
	err     error
}

// previewNext previews the next session while the list is open: one at a time,
// because each file is read as a whole.
func (f *Feature) previewNext() tea.Cmd {
	if !f.list.IsOpen() || f.previewing {
		return nil
	}
	for i := range f.sessions {
		if s := f.sessions[i].Session; !f.sessions[i].Looked {
			f.previewing = true
			return page.Later(f.Screen, func(ctx context.Context) previewed {
				preview, err := f.cfg.Store.Look(ctx, s.Name)
				return previewed{s, preview, err}
			}, f.onPreview)
		}
	}
	return nil
}

func (f *Feature) onPreview(m previewed) tea.Cmd {
	f.previewing = false
	for i := range f.sessions {
		if s := &f.sessions[i]; s.Session == m.of {
			s.Looked, s.Preview, s.Err = true, m.preview, m.err
		}
	}
	if f.list.IsOpen() {
		f.show()
	}
	return f.previewNext()
}

// marked returns the selected session.
func (f *Feature) marked() (Row, bool) {
	item, ok := f.list.Picked()
	for _, s := range f.sessions {
		if ok && s.Name == item.ID {
			return s, true
		}
	}
	return Row{}, false
}

// problemOf returns the problem in an error.
func problemOf(err error) *session.Problem {
	if p, ok := errors.AsType[*session.Problem](err); ok {
		return p
	}
	return &session.Problem{Err: err}
}

// problemText describes a problem, as a clause about the session.
func problemText(p i18n.Printer, err error) string {
	problem := problemOf(err)
	switch problem.Why {
	case session.InUse:
		if problem.PID > 0 {
			return p.T(textInUseBy, problem.PID, problem.Since.Format(time.DateTime))
		}
		return p.T(textInUse)
	case session.Damaged:
		return p.T(textDamaged)
	case session.Newer:
		return p.T(textNewer)
	case session.Slow:
		return p.T(textSlow)
	case session.Gone:
		return p.T(textGone)
	case session.Taken:
		return p.T(textTaken, ShownName(problem.Other))
	case session.Open:
		return p.T(textOpenHere)
	case session.Misnamed:
		return p.T(textMisnamed)
	}
	return p.T(textFailed, sanitize.Line(action.Reason(cmp.Or(problem.Err, err)), page.TextCells))
}
