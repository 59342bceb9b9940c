package transcript

import (
	"society-tui/tui/selection"
)

// Grab notes that a button was pressed at a cell of what Rows drew, counted from its
// upper left corner.
func (r *Model) Grab(x, y int) {
	if at, ok := r.spot(x, y); ok {
		r.sel.Grab(at)
		r.selIDs[0] = r.open.items[at.Item].id
		r.selIDs[1] = r.selIDs[0]
	}
}

// Drag marks as far as a cell. Above and below what is drawn it is the nearest row's.
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

// keepMarked notes what is marked. Of items that do not change by themselves it is
// enough to know which they are, however long; else what they say.
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

// shown is an item as it was laid out.
type shown struct {
	*item
	rows   int
	fold   fold
	detail Detail
}

// changes reports whether the item is drawn anew for each frame.
func (it *item) changes() bool { return it.live != nil || it.stream != nil }

// holds reports whether what was marked is still there: the same items as they were, or,
// of one that changes by itself, the same words.
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

// Inside reports whether a row of what was drawn holds text: 0 if it does, -1 above and 1
// below.
func (r *Model) Inside(y int) int { return selection.Inside(y, r.height) }

// Unselect takes what is marked away, and reports whether something was.
func (r *Model) Unselect() bool { return r.sel.Clear() }

// spot is the cell of the conversation that was drawn at a place. Below its end it is
// the last there is.
func (r *Model) spot(x, y int) (selection.Spot, bool) {
	t := r.open
	if t == nil || len(t.items) == 0 || y < 1 {
		return selection.Spot{}, false
	}
	if !r.bare {
		x--
	}
	x-- // the mark of the cursor
	at, ok := t.list.At(y - 1)
	for ; !ok && y > 1; y-- {
		at, ok = t.list.At(y - 2)
	}
	if !ok || at.Item >= len(t.items) {
		return selection.Spot{}, false
	}
	return selection.Spot{Item: at.Item, Row: at.Row, Cell: max(x, 0)}, true
}

// place finds where the items stand now that are marked from and to; without one of
// them nothing is marked any more.
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

// checkSelection takes away what is marked when another text stands there.
func (r *Model) checkSelection(t *thread) {
	if !r.sel.On() {
		return
	}
	if r.place(); r.sel.On() && !r.holds(t) {
		r.sel.Clear()
	}
}

// SelectedText is the text that is marked, "" if nothing is.
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

// line is a row of the item, with what is known of how it was broken.
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
