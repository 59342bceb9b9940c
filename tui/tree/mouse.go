package tree

import "society-tui/runtime/society"

// A Hit says what a click fell on.
type Hit struct {
	Agent society.AgentID // "" for nothing
	Fold  bool            // its fold marker, which was turned
}

// Click selects the line at a cell of what Rows drew in width cells, counted
// from its upper left corner. On a fold marker it folds or unfolds instead.
func (r *Model) Click(x, y, width int) Hit {
	r.lay()
	y--
	if !r.open {
		x, width = x-1, width-2
	}
	at := r.top + y
	if y < 0 || y >= r.height || x < 0 || x >= width || at >= len(r.flat) {
		return Hit{}
	}
	n := r.flat[at].node
	if n != nil && len(n.kids) > 0 && !r.filter.active() {
		if from, upto := r.marker(n, width); x >= from && x < upto {
			r.fold(n, !n.folded)
			return Hit{Agent: n.row.ID, Fold: true}
		}
	}
	free, top := r.free, r.top
	r.moveTo(at)
	r.free, r.top = free, top
	return Hit{Agent: r.selected}
}
