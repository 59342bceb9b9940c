// Package sessions lists the sessions that there are, with what is in them, and lets
// the user make, rename, delete and switch between them.
package sessions

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/session"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// kind is the kind of the list of sessions.
const kind = "sessions"

// A Store is the sessions on disk. What it refuses is a *session.Problem. All of it may
// wait, and is never called from the event loop.
type Store interface {
	// List returns them, the one that was used last first.
	List() ([]session.Session, error)
	// Look says what is in one, and gives up soon after ctx is done.
	Look(ctx context.Context, name string) (session.Preview, error)
	// Rename gives one another name, and Delete deletes one; not the one that is shown.
	Rename(from, to string) error
	Delete(name string) error
}

// A Config says which sessions there are.
type Config struct {
	Store   Store  // nil if nothing is known of others
	Current string // the one that is shown
	// Enter opens another session, of that name or a new one, while this one goes on;
	// leaving for it must follow. nil if there is none to go to.
	Enter func(ctx context.Context, name string) error
}

// A Feature lists the sessions, and makes, renames, deletes and switches between them.
type Feature struct {
	*page.Deps
	store   Store
	current string
	enter   func(ctx context.Context, name string) error

	list       []row
	previewing bool   // one of them
	going      string // the one that is being opened, "" for none
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature {
	return &Feature{Deps: deps, store: cfg.Store, current: cfg.Current, enter: cfg.Enter}
}

// Commands returns the command that opens the list, and those of the list.
func (f *Feature) Commands() []*command.Command {
	inList := func(id string, title i18n.Text, key string) *command.Command {
		return &command.Command{
			ID: id, Title: title, Keys: command.Keys(command.List, key), Blocked: func(int) string { return f.Text(page.TextOnlyList) },
			Run: command.Run(func() tea.Cmd { return f.Screen.InList(id, func() tea.Cmd { return nil }) }),
		}
	}
	return command.Grouped(command.GroupSessions, []*command.Command{{
		ID: "sessions", Title: i18n.Text{EN: "Sessions", ZH: "会话"}, Also: i18n.Text{EN: "history past projects societies switch open", ZH: "历史 过去 项目 切换"},
		Keys: command.Keys(command.Global, "alt+s"), Slash: "/sessions", Run: command.Run(f.open),
		Blocked: func(int) string {
			if f.store == nil {
				return f.Text(page.TextNotHere)
			}
			return ""
		},
	}, inList("rename_session", i18n.Text{EN: "Rename session…", ZH: "会话改名…"}, "r"), inList("delete_session", i18n.Text{EN: "Delete session…", ZH: "删除会话…"}, "D")})
}

// Header returns the name of the session that is shown, "" for the default one.
func (f *Feature) Header() string {
	if f.current == session.Default {
		return ""
	}
	return f.current
}

func (f *Feature) isOpen() bool { return f.Screen.List().Kind() == kind }

// A row is what is known of a session.
type row struct {
	session.Session
	looked  bool
	preview session.Preview
	err     error // why nothing could be seen
}

// listed are the sessions, read for their list.
type listed struct {
	list  []session.Session
	pick  string // the one to mark, "" for the one that is, at first the one that is open
	again bool   // the list was open
	err   error
}

// open lists the sessions.
func (f *Feature) open() tea.Cmd {
	if f.store == nil {
		return f.Warn(f.Text(page.TextUnknownCommand, "/sessions"), f.Text(page.TextHintCommands))
	}
	return f.read("", false)
}

func (f *Feature) read(pick string, again bool) tea.Cmd {
	return page.Later(f.Screen, func(context.Context) listed {
		list, err := f.store.List()
		return listed{list, pick, again, err}
	}, f.onRead)
}

// refresh reads the sessions again if their list is open.
func (f *Feature) refresh(pick string) tea.Cmd {
	if !f.isOpen() {
		return nil
	}
	return f.read(pick, true)
}

// onRead opens the list, and looks into one after the other from then on. What
// was seen of a file that has not changed is still known.
func (f *Feature) onRead(m listed) tea.Cmd {
	switch {
	case m.again && !f.isOpen(): // it was closed meanwhile
		return nil
	case m.err != nil:
		return f.Screen.NotifyError(m.err)
	}
	before := f.list
	f.list = make([]row, len(m.list))
	for i, s := range m.list {
		f.list[i].Session = s
		for _, was := range before {
			if was.Session == s && was.err == nil && s.Name != f.current {
				f.list[i] = was
			}
		}
	}
	f.show()
	switch {
	case m.pick != "":
		f.Screen.List().Pick(m.pick)
	case !m.again:
		f.Screen.List().Pick(f.current)
	}
	return f.previewNext()
}

// show shows the list as far as it is known.
func (f *Feature) show() {
	items := make([]list.Item, len(f.list))
	for i := range f.list {
		items[i] = f.item(&f.list[i])
	}
	f.Screen.OpenList(f.page(), f.Text(textTitle), "", items)
}

func (f *Feature) page() page.List {
	return page.List{
		Kind: kind, Take: f.switchToMarked, Takes: f.Text(page.TextOpenIt),
		Keys: map[string]func() tea.Cmd{"make_role": f.create, "rename_session": f.rename, "delete_session": f.askDelete},
		More: func() []statusline.Hint {
			return []statusline.Hint{f.Screen.Hint("make_role", f.Text(hintMakeRole)), f.Screen.Hint("rename_session", f.Text(hintRename)), f.Screen.Hint("delete_session", f.Text(hintDelete))}
		},
	}
}

// item is where what is on the disk enters the screen.
func (f *Feature) item(s *row) list.Item {
	item := list.Item{ID: s.Name, Name: shownName(s.Name)}
	var about []string
	if s.Name == f.current {
		about = append(about, f.Text(textHere))
	}
	switch {
	case !s.looked:
		item.Text = f.Text(textUnread)
	case s.err != nil:
		why := problemOf(s.err).Why
		item.Text, item.Bad = f.problemText(s.err), why != session.InUse && why != session.Slow
	default:
		about = append(about, f.Printer.N(textAgents, s.preview.Agents))
		item.Text = f.Text(textFresh)
		if s.preview.Request != "" {
			item.Text = shownRequest(s.preview)
		}
	}
	if session.Check(s.Name) != nil {
		item.Text, item.Bad = f.Text(textMisnamed), true
	}
	item.Note = strings.Join(append(about, symbols.Bytes(int(s.Size)), f.dayOf(s.Used)), f.Dot)
	return item
}

// shownName is the name of a session as it can be drawn: a file may be called
// anything.
func shownName(name string) string { return sanitize.Line(name, session.MaxName) }

// shownRequest is what the user wrote last there.
func shownRequest(g session.Preview) string { return sanitize.Line(g.Request, page.TextCells) }

// dayOf is when something was: today by the clock, else by the day.
func (f *Feature) dayOf(at time.Time) string {
	at, now := at.Local(), f.Now().Local()
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return at.Format("15:04")
	}
	return at.Format(time.DateOnly)
}

// A previewed is what was seen of one.
type previewed struct {
	of      session.Session
	preview session.Preview
	err     error
}

// previewNext looks into the next one that was not looked into, while the list is open: one
// at a time, because each is read from its first page to the last.
func (f *Feature) previewNext() tea.Cmd {
	if !f.isOpen() || f.previewing {
		return nil
	}
	for i := range f.list {
		if s := f.list[i].Session; !f.list[i].looked {
			f.previewing = true
			return page.Later(f.Screen, func(ctx context.Context) previewed {
				preview, err := f.store.Look(ctx, s.Name)
				return previewed{s, preview, err}
			}, f.onPreview)
		}
	}
	return nil
}

func (f *Feature) onPreview(m previewed) tea.Cmd {
	f.previewing = false
	for i := range f.list {
		if s := &f.list[i]; s.Session == m.of {
			s.looked, s.preview, s.err = true, m.preview, m.err
		}
	}
	if f.isOpen() {
		f.show()
	}
	return f.previewNext()
}

// marked is the session that is marked in the list.
func (f *Feature) marked() (row, bool) {
	item, ok := f.Screen.List().Picked()
	for _, s := range f.list {
		if ok && f.isOpen() && s.Name == item.ID {
			return s, true
		}
	}
	return row{}, false
}

// problemOf is why nothing is done with a session.
func problemOf(err error) *session.Problem {
	if p, ok := errors.AsType[*session.Problem](err); ok {
		return p
	}
	return &session.Problem{Err: err}
}

// problemText says it in words, as what follows "it".
func (f *Feature) problemText(err error) string {
	p := problemOf(err)
	switch p.Why {
	case session.InUse:
		if p.PID > 0 {
			return f.Text(textInUseBy, p.PID, p.Since.Format(time.DateTime))
		}
		return f.Text(textInUse)
	case session.Damaged:
		return f.Text(textDamaged)
	case session.Newer:
		return f.Text(textNewer)
	case session.Slow:
		return f.Text(textSlow)
	case session.Gone:
		return f.Text(textGone)
	case session.Taken:
		return f.Text(textTaken, shownName(p.Other))
	case session.Open:
		return f.Text(textOpenHere)
	case session.Misnamed:
		return f.Text(textMisnamed)
	}
	return f.Text(textFailed, sanitize.Line(action.Reason(cmp.Or(p.Err, err)), page.TextCells))
}
