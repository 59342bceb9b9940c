package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// A screen implements page.Screen for features.
type screen struct{ *app }

var _ page.Screen = screen{}

func (s screen) OpenList(l page.List, title, empty string, items []list.Item) {
	s.openList(l, title, empty, items)
}

func (s screen) List() *list.Model { return s.list.Model }

func (s screen) Ask(q page.Question) tea.Cmd { return s.ask(q) }

func (s screen) OpenDialog(d dialog.Dialog) {
	s.disarmEscape()
	s.dialogs.Open(d, s.now())
}

func (s screen) Notify(n action.Notice) tea.Cmd { return s.notify(n) }

func (s screen) NotifyError(err error) tea.Cmd { return s.notifyError(err) }

func (s screen) NotifyGoing(text string) tea.Cmd { return s.notifyOngoing(text) }

func (s screen) OpenAgent(id society.AgentID) tea.Cmd { return s.openAgent(id) }

func (s screen) OpenAgentAt(id society.AgentID, at time.Time) tea.Cmd {
	cmd := s.openAgent(id)
	s.transcript.Seek(at)
	return cmd
}

func (s screen) AtHand() society.AgentID { return s.atHand() }

func (s screen) Recipient() society.AgentID { return s.recipient() }

func (s screen) Targets() []society.AgentID { return s.targets() }

func (s screen) Copy(text string) tea.Cmd { return s.copy(text) }

func (s screen) PromptEditor() *page.PromptEditor { return s.promptEditor }

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

func (s screen) Save() tea.Cmd { return s.saveSoon() }

func (s screen) Leave(how Leaving) tea.Cmd { return s.leave(how) }

func (s screen) IsLeaving() bool { return s.exit.leaving }

func (s screen) LeavingBody(saved string) []dialog.Line { return s.leavingBody(saved) }

func (s screen) Run(work func(ctx context.Context) func() tea.Cmd) tea.Cmd {
	return s.command(func(ctx context.Context) tea.Msg { return outcome(work(ctx)) })
}

func (s screen) InList(id string, otherwise func() tea.Cmd) tea.Cmd { return s.inList(id, otherwise) }

func (s screen) OpenNewAgent(id, recipient society.AgentID) tea.Cmd {
	s.nav.whenReady = openWhenReady{id, recipient}
	return s.openNewAgent()
}

func (s screen) RefreshInspector() tea.Cmd {
	s.inspector.Outdated()
	return s.inspect()
}

func (s screen) Hint(id, does string) statusline.Hint { return s.listHint(id, does) }

// deps returns the dependencies of features.
func (a *app) deps() *page.Deps {
	return &page.Deps{
		Screen: screen{a}, Society: a.society, Replica: a.replica,
		Actions: a.actions, Set: func() symbols.Set { return a.set }, Printer: a.printer, Dot: a.dot(), Now: a.now,
	}
}
