package tree

import "society-tui/tui/selection"

// Grab notes that a button was pressed at a cell of what Rows drew, counted from its
// upper left corner.
func (m *Model) Grab(x, y int) {
	if at, ok := m.spot(x, y); ok {
		m.selection.Grab(at)
	}
}

// Drag marks as far as a cell. Above and below what is drawn it is the nearest row's.
func (m *Model) Drag(x, y int) bool {
	y = min(max(y, 1), m.height)
	at, ok := m.spot(x, y)
	if ok && m.selection.Drag(at) {
		m.selection.Keep(m.SelectedText())
	}
	return m.selection.On()
}

// Inside reports whether a row of what was drawn holds text: 0 if it does, -1 above and 1
// below.
func (m *Model) Inside(y int) int { return selection.Inside(y, m.height) }

// Unselect ends the selection of text, and reports whether there was one.
func (m *Model) Unselect() bool { return m.selection.Clear() }

// spot is the cell of the list that was drawn at a place.
func (m *Model) spot(x, y int) (selection.Spot, bool) {
	if !m.open {
		x--
	}
	at := min(m.top+y-1, len(m.lines)-1)
	return selection.Spot{Row: at, Cell: min(max(x, 0), max(m.width-1, 0))}, at >= 0
}

// SelectedText is the text that is marked, "" if nothing is.
func (m *Model) SelectedText() string {
	return m.selection.Rows(m.set.Measure, len(m.lines), func(at int) string { return m.line(at, m.width) })
}

// checkSelection takes away what is marked when another text stands there.
func (m *Model) checkSelection(width int) {
	if width != m.width || m.selection.On() && !m.selection.Holds(m.SelectedText()) {
		m.selection.Clear()
	}
	m.width = width
}
