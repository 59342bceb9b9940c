package tree

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/society"
)

func TestTypingAFilterSelectsAMatch(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Select("draft-2")
	r.BeginFilter()
	for i, c := range "librar" {
		r.TypeFilter(string(c))
		r.Rows(44, 30)
		if i == 5 && r.Selected() != "librarian" {
			t.Errorf("%s is selected", r.Selected())
		}
	}
	r.ClearFilter()
	if r.Selected() != "draft-2" {
		t.Errorf("after it %s is selected", r.Selected())
	}
	// The selected agent stays selected while it matches.
	r.BeginFilter()
	r.TypeFilter("draft")
	if r.Selected() != "draft-2" {
		t.Errorf("%s is selected", r.Selected())
	}
	r.TypeFilter("-3")
	if r.Selected() != "draft-3" {
		t.Errorf("%s is selected", r.Selected())
	}
	for range 2 {
		r.BackspaceFilter()
	}
	if r.Selected() != "draft-2" {
		t.Errorf("after backspace %s is selected", r.Selected())
	}
	r.ClearFilter()
	// The inbox matches nothing.
	r.Select(society.User)
	r.BeginFilter()
	r.TypeFilter("role:web web-4")
	if r.Selected() != "web-4" {
		t.Errorf("%s is selected", r.Selected())
	}
	r.ClearFilter()
	if r.Selected() != society.User {
		t.Errorf("after it %s is selected", r.Selected())
	}
}

func TestEndOfALongFilterIsVisible(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.BeginFilter()
	r.TypeFilter("a very long filter that nobody could 第七章 read to its end")
	for _, width := range []int{28, 44, 48} {
		top := ansi.Strip(r.Rows(width, 12)[0])
		if !strings.Contains(top, "its end") || !strings.Contains(top, "▌/…") {
			t.Errorf("at %d the edge is %s", width, top)
		}
		x, y, ok := r.Cursor(width)
		if before, _, _ := strings.Cut(top, "its end"); !ok || y != 0 || x != ansi.StringWidthWc(before)+len("its end") {
			t.Errorf("at %d the cursor is at %d,%d in %s", width, x, y, top)
		}
	}
}
