package tree

import "society-tui/runtime/society"

// A Hit is the target of a click.
type Hit struct {
	Agent society.AgentID // "" for nothing
	Fold  bool            // its fold marker was toggled
}

// Click selects the line at a cell of the last drawn rows. On a fold marker it
// folds or unfolds instead.
func (m *Model) Click(x, y, width int) Hit {
	m.layout()
	y--
	if y >= 0 && y < m.block.rows {
		agent := m.needAt(y)
		m.Select(agent)
		return Hit{Agent: agent}
	}
	y -= m.block.rows
	at, second := m.lineAt(m.top + y)
	if y < 0 || y >= m.height || x < 0 || x >= width || at >= len(m.lines) {
		return Hit{}
	}
	l := m.lines[at]
	if !second && l.agent != nil && len(l.agent.Children) > 0 && !m.filter.IsActive() {
		if from, upto := m.marker(l, width); x >= from && x < upto {
			m.fold(l.agent, !m.isFolded(l.agent))
			return Hit{Agent: l.id(), Fold: true}
		}
	}
	free, top := m.free, m.top
	m.moveTo(at)
	m.free, m.top = free, top
	return Hit{Agent: m.selected}
}
