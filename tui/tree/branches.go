package tree

import (
	"strconv"
	"strings"

	"society-tui/tui/symbols"
)

// twigs are the pieces of branches, two cells each.
type twigs struct {
	through, none, fork, end, leaf string
}

var (
	drawnTwigs   = twigs{"│ ", "  ", "├─", "└─", "─ "}
	letteredTwig = twigs{"| ", "  ", "|-", "`-", "- "}
)

// branches is the prefix that connects an agent with its ancestors.
type branches struct {
	passed string // number of branches left out
	lines  string
	marker string // fold marker, "" without children
}

func (m *Model) widthOf(b branches) int { return m.set.Width(b.passed + b.lines + b.marker) }

// branches draws the prefix of a line. If it would be wider than most, the
// outer branches are replaced by their number.
func (m *Model) branches(l line, most int) branches {
	t := &drawnTwigs
	if m.set.ASCII {
		t = &letteredTwig
	}
	b := branches{marker: m.set.Mark(symbols.Unfolded) + " "}
	leaf := ""
	switch {
	case len(l.agent.Children) == 0:
		b.marker, leaf = "", t.leaf
	case m.isFolded(l.agent) && !m.filter.IsActive():
		b.marker = m.set.Mark(symbols.Folded) + " "
	}
	if l.parent < 0 {
		if leaf != "" {
			b.lines = t.none
		}
		return b
	}
	join := t.fork
	if l.last {
		join = t.end
	}
	outer := -1 // ancestors' branches that continue below
	for at := l.parent; at >= 0; at = m.lines[at].parent {
		outer++
	}
	cut := 0
	if room := max((most-4)/2, 2); outer > room {
		cut = outer - room + 2 // the number is as wide as two
	}
	pieces := make([]string, outer-cut)
	above := m.lines[l.parent]
	for i := len(pieces) - 1; i >= 0; i, above = i-1, m.lines[max(above.parent, 0)] {
		pieces[i] = t.through
		if above.last {
			pieces[i] = t.none
		}
	}
	if cut > 0 {
		b.passed = m.set.Fit(strconv.Itoa(cut)+m.set.Tail(), 4, "")
	}
	b.lines = strings.Join(pieces, "") + join + leaf
	return b
}

// marker returns the columns of an agent's fold marker in a line of width
// cells.
func (m *Model) marker(l line, width int) (from, upto int) {
	cols := columnsFor(width)
	most := (cols.name + cols.activity/2) / 2
	if cols.activity == 0 {
		most = (width - 4) / 2
	}
	end := 1 + m.widthOf(m.branches(l, most))
	return end - 2, end
}
