package themes

import (
	"image/color"
	"math"
	"slices"
)

// Readable is the least contrast between text and its background (WCAG 2, level AA).
const Readable = 4.5

// Contrast returns the ratio of WCAG 2: 1 for equal colours, 21 for black on white.
func Contrast(a, b color.Color) float64 {
	light, dark := luminance(a), luminance(b)
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

func luminance(c color.Color) float64 {
	part := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

// A Pair is text and its background, by their roles, with their contrast.
type Pair struct {
	Writing, Ground string
	Contrast        float64
}

// grounds returns the backgrounds that a role of text has somewhere on the screen.
func grounds(writing string) []string {
	switch writing {
	case "background", "surface", "selection", "match", "border": // no writing
		return nil
	case "selection_text":
		return []string{"selection"}
	case "match_text":
		return []string{"match"}
	case "text", "muted", "accent", "busy", "info", "success", "warning", "attention", "danger":
		return []string{"background", "surface", "selection"} // in the selected row of the tree too
	}
	return []string{"background", "surface"}
}

// under returns the colour of a background, nil if it is the terminal's and not known.
func (t *Theme) under(ground string) color.Color {
	switch ground {
	case "surface":
		return t.Surface
	case "selection":
		return t.Selection
	case "match":
		return t.Match
	}
	if t.Background != nil {
		return t.Background
	}
	return t.own
}

// Weak returns the pairs of text and background that are hard to read, the worst first.
func (t Theme) Weak() []Pair {
	var weak []Pair
	for _, p := range t.pairs() {
		if p.Contrast < Readable {
			weak = append(weak, p)
		}
	}
	slices.SortStableFunc(weak, func(a, b Pair) int {
		switch {
		case a.Contrast < b.Contrast:
			return -1
		case a.Contrast > b.Contrast:
			return 1
		}
		return 0
	})
	return weak
}

// pairs returns all pairs of text and background that are drawn.
func (t *Theme) pairs() []Pair {
	var pairs []Pair
	for _, r := range t.roles() {
		for _, ground := range grounds(r.name) {
			if writing, on := *r.place, t.under(ground); writing != nil && on != nil {
				pairs = append(pairs, Pair{r.name, ground, Contrast(writing, on)})
			}
		}
	}
	return pairs
}
