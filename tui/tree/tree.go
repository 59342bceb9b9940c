// Package tree draws the agents of a society as a tree: who there is, below whom,
// and what each is doing. What it draws it asks of a replica; what is selected,
// marked, folded, scrolled and filtered is its own.
package tree

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/replica"
	"society-tui/tui/selection"
	"society-tui/tui/symbols"
)

// Chosen is sent when the user picks an agent to talk to. The user's own line is
// society.User: the inbox.
type Chosen struct{ Agent society.AgentID }

// A Model is the tree. It is used by the goroutine that its replica belongs to.
//
// The first line is the user's own. A Model whose replica knows nothing yet does not
// say that there are no agents.
type Model struct {
	society *replica.Society
	printer i18n.Printer
	set     symbols.Set
	styles  styles
	frame   cells.Framer
	keys    struct{ show, order string }

	lines    []line
	stale    bool   // lines are not what the tree is now
	shape    uint64 // of the society, as of lines
	revision uint64
	drawn    map[*replica.Agent]drawnLine // those of lines that were drawn

	selected  society.AgentID // society.User for the user's own line
	wanted    society.AgentID // selected when it comes, unless another is before
	cursor    int             // index of the selected line, unless lines are stale
	top       int             // the first line that is drawn
	height    int             // how many were drawn last
	width     int             // of the lines that were drawn last
	free      bool            // scrolled by the wheel: the selected line may be out of sight
	marked    map[society.AgentID]bool
	folded    map[society.AgentID]bool // agents that have not come yet included
	filter    filter
	selection selection.Selection

	now       time.Time
	tick      int
	focus     bool
	open      bool
	animating bool
}

// A line is one row of the flattened tree. The user's own has no agent.
type line struct {
	agent  *replica.Agent
	parent int32 // its line, -1 for none
	last   bool  // no line of a sibling comes after it
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
	}
	m.Keys("f", "o")
	m.SetTheme(theme, set)
	return m
}

func (m *Model) text(t i18n.Text, args ...any) string { return m.printer.T(t, args...) }

// SetTheme draws in another theme or with other symbols from now on.
func (m *Model) SetTheme(theme themes.Theme, set symbols.Set) {
	m.set = set
	m.styles = newStyles(theme)
	m.frame = cells.NewFramer(theme, set.Measure, set.ASCII)
	clear(m.drawn)
}

// Keys names the keys that change which agents are shown, and their order, for the title.
func (m *Model) Keys(show, order string) { m.keys.show, m.keys.order = show, order }

// Focus sets whether the tree has the keys.
func (m *Model) Focus(on bool) { m.focus = on }

// Open leaves the sides of the frame away, for narrow terminals.
func (m *Model) Open(on bool) { m.open = on }

// Tick sets the time that ages are counted to, and the frame of the spinner.
func (m *Model) Tick(now time.Time, frame int) { m.now, m.tick = now, frame }

// Animating reports whether a spinner was among the rows last drawn: without one the
// animation clock need not run.
func (m *Model) Animating() bool { return m.animating }

// Forget lets go of the marks and folds of agents that have ended.
func (m *Model) Forget(ids []society.AgentID) {
	for _, id := range ids {
		delete(m.marked, id)
		delete(m.folded, id)
	}
}

// Choose picks the selected line: a Chosen follows.
func (m *Model) Choose() tea.Cmd {
	agent := m.Selected()
	return func() tea.Msg { return Chosen{agent} }
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

// Targets returns the agents that a verb is for: the marked ones, or the selected one
// when none is marked.
func (m *Model) Targets() []society.AgentID {
	if len(m.marked) > 0 {
		return m.Marked()
	}
	return []society.AgentID{m.Selected()}
}
