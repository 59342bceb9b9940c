// Package themes holds the colours of the screen by what they are for. A room
// asks for a role and never for a colour, and is handed its Theme, so that two
// themes can be drawn side by side.
package themes

import (
	"embed"
	"encoding/hex"
	"fmt"
	"image/color"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A Theme is a colour for each role. In the theme of Plain every colour is nil,
// which means the terminal's own: a room that draws with a Pen need not ask.
type Theme struct {
	Name string
	// Dark is set when the writing is lighter than what it stands on.
	Dark bool
	// Plain is set when no colour may be written at all (NO_COLOR): what a
	// colour would tell is told by bold and reverse instead.
	Plain bool

	Background color.Color // what everything stands on
	Surface    color.Color // raised from it: dialogs, the header, the composer

	Text   color.Color // ordinary writing
	Muted  color.Color // less important writing: times, counts
	Subtle color.Color // the least important that is still read: idle, hints

	Accent    color.Color // what the person is working on: unread, the focused title
	Busy      color.Color // a model is being asked
	Info      color.Color // a tool is running
	Success   color.Color // reported, saved
	Warning   color.Color // retry, pause, draining
	Attention color.Color // someone waits for the person
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

	User  color.Color // the person, where named
	Agent color.Color // an agent, where named
}

//go:embed palettes/*.toml
var palettes embed.FS

// Names returns the names of the themes that come with the program, for a
// picker: the one for a dark terminal first.
func Names() []string { return []string{"dark", "light"} }

// ByName returns the theme of that name, or an error that lists those there are.
func ByName(name string) (Theme, error) {
	for _, known := range Names() {
		if name == known {
			return bundled(name), nil
		}
	}
	return Theme{}, fmt.Errorf("theme %q is not known; there are: %s", name, strings.Join(Names(), ", "))
}

// Auto returns the theme for a terminal whose ground is dark or not. Until the
// terminal has said so, dark is the better guess.
func Auto(dark bool) Theme {
	if dark {
		return bundled("dark")
	}
	return bundled("light")
}

// Plain returns the theme without any colour, for NO_COLOR and plain mode.
func Plain() Theme { return Theme{Name: "plain", Plain: true} }

// bundled reads a palette of our own. One that cannot be read is a mistake in
// the program, which a test finds before any user can.
func bundled(name string) Theme {
	b, err := palettes.ReadFile("palettes/" + name + ".toml")
	if err != nil {
		panic(fmt.Sprintf("themes: %v", err))
	}
	t, err := parse(name, b)
	if err != nil {
		panic(fmt.Sprintf("themes: palette %s: %v", name, err))
	}
	return t
}

// parse reads a palette: each role once, nothing else.
func parse(name string, b []byte) (Theme, error) {
	written := make(map[string]any)
	if err := toml.Unmarshal(b, &written); err != nil {
		return Theme{}, err
	}
	t := Theme{Name: name}
	dark, ok := written["dark"].(bool)
	if !ok {
		return Theme{}, fmt.Errorf("dark is neither true nor false")
	}
	t.Dark = dark
	delete(written, "dark")
	for key, role := range t.roles() {
		text, ok := written[key].(string)
		if !ok {
			return Theme{}, fmt.Errorf("%s is not given", key)
		}
		c, err := shade(text)
		if err != nil {
			return Theme{}, fmt.Errorf("%s: %w", key, err)
		}
		*role = c
		delete(written, key)
	}
	for key := range written {
		return Theme{}, fmt.Errorf("%s is not a role", key)
	}
	return t, nil
}

// roles names the place of each colour as palettes write it.
func (t *Theme) roles() map[string]*color.Color {
	return map[string]*color.Color{
		"background": &t.Background, "surface": &t.Surface,
		"text": &t.Text, "muted": &t.Muted, "subtle": &t.Subtle,
		"accent": &t.Accent, "busy": &t.Busy, "info": &t.Info,
		"success": &t.Success, "warning": &t.Warning,
		"attention": &t.Attention, "danger": &t.Danger,
		"border": &t.Border, "border_focus": &t.BorderFocus,
		"selection": &t.Selection, "selection_text": &t.SelectionText,
		"match": &t.Match, "match_text": &t.MatchText,
		"heading": &t.Heading, "code": &t.Code, "link": &t.Link, "quote": &t.Quote,
		"user": &t.User, "agent": &t.Agent,
	}
}

// shade reads a colour written as #rrggbb.
func shade(s string) (color.Color, error) {
	digits, ok := strings.CutPrefix(s, "#")
	rgb, err := hex.DecodeString(digits)
	if !ok || err != nil || len(rgb) != 3 {
		return nil, fmt.Errorf("%q is not of the form #rrggbb", s)
	}
	return color.RGBA{R: rgb[0], G: rgb[1], B: rgb[2], A: 0xff}, nil
}
