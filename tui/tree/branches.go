package tree

import (
	"strconv"
	"strings"

	"society-tui/tui/symbols"
)

// twigs are the pieces that branches are drawn with, two cells each.
type twigs struct {
	through, none, fork, end, leaf string
}

var (
	drawnTwigs   = twigs{"│ ", "  ", "├─", "└─", "─ "}
	letteredTwig = twigs{"| ", "  ", "|-", "`-", "- "}
)

// branches are what joins an agent to those above it: lines, and what is read.
type branches struct {
	passed string // how many branches are left out
	lines  string
	marker string // whether it is folded; "" for one without children
}

func (r *Model) width(b branches) int { return r.set.Width(b.passed + b.lines + b.marker) }

// branches draws what joins an agent to those above it, and whether it is
// folded. Where it would be wider than most, the outer branches become a number:
// how many there are.
func (r *Model) branches(n *node, most int) branches {
	t := &drawnTwigs
	if r.set.ASCII {
		t = &letteredTwig
	}
	b := branches{marker: r.set.Mark(symbols.Unfolded) + " "}
	leaf := ""
	switch {
	case len(n.kids) == 0:
		b.marker, leaf = "", t.leaf
	case n.folded && !r.filter.active():
		b.marker = r.set.Mark(symbols.Folded) + " "
	}
	if n.parent == nil {
		if leaf != "" {
			b.lines = t.none
		}
		return b
	}
	join := t.fork
	if n.last {
		join = t.end
	}
	outer := n.depth - 1 // how many branches of those above pass by
	cut := 0
	if room := max((most-4)/2, 2); outer > room {
		cut = outer - room + 2 // the number takes the room of two
	}
	pieces := make([]string, outer-cut)
	for i, p := len(pieces)-1, n.parent; i >= 0; i, p = i-1, p.parent {
		pieces[i] = t.through
		if p.last {
			pieces[i] = t.none
		}
	}
	if cut > 0 {
		b.passed = r.set.Fit(strconv.Itoa(cut)+r.set.Tail(), 4, "")
	}
	b.lines = strings.Join(pieces, "") + join + leaf
	return b
}

// marker returns the columns of an agent's fold marker, from the left edge of
// its line, when width cells are drawn.
func (r *Model) marker(n *node, width int) (from, upto int) {
	cols := columnsFor(width)
	most := (cols.name + cols.activity/2) / 2
	if cols.activity == 0 {
		most = (width - 4) / 2
	}
	end := 1 + r.width(r.branches(n, most))
	return end - 2, end
}
