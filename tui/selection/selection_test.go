package selection_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/selection"
)

// Property: a row keeps width and text, the reversed text is the copied one,
// and no character is split.
func TestReversedTextIsCopied(t *testing.T) {
	t.Parallel()
	pen := themes.NewPen(nil, nil, themes.Bold)
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", "bc", " ", "第", "七章", "é", "e\u0301", "👍🏽", "│"})
		var row strings.Builder
		for _, p := range rapid.SliceOfN(piece, 0, 12).Draw(t, "row") {
			if rapid.Bool().Draw(t, "styled") {
				p = pen.Draw(p)
			}
			row.WriteString(p)
		}
		spot := rapid.Custom(func(t *rapid.T) selection.Spot {
			return selection.Spot{Item: rapid.IntRange(0, 1).Draw(t, "item"), Row: rapid.IntRange(0, 1).Draw(t, "row"), Cell: rapid.IntRange(0, 20).Draw(t, "cell")}
		})
		var s selection.Selection
		from, to := spot.Draw(t, "from"), spot.Draw(t, "to")
		s.Grab(from)
		if on := s.Drag(to); on != (from != to) {
			t.Fatalf("from %v to %v marks: %v", from, to, on)
		}
		drawn := s.Draw(cells.ByCodePoint, row.String(), 0, 1)
		if ansi.Strip(drawn) != ansi.Strip(row.String()) || cells.ByCodePoint.Width(drawn) != cells.ByCodePoint.Width(row.String()) {
			t.Fatalf("%q is drawn as %q", row.String(), drawn)
		}
		_, reversed, _ := strings.Cut(drawn, "\x1b[7m")
		reversed, _, _ = strings.Cut(reversed, "\x1b[m")
		got := s.Text(cells.ByCodePoint, []selection.Line{{Text: row.String(), Row: 1}})
		if got != strings.TrimRight(reversed, " ") {
			t.Fatalf("%q is drawn as %q, and %q is copied", row.String(), drawn, got)
		}
		if !strings.Contains(ansi.Strip(row.String()), got) {
			t.Fatalf("%q is copied of %q", got, row.String())
		}
	})
}

func TestRowsOfOneLineAreOneLine(t *testing.T) {
	t.Parallel()
	rows := []selection.Line{
		{Text: "- one two  ", Row: 0},
		{Text: "  three    ", Row: 1, Soft: true, Gap: " ", Lead: 2},
		{Text: "  four     ", Row: 2, Soft: true, Lead: 2},
		{Text: "next       ", Row: 3},
	}
	for want, ends := range map[string][2]selection.Spot{
		"- one two threefour\nnext": {{Row: 0}, {Row: 3, Cell: 10}},
		"two three":                 {{Row: 1, Cell: 6}, {Row: 0, Cell: 6}},
		"reefour\nn":                {{Row: 1, Cell: 4}, {Row: 3}},
		"threefour":                 {{Row: 1}, {Row: 2, Cell: 8}},
	} {
		var s selection.Selection
		s.Grab(ends[0])
		s.Drag(ends[1])
		if got := s.Text(cells.ByCodePoint, rows); got != want {
			t.Errorf("from %v to %v is %q, want %q", ends[0], ends[1], got, want)
		}
	}
}

func TestSelectionHoldsWhenOnlyDigitsAndSignsChange(t *testing.T) {
	t.Parallel()
	var s selection.Selection
	s.Keep("⠋ web-1 thinking 3s")
	for text, want := range map[string]bool{"⠙ web-1 thinking 4s": true, "⠋ web-1 thinking 3s": true, "· web-1 idle 0s": false, "": false} {
		if s.Holds(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
