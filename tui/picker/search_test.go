package picker

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/themes"
	"society-tui/tui/symbols"
)

func searched(items []Item, query string) []string {
	r := New(themes.Plain(), symbols.Set{})
	r.Open("k", "t", "nothing", items)
	r.Search()
	r.Type(query)
	var names []string
	for _, i := range r.items {
		names = append(names, i.Name)
	}
	return names
}

func TestWhatIsTypedNarrowsTheListToWhatMatchesBestFirst(t *testing.T) {
	t.Parallel()
	items := []Item{
		{ID: "1", Name: "expand all below"},
		{ID: "2", Name: "stop it", Note: "ctrl+x s  /stop"},
		{ID: "3", Name: "stop or resume", Off: true},
		{ID: "4", Name: "停止它", Note: "/stop"},
	}
	for query, want := range map[string][]string{
		"":       {"expand all below", "stop it", "停止它", "stop or resume"},
		"stop":   {"stop it", "停止它", "stop or resume"},
		"st re":  {"stop or resume"},
		"EAB":    {"expand all below"},
		"停":      {"停止它"},
		"ctrl+x": {"stop it"},
		"zzz":    nil,
	} {
		if got := searched(items, query); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, not %q", query, got, want)
		}
	}
}

// Property: what is found is in the list, is found again by the whole of its name,
// and whatever is typed and taken back leaves the list as it was.
func TestASearchThatIsTakenBackShowsAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-d停止]{1,4}( [a-d]{1,3})?`), 1, 8, rapid.ID).Draw(t, "names")
		var items []Item
		for _, n := range names {
			items = append(items, Item{ID: n, Name: n})
		}
		query := rapid.StringMatching(`[a-e停 ]{0,5}`).Draw(t, "query")
		for _, n := range searched(items, query) {
			if !slices.Contains(names, n) {
				t.Fatalf("%q is not in the list", n)
			}
		}
		for _, n := range names {
			if !slices.Contains(searched(items, n), n) {
				t.Fatalf("%q is not found by its name", n)
			}
		}
		r := New(themes.Plain(), symbols.Set{})
		r.Open("k", "t", "", items)
		r.Search()
		r.Type(query)
		for range []rune(query) {
			r.Backspace()
		}
		if len(r.items) != len(items) {
			t.Fatalf("%d of %d are left", len(r.items), len(items))
		}
	})
}
