package tree

import (
	"time"

	"society-tui/runtime/society"
)

// lay makes the flattened tree anew if the tree has changed. The selected agent
// stays selected and, where it can, on the same row of the screen; when it is
// gone the nearest line is selected instead.
func (r *Model) lay() {
	if !r.stale {
		return
	}
	offset := r.cursor - r.top
	before := r.selected
	nearest := r.survivor(r.flat)
	if r.wish != "" && r.nodes[r.wish] != nil {
		nearest, r.wish = r.wish, ""
	}

	r.stale = false
	r.layout++
	r.flat = append(make([]line, 0, len(r.nodes)+1), line{})
	if r.filter.active() {
		r.sieve(r.roots, r.now)
	}
	r.spread(r.roots, 0)

	r.cursor = r.find(nearest)
	r.selected = r.flat[r.cursor].id()
	if r.selected == before && !r.free {
		r.top = max(r.cursor-offset, 0)
	}
}

// spread appends the lines of kids and of what is unfolded beneath them.
func (r *Model) spread(kids []*node, depth int) {
	sifted := r.filter.active()
	var before *node
	for _, n := range kids {
		if sifted && !n.shown {
			continue
		}
		n.last = true
		if before != nil {
			before.last = false
		}
		before = n
		n.at, n.depth = len(r.flat), depth
		r.flat = append(r.flat, line{n})
		if len(n.kids) > 0 && (sifted || !n.folded) {
			r.spread(n.kids, depth+1)
		}
	}
}

// sieve marks what is shown: what matches the filter, and all above it.
func (r *Model) sieve(kids []*node, now time.Time) bool {
	some := false
	for _, n := range kids {
		below := r.sieve(n.kids, now)
		n.shown = r.filter.matches(n, now) || below
		some = some || n.shown
	}
	return some
}

// survivor returns the agent to select in place of one that is gone: that of the
// nearest line still there, first below and then above.
func (r *Model) survivor(old []line) society.AgentID {
	if r.selected == society.User || r.nodes[r.selected] != nil || len(old) == 0 {
		return r.selected
	}
	here := func(i int) bool {
		if i < 0 || i >= len(old) {
			return false
		}
		n := old[i].node
		return n == nil || r.nodes[n.row.ID] == n
	}
	for d := 1; d <= len(old); d++ {
		if here(r.cursor + d) {
			return old[r.cursor+d].id()
		}
		if here(r.cursor - d) {
			return old[r.cursor-d].id()
		}
	}
	return society.User
}

// find returns where the agent stands in flat; where it is not to be seen, where
// the nearest above it in the tree does, or the next line that shows.
func (r *Model) find(id society.AgentID) int {
	n := r.nodes[id]
	for p := n; p != nil; p = p.parent {
		if p.at < len(r.flat) && r.flat[p.at].node == p {
			return p.at
		}
	}
	if n == nil {
		return 0
	}
	// The filter hid it and all above it.
	return min(max(r.cursor, 0), len(r.flat)-1)
}
