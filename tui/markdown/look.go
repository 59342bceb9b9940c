package markdown

import (
	"society-tui/themes"
	"society-tui/tui/cells"
)

// ink is how a stretch of text is written: a tone, and what is added to it.
type ink uint8

// What may be added to a tone.
const (
	bold ink = 1 << iota
	italic
	strike
	code
	link
	faint // the less important half of something, as a link's address
)

// The tones, in the two upper bits.
const (
	plainTone   ink = iota << 6
	headingTone     // headings of texts and tables
	quoteTone
	markTone // what is ours and not the text's: bullets, lines, bars
)

// A Look is how Markdown is drawn: pens and signs. It is not changed after it
// was made, and may be shared.
type Look struct {
	pens    [256]themes.Pen
	bullets [3]string
	bar     string // before quotes
	edge    string // before code
	corner  string // before the name of a code's language
	rule    string
	cross   string // where a table's lines meet
	column  string // between a table's columns
	cells   cells.Measure
	lists   bool // a table is said row by row, each cell behind the head of its column
}

// NewLook returns the look of ordinary messages in theme, as wide as m says, with
// letters only if ascii.
func NewLook(theme themes.Theme, m cells.Measure, ascii bool) *Look {
	l := &Look{
		cells:   m,
		bullets: [3]string{"•", "◦", "▪"},
		bar:     "▎", edge: "│", corner: "╭", rule: "─", cross: "┼", column: "│",
	}
	if ascii {
		l.bullets = [3]string{"*", "-", "+"}
		l.bar, l.edge, l.corner, l.rule, l.cross, l.column = ">", "|", "+", "-", "+", "|"
	}
	for i := range l.pens {
		l.pens[i] = pen(theme, ink(i))
	}
	return l
}

// Quiet returns the look of what stands back behind the messages, as a model's
// thinking: everything in a muted slant.
func (l *Look) Quiet(theme themes.Theme) *Look {
	quiet := *l
	for i := range quiet.pens {
		if ink(i)&markTone == markTone {
			continue
		}
		strokes := themes.Italic
		if ink(i)&(bold|link) != 0 || ink(i)&markTone == headingTone {
			strokes |= themes.Bold
		}
		quiet.pens[i] = theme.Pen(theme.Muted, strokes)
	}
	return &quiet
}

func pen(t themes.Theme, i ink) themes.Pen {
	colour := t.Text
	var strokes themes.Stroke
	switch i & markTone {
	case headingTone:
		colour, strokes = t.Heading, themes.Bold
	case quoteTone:
		colour, strokes = t.Quote, themes.Italic
	case markTone:
		colour = t.Subtle
	}
	if i&code != 0 {
		colour = t.Code
	}
	if i&link != 0 {
		colour = t.Link
		strokes |= themes.Underline
	}
	if i&faint != 0 {
		colour = t.Muted
	}
	if i&bold != 0 {
		strokes |= themes.Bold
	}
	if i&italic != 0 {
		strokes ^= themes.Italic
	}
	if i&strike != 0 {
		strokes |= themes.Strike
	}
	return t.Pen(colour, strokes)
}
