package inspector

import "society-tui/tui/selection"

// Grab notes that a button was pressed at a cell of what Rows drew, counted from its
// upper left corner.
func (r *Model) Grab(x, y int) {
	if at, ok := r.spot(x, y); ok {
		r.sel.Grab(at)
	}
}

// Drag marks as far as a cell. Above and below what is drawn it is the nearest row's.
func (r *Model) Drag(x, y int) bool {
	y = min(max(y, 1), r.height)
	at, ok := r.spot(x, y)
	if ok && r.sel.Drag(at) {
		r.sel.Keep(r.SelectedText())
	}
	return r.sel.On()
}

// Inside reports whether a row of what was drawn holds text: 0 if it does, -1 above and 1
// below.
func (r *Model) Inside(y int) int { return selection.Inside(y, r.height) }

// Unselect takes what is marked away, and reports whether something was.
func (r *Model) Unselect() bool { return r.sel.Clear() }

// spot is the cell of the tab that was drawn at a place.
func (r *Model) spot(x, y int) (selection.Spot, bool) {
	if !r.open {
		x--
	}
	at := min(r.top+y-1, len(r.all)-1)
	return selection.Spot{Row: at, Cell: min(max(x, 0), max(r.cells-1, 0))}, at >= 0
}

// SelectedText is the text that is marked, "" if nothing is.
func (r *Model) SelectedText() string {
	return r.sel.Rows(r.set.Measure, len(r.all), func(at int) string { return r.all[at] })
}

// checkSelection takes away what is marked when another text stands there.
func (r *Model) checkSelection(all []string, width int) {
	r.all = all
	if width != r.cells || r.sel.On() && !r.sel.Holds(r.SelectedText()) {
		r.sel.Clear()
	}
	r.cells = width
}
