package themes

import (
	"image/color"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A Pen writes text in one style, made ready once: drawing with it joins three
// strings. It neither wraps nor measures, and its text must hold no escape
// sequence. The zero Pen leaves text as it is.
type Pen struct{ begin string }

// A Stroke is what a Pen does beside its colours.
type Stroke uint8

// The strokes, to be or-ed together.
const (
	Bold Stroke = 1 << iota
	Italic
	Underline
	Reverse
	Faint
	Strike
)

// NewPen returns a pen that writes in fore on back; a nil colour is the
// terminal's own.
func NewPen(fore, back color.Color, strokes Stroke) Pen {
	var style ansi.Style
	for _, attr := range []struct {
		stroke Stroke
		code   ansi.Attr
	}{
		{Bold, ansi.AttrBold},
		{Italic, ansi.AttrItalic},
		{Underline, ansi.AttrUnderline},
		{Reverse, ansi.AttrReverse},
		{Faint, ansi.AttrFaint},
		{Strike, ansi.AttrStrikethrough},
	} {
		if strokes&attr.stroke != 0 {
			style = append(style, ansi.NewStyle(attr.code)...)
		}
	}
	if fore != nil {
		style = style.ForegroundColor(fore)
	}
	if back != nil {
		style = style.BackgroundColor(back)
	}
	if len(style) == 0 {
		return Pen{}
	}
	return Pen{begin: style.String()}
}

// Draw returns s in the pen's style, ending in the terminal's own. An empty s stays empty.
func (p Pen) Draw(s string) string {
	if p.begin == "" || s == "" {
		return s
	}
	return p.begin + s + ansi.ResetStyle
}

// Pen returns a pen for a role's colour on whatever is behind.
func (t Theme) Pen(role color.Color, strokes Stroke) Pen { return t.PenOn(role, nil, strokes) }

// PenOn returns a pen for a role's colour on another's. In an upright theme it is never
// italic. On a light background it is never bold in one of the eight dark colours of
// sixteen: many terminals draw that in the bright one, which is hard to read there.
func (t Theme) PenOn(fore, back color.Color, strokes Stroke) Pen {
	if c, basic := fore.(ansi.BasicColor); basic && c < ansi.BrightBlack && t.Background == ansi.BrightWhite {
		strokes &^= Bold
	}
	if t.Upright {
		strokes &^= Italic
	}
	return NewPen(fore, back, strokes)
}

// SelectionPen returns the pen for the row under the cursor: reversed where
// there are no colours.
func (t Theme) SelectionPen() Pen {
	if t.Plain {
		return NewPen(nil, nil, Reverse)
	}
	return NewPen(t.SelectionText, t.Selection, 0)
}

// MatchPen returns the pen for what a search found: reversed and bold where
// there are no colours, so that it stands out in the selected row too.
func (t Theme) MatchPen() Pen {
	if t.Plain {
		return NewPen(nil, nil, Reverse|Bold)
	}
	return NewPen(t.MatchText, t.Match, 0)
}

// A Ground is the background of the rows of a screen. The zero Ground is the terminal's
// own.
type Ground struct{ begin string }

// Ground returns the background of everything that is drawn in the theme, with the colour
// of text that no pen has drawn.
func (t Theme) Ground() Ground {
	if t.Background == nil {
		return Ground{}
	}
	return Ground{NewPen(t.Text, t.Background, 0).begin}
}

// Under puts the ground under a row that pens have drawn.
func (g Ground) Under(row string) string {
	if g.begin == "" || row == "" {
		return row
	}
	return g.begin + strings.ReplaceAll(row, ansi.ResetStyle, ansi.ResetStyle+g.begin) + ansi.ResetStyle
}
