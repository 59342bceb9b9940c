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
	resting
	states
)

// A brush is one pen for each state of a line.
type brush [states]themes.Pen

// pens are all pens of the tree, made once for a theme.
type pens struct {
	text, strong, muted, subtle, lines, accent brush
	kinds                                      map[symbols.Role]brush
	note                                       themes.Pen
}

func newPens(t themes.Theme) pens {
	// on is the colour over a selected line, where the quietest ones could not be
	// read.
	dip := func(c, on color.Color, s themes.Stroke) brush {
		if t.Plain {
			// Without a ground the selected line is reversed, and underlined while
			// the keys are elsewhere.
			return brush{t.Pen(c, s), t.Pen(nil, s|themes.Reverse), t.Pen(c, s|themes.Underline)}
		}
		return brush{t.Pen(c, s), t.PenOn(on, t.Selection, s), t.PenOn(on, t.Selection, s)}
	}
	p := pens{
		text:   dip(t.Text, t.Text, 0),
		strong: dip(t.Text, t.Text, themes.Bold),
		muted:  dip(t.Muted, t.Muted, 0),
		subtle: dip(t.Subtle, t.Muted, 0),
		lines:  dip(t.Border, t.Subtle, 0),
		accent: dip(t.Accent, t.Accent, themes.Bold),
		kinds:  make(map[symbols.Role]brush),
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
