// Package board shows all agents as a table over the whole width, sorted by any column. Its
// cursor, order and filter are its own; marks are those of the tree.
package board

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/agenttable"
	"society-tui/tui/cells"
	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/replica"
)

// A Config has what the board needs of the screen.
type Config struct {
	// The marks of the tree. Mark toggles one, and explains it.
	Marked   func() []society.AgentID
	IsMarked func(society.AgentID) bool
	Mark     func(society.AgentID) tea.Cmd
	Unmark   func() bool // reports whether there were any

	Moved func() // the user has selected another agent
	Open  func(society.AgentID) tea.Cmd
	// Talk opens an agent to write to it, or writes to the marked ones.
	Talk func(society.AgentID) tea.Cmd
	// Press runs a command that is not one of the board, and reports whether it has
	// arranged the panes or moved the focus.
	Press func(b *command.Binding, key string) (cmd tea.Cmd, arranged bool)
}

// A Feature is the board. It is a page that selects agents.
type Feature struct {
	*page.Deps
	cfg   Config
	table agenttable.Table
	order agenttable.Order

	open     bool
	rows     []*replica.Agent // those that the filter shows, in order
	selected society.AgentID
	cursor   int  // the selected row
	top      int  // the first visible row
	free     bool // scrolled by the wheel: the selected row may be out of view
	filter   filter

	stale   bool      // rows are outdated
	shape   uint64    // version of the society that rows show
	changed bool      // agents may have to change places
	sorted  time.Time // when rows were sorted
	waiting bool      // until they may be sorted again

	looks
	frame cells.Framer

	// The fields below are the last drawn part.
	at      layout.Rect
	height  int // rows for agents
	columns []column
	clicked society.AgentID
}

var _ page.Subject = (*Feature)(nil)

// New returns the closed board.
func New(deps *page.Deps, cfg Config) *Feature {
	return &Feature{
		Deps: deps, cfg: cfg, order: agenttable.Order{By: agenttable.State},
		table: agenttable.Table{Society: deps.Replica, Printer: deps.Printer},
	}
}

// show opens the board at the agent at hand, or closes it.
func (f *Feature) show(in command.Input) tea.Cmd {
	if f.open && !in.Written {
		f.Close()
		return nil
	}
	for i, word := range agenttable.Words() {
		if in.Has(word) {
			f.sortBy(f.order.Choose(agenttable.Column(i)))
		}
	}
	if f.open {
		return nil
	}
	at := f.Screen.AtHand()
	if at == society.User {
		at = society.Root
	}
	f.open, f.stale, f.free, f.selected, f.rows, f.top = true, true, false, at, nil, 0
	f.Screen.Open(f)
	return nil
}

// IsOpen reports whether the board is on the screen.
func (f *Feature) IsOpen() bool { return f.open }

// Close closes the board. Its order and filter stay.
func (f *Feature) Close() { f.open, f.filter.typing = false, false }

// Scope is where the keys of the board hold.
func (f *Feature) Scope() command.Scope { return command.Board }

// Writes reports whether the filter is being typed.
func (f *Feature) Writes() bool { return f.filter.typing }

// Targets returns the marked agents or, without marks, the selected one.
func (f *Feature) Targets() []society.AgentID {
	if marked := f.cfg.Marked(); len(marked) > 0 {
		return marked
	}
	return []society.AgentID{f.AtHand()}
}

// AtHand returns the selected agent, or the user if no agent is shown.
func (f *Feature) AtHand() society.AgentID {
	f.arrange()
	if len(f.rows) == 0 {
		return society.User
	}
	return f.selected
}

// AgentOpened closes the board over the conversation.
func (f *Feature) AgentOpened(society.AgentID, bool) tea.Cmd {
	f.Close()
	return nil
}

// Changed notes that agents may have to change places.
func (f *Feature) Changed(c *api.Changes, _ replica.Applied) {
	f.changed = f.changed || c.All || len(c.Rows)+len(c.Gone) > 0
}
