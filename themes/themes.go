// Package themes holds the colours of the screen by role. A widget asks its [Theme] for a
// role, never for a colour, so that two themes can be drawn side by side. A [Pen] draws
// with colours.
//
// A theme is a palette, a TOML file; a [Source] finds built-in palettes and the user's
// own. [Auto] suits a terminal's background, [Theme.Indexed] and [Theme.Basic] its number
// of colours, and [Theme.Weak] finds what would be hard to read.
package themes

import (
	"embed"
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// A Theme is a colour for each role. In the theme of Plain every colour is nil,
// which means the terminal's own: a widget that draws with a Pen need not ask.
type Theme struct {
	Name string
	// Plain is set when no background may be painted, because no colour may be written at
	// all (NO_COLOR) or the terminal's own background is not known: bold and reverse replace
	// it.
	Plain bool

	// Upright is set when the terminal has no italics.
	Upright bool

	// Background is behind everything. nil is the terminal's own, which is not painted.
	Background color.Color
	Surface    color.Color // raised from it: dialogs, lists

	Text   color.Color // ordinary writing
	Muted  color.Color // less important writing: times, counts
	Subtle color.Color // the least important that is still read: idle, hints

	Accent    color.Color // what the user is working on: unread, the focused title
	Busy      color.Color // a model is being asked
	Info      color.Color // a tool is running
	Success   color.Color // reported, saved
	Warning   color.Color // retry, pause, draining
	Attention color.Color // someone waits for the user
	Danger    color.Color // errors, and acts that cannot be undone

	Border      color.Color // around a pane
	BorderFocus color.Color // around the pane that has the keys

	Selection     color.Color // behind the row under the cursor
	SelectionText color.Color
	Match         color.Color // behind what a search found
	MatchText     color.Color

	Heading color.Color // headings in messages, titles of panes
	Code    color.Color
	Link    color.Color
	Quote   color.Color

	User  color.Color // the user, where named
	Agent color.Color // an agent, where named

	own color.Color // the terminal's own ground, as far as it is known
}

//go:embed palettes/*.toml
var palettes embed.FS

// Names returns the names of the built-in themes, the one for a dark terminal first.
func Names() []string {
	return []string{"dark", "light", "ember", "lagoon", "shore", "fjord", "heather", "ash", "contrast", "contrast-light"}
}

// ByName returns the built-in theme of that name, or an error that lists all of them.
func ByName(name string) (Theme, error) {
	if slices.Contains(Names(), name) {
		return bundled(name), nil
	}
	return Theme{}, fmt.Errorf("theme %q is not known; there are: %s", name, strings.Join(Names(), ", "))
}

// Plain returns the theme without any colour, for NO_COLOR and plain mode.
func Plain() Theme { return Theme{Name: "plain", Plain: true} }

// bundled reads a built-in palette. One that cannot be read is a mistake in the program,
// which a test finds.
func bundled(name string) Theme {
	b, err := palettes.ReadFile("palettes/" + name + ".toml")
	if err != nil {
		panic(fmt.Sprintf("themes: %v", err))
	}
	t := Theme{Name: name}
	if err := t.lay(name+".toml", b); err != nil {
		panic(fmt.Sprintf("themes: %v", err))
	}
	return t
}

// Dark reports whether text is lighter than its background.
func (t Theme) Dark() bool { return t.Surface != nil && luminance(t.Surface) < luminance(t.Text) }

// A role is one colour of a theme, by its name in files.
type role struct {
	name  string
	place *color.Color
}

// roles returns all colours of the theme.
func (t *Theme) roles() []role {
	return []role{
		{"background", &t.Background},
		{"surface", &t.Surface},
		{"text", &t.Text},
		{"muted", &t.Muted},
		{"subtle", &t.Subtle},
		{"accent", &t.Accent},
		{"busy", &t.Busy},
		{"info", &t.Info},
		{"success", &t.Success},
		{"warning", &t.Warning},
		{"attention", &t.Attention},
		{"danger", &t.Danger},
		{"border", &t.Border},
		{"border_focus", &t.BorderFocus},
		{"selection", &t.Selection},
		{"selection_text", &t.SelectionText},
		{"match", &t.Match},
		{"match_text", &t.MatchText},
		{"heading", &t.Heading},
		{"code", &t.Code},
		{"link", &t.Link},
		{"quote", &t.Quote},
		{"user", &t.User},
		{"agent", &t.Agent},
	}
}
