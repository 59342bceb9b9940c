package tree

import (
	"slices"

	"society-tui/runtime/society"
)

// Selected returns the agent of the selected line; society.User for the person's
// own.
func (r *Model) Selected() society.AgentID {
	r.lay()
	return r.selected
}

// Select selects an agent and unfolds what hides it. An agent that is not here
// is not selected.
func (r *Model) Select(id society.AgentID) {
	n := r.nodes[id]
	if n == nil && id != society.User {
		return
	}
	if n != nil {
		r.reveal(n)
	}
	r.lay()
	r.moveTo(r.find(id))
}

// reveal unfolds all above n, and lifts the filter if that hides n.
func (r *Model) reveal(n *node) {
	for p := n.parent; p != nil; p = p.parent {
		r.fold(p, false)
	}
	if r.filter.active() {
		r.lay()
		if n.at >= len(r.flat) || r.flat[n.at].node != n {
			r.filter.clear()
			r.stale = true
		}
	}
}

func (r *Model) moveTo(at int) {
	r.cursor = min(max(at, 0), len(r.flat)-1)
	r.selected = r.flat[r.cursor].id()
	r.free = false
	r.wish = ""
}

func (r *Model) move(by int) {
	r.lay()
	r.moveTo(r.cursor + by)
}

// Up selects the line above.
func (r *Model) Up() { r.move(-1) }

// Down selects the line below.
func (r *Model) Down() { r.move(1) }

// PageUp moves the selection up by as many lines as are drawn, less one.
func (r *Model) PageUp() { r.move(-max(r.height-1, 1)) }

// PageDown moves the selection down by as many lines as are drawn, less one.
func (r *Model) PageDown() { r.move(max(r.height-1, 1)) }

// Top selects the first line.
func (r *Model) Top() {
	r.lay()
	r.moveTo(0)
}

// Bottom selects the last line.
func (r *Model) Bottom() {
	r.lay()
	r.moveTo(len(r.flat) - 1)
}

// Scroll moves what is drawn by n lines and leaves the selection where it is.
func (r *Model) Scroll(n int) {
	r.lay()
	r.free = true
	r.top = min(max(r.top+n, 0), max(len(r.flat)-r.height, 0))
}

func (r *Model) current() *node {
	r.lay()
	return r.flat[r.cursor].node
}

// Left folds the selected agent; when there is nothing to fold it selects the
// parent.
func (r *Model) Left() {
	n := r.current()
	switch {
	case n == nil:
	case len(n.kids) > 0 && !n.folded && !r.filter.active():
		r.fold(n, true)
	case n.parent != nil:
		r.moveTo(r.find(n.parent.row.ID))
	}
}

// Right unfolds the selected agent; when it is unfolded it selects its first
// child.
func (r *Model) Right() {
	n := r.current()
	switch {
	case n == nil || len(n.kids) == 0:
	case n.folded && !r.filter.active():
		r.fold(n, false)
	default:
		if next := r.cursor + 1; next < len(r.flat) && r.flat[next].node.parent == n {
			r.moveTo(next)
		}
	}
}

func (r *Model) fold(n *node, on bool) {
	if n.folded == on {
		return
	}
	n.folded = on
	n.version++
	if on {
		r.folded[n.row.ID] = true
	} else {
		delete(r.folded, n.row.ID)
	}
	r.stale = true
}

// ExpandAll unfolds the selected agent and all below it; on the person's own
// line, everything.
func (r *Model) ExpandAll() {
	below := r.roots
	if n := r.current(); n != nil {
		below = []*node{n}
	}
	var walk func([]*node)
	walk = func(kids []*node) {
		for _, n := range kids {
			r.fold(n, false)
			walk(n.kids)
		}
	}
	walk(below)
}

// CollapseAll folds every agent with children but root, which would leave
// nothing to see.
func (r *Model) CollapseAll() {
	for _, n := range r.nodes {
		if len(n.kids) > 0 && n.parent != nil {
			r.fold(n, true)
		}
	}
}

// ToggleMark marks the selected agent or takes its mark away, and goes on to the
// next line. The person's own line cannot be marked.
func (r *Model) ToggleMark() {
	n := r.current()
	if n == nil {
		return
	}
	n.marked = !n.marked
	n.version++
	if n.marked {
		r.marks++
	} else {
		r.marks--
	}
	r.Down()
}

// Unmark takes all marks away and says whether there were any.
func (r *Model) Unmark() bool {
	if r.marks == 0 {
		return false
	}
	for _, n := range r.nodes {
		if n.marked {
			n.marked = false
			n.version++
		}
	}
	r.marks = 0
	return true
}

// NextNeedsYou selects the next agent that asks or failed, the oldest first and
// round again, and says whether there is one.
func (r *Model) NextNeedsYou() bool { return r.needs(1) }

// PrevNeedsYou selects the one before it.
func (r *Model) PrevNeedsYou() bool { return r.needs(-1) }

func (r *Model) needs(by int) bool {
	waiting := r.waiting()
	if len(waiting) == 0 {
		return false
	}
	at := slices.IndexFunc(waiting, func(n *node) bool { return n.row.ID == r.Selected() })
	switch {
	case at >= 0:
		at = (at + by + len(waiting)) % len(waiting)
	case by < 0:
		at = len(waiting) - 1
	default:
		at = 0
	}
	r.Select(waiting[at].row.ID)
	return true
}
