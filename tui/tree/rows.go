package tree

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/agenttable"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

// RowsEach is how many rows an agent has.
type RowsEach uint8

const (
	AutoRows RowsEach = iota // two while all agents fit so
	OneRow
	TwoRows
	rowChoices
)

// spareRows is by how much the agents must fit, or not, before AutoRows changes.
const spareRows = 4

// CycleRows chooses the next number of rows.
func (m *Model) CycleRows() RowsEach {
	m.each = (m.each + 1) % rowChoices
	m.fitted = false
	return m.each
}

// RowsText names the number of rows for a notice.
func (r RowsEach) RowsText() i18n.Text {
	return [...]i18n.Text{AutoRows: textAutoRows, OneRow: textOneRow, TwoRows: textTwoRows}[r]
}

// Resized lets AutoRows choose anew for the size drawn next.
func (m *Model) Resized() { m.resized = true }

// fitRows decides how many rows each agent has. AutoRows looks at all agents, also
// folded ones, so that folding and filtering change nothing.
func (m *Model) fitRows(height int) {
	tall := m.tall
	switch agents := m.society.Len(); {
	case m.each != AutoRows:
		tall = m.each == TwoRows
	case !m.society.IsKnown(), m.fitted && !m.resized && agents == m.agents:
	default:
		needs := 1 + 2*agents
		switch {
		case !m.fitted:
			tall = needs <= height
		case tall:
			tall = needs <= height+spareRows
		default:
			tall = needs <= height-spareRows
		}
		m.fitted, m.resized, m.agents = true, false, agents
	}
	if tall == m.tall {
		return
	}
	offset := m.rowOf(m.cursor) - m.top
	m.tall = tall
	m.top = m.rowOf(m.cursor) - offset
	clear(m.drawn)
	m.selection.Clear()
}

// rowOf returns the first row of a line. The user's line has one row.
func (m *Model) rowOf(line int) int {
	if !m.tall || line == 0 {
		return line
	}
	return 2*line - 1
}

// lineAt returns the line in a row, and whether it is the line's second row.
func (m *Model) lineAt(row int) (line int, second bool) {
	if !m.tall || row <= 0 {
		return row, false
	}
	return (row + 1) / 2, row%2 == 0
}

// rowCount returns the number of rows of all lines.
func (m *Model) rowCount() int { return m.rowOf(len(m.lines)) }

// row draws a row of the tree.
func (m *Model) row(at, width int) string {
	line, second := m.lineAt(at)
	d := m.line(line, width)
	if second {
		return d.below
	}
	return d.row
}

// A text of an agent's second row is at least this much of the tree's width, even
// deep in it.
const (
	leastText = 25
	mostText  = 41
)

// drawBeneath draws the second row of an agent: what it does now, and its task.
func (m *Model) drawBeneath(l line, from source) string {
	p := &lineBuilder{Measure: m.set.Measure, state: from.state}
	p.draw(&m.styles.accent, " ")
	room := max(from.width-min(max(from.width*3/4, leastText), mostText)-p.width, 0)
	below := m.branches(l, m.mostBranches(from.width)).below
	p.draw(&m.styles.lines, m.set.Cut(below, room-2, ""))
	p.draw(&m.styles.text, "  ")
	said := m.set.Cut(m.doing(l.agent), from.width-p.width, m.set.Tail())
	p.draw(&m.styles.muted, said)
	p.fill(&m.styles.text, from.width)
	return m.exactly(p, from.width)
}

func (m *Model) dot() string {
	if m.set.ASCII {
		return " - "
	}
	return " · "
}

// isUsual reports whether the symbol of a state says enough beside a task.
func isUsual(k symbols.Kind) bool {
	return k == symbols.Thinking || k == symbols.Tool || k == symbols.Idle || k == symbols.Reported
}

// doing returns what an agent does now and its task.
func (m *Model) doing(a *replica.Agent) string {
	task := a.Row.Doing
	now := m.table.Text(agenttable.Doing, a, m.now)
	if now == "" && !isUsual(a.Kind) {
		now = m.printer.T(a.Kind.Word())
	}
	if a.Kind == symbols.Asks && a.Row.Asks && a.Row.Question != "" {
		now = m.text(textAsks, now)
	}
	switch {
	case now == "" && task == "":
		return m.printer.T(a.Kind.Word())
	case now == "" || task == "":
		return now + task
	}
	return now + m.dot() + task
}
