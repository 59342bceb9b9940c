package tui

import (
	"github.com/charmbracelet/colorprofile"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/terminal"
)

// An appearance is what all that draws is styled with.
type appearance struct {
	traits   terminal.Traits
	profile  colorprofile.Profile // how many colours the terminal has
	applied  styling              // what theme was made for
	theme    themes.Theme
	backdrop backdrop
	styles   styles
	frame    cells.Framer
}

// A styling is all that decides on the theme.
type styling struct {
	name       string
	reads      int             // how often themes were read from their files
	background terminal.Ground // of the terminal, where the theme is to suit it
	profile    colorprofile.Profile
}

// styles are what the app itself draws with: the completion, the first run.
type styles struct {
	text, muted, key, title, chosen themes.Pen
}

// A backdrop is the background of the theme under the rows of the screen. It keeps what
// it has drawn, because most rows are as they were in the frame before. Here alone rows
// become such that every terminal can draw them: whatever is copied is whole.
type backdrop struct {
	ground      themes.Ground
	written     bool // blanks must be written, see terminal.WriteBlanks
	bare, drawn []string
}

// under draws the background under rows.
func (b *backdrop) under(m cells.Measure, rows []string) []string {
	drawn := make([]string, len(rows))
	for y, row := range rows {
		if y < len(b.bare) && b.bare[y] == row {
			drawn[y] = b.drawn[y]
		} else {
			drawn[y] = b.ground.Under(m.Portable(row))
			if b.written {
				drawn[y] = terminal.WriteBlanks(drawn[y])
			}
		}
	}
	b.bare, b.drawn = rows, drawn
	return drawn
}
