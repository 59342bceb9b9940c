package composer

import (
	"sort"
	"unicode/utf8"

	"society-tui/tui/cells"
)

// measure returns the width of a character; blocks are as wide as their label.
func (d *draft) measure(c string) int {
	if len(c) == 1 && c[0] >= ' ' && c[0] <= '~' {
		return 1
	}
	if r, _ := utf8.DecodeRuneInString(c); isBlock(r) {
		return d.cells.Width(d.label(r))
	}
	return d.cells.Width(shown(c))
}

// rows returns the bytes at which the rows of a line begin if it is wrapped to
// width cells: between words if possible, anywhere in a script without blanks.
func (d *draft) rows(at, width int) []int {
	l := &d.text.lines[at]
	if l.width == width && l.cells == d.cells && l.starts != nil {
		return l.starts
	}
	starts := []int{0}
	used, breakAt, breakUsed := 0, 0, 0
	for i := 0; i < len(l.s); {
		c := cluster(l.s[i:])
		w := min(d.measure(c), width)
		breaks := cells.CanBreak(c, w)
		if breaks {
			breakAt, breakUsed = i, used
		}
		for used+w > width {
			if breakAt > starts[len(starts)-1] {
				starts = append(starts, breakAt)
				used -= breakUsed
			} else {
				starts = append(starts, i)
				used = 0
			}
			breakAt, breakUsed = 0, 0
		}
		used += w
		i += len(c)
		if blank(c) || breaks {
			breakAt, breakUsed = i, used
		}
	}
	l.width, l.cells, l.starts = width, d.cells, starts
	return starts
}

// at returns the cursor's row and cell.
func (d *draft) at(width int) (row, x int) {
	t := d.text
	for i := range t.row {
		row += len(d.rows(i, width))
	}
	in, from := rowOf(d.rows(t.row, width), t.col)
	return row + in, min(d.wide(t.line().s[from:t.col]), width)
}

// rowOf returns the row that holds the byte at col, and where that row begins.
func rowOf(starts []int, col int) (row, from int) {
	row = sort.SearchInts(starts, col+1) - 1
	return row, starts[row]
}

func (d *draft) wide(s string) int {
	w := 0
	for s != "" {
		c := cluster(s)
		w += d.measure(c)
		s = s[len(c):]
	}
	return w
}

// count returns the number of rows of the text.
func (d *draft) count(width int) int {
	n := 0
	for i := range d.text.lines {
		n += len(d.rows(i, width))
	}
	return n
}

// vertical moves the cursor one row up or down, and reports whether there was
// one.
func (d *draft) vertical(by, width int) bool {
	t := d.text
	starts := d.rows(t.row, width)
	row, from := rowOf(starts, t.col)
	if t.goal < 0 {
		t.goal = d.wide(t.line().s[from:t.col])
	}
	goal := t.goal
	row += by
	switch {
	case row >= 0 && row < len(starts):
	case by < 0 && t.row > 0:
		t.row--
		starts = d.rows(t.row, width)
		row = len(starts) - 1
	case by > 0 && t.row < len(t.lines)-1:
		t.row++
		starts = d.rows(t.row, width)
		row = 0
	default:
		return false
	}
	s := t.line().s
	end := len(s)
	if row+1 < len(starts) {
		end = starts[row+1]
	}
	t.col = starts[row]
	for used := 0; t.col < end; {
		c := cluster(s[t.col:end])
		used += d.measure(c)
		// The position behind the last character of a wrapped row belongs to the next
		// row.
		if used > goal || t.col+len(c) == end && row+1 < len(starts) {
			break
		}
		t.col += len(c)
	}
	t.goal = goal
	return true
}
