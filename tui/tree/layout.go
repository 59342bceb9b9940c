package tree

import (
	"slices"

	"society-tui/runtime/society"
	"society-tui/tui/replica"
)

// layout flattens the tree if it changed. The selected agent stays selected
// and, if possible, on the same row; if it was removed, the nearest line is
// selected.
func (m *Model) layout() {
	filtered := m.filter.IsActive()
	if !m.stale && m.shape == m.society.Shape() && (!filtered || m.revision == m.society.Revision()) {
		return
	}
	offset := m.rowOf(m.cursor) - m.top
	before := m.selected
	nearest := m.survivor()
	if m.wanted != "" && m.society.Agent(m.wanted) != nil {
		nearest, m.wanted = m.wanted, ""
	}

	m.stale, m.shape, m.revision = false, m.society.Shape(), m.society.Revision()
	clear(m.drawn)
	lines := append(make([]line, 0, m.society.Len()+1), line{parent: -1})
	m.lines = m.flatten(lines, m.society.Roots(), -1, filtered)

	m.cursor = m.find(nearest)
	m.selected = m.lines[m.cursor].id()
	if m.selected == before && !m.free {
		m.top = max(m.rowOf(m.cursor)-offset, 0)
	}
}

// flatten appends the lines of siblings and of their unfolded descendants. A
// filtered tree has only matches and their ancestors.
func (m *Model) flatten(lines []line, siblings []*replica.Agent, parent int32, filtered bool) []line {
	last := -1
	for _, a := range siblings {
		at := len(lines)
		lines = append(lines, line{agent: a, parent: parent})
		if len(a.Children) > 0 && (filtered || !m.folded[a.Row.ID]) {
			lines = m.flatten(lines, a.Children, int32(at), filtered)
		}
		if filtered && len(lines) == at+1 && !m.filter.Matches(a, m.now) {
			lines = lines[:at]
			continue
		}
		last = at
	}
	if last >= 0 {
		lines[last].last = true
	}
	return lines
}

// survivor returns the agent to select instead of a removed one: the nearest
// present one, first below and then above.
func (m *Model) survivor() society.AgentID {
	old := m.lines
	if m.selected == society.User || m.society.Agent(m.selected) != nil || len(old) == 0 {
		return m.selected
	}
	present := func(i int) bool {
		return i >= 0 && i < len(old) && (old[i].agent == nil || m.society.Agent(old[i].id()) == old[i].agent)
	}
	for d := 1; d <= len(old); d++ {
		if present(m.cursor + d) {
			return old[m.cursor+d].id()
		}
		if present(m.cursor - d) {
			return old[m.cursor-d].id()
		}
	}
	return society.User
}

// find returns the line of an agent or, if it is hidden, of its nearest visible
// ancestor, or else the cursor's.
func (m *Model) find(id society.AgentID) int {
	var path []*replica.Agent
	for a := m.society.Agent(id); a != nil; a = a.Parent {
		path = append(path, a)
	}
	if len(path) == 0 {
		return 0
	}
	slices.Reverse(path)
	// The line of a visible agent follows those of its ancestors.
	found := -1
	for i := 0; i < len(m.lines) && len(path) > 0; i++ {
		if m.lines[i].agent == path[0] {
			found, path = i, path[1:]
		}
	}
	if found < 0 {
		return min(max(m.cursor, 0), len(m.lines)-1)
	}
	return found
}

// isVisible reports whether an agent has a line.
func (m *Model) isVisible(a *replica.Agent) bool {
	m.layout()
	return m.lines[m.find(a.Row.ID)].agent == a
}
