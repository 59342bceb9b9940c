package tree

import (
	"strconv"
	"strings"

	"society-tui/tui/cells"
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
	below  string // what continues in the agent's second row, as wide as the others
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
	leaf, children := "", t.through
	switch {
	case len(l.agent.Children) == 0:
		b.marker, leaf, children = "", t.leaf, t.none
	case m.isFolded(l.agent) && !m.filter.IsActive():
		b.marker, children = m.set.Mark(symbols.Folded)+" ", t.none
	}
	b.below = children
	if l.parent < 0 {
		if leaf != "" {
			b.lines = t.none
		}
		return b
	}
	join, beside := t.fork, t.through
	if l.last {
		join, beside = t.end, t.none
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
	b.below = cells.Blank(m.set.Width(b.passed)) + strings.Join(pieces, "") + beside + children
	return b
}

// mostBranches returns how wide the branches may be in a line of that width.
func (m *Model) mostBranches(width int) int {
	cols := columnsFor(width)
	switch {
	case m.tall:
		return (width - ageWide) / 2
	case cols.activity == 0:
		return (width - 4) / 2
	}
	return (cols.name + cols.activity/2) / 2
}

// marker returns the columns of an agent's fold marker in a line of width
// cells.
func (m *Model) marker(l line, width int) (from, upto int) {
	end := 1 + m.widthOf(m.branches(l, m.mostBranches(width)))
	return end - 2, end
}
