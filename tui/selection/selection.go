// Package selection is the text that the user selects with the mouse in a pane,
// from one cell to another, with whole characters. It stays on its text, and is
// cleared when the text changes.
package selection

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"society-tui/themes"
	"society-tui/tui/cells"
)

// A Spot is a cell of a pane's text. Rows are counted within an item; panes
// without items only use item 0.
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

// A Selection reaches from Anchor to Head, both included. The zero value is
// empty. It is used by one goroutine.
type Selection struct {
	Anchor, Head Spot
	held         bool // the button is down
	on           bool // the mouse was dragged
	text         string
}

// Grab records where the button was pressed. Nothing is selected before Drag.
func (s *Selection) Grab(at Spot) { *s = Selection{Anchor: at, Head: at, held: true} }

// Drag extends the selection to a spot after Grab, and reports whether there is
// one.
func (s *Selection) Drag(to Spot) bool {
	if s.held && (s.on || to != s.Anchor) {
		s.Head, s.on = to, true
	}
	return s.on
}

// Clear clears the selection, and reports whether there was one.
func (s *Selection) Clear() bool {
	was := s.on
	*s = Selection{}
	return was
}

// On reports whether something is selected.
func (s *Selection) On() bool { return s.on }

// Ends returns the first and the last spot.
func (s *Selection) Ends() (first, last Spot) {
	if s.Head.before(s.Anchor) {
		return s.Head, s.Anchor
	}
	return s.Anchor, s.Head
}

// endless is greater than any cell.
const endless = 1 << 30

// in returns the selected cells of a row, [from, upto).
func (s *Selection) in(item, row int) (from, upto int, ok bool) {
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

// Draw returns a row with its selected cells reversed.
func (s *Selection) Draw(m cells.Measure, row string, item, n int) string {
	from, upto, ok := s.in(item, n)
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

// between returns the text in cells [from, upto) of an unstyled row, extended
// to whole characters.
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
	Text      string // styled, as drawn
	Item, Row int
	// Lead is the width of a prefix that is not text.
	Lead int
	// Soft is set when the row continues the line of the row before, which was
	// broken at Gap.
	Soft bool
	Gap  string
}

// Text returns the selected text of rows, which must contain all selected ones,
// without padding. Soft rows are joined.
func (s *Selection) Text(m cells.Measure, rows []Line) string {
	var b strings.Builder
	begun := false
	for _, row := range rows {
		from, upto, ok := s.in(row.Item, row.Row)
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

// Keep stores the selected text.
func (s *Selection) Keep(text string) { s.text = text }

// Holds reports whether text is still the selected one. Digits and signs may
// change, as in ages and spinners.
func (s *Selection) Holds(text string) bool { return letters(text) == letters(s.text) }

func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, text)
}
