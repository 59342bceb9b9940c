// Package tree is the tree of agents: who there is, under whom, and what each
// is doing. It keeps the screen's own copy of their rows.
package tree

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/selection"
	"society-tui/tui/symbols"
	"society-tui/tui/words"
)

// Chosen is sent when the person picks an agent to talk to. The person's own row
// is society.User: the inbox.
type Chosen struct{ Agent society.AgentID }

// A Model is the tree. It is used by one goroutine.
//
// Its lines stand in spawn order, so that nothing moves under the eyes, unless the
// person wants another Order. The first line is the person's own. A Model that was
// given nothing yet says that there are no agents.
type Model struct {
	words words.Roster
	say   words.Symbols
	set   symbols.Set
	pens  pens
	frame cells.Framer
	keys  struct{ show, order string }

	nodes  map[society.AgentID]*node
	roots  []*node // root, and agents whose parent is not known
	need   map[society.AgentID]*node
	inbox  int
	loaded bool // all agents were told once: where none is, there is none

	flat   []line
	stale  bool   // flat is not what the tree is now
	layout uint64 // grows with each new flat

	selected society.AgentID // society.User for the person's own line
	wish     society.AgentID // selected as soon as it is here, unless another is before
	cursor   int             // where it stands in flat, when that is not stale
	top      int             // the first line that is drawn
	height   int             // how many were drawn last
	free     bool            // scrolled by the wheel: the selected line may be out of sight
	marks    int
	cells    int // how wide its rows were drawn last
	sel      selection.Selection

	order    Order
	unsorted bool // the order may not hold any more

	filter filter
	folded map[society.AgentID]bool // also of agents that are not here yet

	now    time.Time
	tick   int
	clock  bool // nobody is busy: ages are times of day
	focus  bool
	open   bool
	moving bool
}

// A line is one row of the flattened tree. The person's own has no node.
type line struct{ node *node }

func (l line) id() society.AgentID {
	if l.node == nil {
		return society.User
	}
	return l.node.row.ID
}

// New returns an empty tree.
func New(theme themes.Theme, w words.Roster, say words.Symbols, set symbols.Set) *Model {
	r := &Model{
		words:    w,
		say:      say,
		nodes:    make(map[society.AgentID]*node),
		need:     make(map[society.AgentID]*node),
		folded:   make(map[society.AgentID]bool),
		selected: society.User,
		wish:     society.Root,
		stale:    true,
		clock:    true,
	}
	r.Keys("f", "o")
	r.SetTheme(theme, set)
	return r
}

// SetTheme draws in another theme or with other symbols from now on.
func (r *Model) SetTheme(theme themes.Theme, set symbols.Set) {
	r.set = set
	r.pens = newPens(theme)
	r.frame = cells.NewFramer(theme, set.Measure, set.ASCII)
	r.layout++
}

// Keys names the keys that go on to other agents, and to another order, for the title.
func (r *Model) Keys(show, order string) { r.keys.show, r.keys.order = show, order }

// Focus says whether the tree has the keys.
func (r *Model) Focus(on bool) { r.focus = on }

// Open leaves the sides of the frame away, for narrow terminals.
func (r *Model) Open(on bool) { r.open = on }

// Tick sets the time that ages are counted to, and the frame of the spinner.
func (r *Model) Tick(now time.Time, frame int) { r.now, r.tick = now, frame }

// Animating reports whether a spinner was among the rows last drawn: without one the
// animation clock need not run.
func (r *Model) Animating() bool { return r.moving }

// Apply takes over what has changed. The texts in it must be clean, each one
// line.
func (r *Model) Apply(c api.Changes) {
	if c.All {
		r.keepOnly(c.Rows)
		r.loaded = true
	}
	for i := range c.Rows {
		r.take(&c.Rows[i])
	}
	for _, id := range c.Gone {
		if n := r.nodes[id]; n != nil {
			r.drop(n)
		}
	}
	if r.order != BySpawn && len(c.Rows)+len(c.Gone) > 0 {
		r.unsorted = true
	}
	if c.All {
		r.Sort()
	}
	r.inbox = c.Inbox
	if r.filter.active() {
		r.stale = true
	}
	total := r.Total()
	r.clock = total.Busy() == 0
}

// keepOnly drops all agents that rows do not hold.
func (r *Model) keepOnly(rows []api.Row) {
	here := make(map[society.AgentID]bool, len(rows))
	for i := range rows {
		here[rows[i].ID] = true
	}
	for id, n := range r.nodes {
		if !here[id] {
			r.drop(n)
		}
	}
}

// take adds or updates the agent of a row.
func (r *Model) take(row *api.Row) {
	n := r.nodes[row.ID]
	switch {
	case n == nil:
		n = r.add(row)
	case n.row.Parent != row.Parent || n.row.Order != row.Order:
		r.unlink(n)
		n.update(row)
		r.link(n)
	default:
		n.update(row)
	}
	if n.kind.NeedsYou() {
		r.need[row.ID] = n
	} else {
		delete(r.need, row.ID)
	}
}

func (r *Model) add(row *api.Row) *node {
	n := &node{row: *row, kind: symbols.Of(row), use: own(row), folded: r.folded[row.ID], version: 1}
	n.sum.Add(n.kind, 1)
	n.weight = n.weightBy(r.order)
	r.nodes[row.ID] = n
	r.link(n)
	// Rows come in no special order: those of its children may have been first.
	for i := 0; i < len(r.roots); {
		if kid := r.roots[i]; kid.row.Parent == row.ID && kid != n {
			r.unlink(kid)
			r.link(kid)
			continue
		}
		i++
	}
	return n
}

// link hangs n under its parent, or among the roots while that is not here.
func (r *Model) link(n *node) {
	r.stale = true
	n.parent = r.nodes[n.row.Parent]
	if n.parent == nil {
		r.roots = place(r.roots, n)
		return
	}
	n.parent.kids = place(n.parent.kids, n)
	n.parent.grow(&n.sum, n.use)
}

func (r *Model) unlink(n *node) {
	r.stale = true
	if n.parent == nil {
		r.roots = without(r.roots, n)
		return
	}
	n.parent.kids = without(n.parent.kids, n)
	n.parent.shrink(&n.sum, n.use)
	n.parent = nil
}

// drop takes an agent away. Its children, if any are left, are named by the same
// change; until then they stand among the roots.
func (r *Model) drop(n *node) {
	r.unlink(n)
	for _, kid := range n.kids {
		kid.parent = nil
		r.roots = place(r.roots, kid)
	}
	n.kids = nil
	if n.marked {
		r.marks--
	}
	delete(r.nodes, n.row.ID)
	delete(r.need, n.row.ID)
	delete(r.folded, n.row.ID)
}

// Choose picks the selected line: a Chosen follows.
func (r *Model) Choose() tea.Cmd {
	agent := r.Selected()
	return func() tea.Msg { return Chosen{agent} }
}
