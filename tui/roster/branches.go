package roster

import (
	"strconv"
	"strings"

	"society-tui/tui/cells"
)

// twigs are the pieces that branches are drawn with, two cells each.
type twigs struct {
	through, none, fork, end string
	folded, unfolded, leaf   string
}

var (
	drawnTwigs   = twigs{"│ ", "  ", "├─", "└─", "▸ ", "▾ ", "─ "}
	letteredTwig = twigs{"| ", "  ", "|-", "`-", "> ", "v ", "- "}
)

// branches draws what joins an agent to those above it, and whether it is
// folded. Where it would be wider than most, the outer branches become a number:
// how many there are.
func (r *Room) branches(n *node, most int) string {
	t := &drawnTwigs
	if r.set.ASCII {
		t = &letteredTwig
	}
	marker := t.leaf
	switch {
	case len(n.kids) == 0 && n.parent == nil:
		marker = t.none
	case len(n.kids) == 0:
	case n.folded && !r.filter.active():
		marker = t.folded
	default:
		marker = t.unfolded
	}
	if n.parent == nil {
		return marker
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
	passed := ""
	if cut > 0 {
		passed = cells.Fit(strconv.Itoa(cut)+r.set.Tail(), 4, "")
	}
	return passed + strings.Join(pieces, "") + join + marker
}

// marker returns the columns of an agent's fold marker, from the left edge of
// its line, when width cells are drawn.
func (r *Room) marker(n *node, width int) (from, upto int) {
	cols := columnsFor(width)
	most := (cols.name + cols.activity/2) / 2
	if cols.activity == 0 {
		most = (width - 4) / 2
	}
	end := 1 + cells.Width(r.branches(n, most))
	return end - 2, end
}
