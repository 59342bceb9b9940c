package markdown

import (
	"strings"

	"society-tui/tui/cells"
)

// A lead is the prefix of a row: bars, bullets, indents.
type lead struct {
	text  string // styled
	cells int
}

func (l lead) plus(other lead) lead {
	return lead{l.text + other.text, l.cells + other.cells}
}

func indent(n int) lead { return lead{cells.Blank(n), max(n, 0)} }

// An item is an open list item: the source columns of its bullet and its text,
// and the cells drawn before its text.
type item struct{ marker, content, cells int }

// belongs reports whether a line that begins at column is inside the item. Two
// blanks are enough for any bullet, because most nested lists are written so.
func (i item) belongs(column int) bool {
	return column >= min(i.content, i.marker+2)
}

// leaveItems closes the items that do not contain column.
func (l *layout) leaveItems(column int) {
	for n := len(l.items); n > 0 && !l.items[n-1].belongs(column); n-- {
		l.items = l.items[:n-1]
	}
}

// content returns the column where text of the current item begins.
func (l *layout) content() int {
	if n := len(l.items); n > 0 {
		return l.items[n-1].content
	}
	return 0
}

// enterItem opens an item whose text begins width bytes behind its bullet.
func (l *layout) enterItem(column int, mark string, width int) {
	sign := mark
	if len(mark) == 1 {
		sign = l.look.bullets[len(l.items)%len(l.look.bullets)]
	}
	before := l.lead()
	if l.bullet != nil {
		before = *l.bullet
	}
	drawn := lead{l.look.styles[markTone].Draw(sign) + " ", l.look.cells.Width(sign) + 1}
	first := l.clamp(before, drawn.cells).plus(drawn)
	if drawn.cells > l.width/2 {
		first = l.clamp(drawn, 0)
	}
	l.bullet = &first
	// A fork may share the slice, so it is not appended to in place.
	l.items = append(l.items[:len(l.items):len(l.items)], item{column, column + width, drawn.cells})
}

// lead returns the prefix of rows at this place.
func (l *layout) lead() lead {
	n := 0
	for _, it := range l.items {
		n += it.cells
	}
	return l.clamp(l.bars(l.quote).plus(indent(n)), 0)
}

// clamp cuts a lead so that the text keeps half of the width in a narrow pane.
func (l *layout) clamp(all lead, behind int) lead {
	most := max(l.width/2-behind, 0)
	if all.cells <= most {
		return all
	}
	all.text = l.look.cells.Cut(all.text, most, "")
	w := l.look.cells.Width(all.text)
	return lead{all.text + cells.Blank(most-w), most}
}

// bars returns the prefix of n quotes.
func (l *layout) bars(n int) lead {
	n = min(n, l.width/4)
	if n == 0 {
		return lead{}
	}
	return lead{strings.Repeat(l.look.styles[markTone].Draw(l.look.bar)+" ", n), 2 * n}
}

// bulletOf returns the bullet or number that text begins with, or "", and the
// rest.
func bulletOf(text string) (mark, rest string) {
	n := 0
	for n < len(text) && n < 9 && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	switch {
	case text == "":
		return "", text
	case n > 0 && n < len(text) && (text[n] == '.' || text[n] == ')'):
	case n == 0 && strings.IndexByte("-*+", text[0]) >= 0:
	default:
		return "", text
	}
	n++
	if n < len(text) && text[n] != ' ' {
		return "", text
	}
	return text[:n], strings.TrimLeft(text[n:], " ")
}
