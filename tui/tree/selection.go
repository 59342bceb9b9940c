package tree

import "society-tui/tui/selection"

// Grab records that a button was pressed at a cell of the last drawn rows.
func (m *Model) Grab(x, y int) {
	if at, ok := m.spot(x, y); ok {
		m.selection.Grab(at)
	}
}

// Drag extends the selection to a cell. Above and below the rows it uses the
// nearest row.
func (m *Model) Drag(x, y int) bool {
	y = min(max(y, 1+m.block.rows), m.height+m.block.rows)
	at, ok := m.spot(x, y)
	if ok && m.selection.Drag(at) {
		m.selection.Keep(m.SelectedText())
	}
	return m.selection.On()
}

// Inside reports whether row y holds text: 0 if it does, -1 above and 1 below.
func (m *Model) Inside(y int) int { return selection.Inside(y-m.block.rows, m.height) }

// Unselect clears the selection of text, and reports whether there was one.
func (m *Model) Unselect() bool { return m.selection.Clear() }

// spot returns the position in the list that was drawn at a cell.
func (m *Model) spot(x, y int) (selection.Spot, bool) {
	at := min(m.top+max(y-1-m.block.rows, 0), m.rowCount()-1)
	return selection.Spot{Row: at, Cell: min(max(x, 0), max(m.width-1, 0))}, at >= 0
}

// SelectedText returns the selected text, or "".
func (m *Model) SelectedText() string {
	return m.selection.Rows(m.set.Measure, m.rowCount(), func(at int) string { return m.row(at, m.width) })
}

// checkSelection clears the selection if its text changed.
func (m *Model) checkSelection(width int) {
	if width != m.width || m.selection.On() && !m.selection.Holds(m.SelectedText()) {
		m.selection.Clear()
	}
	m.width = width
}
