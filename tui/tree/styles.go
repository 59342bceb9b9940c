package tree

import (
	"image/color"

	"society-tui/themes"
	"society-tui/tui/symbols"
)

// The state of a line: normal, selected, or selected without focus.
const (
	plain = iota
	chosen
	unfocused
	states
)

// A lineStyle is a style for each state of a line.
type lineStyle [states]themes.Pen

// styles holds all styles of the tree, made once for a theme.
type styles struct {
	text, strong, muted, subtle, lines, accent lineStyle
	kinds                                      map[symbols.Role]lineStyle
	note, heading                              themes.Pen
}

func newStyles(t themes.Theme) styles {
	// on is the colour on a selected line, where the faintest ones would be
	// unreadable.
	dip := func(c, on color.Color, s themes.Stroke) lineStyle {
		if t.Plain {
			// Without a background colour the selected line is reversed, and underlined
			// without focus.
			return lineStyle{t.Pen(c, s), t.Pen(nil, s|themes.Reverse), t.Pen(c, s|themes.Underline)}
		}
		return lineStyle{t.Pen(c, s), t.PenOn(on, t.Selection, s), t.PenOn(on, t.Selection, s)}
	}
	p := styles{
		text:    dip(t.Text, t.Text, 0),
		strong:  dip(t.Text, t.Text, themes.Bold),
		muted:   dip(t.Muted, t.Muted, 0),
		subtle:  dip(t.Subtle, t.Muted, 0),
		lines:   dip(t.Border, t.Subtle, 0),
		accent:  dip(t.Accent, t.Accent, themes.Bold),
		kinds:   make(map[symbols.Role]lineStyle),
		note:    t.Pen(t.Subtle, 0),
		heading: t.Pen(t.Heading, themes.Bold),
	}
	if !t.Plain {
		p.text[chosen] = t.PenOn(t.SelectionText, t.Selection, themes.Bold)
		p.strong[chosen] = p.text[chosen]
	}
	for role := symbols.RoleSubtle; role <= symbols.RoleAccent; role++ {
		stroke := themes.Stroke(0)
		if role == symbols.RoleAttention {
			stroke = themes.Bold
		}
		on := role.Color(t)
		if role == symbols.RoleSubtle {
			on = t.Muted
		}
		p.kinds[role] = dip(role.Color(t), on, stroke)
	}
	return p
}
