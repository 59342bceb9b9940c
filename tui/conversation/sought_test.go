package conversation

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
	"society-tui/tui/words"
)

func TestATextIsFoundInWhateverPartOfAnEntryHoldsIt(t *testing.T) {
	t.Parallel()
	page := runtime.Page{Agent: "web-1", Entries: []conversation.Entry{
		{Slot: 0, Kind: conversation.Inbound, From: "user", Text: "【the harbour's header】", Body: "Look at the\nharbour wall."},
		{Slot: 1, Kind: conversation.Answer, Text: "Fine.", Reasoning: "The Harbour is old."},
		{Slot: 2, Kind: conversation.Answer, Calls: []conversation.Call{{Name: "send_message", Arguments: `{"payload":"harbour"}`}}},
		{Slot: 3, Kind: conversation.Result, Text: "a harbour\x1b[31m!"},
		{Slot: 4, Kind: conversation.Inbound, From: "web-2", Text: "only the header: harbour", Body: "nothing"},
		{Slot: 5, Kind: conversation.Answer, Text: strings.Repeat("港口以外的字 ", 50) + "harbour" + strings.Repeat(" 后", 200)},
	}}
	for text, want := range map[string][]Place{
		"harbour":     {{Slot: 0, From: "user", Part: Said}, {Slot: 1, From: "web-1", Part: Thought}, {Slot: 2, From: "web-1", Part: Called}, {Slot: 3, From: "web-1", Part: Came}, {Slot: 5, From: "web-1", Part: Said}},
		"Harbour":     {{Slot: 1, From: "web-1", Part: Thought}},
		"the harbour": {{Slot: 0, From: "user", Part: Said}, {Slot: 1, From: "web-1", Part: Thought}},
		"字 harbour":   {{Slot: 5, From: "web-1", Part: Said}},
		"nowhere":     nil,
	} {
		s, ok := NewSought(text)
		if !ok {
			t.Fatal(text)
		}
		got := s.In(page)
		if len(got) != len(want) {
			t.Errorf("%q is in %+v", text, got)
			continue
		}
		for i, p := range got {
			if p.Agent != "web-1" || p.Slot != want[i].Slot || p.From != want[i].From || p.Part != want[i].Part || !strings.EqualFold(p.Match, text) {
				t.Errorf("%q: %+v, want %+v", text, p, want[i])
			}
			row := p.Before + p.Match + p.After
			if strings.ContainsAny(row, "\n\x1b") || cells.Width(p.Before) > 2*shownBefore+1 || cells.Width(row) > 2*shownBefore+shownMatch+shownAfter+4 {
				t.Errorf("%q is shown as %q", text, row)
			}
		}
	}
	if _, ok := NewSought(" \x1b[31m "); ok {
		t.Error("blanks are looked for")
	}
}

func TestTheInboxIsSearchedForThoseWhoAreGone(t *testing.T) {
	t.Parallel()
	s, _ := NewSought("yes")
	got := s.InInbox([]runtime.InboxMessage{{Seq: 3, From: "gone-1", Body: "Yes."}, {Seq: 4, From: "root", Body: "yes"}}, func(id society.AgentID) bool { return id != society.Root })
	if len(got) != 1 || got[0].Slot != 3 || got[0].Agent != society.User || got[0].From != "gone-1" {
		t.Errorf("%+v", got)
	}
}

// Property: what is found in an entry is found by the search of its conversation too,
// and SearchFrom shows it.
func TestASearchFromAPlaceShowsThatPlace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := New(themes.Plain(), words.ForConversation(protocol.English), words.ForSymbols(protocol.English), symbols.Set{})
		var entries []conversation.Entry
		for i := range rapid.IntRange(1, 30).Draw(t, "entries") {
			text := "filler"
			if rapid.Bool().Draw(t, "holds") {
				text = rapid.SampledFrom([]string{"the needle is here", "haystack", "**needle**", "a\n\nneedle"}).Draw(t, "text")
			}
			entries = append(entries, conversation.Entry{Slot: uint64(i), Kind: conversation.Answer, At: time.Unix(int64(i), 0), From: "web-1", Text: text})
		}
		s, _ := NewSought("needle")
		page := runtime.Page{Agent: "web-1", Entries: entries, Next: uint64(len(entries))}
		places := s.In(page)
		if len(places) == 0 {
			return
		}
		p := rapid.SampledFrom(places).Draw(t, "place")
		r.Show("web-1", "web-1")
		r.Rows(60, 12)
		for need, ok := r.Need(); ok; need, ok = r.Need() {
			r.Extend(need, page)
		}
		r.SearchFrom(s.Text(), p.Slot)
		for scan, ok := r.Scan(); ok; scan, ok = r.Scan() {
			r.Found(scan.In(page))
		}
		if shown := r.search.hits[r.search.at].id.slot; shown != p.Slot {
			t.Fatalf("%d is shown, not %d", shown, p.Slot)
		}
		if !strings.Contains(ansi.Strip(strings.Join(r.Rows(60, 12), "\n")), "needle") {
			t.Fatal("it is not in sight")
		}
	})
}
