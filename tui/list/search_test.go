package list

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"society-tui/themes"
	"society-tui/tui/symbols"
)

func searched(items []Item, query string) []string {
	r := New(themes.Plain(), symbols.Set{})
	r.Open("t", "nothing", items)
	r.Search()
	r.Type(query)
	var names []string
	for _, i := range r.items {
		names = append(names, i.Name)
	}
	return names
}

func TestSearchListsMatchesBestFirst(t *testing.T) {
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

func TestWholeWordsComeFirstAndOffItemsLast(t *testing.T) {
	t.Parallel()
	items := []Item{
		{ID: "1", Name: "edit the newest waiting message", Off: true},
		{ID: "2", Name: "choose its theme or model", Off: true},
		{ID: "3", Name: "write a recopy of all", Note: "/backup"},
		{ID: "4", Name: "write a copy of all", Note: "/backup"},
		{ID: "5", Name: "copyright"},
		{ID: "6", Name: "its last answer", Note: "y  /copy"},
		{ID: "7", Name: "colours and looks", Note: "/theme"},
		{ID: "8", Name: "expand or collapse at"},
		{ID: "9", Name: "write what was said", Note: "/export"},
		{ID: "10", Name: "the theme"},
	}
	for query, want := range map[string][]string{
		"theme":   {"colours and looks", "the theme", "choose its theme or model"},
		"/theme":  {"colours and looks"},
		"them":    {"colours and looks", "the theme", "choose its theme or model"},
		"copy":    {"its last answer", "write a copy of all", "copyright", "write a recopy of all"},
		"export":  {"write what was said"},
		"COPY OF": {"write a copy of all", "write a recopy of all"},
		"edwm":    {"edit the newest waiting message"},
	} {
		if got := searched(items, query); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, not %q", query, got, want)
		}
	}
}

// Property: items that are off come last.
func TestOffItemsComeLast(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var items []Item
		for i := range rapid.IntRange(0, 8).Draw(t, "items") {
			name := rapid.StringMatching(`[a-c停]{1,4}( /?[a-c]{1,3})?`).Draw(t, "name")
			items = append(items, Item{ID: strconv.Itoa(i), Name: name, Off: rapid.Bool().Draw(t, "off")})
		}
		r := New(themes.Plain(), symbols.Set{})
		r.Open("t", "", items)
		r.Search()
		r.Type(rapid.StringMatching(`[a-d停/ ]{0,4}`).Draw(t, "query"))
		if !slices.IsSortedFunc(r.items, func(a, b Item) int { return bit(a.Off) - bit(b.Off) }) {
			t.Fatalf("%+v", r.items)
		}
	})
}

// Chinese has no spaces between words: one is found anywhere in a text, and in the further words.
func TestSiftFindsFurtherWordsInOrder(t *testing.T) {
	t.Parallel()
	r := New(themes.Plain(), symbols.Set{})
	r.Open("t", "nothing", []Item{
		{ID: "1", Name: "limits.day_cost", Text: "预算：会话一天的费用上限", Also: "Budget of the session"},
		{ID: "2", Name: "theme", Text: "now auto", Also: "Colours at every start 每次启动时的颜色"},
		{ID: "3", Name: "model.price", Note: "budget", Also: "Cost of a million tokens"},
	})
	r.Sift()
	for query, want := range map[string][]string{
		"费用": {"1"}, "颜色": {"2"}, "budget": {"1"}, "cost": {"1", "3"}, "鼠标": nil,
	} {
		r.Clear()
		r.Type(query)
		var got []string
		for _, i := range r.items {
			got = append(got, i.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

// An item that stays comes behind what is found, or before what has the letters alone if the
// search text is for it; if nothing is found it says so.
func TestAnItemStaysInEverySearch(t *testing.T) {
	t.Parallel()
	items := []Item{
		{ID: "1", Name: "another", Text: "any", Stays: true, Alone: "nothing found", Takes: func(query string) bool { return query == "a.co" }},
		{ID: "2", Name: "OpenAI", Note: "api.openai.com"},
		{ID: "3", Name: "Groq"},
	}
	for query, want := range map[string][]string{
		"": {"another", "OpenAI", "Groq"}, "gro": {"Groq", "another"}, "oenai": {"OpenAI", "another"}, "zzz": {"another"}, "a.co": {"another"}, "openai.co": {"OpenAI", "another"}, "ano": {"another"},
	} {
		if got := searched(items, query); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	r := New(themes.Plain(), symbols.Set{})
	r.Open("t", "", items)
	r.Search()
	for query, want := range map[string]string{"zzz": "nothing found", "ano": "any", "a.co": "any", "": "any"} {
		r.Clear()
		r.Type(query)
		if got, ok := r.Picked(); !ok || got.Text != want {
			t.Errorf("for %q the item says %q, want %q", query, got.Text, want)
		}
	}
}

// Property: each match is in the list, is found by its whole name, and deleting
// the search restores the list.
func TestDeletedSearchShowsAll(t *testing.T) {
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
		r.Open("t", "", items)
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

// The height follows the matches, and the search row stays in place.
func TestHeightFollowsTheMatches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := New(themes.Plain(), symbols.Set{})
		n := rapid.IntRange(1, 60).Draw(t, "n")
		items := make([]Item, n)
		for i := range items {
			items[i] = Item{ID: strconv.Itoa(i), Name: "item " + strconv.Itoa(i)}
		}
		height := rapid.IntRange(8, 60).Draw(t, "height")
		r.Open("t", "nothing", items)
		r.Search()
		_, _, top := r.Rows(100, height)
		for _, query := range []string{"1", "0", "x"} {
			r.Type(query)
			rows, _, y := r.Rows(100, height)
			const edges, prompt = 2, 1
			most := height - 2*margin
			if most < 8 {
				most = height
			}
			if want := min(max(len(r.items), 1)+edges+prompt, most); len(rows) != want || y != top {
				t.Fatalf("with %d of %d found, in %d rows, it has %d at %d, want %d at %d", len(r.items), n, height, len(rows), y, want, top)
			}
		}
	})
}
