package inspector

import "society-tui/tui/selection"

// Grab records that a button was pressed at a cell of the last drawn rows.
func (r *Model) Grab(x, y int) {
	if at, ok := r.spot(x, y); ok {
		r.sel.Grab(at)
	}
}

// Drag extends the selection to a cell. Above and below the rows it uses the
// nearest row.
func (r *Model) Drag(x, y int) bool {
	y = min(max(y, 1), r.height)
	at, ok := r.spot(x, y)
	if ok && r.sel.Drag(at) {
		r.sel.Keep(r.SelectedText())
	}
	return r.sel.On()
}

// Inside reports whether row y holds text: 0 if it does, -1 above and 1 below.
func (r *Model) Inside(y int) int { return selection.Inside(y, r.height) }

// Unselect clears the selection, and reports whether there was one.
func (r *Model) Unselect() bool { return r.sel.Clear() }

// spot returns the position in the tab that was drawn at a cell.
func (r *Model) spot(x, y int) (selection.Spot, bool) {
	at := min(r.top+y-1, len(r.all)-1)
	return selection.Spot{Row: at, Cell: min(max(x, 0), max(r.cells-1, 0))}, at >= 0
}

// SelectedText returns the selected text, or "".
func (r *Model) SelectedText() string {
	return r.sel.Rows(r.set.Measure, len(r.all), func(at int) string { return r.all[at] })
}

// checkSelection clears the selection if its text changed.
func (r *Model) checkSelection(all []string, width int) {
	r.all = all
	if width != r.cells || r.sel.On() && !r.sel.Holds(r.SelectedText()) {
		r.sel.Clear()
	}
	r.cells = width
}
