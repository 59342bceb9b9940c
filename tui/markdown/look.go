package markdown

import (
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/highlight"
)

// An ink is a text style: a tone with attributes.
type ink uint8

// Attributes.
const (
	bold ink = 1 << iota
	italic
	strike
	code
	link
	faint // the less important half, such as a link's address
)

// Tones, in the two upper bits.
const (
	plainTone   ink = iota << 6
	headingTone     // headings of texts and tables
	quoteTone
	markTone // drawn signs: bullets, lines, bars
)

// A Look is the styles and signs of drawn Markdown. It is immutable and may be
// shared.
type Look struct {
	styles  [256]themes.Pen
	bullets [3]string
	bar     string // before quotes
	edge    string // before code
	corner  string // before the language of code
	rule    string
	cross   string // where the lines of a table cross
	column  string // between columns
	cells   cells.Measure
	// Parts of code in a language that is known; the rest of it is plainCode.
	code       [highlight.Kinds]themes.Pen
	plainCode  themes.Pen
	highlights bool
	lists      bool // tables are read row by row, each cell after its column's head
}

// NewLook returns the look of ordinary messages in a theme, with ASCII signs
// only if ascii.
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
	for i := range l.styles {
		l.styles[i] = style(theme, ink(i))
	}
	l.highlights, l.plainCode = true, theme.Pen(theme.Text, 0)
	l.code = [highlight.Kinds]themes.Pen{
		highlight.Keyword: theme.Pen(theme.Accent, themes.Bold), highlight.Literal: theme.Pen(theme.Code, 0), highlight.Comment: theme.Pen(theme.Muted, themes.Italic),
		highlight.Name: theme.Pen(theme.Heading, 0), highlight.Added: theme.Pen(theme.Success, 0), highlight.Removed: theme.Pen(theme.Danger, 0),
	}
	return l
}

// Quiet returns the look of less important text, such as a model's thoughts:
// muted italics.
func (l *Look) Quiet(theme themes.Theme) *Look {
	quiet := *l
	quiet.highlights = false
	for i := range quiet.styles {
		if ink(i)&markTone == markTone {
			continue
		}
		strokes := themes.Italic
		if ink(i)&(bold|link) != 0 || ink(i)&markTone == headingTone {
			strokes |= themes.Bold
		}
		quiet.styles[i] = theme.Pen(theme.Muted, strokes)
	}
	return &quiet
}

func style(t themes.Theme, i ink) themes.Pen {
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
