// Package pagetest has a screen with nothing but one feature, for the tests of
// features: its page, the questions that it asks, and the last notice.
package pagetest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

// A Screen is a page.Screen of 100 by 40 cells. Its test is in a bubble of synctest.
type Screen struct {
	At     society.AgentID                    // at hand, the target, and the recipient
	Editor func(text string) (written string) // the user's, nil for none
	// Viewer is the pager of the user, or nil.
	Viewer func(name string, content []byte)

	Registry *command.Registry
	Opened   society.AgentID // the conversation that was opened last
	Copied   []string
	Left     []page.Leaving

	t       *testing.T
	deps    *page.Deps
	society *apitest.Society
	feature page.Feature
	open    page.Page
	dialogs *dialog.Stack
	notice  string
	results chan func() tea.Cmd // of work outside the event loop
}

// New returns the screen of a feature, which makes returns. Others are commands of
// other features whose keys it uses.
func New(t *testing.T, s *apitest.Society, makes func(*page.Deps) page.Feature, others ...*command.Command) *Screen {
	t.Helper()
	x := &Screen{t: t, At: society.Root, society: s, results: make(chan func() tea.Cmd, 100)}
	set := symbols.Set{}
	x.deps = &page.Deps{
		Screen: x, Society: s, Replica: replica.New("you"), Set: func() symbols.Set { return set },
		Printer: i18n.Printer{Key: x.key}, Dot: " · ", Now: time.Now,
	}
	x.deps.Actions = &action.Builder{Client: s, Society: x.deps.Replica, Printer: x.deps.Printer, Dot: x.deps.Dot}
	x.dialogs = dialog.New(themes.Plain(), x.deps.Printer, set)
	x.feature = makes(x.deps)
	x.Registry = command.New(slices.Concat(others, x.deps.ListCommands(), x.deps.PromptCommands(), x.feature.Commands()), nil, func(string) bool { return true })
	return x.Hear()
}

// key returns the key of a command, or its name if it belongs to another feature.
func (x *Screen) key(name string) string {
	if slices.ContainsFunc(x.Registry.Bindings(), func(b command.Binding) bool { return b.Setting() == name || b.ID == name }) {
		return x.Registry.KeyInText(name)
	}
	return "{" + name + "}"
}

// Hear tells the feature what has changed in the society.
func (x *Screen) Hear() *Screen {
	x.society.Tell(func(*api.Changes) {})
	c, err := x.society.Next(x.t.Context())
	if err != nil {
		x.t.Fatal(err)
	}
	did := x.deps.Replica.Apply(&c)
	x.dialogs.Refresh()
	if f, watches := x.feature.(page.Watcher); watches {
		f.Changed(&c, did)
	}
	return x.settle()
}

// Opens lets the feature say what it has to when the society is on the screen.
func (x *Screen) Opens() *Screen {
	x.feature.(page.Opener).Opened()
	return x.settle()
}

// Do runs a command as it is written, or by its ID.
func (x *Screen) Do(text string) *Screen {
	x.t.Helper()
	c, in, refused := x.Registry.Parse(text, x.deps.Printer)
	if c == nil {
		c, refused = x.Registry.Binding(text).Command, action.Notice{}
	}
	switch {
	case !refused.Empty():
		x.Notify(refused)
	case c.Act != nil:
		x.Act(c.Act(in))
	default:
		c.Run(in)
	}
	return x.settle()
}

// Press presses keys in the open dialog or page.
func (x *Screen) Press(keys ...string) *Screen {
	for _, name := range keys {
		k := pressed(name)
		switch {
		case x.dialogs.Shown():
			if said := x.dialogs.Press(k, time.Now()); said != nil {
				decided := said().(dialog.Decided)
				decided.Answer()
			}
		case x.open != nil && x.open.IsOpen():
			x.open.Press(k, x.Registry.Find(name, x.open.Scope(), x.open.Writes()))
		}
		x.settle()
	}
	return x
}

// Type presses the keys of a text.
func (x *Screen) Type(text string) *Screen { return x.Press(strings.Split(text, "")...) }

// Pass lets time pass.
func (x *Screen) Pass(d time.Duration) *Screen {
	time.Sleep(d)
	return x.settle()
}

// settle waits for work outside the event loop.
func (x *Screen) settle() *Screen {
	for {
		if f, works := x.feature.(page.Worker); works {
			f.Next()
		}
		synctest.Wait()
		select {
		case then := <-x.results:
			then()
		default:
			return x
		}
	}
}

// Shows fails unless the screen shows all texts.
func (x *Screen) Shows(texts ...string) *Screen {
	x.t.Helper()
	for _, text := range texts {
		if shown := x.String(); !strings.Contains(shown, text) {
			x.t.Fatalf("%q is not on\n%s", text, shown)
		}
	}
	return x
}

// Hides fails if the screen shows one of the texts.
func (x *Screen) Hides(texts ...string) *Screen {
	x.t.Helper()
	for _, text := range texts {
		if shown := x.String(); strings.Contains(shown, text) {
			x.t.Fatalf("%q is on\n%s", text, shown)
		}
	}
	return x
}

// String returns the notice, the page with its hints, and the dialogs.
func (x *Screen) String() string {
	screen := layout.Arrange(100, 40, layout.Prefs{})
	rows := []string{x.notice}
	if x.open != nil && x.open.IsOpen() {
		part, _ := x.open.View(&screen)
		rows = append(rows, part.Rows...)
		for _, h := range x.open.Hints() {
			rows = append(rows, h.Key+" "+h.Does)
		}
	}
	over, _, _ := x.dialogs.Rows(screen.W, screen.H)
	return ansi.Strip(strings.Join(append(rows, over...), "\n"))
}

func (x *Screen) Open(p page.Page) {
	if x.open != nil && x.open != p {
		x.open.Close()
	}
	x.open = p
	p.SetTheme(themes.Plain(), x.deps.Set())
}

func (x *Screen) Ask(q page.Question) tea.Cmd {
	x.dialogs.Open(q.Dialog(), time.Now())
	return nil
}

func (x *Screen) Renew() { x.dialogs.Refresh() }

func (x *Screen) Act(o action.Action) tea.Cmd {
	if !o.Refused.Empty() {
		return x.Notify(o.Refused)
	}
	for _, id := range o.Agents {
		x.Run(func(ctx context.Context) func() tea.Cmd {
			answered := o.Do(ctx, id)
			return func() tea.Cmd {
				done := answered()
				if done.Err != nil {
					return x.Notify(o.Explain(done))
				}
				return x.Notify(o.Summarize([]action.Outcome{done}))
			}
		})
	}
	return nil
}

func (x *Screen) Notify(n action.Notice) tea.Cmd {
	x.notice = n.Text
	if n.Hint != "" {
		x.notice += x.deps.Dot + n.Hint
	}
	return nil
}

func (x *Screen) OpenAgent(id society.AgentID, _ time.Time) tea.Cmd {
	x.Opened = id
	return nil
}

// OpensAgent opens an agent as the user does.
func (x *Screen) OpensAgent(id society.AgentID) *Screen {
	if f, opens := x.feature.(page.AgentOpener); opens {
		f.AgentOpened(id, false)
	}
	return x.settle()
}

func (x *Screen) Targets() []society.AgentID { return []society.AgentID{x.At} }

func (x *Screen) AtHand() society.AgentID { return x.At }

func (x *Screen) Recipient() society.AgentID { return x.At }

func (x *Screen) Copy(text string) tea.Cmd {
	x.Copied = append(x.Copied, text)
	return nil
}

func (x *Screen) Edit(text string, done func(written string, ok bool) tea.Cmd) (cmd tea.Cmd, found bool) {
	if x.Editor == nil {
		return nil, false
	}
	return done(x.Editor(text), true), true
}

func (x *Screen) View(name string, content []byte) (cmd tea.Cmd, found bool) {
	if x.Viewer == nil {
		return nil, false
	}
	x.Viewer(name, content)
	return nil, true
}

func (x *Screen) Leave(how page.Leaving) tea.Cmd {
	x.Left = append(x.Left, how)
	return nil
}

func (x *Screen) Run(work func(ctx context.Context) (then func() tea.Cmd)) tea.Cmd {
	go func() { x.results <- work(x.t.Context()) }()
	return nil
}

// pressed returns the key of a name: "down", "ctrl+u", "y".
func pressed(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "enter": tea.KeyEnter, "esc": tea.KeyEscape,
		"home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "f1": tea.KeyF1,
	}
	rest, ctrl := strings.CutPrefix(name, "ctrl+")
	code, named := codes[rest]
	switch {
	case named:
		return tea.KeyPressMsg{Code: code}
	case ctrl:
		return tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(rest)[0], Text: rest}
}
