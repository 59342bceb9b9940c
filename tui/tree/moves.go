package tree

import (
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/replica"
)

// Selected returns the agent of the selected line; society.User for the user's
// line.
func (m *Model) Selected() society.AgentID {
	m.layout()
	return m.selected
}

// Select selects an agent and unfolds its ancestors. An unknown agent is
// ignored.
func (m *Model) Select(id society.AgentID) {
	a := m.society.Agent(id)
	if a == nil && id != society.User {
		return
	}
	if a != nil {
		m.reveal(a)
	}
	m.layout()
	m.moveTo(m.find(id))
}

// reveal unfolds the ancestors of an agent, and clears a filter that hides it.
func (m *Model) reveal(a *replica.Agent) {
	for p := a.Parent; p != nil; p = p.Parent {
		m.fold(p, false)
	}
	if m.filter.IsActive() && !m.isVisible(a) {
		m.filter.clear()
		m.stale = true
	}
}

func (m *Model) moveTo(at int) {
	m.cursor = min(max(at, 0), len(m.lines)-1)
	m.selected = m.lines[m.cursor].id()
	m.free = false
	m.wanted = ""
}

func (m *Model) move(by int) {
	m.layout()
	m.moveTo(m.cursor + by)
}

// Up selects the line above.
func (m *Model) Up() { m.move(-1) }

// Down selects the line below.
func (m *Model) Down() { m.move(1) }

// PageUp moves the selection up by a page less one line.
func (m *Model) PageUp() { m.move(-m.page()) }

// PageDown moves the selection down by a page less one line.
func (m *Model) PageDown() { m.move(m.page()) }

// HalfUp moves the selection up by half a page.
func (m *Model) HalfUp() { m.move(-max(m.page()/2, 1)) }

// HalfDown moves the selection down by half a page.
func (m *Model) HalfDown() { m.move(max(m.page()/2, 1)) }

func (m *Model) page() int {
	lines, _ := m.lineAt(m.height)
	return max(lines-1, 1)
}

// Top selects the first line.
func (m *Model) Top() {
	m.layout()
	m.moveTo(0)
}

// Bottom selects the last line.
func (m *Model) Bottom() {
	m.layout()
	m.moveTo(len(m.lines) - 1)
}

// Scroll scrolls by n rows and keeps the selection.
func (m *Model) Scroll(n int) {
	m.layout()
	m.free = true
	m.top = min(max(m.top+n, 0), max(m.rowCount()-m.height, m.top, 0))
}

func (m *Model) current() line {
	m.layout()
	return m.lines[m.cursor]
}

// Left folds the selected agent, or selects its parent if there is nothing to
// fold.
func (m *Model) Left() {
	l := m.current()
	switch {
	case l.agent == nil:
	case len(l.agent.Children) > 0 && !m.isFolded(l.agent) && !m.filter.IsActive():
		m.fold(l.agent, true)
	case l.parent >= 0:
		m.moveTo(int(l.parent))
	}
}

// Right unfolds the selected agent, or selects its first child if it is
// unfolded.
func (m *Model) Right() {
	l := m.current()
	switch {
	case l.agent == nil || len(l.agent.Children) == 0:
	case m.isFolded(l.agent) && !m.filter.IsActive():
		m.fold(l.agent, false)
	default:
		if next := m.cursor + 1; next < len(m.lines) && int(m.lines[next].parent) == m.cursor {
			m.moveTo(next)
		}
	}
}

func (m *Model) isFolded(a *replica.Agent) bool { return m.folded[a.Row.ID] }

func (m *Model) fold(a *replica.Agent, on bool) {
	if m.isFolded(a) == on {
		return
	}
	if on {
		m.folded[a.Row.ID] = true
	} else {
		delete(m.folded, a.Row.ID)
	}
	m.stale = true
}

// ExpandAll unfolds the selected agent and its descendants; on the user's line,
// all agents.
func (m *Model) ExpandAll() {
	below := m.society.Roots()
	if a := m.current().agent; a != nil {
		below = []*replica.Agent{a}
	}
	walk(below, func(a *replica.Agent) { m.fold(a, false) })
}

// CollapseAll folds every agent except root, which would hide everything.
func (m *Model) CollapseAll() {
	walk(m.society.Roots(), func(a *replica.Agent) {
		if len(a.Children) > 0 && a.Parent != nil {
			m.fold(a, true)
		}
	})
}

// walk calls f with agents and all their descendants.
func walk(agents []*replica.Agent, f func(*replica.Agent)) {
	for _, a := range agents {
		f(a)
		walk(a.Children, f)
	}
}

// ToggleMark toggles the mark of the selected agent and moves to the next line.
// The user's line cannot be marked.
func (m *Model) ToggleMark() {
	a := m.current().agent
	if a == nil {
		return
	}
	m.Mark(a.Row.ID)
	m.Down()
}

// Mark toggles the mark of an agent.
func (m *Model) Mark(id society.AgentID) {
	if m.marked[id] {
		delete(m.marked, id)
	} else {
		m.marked[id] = true
	}
}

// IsMarked reports whether an agent is marked.
func (m *Model) IsMarked(id society.AgentID) bool { return m.marked[id] }

// Unmark clears all marks and reports whether there were any.
func (m *Model) Unmark() bool {
	any := len(m.marked) > 0
	clear(m.marked)
	return any
}

// NextNeedsYou selects the next agent that asks or failed, oldest first,
// wrapping around, and reports whether there is one.
func (m *Model) NextNeedsYou() bool { return m.needs(1) }

// PrevNeedsYou selects the previous one.
func (m *Model) PrevNeedsYou() bool { return m.needs(-1) }

func (m *Model) needs(by int) bool {
	waiting := m.society.NeedYou()
	if len(waiting) == 0 {
		return false
	}
	at := slices.IndexFunc(waiting, func(row api.Row) bool { return row.ID == m.Selected() })
	switch {
	case at >= 0:
		at = (at + by + len(waiting)) % len(waiting)
	case by < 0:
		at = len(waiting) - 1
	default:
		at = 0
	}
	m.Select(waiting[at].ID)
	return true
}
