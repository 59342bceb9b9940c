package tui

import (
	"context"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/page"
	"society-tui/tui/symbols"
)

// A screen implements page.Screen for features.
type screen struct{ *app }

var _ page.Screen = screen{}

func (s screen) Open(p page.Page) { s.openPage(p) }

func (s screen) Ask(q page.Question) tea.Cmd { return s.ask(q) }

func (s screen) Renew() { s.askAgain() }

func (s screen) Act(o action.Action) tea.Cmd { return s.act(o, func() {}) }

func (s screen) Notify(n action.Notice) tea.Cmd { return s.conclude(n) }

func (s screen) OpenAgent(id society.AgentID, at time.Time) tea.Cmd {
	cmd := s.openAgent(id)
	s.transcript.Seek(at)
	return cmd
}

func (s screen) Targets() []society.AgentID { return s.targets() }

func (s screen) AtHand() society.AgentID { return s.atHand() }

func (s screen) Recipient() society.AgentID { return s.recipient() }

func (s screen) Copy(text string) tea.Cmd { return s.copy(text) }

func (s screen) Edit(text string, done func(written string, ok bool) tea.Cmd) (cmd tea.Cmd, found bool) {
	s.disarmEscape()
	words := s.editor()
	if len(words) == 0 {
		return nil, false
	}
	return s.inEditor(words, "", text, func(written string, err error) tea.Cmd {
		if err != nil {
			return tea.Batch(done("", false), s.editorFailed(err))
		}
		return done(written, true)
	}), true
}

func (s screen) View(name string, content []byte) (cmd tea.Cmd, found bool) {
	s.disarmEscape()
	words := s.viewer()
	if len(words) == 0 {
		return nil, false
	}
	return s.inProgram(words, filepath.Ext(name), "", content, func(_ string, err error) tea.Cmd {
		if err != nil {
			return s.editorFailed(err)
		}
		return nil
	}), true
}

func (s screen) Leave(how Leaving) tea.Cmd { return s.leave(how) }

func (s screen) Run(work func(ctx context.Context) func() tea.Cmd) tea.Cmd {
	return s.command(func(ctx context.Context) tea.Msg { return outcome(work(ctx)) })
}

// refreshInspector rereads the inspector's data.
func (a *app) refreshInspector() tea.Cmd {
	a.inspector.Outdated()
	return a.inspect()
}

// newDeps returns the dependencies of features.
func (a *app) newDeps() *page.Deps {
	return &page.Deps{
		Screen: screen{a}, Society: a.society, Replica: a.replica,
		Actions: a.actions, Set: func() symbols.Set { return a.set }, Printer: a.printer, Dot: a.dot(), Now: a.now,
	}
}
