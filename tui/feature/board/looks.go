package board

import (
	"image/color"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// looks are the styles of a row and of the selected one.
type looks struct {
	plain, chosen          look
	heading, sortedHeading themes.Pen
	set                    symbols.Set
}

type look struct {
	text, muted, accent themes.Pen
	kinds               [symbols.RoleAccent + 1]themes.Pen
}

// SetTheme changes theme and symbols.
func (f *Feature) SetTheme(t themes.Theme, set symbols.Set) {
	f.set, f.frame = set, cells.NewFramer(t, set.Measure, set.ASCII)
	f.set.Still = true // the clock of the screen does not run for the board
	f.heading, f.sortedHeading = t.Pen(t.Muted, 0), t.Pen(t.Accent, themes.Bold)
	f.plain = newLook(t, t.Pen)
	f.chosen = newLook(t, func(role color.Color, s themes.Stroke) themes.Pen {
		if t.Plain {
			return t.Pen(nil, s|themes.Reverse)
		}
		return t.PenOn(role, t.Selection, s)
	})
	if !t.Plain {
		f.chosen.text = t.PenOn(t.SelectionText, t.Selection, themes.Bold)
	}
}

func newLook(t themes.Theme, pen func(color.Color, themes.Stroke) themes.Pen) look {
	l := look{text: pen(t.Text, 0), muted: pen(t.Muted, 0), accent: pen(t.Accent, themes.Bold)}
	for role := range l.kinds {
		of, stroke := symbols.Role(role), themes.Stroke(0)
		if of == symbols.RoleAttention {
			stroke = themes.Bold
		}
		if of == symbols.RoleSubtle { // the faintest colour would be unreadable on the selected row
			of = symbols.RoleMuted
		}
		l.kinds[role] = pen(of.Color(t), stroke)
	}
	return l
}
