package tree

import (
	"image/color"

	"society-tui/themes"
	"society-tui/tui/symbols"
)

// A state of a line: drawn as any other, selected, or selected while the keys
// are elsewhere.
const (
	plain = iota
	chosen
	unfocused
	states
)

// A lineStyle is one pen for each state of a line.
type lineStyle [states]themes.Pen

// styles are all styles of the tree, made once for a theme.
type styles struct {
	text, strong, muted, subtle, lines, accent lineStyle
	kinds                                      map[symbols.Role]lineStyle
	note                                       themes.Pen
}

func newStyles(t themes.Theme) styles {
	// on is the colour over a selected line, where the quietest ones could not be
	// read.
	dip := func(c, on color.Color, s themes.Stroke) lineStyle {
		if t.Plain {
			// Without a ground the selected line is reversed, and underlined while
			// the keys are elsewhere.
			return lineStyle{t.Pen(c, s), t.Pen(nil, s|themes.Reverse), t.Pen(c, s|themes.Underline)}
		}
		return lineStyle{t.Pen(c, s), t.PenOn(on, t.Selection, s), t.PenOn(on, t.Selection, s)}
	}
	p := styles{
		text:   dip(t.Text, t.Text, 0),
		strong: dip(t.Text, t.Text, themes.Bold),
		muted:  dip(t.Muted, t.Muted, 0),
		subtle: dip(t.Subtle, t.Muted, 0),
		lines:  dip(t.Border, t.Subtle, 0),
		accent: dip(t.Accent, t.Accent, themes.Bold),
		kinds:  make(map[symbols.Role]lineStyle),
		note:   t.Pen(t.Subtle, 0),
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
