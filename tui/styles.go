package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/terminal"
)

// An appearance is the current theme and its origin.
type appearance struct {
	chosen   themeChoice
	traits   terminal.Traits
	profile  colorprofile.Profile // the terminal's colours
	applied  styling              // the styling that theme was made for
	theme    themes.Theme
	backdrop backdrop
	veil     veil
	styles   styles
	frame    cells.Framer
}

// A themeChoice is which theme the user wants.
type themeChoice interface {
	// Wanted returns the name of the theme to draw in, and the number of reads of
	// the theme files, because each may have changed the theme.
	Wanted() (name string, reads int)
	// Theme returns a theme by name; ok is false for auto, and for an unusable one.
	Theme(name string) (theme themes.Theme, ok bool)
	// Saved returns the choice to save, Restore applies a saved one.
	Saved() string
	Restore(saved string) tea.Cmd
}

// A styling is everything that determines the theme.
type styling struct {
	name       string
	reads      int             // number of reads of the theme files
	background terminal.Ground // of the terminal, if the theme depends on it
	profile    colorprofile.Profile
}

// styles are the app's own: completion and first run.
type styles struct {
	text, muted, key, title, chosen themes.Pen
}

// A veil dims the rows under a dialog. It caches rows as a backdrop does.
type veil struct {
	pen         themes.Pen
	bare, drawn []string
}

// over returns rows without their styles in the veil's, except those that stay. Characters
// that only a style kept apart, as the halves of a flag, become one: the row is filled again.
func (v *veil) over(m cells.Measure, rows []string, stays func(y int) bool) []string {
	drawn := make([]string, len(rows))
	bare := slices.Clone(rows)
	for y, row := range rows {
		switch {
		case stays(y):
			bare[y], drawn[y] = "", row // not dimmed
		case y < len(v.bare) && v.bare[y] == row:
			drawn[y] = v.drawn[y]
		default:
			drawn[y] = v.pen.Draw(m.Fit(ansi.Strip(row), m.Width(row), ""))
		}
	}
	v.bare, v.drawn = bare, slices.Clone(drawn) // the dialog is drawn over the rows
	return drawn
}

// A backdrop draws the theme's background under the rows of the screen. It
// caches rows, because most are unchanged from the frame before. Only here rows
// are made portable, so that copied text stays complete.
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
