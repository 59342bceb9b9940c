package dialog

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/tui/cells/cellstest"
)

func tabbed() Dialog {
	d := Dialog{Kind: "help", Title: "Help", Wide: true, Report: true, Buttons: []Button{{Label: "Close"}}, Search: &Search{Nothing: "nothing"}}
	for _, label := range []string{"Start", "全局", "Composer", "Agents", "Conversation", "Lists", "Symbols"} {
		body := []Line{{Tone: Strong, Text: "all of " + label}, {Key: "k", Text: "does " + label}}
		d.Tabs = append(d.Tabs, Tab{Label: label, Body: body})
		d.Search.In = append(d.Search.In, body...)
	}
	return d
}

// The shown tab is marked and its body below it, at every width and after any keys.
func TestTabsShowTheirBodies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := english()
		s.Open(tabbed(), noon)
		labels, at := tabbed().Tabs, 0
		width, height := rapid.IntRange(30, 120).Draw(t, "width"), rapid.IntRange(12, 40).Draw(t, "height")
		for _, by := range rapid.SliceOfN(rapid.SampledFrom([]int{-1, 1}), 0, 10).Draw(t, "turns") {
			press(s, noon, map[int]string{-1: "left", 1: "right"}[by])
			at = (at + by + len(labels)) % len(labels)
			rows, _, _ := s.Rows(width, height)
			if got := ansi.Strip(strings.Join(rows, "\n")); !strings.Contains(got, "does "+labels[at].Label) {
				t.Fatalf("tab %d of %dx%d shows\n%s", at, width, height, got)
			}
			if row := ansi.Strip(rows[s.top().tabRow]); !strings.Contains(row, labels[at].Label) {
				t.Fatalf("tab %d is not in %q", at, row)
			}
		}
	})
}

func TestTabsAreClickedAndSearchedTogether(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(tabbed(), noon)
	rows, _, _ := s.Rows(60, 24)
	cellstest.Widths(t, rows, 56)
	tabs := ansi.Strip(rows[s.top().tabRow])
	if !strings.HasSuffix(strings.TrimRight(tabs, " │"), "Lists …") {
		t.Errorf("the row of tabs does not say that there are more: %q", tabs)
	}
	before, _, _ := strings.Cut(tabs, "Agents")
	s.Click(s.set.Width(before)+1, s.top().tabRow, noon)
	if got := seen(s, 60, 24); !strings.Contains(got, "does Agents") || strings.Contains(got, "does Start") {
		t.Errorf("after a click on Agents:\n%s", got)
	}
	write(s, "lists")
	if got := seen(s, 60, 24); !strings.Contains(got, "does Lists") || strings.Contains(got, "does Agents") {
		t.Errorf("the search for lists shows\n%s", got)
	}
	press(s, noon, "right")
	if got := seen(s, 60, 24); !strings.Contains(got, "does Conversation") || !strings.Contains(got, "type to search") {
		t.Errorf("the next tab during a search shows\n%s", got)
	}
}
