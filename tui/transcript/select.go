package transcript

import (
	"society-tui/tui/selection"
)

// Grab records that a button was pressed at a cell of the last drawn rows.
func (r *Model) Grab(x, y int) {
	if at, ok := r.spot(x, y); ok {
		r.sel.Grab(at)
		r.selIDs[0] = r.open.items[at.Item].id
		r.selIDs[1] = r.selIDs[0]
	}
}

// Drag extends the selection to a cell. Above and below the rows it uses the
// nearest row.
func (r *Model) Drag(x, y int) bool {
	at, ok := r.spot(x, min(max(y, 1), r.height))
	if !ok {
		return r.sel.On()
	}
	r.place()
	if r.sel.Drag(at) {
		r.selIDs[1] = r.open.items[at.Item].id
		r.keepMarked()
	}
	return r.sel.On()
}

// keepMarked remembers the selected items: by identity if they are stored,
// however long they are, and by text if they change by themselves.
func (r *Model) keepMarked() {
	first, last := r.sel.Ends()
	r.selItems = r.selItems[:0]
	changing := false
	for _, it := range r.open.items[first.Item : last.Item+1] {
		r.selItems = append(r.selItems, shown{it, it.lay(r, r.open, r.width), it.fold, it.detail})
		changing = changing || it.changes()
	}
	if changing {
		r.sel.Keep(r.SelectedText())
	}
}

// shown is an item with its layout.
type shown struct {
	*item
	rows   int
	fold   fold
	detail Detail
}

// changes reports whether the item is drawn for each frame.
func (it *item) changes() bool { return it.live != nil || it.stream != nil }

// holds reports whether the selection is still valid: the same items or, for
// one that changes by itself, the same text.
func (r *Model) holds(t *thread) bool {
	first, last := r.sel.Ends()
	items := t.items[first.Item : last.Item+1]
	if len(items) != len(r.selItems) {
		return false
	}
	changing := false
	for i, it := range items {
		was := &r.selItems[i]
		changing = changing || it.changes()
		if it.changes() && it.id == was.id {
			continue
		}
		if it != was.item || it.lay(r, t, r.width) != was.rows || it.fold != was.fold || it.detail != was.detail {
			return false
		}
	}
	return !changing || r.sel.Holds(r.SelectedText())
}

// Inside reports whether row y holds text: 0 if it does, -1 above and 1 below.
func (r *Model) Inside(y int) int { return selection.Inside(y, r.height) }

// Unselect clears the selection, and reports whether there was one.
func (r *Model) Unselect() bool { return r.sel.Clear() }

// spot returns the position in the conversation that was drawn at a cell, or
// the last one below the end.
func (r *Model) spot(x, y int) (selection.Spot, bool) {
	t := r.open
	if t == nil || len(t.items) == 0 || y < 1 {
		return selection.Spot{}, false
	}
	x-- // the cursor's mark
	at, ok := t.list.At(y - 1)
	for ; !ok && y > 1; y-- {
		at, ok = t.list.At(y - 2)
	}
	if !ok || at.Item >= len(t.items) {
		return selection.Spot{}, false
	}
	return selection.Spot{Item: at.Item, Row: at.Row, Cell: max(x, 0)}, true
}

// place finds the present indexes of the selected items, and clears the
// selection if one is gone.
func (r *Model) place() {
	if r.open == nil {
		r.sel.Clear()
		return
	}
	from, to := indexOf(r.open.items, r.selIDs[0]), indexOf(r.open.items, r.selIDs[1])
	if from < 0 || to < 0 {
		r.sel.Clear()
		return
	}
	r.sel.Anchor.Item, r.sel.Head.Item = from, to
}

// checkSelection clears the selection if its text changed.
func (r *Model) checkSelection(t *thread) {
	if !r.sel.On() {
		return
	}
	if r.place(); r.sel.On() && !r.holds(t) {
		r.sel.Clear()
	}
}

// SelectedText returns the selected text, or "".
func (r *Model) SelectedText() string {
	if !r.sel.On() || r.open == nil {
		return ""
	}
	first, last := r.sel.Ends()
	var rows []selection.Line
	for i := first.Item; i <= min(last.Item, len(r.open.items)-1); i++ {
		it := r.open.items[i]
		for row := range it.lay(r, r.open, r.width) {
			rows = append(rows, it.line(r, i, row))
		}
	}
	return r.sel.Text(r.set.Measure, rows)
}

// line returns a row of the item and how it was broken.
func (it *item) line(r *Model, item, row int) selection.Line {
	l := selection.Line{Text: it.row(r, row), Item: item, Row: row}
	if at := row - len(it.top); at >= 0 && at < len(it.rows) {
		l.Lead = r.set.Width(it.before(r))
		if it.rows[at].Soft && at > 0 {
			l.Soft, l.Gap, l.Lead = true, it.rows[at].Gap, l.Lead+it.rows[at].Lead
		}
	}
	return l
}
