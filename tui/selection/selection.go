// Package selection is what the user marks with the mouse in a pane: from a cell of
// one row to a cell of another, wide characters whole. It stays on the text that was
// marked, and goes when that is another.
package selection

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"society-tui/themes"
	"society-tui/tui/cells"
)

// A Spot is a cell of a row of a pane's text, of which Cell counts the cells before
// it. Rows are counted within an item; panes without items have only the first.
type Spot struct{ Item, Row, Cell int }

func (s Spot) before(o Spot) bool {
	switch {
	case s.Item != o.Item:
		return s.Item < o.Item
	case s.Row != o.Row:
		return s.Row < o.Row
	}
	return s.Cell < o.Cell
}

// A Selection is from where it was begun to where it was drawn last, both cells with
// it. The zero one marks nothing. It is used by one goroutine.
type Selection struct {
	Anchor, Head Spot
	held         bool // a button was pressed at Anchor
	on           bool // it was drawn from there
	text         string
}

// Grab notes where a button was pressed. Nothing is marked before Drag.
func (s *Selection) Grab(at Spot) { *s = Selection{Anchor: at, Head: at, held: true} }

// Drag marks as far as a spot, if it was grabbed. It reports whether something is marked.
func (s *Selection) Drag(to Spot) bool {
	if s.held && (s.on || to != s.Anchor) {
		s.Head, s.on = to, true
	}
	return s.on
}

// Clear takes it away, and reports whether something was marked.
func (s *Selection) Clear() bool {
	was := s.on
	*s = Selection{}
	return was
}

// On reports whether something is marked.
func (s *Selection) On() bool { return s.on }

// Ends returns its first and its last spot.
func (s *Selection) Ends() (first, last Spot) {
	if s.Head.before(s.Anchor) {
		return s.Head, s.Anchor
	}
	return s.Anchor, s.Head
}

// endless is behind every cell of a row.
const endless = 1 << 30

// In returns which cells of a row are marked, from one up to, not including, another.
func (s *Selection) In(item, row int) (from, upto int, ok bool) {
	first, last := s.Ends()
	begin, end := Spot{item, row, 0}, Spot{item, row, endless}
	if !s.on || last.before(begin) || end.before(first) {
		return 0, 0, false
	}
	from, upto = 0, endless
	if first.Item == item && first.Row == row {
		from = first.Cell
	}
	if last.Item == item && last.Row == row {
		upto = last.Cell + 1
	}
	return from, upto, true
}

// Draw returns a row as it is drawn: what of it is marked is reversed.
func (s *Selection) Draw(m cells.Measure, row string, item, n int) string {
	from, upto, ok := s.In(item, n)
	if !ok {
		return row
	}
	text, from, upto := between(m, ansi.Strip(row), from, upto)
	if text == "" {
		return row
	}
	left := m.Cut(row, from, "")
	return left + ansi.ResetStyle + themes.NewPen(nil, nil, themes.Reverse).Draw(text) + m.Drop(row, upto)
}

// between returns the text in cells from up to upto of a row without styles, and
// where it begins and ends when no character is cut in two.
func between(m cells.Measure, row string, from, upto int) (text string, begin, end int) {
	var b strings.Builder
	begin = -1
	for at := 0; row != "" && at < upto; {
		c, w := m.First(row)
		if row = row[len(c):]; at+w > from {
			if begin < 0 {
				begin = at
			}
			b.WriteString(c)
			end = at + w
		}
		at += w
	}
	return b.String(), max(begin, 0), end
}

// A Line is a row for Text.
type Line struct {
	Text      string // as it is drawn, styles and all
	Item, Row int
	// Lead is how many cells before the text are not of it.
	Lead int
	// Soft is set when the row goes on the line of the row before, from which it was
	// parted where Gap stood.
	Soft bool
	Gap  string
}

// Text is what is marked of rows, which hold all that is, without the blanks that fill
// them. Rows that are one line are one line of it.
func (s *Selection) Text(m cells.Measure, rows []Line) string {
	var b strings.Builder
	begun := false
	for _, row := range rows {
		from, upto, ok := s.In(row.Item, row.Row)
		if !ok {
			continue
		}
		text, _, _ := between(m, ansi.Strip(row.Text), max(from, row.Lead), upto)
		switch {
		case !begun:
			begun = true
		case row.Soft:
			b.WriteString(row.Gap)
		default:
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(text, " "))
	}
	return strings.Trim(b.String(), "\n")
}

// Keep notes what is marked now, as the user sees it.
func (s *Selection) Keep(text string) { s.text = text }

// Holds reports whether text is what was marked. Numbers and signs may have changed, as
// ages and spinners do.
func (s *Selection) Holds(text string) bool { return letters(text) == letters(s.text) }

func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, text)
}
