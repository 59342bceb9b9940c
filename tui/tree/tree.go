// Package tree draws the agents of a society as a tree with their states. It
// reads a replica; selection, marks, folds, scrolling and filter are its own.
package tree

import (
	"slices"
	"time"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/agenttable"
	"society-tui/tui/cells"
	"society-tui/tui/replica"
	"society-tui/tui/selection"
	"society-tui/tui/symbols"
)

// A Model is the tree. It is used by the goroutine that owns its replica.
//
// The first line is the user's. Until the replica has been filled, the tree
// does not claim that there are no agents.
type Model struct {
	society *replica.Society
	printer i18n.Printer
	set     symbols.Set
	styles  styles
	frame   cells.Framer
	keys    struct{ show, order string }

	lines    []line
	stale    bool   // lines are outdated
	shape    uint64 // version of the society that lines show
	revision uint64
	drawn    map[*replica.Agent]drawnLine // cache of drawn lines

	selected  society.AgentID // society.User for the user's line
	wanted    society.AgentID // selected once it arrives, unless the user selects another before
	cursor    int             // index of the selected line, unless lines are outdated
	top       int             // the first visible row
	height    int             // number of visible rows
	width     int             // of the last drawn lines
	free      bool            // scrolled by the wheel: the selected line may be out of view
	marked    map[society.AgentID]bool
	folded    map[society.AgentID]bool // may include agents that have not arrived yet
	filter    filter
	selection selection.Selection
	block     needBlock
	table     agenttable.Table

	each    RowsEach // as the user chose
	tall    bool     // each agent has two rows
	fitted  bool     // AutoRows has chosen, for so many agents
	agents  int
	resized bool // since then

	now       time.Time
	tick      int
	focus     bool
	animating bool
}

// A line is an agent of the flattened tree, in one row or two. The user's line has no agent.
type line struct {
	agent  *replica.Agent
	parent int32 // index of its line, or -1
	last   bool  // the last sibling
}

func (l line) id() society.AgentID {
	if l.agent == nil {
		return society.User
	}
	return l.agent.Row.ID
}

// New returns the tree of a society.
func New(of *replica.Society, theme themes.Theme, printer i18n.Printer, set symbols.Set) *Model {
	m := &Model{
		society:  of,
		printer:  printer,
		drawn:    make(map[*replica.Agent]drawnLine),
		selected: society.User,
		wanted:   society.Root,
		marked:   make(map[society.AgentID]bool),
		folded:   make(map[society.AgentID]bool),
		stale:    true,
		table:    agenttable.Table{Society: of, Printer: printer},
	}
	m.Keys("f", "o")
	m.SetTheme(theme, set)
	return m
}

func (m *Model) text(t i18n.Text, args ...any) string { return m.printer.T(t, args...) }

// SetTheme changes theme and symbols.
func (m *Model) SetTheme(theme themes.Theme, set symbols.Set) {
	m.set = set
	m.styles = newStyles(theme)
	m.frame = cells.NewFramer(theme, set.Measure, set.ASCII)
	clear(m.drawn)
}

// Keys sets the keys that the title names for filter and order.
func (m *Model) Keys(show, order string) { m.keys.show, m.keys.order = show, order }

// Focus sets whether the tree has the keys.
func (m *Model) Focus(on bool) {
	m.block.held = m.block.held && on == m.focus
	m.focus = on
}

// Tick sets the time for ages and the frame of the spinner.
func (m *Model) Tick(now time.Time, frame int) { m.now, m.tick = now, frame }

// Animating reports whether a spinner was drawn; without one the animation
// clock can stop.
func (m *Model) Animating() bool { return m.animating }

// Forget drops the marks and folds of removed agents.
func (m *Model) Forget(ids []society.AgentID) {
	for _, id := range ids {
		delete(m.marked, id)
		delete(m.folded, id)
	}
}

// Marked returns the marked agents in spawn order.
func (m *Model) Marked() []society.AgentID {
	var marked []*replica.Agent
	for id := range m.marked {
		if a := m.society.Agent(id); a != nil {
			marked = append(marked, a)
		}
	}
	slices.SortFunc(marked, replica.CompareSpawn)
	ids := make([]society.AgentID, len(marked))
	for i, a := range marked {
		ids[i] = a.Row.ID
	}
	return ids
}

// Targets returns the agents that a command applies to: the marked ones or,
// without marks, the selected one.
func (m *Model) Targets() []society.AgentID {
	if len(m.marked) > 0 {
		return m.Marked()
	}
	return []society.AgentID{m.Selected()}
}
