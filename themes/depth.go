package themes

import (
	"cmp"
	"image/color"
	"slices"

	"github.com/charmbracelet/x/ansi"
)

// Indexed returns the theme for a terminal of 256 colours: each role in the
// nearest of them in which it can still be read. The first sixteen are left out,
// because each terminal has its own.
func (t Theme) Indexed() Theme {
	if t.Plain {
		return t
	}
	made, far := t, color.White
	if !t.Dark() {
		far = color.Black
	}
	if t.Background != nil {
		made.Background = nearest(t.Background, func(c color.Color) bool { return Contrast(c, far) >= 10 })
	}
	ground := cmp.Or(made.under("background"), color.Color(color.Black)) // not known yet
	apart := func(least, most float64) func(color.Color) bool {
		return func(c color.Color) bool {
			got := Contrast(c, ground)
			return got >= least && got <= most && Contrast(c, far) >= 7 // so that there are colours between the two
		}
	}
	// On a background in the middle none is that far from the text.
	written := func(c color.Color) bool { return Contrast(c, far) >= Readable }
	selected := func(c color.Color) bool { return written(c) && Contrast(c, ground) >= leastSelection }
	made.Surface = nearest(t.Surface, apart(1, 1.5), written)
	made.Selection = nearest(t.Selection, apart(leastSelection, 2.5), selected)
	made.Match = nearest(t.Match, apart(leastSelection, 21), selected)
	made.Border = nearest(t.Border, func(c color.Color) bool { return Contrast(c, ground) >= leastBorder })
	for _, r := range made.roles() {
		on := grounds(r.name)
		if len(on) == 0 {
			continue
		}
		*r.place = nearest(*r.place, func(c color.Color) bool {
			return !slices.ContainsFunc(on, func(name string) bool {
				under := made.under(name)
				return under != nil && Contrast(c, under) < Readable
			})
		})
	}
	return made
}

// nearest returns the colour of a terminal of 256 that is most like c, of those that are
// fit. The next fit counts where no colour meets the one before, after the last any.
func nearest(c color.Color, fits ...func(color.Color) bool) color.Color {
	for _, fit := range append(fits, func(color.Color) bool { return true }) {
		var best color.Color
		var bestFar float64
		for i := 16; i < 256; i++ {
			candidate := ansi.IndexedColor(i)
			if far := distance(c, candidate); (best == nil || far < bestFar) && fit(candidate) {
				best, bestFar = candidate, far
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// distance returns roughly how different two colours look, by brightness first.
func distance(a, b color.Color) float64 {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	part := func(x, y uint32) float64 {
		d := (float64(x) - float64(y)) / 0xffff
		return d * d
	}
	return 2*part(ar, br) + 4*part(ag, bg) + 3*part(ab, bb)
}

// Basic returns the theme for a terminal of sixteen colours, which look as the
// terminal has them: all dark themes are alike there, and all light ones.
func (t Theme) Basic() Theme {
	if t.Plain { // none of the sixteen can be read everywhere
		return Plain()
	}
	made := basicLight()
	if t.Dark() {
		made = basicDark()
	}
	made.Name = t.Name
	return made
}

// basicDark and basicLight are the themes of sixteen colours. Text and background are as
// far from each other as in all palettes of terminals.
func basicDark() Theme {
	return Theme{
		Background: ansi.Black, Surface: ansi.Black,
		Selection: ansi.Blue, SelectionText: ansi.BrightWhite, Match: ansi.Yellow, MatchText: ansi.Black,
		Text: ansi.BrightWhite, Muted: ansi.White, Subtle: ansi.White, Heading: ansi.BrightCyan,
		Accent: ansi.BrightCyan, Busy: ansi.BrightMagenta, Info: ansi.BrightCyan, Success: ansi.BrightGreen,
		Warning: ansi.BrightYellow, Attention: ansi.BrightYellow, Danger: ansi.BrightRed,
		Border: ansi.BrightBlack, BorderFocus: ansi.BrightCyan,
		Code: ansi.BrightYellow, Link: ansi.BrightCyan, Quote: ansi.White, User: ansi.BrightGreen, Agent: ansi.BrightMagenta,
	}
}

func basicLight() Theme {
	return Theme{
		Background: ansi.BrightWhite, Surface: ansi.BrightWhite,
		Selection: ansi.White, SelectionText: ansi.Black, Match: ansi.Yellow, MatchText: ansi.Black,
		Text: ansi.Black, Muted: ansi.Black, Subtle: ansi.Black, Heading: ansi.Blue,
		Accent: ansi.Blue, Busy: ansi.Magenta, Info: ansi.Blue, Success: ansi.Black,
		Warning: ansi.Magenta, Attention: ansi.Red, Danger: ansi.Red,
		Border: ansi.BrightBlack, BorderFocus: ansi.Blue,
		Code: ansi.Magenta, Link: ansi.Blue, Quote: ansi.Black, User: ansi.Blue, Agent: ansi.Magenta,
	}
}
