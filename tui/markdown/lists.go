package markdown

import (
	"strings"

	"society-tui/tui/cells"
)

// A lead is what stands before the text of a row: bars, bullets, indents.
type lead struct {
	text  string // styled
	cells int
}

func (l lead) plus(other lead) lead {
	return lead{l.text + other.text, l.cells + other.cells}
}

func indent(n int) lead { return lead{cells.Blank(n), max(n, 0)} }

// An item is a list item that the next line may belong to: the columns in the
// source where its bullet and its text begin, and the cells that are drawn
// before its text.
type item struct{ marker, content, cells int }

// belongs reports whether what begins at column is inside the item. Two blanks are
// enough, whatever the bullet is: that is how most nested lists are written.
func (i item) belongs(column int) bool {
	return column >= min(i.content, i.marker+2)
}

// leaveItems ends the items that what begins at column is not part of.
func (l *layout) leaveItems(column int) {
	for n := len(l.items); n > 0 && !l.items[n-1].belongs(column); n-- {
		l.items = l.items[:n-1]
	}
}

// content returns the column where text of the present item begins.
func (l *layout) content() int {
	if n := len(l.items); n > 0 {
		return l.items[n-1].content
	}
	return 0
}

// enterItem begins an item whose text stands width bytes behind its bullet.
func (l *layout) enterItem(column int, mark string, width int) {
	sign := mark
	if len(mark) == 1 {
		sign = l.look.bullets[len(l.items)%len(l.look.bullets)]
	}
	before := l.lead()
	if l.bullet != nil {
		before = *l.bullet
	}
	drawn := lead{l.look.pens[markTone].Draw(sign) + " ", l.look.cells.Width(sign) + 1}
	first := l.clamp(before, drawn.cells).plus(drawn)
	if drawn.cells > l.width/2 {
		first = l.clamp(drawn, 0)
	}
	l.bullet = &first
	// The slice may be shared with a fork, so it is not appended to in place.
	l.items = append(l.items[:len(l.items):len(l.items)], item{column, column + width, drawn.cells})
}

// lead returns what stands before the rows of a text here.
func (l *layout) lead() lead {
	n := 0
	for _, it := range l.items {
		n += it.cells
	}
	return l.clamp(l.bars(l.quote).plus(indent(n)), 0)
}

// clamp cuts a lead so that with what is put behind it the text keeps half of the
// room in a narrow pane too.
func (l *layout) clamp(all lead, behind int) lead {
	most := max(l.width/2-behind, 0)
	if all.cells <= most {
		return all
	}
	all.text = l.look.cells.Cut(all.text, most, "")
	w := l.look.cells.Width(all.text)
	return lead{all.text + cells.Blank(most-w), most}
}

// bars returns what marks n quotes.
func (l *layout) bars(n int) lead {
	n = min(n, l.width/4)
	if n == 0 {
		return lead{}
	}
	return lead{strings.Repeat(l.look.pens[markTone].Draw(l.look.bar)+" ", n), 2 * n}
}

// bulletOf returns the bullet or number that text begins with, "" if it begins
// with none, and what follows it.
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
