package list

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

func opened(items ...Item) *Model {
	r := New(themes.Auto(color.Black), symbols.Set{})
	r.Open("Roles", "There are no roles.", items)
	return r
}

// numbered returns items of two rows each.
func numbered(n int) []Item {
	items := make([]Item, n)
	for i := range items {
		items[i] = Item{ID: fmt.Sprint("id-", i), Name: fmt.Sprint("name ", i), Note: "a note", Text: "what it is"}
	}
	return items
}

func shown(r *Model, width, height int) string {
	rows, _, _ := r.Rows(width, height)
	return ansi.Strip(strings.Join(rows, "\n"))
}

func picked(t *testing.T, r *Model, want string) {
	t.Helper()
	if item, ok := r.Picked(); !ok || item.ID != want {
		t.Errorf("picked is %q, %t, want %q", item.ID, ok, want)
	}
}

func TestAClosedListIsNotDrawnAndNothingIsPicked(t *testing.T) {
	t.Parallel()
	r := New(themes.Plain(), symbols.Set{})
	closed := func() {
		t.Helper()
		if _, ok := r.Picked(); ok || r.IsOpen() || shown(r, 80, 24) != "" {
			t.Errorf("open: %v, drawn\n%s", r.IsOpen(), shown(r, 80, 24))
		}
	}
	closed()
	r.Open("Roles", "", numbered(2))
	picked(t, r, "id-0")
	r.Close()
	closed()
}

func TestAnEmptyListSaysSoAndTakesEveryKey(t *testing.T) {
	t.Parallel()
	r := opened()
	if text := shown(r, 80, 24); !strings.Contains(text, "There are no roles.") || !strings.Contains(text, "Roles") {
		t.Errorf("drawn is\n%s", text)
	}
	for _, press := range []func(){func() { r.Move(1) }, func() { r.Move(-1) }, func() { r.Page(1) }, func() { r.Page(-1) }, r.First, r.Last} {
		press()
		if item, ok := r.Picked(); ok {
			t.Errorf("picked is %+v", item)
		}
	}
}

func TestTheKeysGoThroughTheListAndStayWithin(t *testing.T) {
	t.Parallel()
	r := opened(numbered(30)...)
	r.Rows(80, 24)
	for i, step := range []struct {
		press func()
		want  string
	}{
		{func() { r.Move(-1) }, "id-0"},
		{func() { r.Move(1) }, "id-1"},
		{r.Last, "id-29"},
		{func() { r.Move(1) }, "id-29"},
		{func() { r.Page(1) }, "id-29"},
		{r.First, "id-0"},
		{func() { r.Page(1) }, "id-8"}, // 18 rows, one of which stays visible
		{func() { r.Page(-1) }, "id-0"},
		{func() { r.Pick("id-7") }, "id-7"},
		{func() { r.Pick("nobody") }, "id-7"},
	} {
		step.press()
		if item, _ := r.Picked(); item.ID != step.want {
			t.Errorf("step %d: picked is %s, want %s", i, item.ID, step.want)
		}
	}
}

func TestReopenedListKeepsItsSelection(t *testing.T) {
	t.Parallel()
	r := opened(numbered(5)...)
	r.Pick("id-3")
	r.Open("Roles", "", numbered(5)[2:])
	picked(t, r, "id-3")
	r.Open("Roles", "", numbered(3)) // it was removed: the nearest is selected
	picked(t, r, "id-1")
	r.Close()
	r.Open("Templates", "", numbered(5))
	picked(t, r, "id-0")
}

func TestReopenedListKeepsItsScrollPosition(t *testing.T) {
	t.Parallel()
	all := numbered(60)
	r := opened(all[5:]...)
	r.Pick("id-50")
	r.Rows(80, 20)
	r.Move(-5) // the selection is not at an edge
	before := shown(r, 80, 20)
	r.Open("Roles", "", all)
	if after := shown(r, 80, 20); list(after) != list(before) {
		t.Errorf("seen was\n%s\nnow\n%s", before, after)
	}
}

func TestClickSelectsAndReportsASecondClick(t *testing.T) {
	t.Parallel()
	r := opened(numbered(3)...)
	_, x, y := r.Rows(80, 24)
	if on, again, outside := r.Click(x+5, y+1+3); !on || again || outside { // the second row of the second item
		t.Errorf("on %t, again %t, outside %t", on, again, outside)
	}
	picked(t, r, "id-1")
	if _, again, outside := r.Click(x+5, y+1+2); !again || outside {
		t.Errorf("again %t, outside %t", again, outside)
	}
	if on, again, outside := r.Click(x+5, y); on || again || outside { // its frame
		t.Errorf("the frame: on %t, again %t, outside %t", on, again, outside)
	}
	if _, again, outside := r.Click(x-1, y+1); again || !outside {
		t.Errorf("beside it: again %t, outside %t", again, outside)
	}
	picked(t, r, "id-1")
}

func TestAClickOnAHeadingIsOnNoItem(t *testing.T) {
	t.Parallel()
	r := opened(Item{ID: "a", Name: "first"}, Item{ID: "b", Name: "second", Head: "Others"})
	_, x, y := r.Rows(80, 24)
	if on, again, outside := r.Click(x+5, y+2); on || again || outside {
		t.Errorf("on %t, again %t, outside %t", on, again, outside)
	}
	picked(t, r, "a")
	if on, _, _ := r.Click(x+5, y+3); !on {
		t.Error("the row below the heading is on no item")
	}
	picked(t, r, "b")
}

func TestALongNameIsCutBeforeItsNoteAndALongTextEnds(t *testing.T) {
	t.Parallel()
	r := opened(Item{ID: "a", Name: strings.Repeat("very long name ", 20), Note: "built in", Text: strings.Repeat("word ", 200)})
	text := shown(r, 60, 20)
	if !strings.Contains(text, "…") || strings.Count(text, "word") == 0 || strings.Count(text, "\n") != mostText+2 || !strings.Contains(text, "… built in │") {
		t.Errorf("drawn is\n%s", text)
	}
	for _, name := range []string{"short", "批评者批评者"} {
		r = opened(Item{ID: "a", Name: name, Note: "built in"})
		if text := shown(r, 60, 20); !strings.Contains(text, "▸ "+name) || !strings.Contains(text, "built in │") {
			t.Errorf("drawn is\n%s", text)
		}
	}
}

func TestSlimListIsNarrowAndAtTheRight(t *testing.T) {
	t.Parallel()
	r := opened(Item{ID: "a", Name: "ember", Note: "dark", Text: strings.Repeat("hard to read ", 5)}, Item{ID: "b", Name: "contrast-light", Note: "light"})
	wide, _, _ := r.Rows(100, 30)
	r.Slim()
	rows, x, y := r.Rows(100, 30)
	w := cells.ByCodePoint.Width(rows[0])
	if w > slimText || w >= cells.ByCodePoint.Width(wide[0]) || x+w != 98 {
		t.Errorf("%d cells wide at %d", w, x)
	}
	if text := shown(r, 100, 30); !strings.Contains(text, "contrast-light") || !strings.Contains(text, "light │") {
		t.Errorf("drawn is\n%s", text)
	}
	if _, again, outside := r.Click(x+1, y+1); !again || outside {
		t.Errorf("Click() = %v, %v, want true, false", again, outside)
	}
	r.Open("Roles", "", numbered(3))
	if again, _, _ := r.Rows(100, 30); cells.ByCodePoint.Width(again[0]) != cells.ByCodePoint.Width(wide[0]) {
		t.Errorf("width of the next list = %d, want %d", cells.ByCodePoint.Width(again[0]), cells.ByCodePoint.Width(wide[0]))
	}
}

func TestFaultyItemsAreMarkedWithoutColour(t *testing.T) {
	t.Parallel()
	for mark, set := range map[string]symbols.Set{"✗ broken": {}, "! broken": {ASCII: true}} {
		r := New(themes.Plain(), set)
		r.Open("Templates", "", []Item{{ID: "a", Name: "good"}, {ID: "b", Name: "broken", Bad: true}})
		if text := shown(r, 60, 20); !strings.Contains(text, mark) || strings.Contains(text, mark[:len(mark)-6]+"good") {
			t.Errorf("drawn is\n%s", text)
		}
	}
}

// Property: at each size all rows are equally wide and within the screen, and
// the selected name is visible.
func TestRowsFitAndShowTheSelection(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		items := make([]Item, rapid.IntRange(0, 12).Draw(t, "items"))
		for i := range items {
			items[i] = Item{
				ID: fmt.Sprint(i), Name: fmt.Sprint(i, "·") + rapid.SampledFrom([]string{"", "ada", "批评者", strings.Repeat("long ", 40)}).Draw(t, "name"),
				Note: rapid.SampledFrom([]string{"", "built in", strings.Repeat("路径", 40)}).Draw(t, "note"),
				Text: strings.Repeat("字 word ", rapid.IntRange(0, 60).Draw(t, "text")), Bad: rapid.Bool().Draw(t, "bad"),
			}
		}
		r := opened(items...)
		if rapid.Bool().Draw(t, "slim") {
			r.Slim()
		}
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			rapid.SampledFrom([]func(){func() { r.Move(1) }, func() { r.Move(-1) }, func() { r.Page(1) }, func() { r.Page(-1) }, r.Last, r.First}).Draw(t, "key")()
			width, height := rapid.IntRange(12, 160).Draw(t, "width"), rapid.IntRange(4, 50).Draw(t, "height")
			rows, x, y := r.Rows(width, height)
			if len(rows) == 0 || x < 0 || y < 0 || y+len(rows) > height {
				t.Fatalf("%d rows at %d,%d of %dx%d", len(rows), x, y, width, height)
			}
			for _, row := range rows {
				if w := cells.ByCodePoint.Width(row); w != cells.ByCodePoint.Width(rows[0]) || x+w > width {
					t.Fatalf("%d cells at %d of %d, the first has %d: %q", w, x, width, cells.ByCodePoint.Width(rows[0]), ansi.Strip(row))
				}
			}
			if _, ok := r.Picked(); ok && !strings.Contains(ansi.Strip(strings.Join(rows, "\n")), "▸ ") {
				t.Fatalf("what is picked is not in\n%s", ansi.Strip(strings.Join(rows, "\n")))
			}
		}
	})
}

// Rows stay in place while items are added and removed around them, under any
// search; a selection at the end follows the end.
func TestRenewKeepsThePositionAndFollowsTheEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := numbered(200)
		for i := range all {
			all[i].Tag = []string{"odd", "even"}[i%2]
		}
		upto := rapid.IntRange(40, 100).Draw(t, "upto")
		r := opened(all[:upto]...)
		r.Sift()
		if rapid.Bool().Draw(t, "search") {
			r.Type("name")
		}
		if rapid.Bool().Draw(t, "tag") {
			r.NextTag()
		}
		r.Move(rapid.IntRange(0, upto).Draw(t, "mark"))
		before := shown(r, 80, 20)
		was, _ := r.Picked()
		follows := r.at == len(r.items)-1
		gone, more := rapid.IntRange(0, 3).Draw(t, "gone"), rapid.IntRange(1, 40).Draw(t, "more")
		lost := false // the top or the selected item was removed
		for _, i := range all[:gone] {
			at := slices.IndexFunc(r.items, func(seen Item) bool { return seen.ID == i.ID })
			lost = lost || at >= 0 && (r.starts[at+1] > r.top || at == r.at)
		}
		r.Renew(all[gone : upto+more])
		after := shown(r, 80, 20)
		now, _ := r.Picked()
		switch {
		case follows:
			if last := r.items[len(r.items)-1]; now.ID != last.ID {
				t.Fatalf("the mark is on %s, the last is %s", now.ID, last.ID)
			}
		case lost:
		case now.ID != was.ID || list(after) != list(before):
			t.Fatalf("marked %s, now %s; seen was\n%s\nnow\n%s", was.ID, now.ID, before, after)
		}
	})
}

// list returns the rows without the scroll bar.
func list(shown string) string {
	var names []string
	for _, row := range strings.Split(shown, "\n") {
		if _, name, ok := strings.Cut(row, "name "); ok {
			names = append(names, strings.Fields(name)[0])
		}
	}
	return strings.Join(names, " ")
}

// A note that does not fit, and the last row of a text, end behind whole words.
func TestNotesAndTextsAreCutBetweenWords(t *testing.T) {
	t.Parallel()
	r := New(themes.Plain(), symbols.Set{})
	r.Open("t", "", []Item{{ID: "1", Name: "a name that is long", Note: "the default of the endpoint", Text: strings.Repeat("remarkable ", 12)}})
	if text := shown(r, 40, 20); !strings.Contains(text, " the default of… │") || !strings.Contains(text, "    remarkable remarkable… ") {
		t.Errorf("it shows\n%s", text)
	}
}
