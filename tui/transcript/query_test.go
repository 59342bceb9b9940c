package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

func room() *Model {
	return New(themes.Plain(), i18n.Printer{}, symbols.Set{})
}

func TestQueryFindsTextInEveryPartOfAnEntry(t *testing.T) {
	t.Parallel()
	page := api.Entries{Agent: "web-1", Entries: []conversation.Entry{
		{Slot: 0, Kind: conversation.Inbound, From: "user", Text: "【the harbour's header】", Body: "Look at the\nharbour wall."},
		{Slot: 1, Kind: conversation.Answer, Text: "Fine.", Reasoning: "The Harbour is old."},
		{Slot: 2, Kind: conversation.Answer, Calls: []conversation.Call{{ID: "1", Name: "send_message", Arguments: `{"payload":"harbour"}`}}},
		{Slot: 3, Kind: conversation.Result, CallID: "2", Text: "a harbour\x1b[31m!"},
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
		s, ok := room().Query(text)
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
			if strings.ContainsAny(row, "\n\x1b") || cells.ByCodePoint.Width(p.Before) > 2*shownBefore+1 || cells.ByCodePoint.Width(row) > 2*shownBefore+shownMatch+shownAfter+4 {
				t.Errorf("%q is shown as %q", text, row)
			}
		}
	}
	if _, ok := room().Query(" \x1b[31m "); ok {
		t.Error("Query of blanks: ok = true, want false")
	}
}

// A list shows a place in the words of the conversation: no Markdown, no JSON,
// and a sent message as a message.
func TestPlaceIsShownAsTheTranscriptDrawsIt(t *testing.T) {
	t.Parallel()
	page := api.Entries{Agent: "web-1", Entries: []conversation.Entry{
		{Slot: 0, Kind: conversation.Answer, Text: "# Report\n\nThe **old harbour** of `Acre`.", To: "root"},
		{Slot: 1, Kind: conversation.Answer, Calls: []conversation.Call{
			{ID: "a", Name: "send_message", Arguments: `{"to":["lead-1","web-2"],"payload":{"text":"Is the \"old harbour\" **deep**?"}}`},
			{ID: "b", Name: "write_file", Arguments: `{"path":"harbour.md","content":"one\nold harbour\ntwo"}`},
			{ID: "c", Name: "spawn_agent", Arguments: `{"roleId":"diver","taskBrief":{"objective":"Measure the old harbour."}}`},
		}},
		{Slot: 2, Kind: conversation.Result, CallID: "a", At: time.Unix(9, 0), Text: `{"ok":true,"about":"old harbour"}`},
		{Slot: 3, Kind: conversation.Result, CallID: "b", Text: "old harbour was written"},
		{Slot: 4, Kind: conversation.Result, CallID: "c", At: time.Unix(9, 0), Text: `{"agentId":"diver-1","ok":true}`},
		{Slot: 5, Kind: conversation.Result, CallID: "d", Text: `{"depth":{"at":"old harbour"}}`},
	}}
	s, _ := room().Query("old harbour")
	var got []string
	for _, p := range s.In(page) {
		got = append(got, fmt.Sprintf("%d.%d %s %v %s %d: %s[%s]%s", p.Slot, p.N, p.From, p.To, p.Tool, p.Part, p.Before, p.Match, p.After))
	}
	want := []string{
		"0.0 web-1 [root]  0: Report The [old harbour] of Acre.",
		`1.1 web-1 [lead-1 web-2] send_message 0: Is the "[old harbour]" deep?`,
		"1.2 web-1 [] write_file 2: …harbour.md \"one [old harbour] two\"",
		"1.3 web-1 [diver-1] spawn_agent 2: …diver \"Measure the [old harbour].\"",
		"5.0 web-1 []  3: depth: at: [old harbour]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Models escape non-ASCII text in calls and messages, and some characters fold
// to ASCII.
func TestQueryFindsEscapedAndCaseFoldedText(t *testing.T) {
	t.Parallel()
	page := api.Entries{Agent: "web-1", Entries: []conversation.Entry{
		{Slot: 0, Kind: conversation.Answer, Calls: []conversation.Call{{ID: "a", Name: "write_file", Arguments: `{"path":"a.md","text":"\u6e2f\u53e3"}`}}},
		{Slot: 1, Kind: conversation.Inbound, From: "web-2", Body: "Report\n" + `{"summary":"\u6e2f\u53e3"}`},
		{Slot: 2, Kind: conversation.Answer, Text: "300 \u212aelvin"},
	}}
	for text, want := range map[string][]uint64{"港口": {0, 1}, "kelvin": {2}} {
		s, _ := room().Query(text)
		var got []uint64
		for _, p := range s.In(page) {
			got = append(got, p.Slot)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is found in %d, want %d", text, got, want)
		}
	}
}

// Full width and half width match each other, and a match is shown as it stands there.
func TestQueryFindsTextInEitherWidth(t *testing.T) {
	t.Parallel()
	page := api.Entries{Agent: "web-1", Entries: []conversation.Entry{
		{Slot: 0, Kind: conversation.Answer, Text: "共３５人，每人６，５００元　ＡＢｃ。"},
		{Slot: 1, Kind: conversation.Answer, Text: "共35人,每人6,500元 ABc。"},
	}}
	for text, want := range map[string][]string{
		"35人": {"３５人", "35人"}, "３５人": {"３５人", "35人"}, "6,500": {"６，５００", "6,500"}, "６，５００": {"６，５００", "6,500"},
		"元 abc": {"元 ＡＢｃ", "元 ABc"}, "ＡＢｃ": {"ＡＢｃ", "ABc"}, "ABC": nil, "ＡＢＣ": nil,
	} {
		s, _ := room().Query(text)
		var got []string
		for _, p := range s.In(page) {
			got = append(got, p.Match)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is found as %q, want %q", text, got, want)
		}
	}
}

// The recipient of a call is text that a model wrote.
func TestPlaceCleansRecipientsOfCalls(t *testing.T) {
	t.Parallel()
	const foreign = "x\x1b]52;c;aGFyYm91cg==\a\u202e\u009b2J\n"
	arguments := `{"to":"x\u001b]52;c;aGFyYm91cg==\u0007\u202e\u009b2J\n","payload":{"text":"harbour"}}`
	page := api.Entries{Agent: "web-1", Entries: []conversation.Entry{
		{Slot: 0, Kind: conversation.Inbound, From: foreign, To: "web-1", Body: "harbour"},
		{Slot: 1, Kind: conversation.Answer, From: "web-1", To: foreign, Text: "harbour"},
		{Slot: 2, Kind: conversation.Answer, From: "web-1", Calls: []conversation.Call{{ID: "a", Name: "send_message", Arguments: arguments}}},
		{Slot: 3, Kind: conversation.Answer, From: "web-1", Calls: []conversation.Call{{ID: "b", Name: "spawn_agent", Arguments: `{"name":"harbour"}`}}},
		{Slot: 4, Kind: conversation.Result, CallID: "b", Text: `{"agentId":"x\u001b]52;c;aGFyYm91cg==\u0007"}`},
	}}
	s, _ := room().Query("harbour")
	places := s.In(page)
	if len(places) != 4 {
		t.Fatalf("%d places: %+v", len(places), places)
	}
	for _, p := range places {
		for _, id := range append(p.To, p.From) {
			if clean := sanitize.Line(string(id), 200); string(id) != clean || id == "" {
				t.Errorf("in entry %d somebody is called %q", p.Slot, id)
			}
		}
	}
}

func TestTheInboxIsSearched(t *testing.T) {
	t.Parallel()
	s, _ := room().Query("yes")
	got := s.InInbox([]api.InboxMessage{{Seq: 3, From: "gone-1", Body: "Yes."}, {Seq: 4, From: "root", Body: "yes"}})
	if len(got) != 2 || !got[0].Copy || got[0].Slot != 3 || got[0].Agent != society.User || got[0].From != "gone-1" {
		t.Errorf("%+v", got)
	}
}

// Property: each match in an entry is also found by the search of its
// conversation, and SearchFrom shows it.
func TestASearchFromAPlaceShowsThatPlace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := room()
		var entries []conversation.Entry
		for i := range rapid.IntRange(1, 30).Draw(t, "entries") {
			text := "filler"
			if rapid.Bool().Draw(t, "holds") {
				text = rapid.SampledFrom([]string{"the needle is here", "haystack", "**needle**", "a\n\nneedle"}).Draw(t, "text")
			}
			entries = append(entries, conversation.Entry{Slot: uint64(i), Kind: conversation.Answer, At: time.Unix(int64(i), 0), From: "web-1", Text: text})
		}
		s, _ := r.Query("needle")
		page := api.Entries{Agent: "web-1", Entries: entries, Next: uint64(len(entries))}
		places := s.In(page)
		if len(places) == 0 {
			return
		}
		p := rapid.SampledFrom(places).Draw(t, "place")
		r.Show("web-1", "web-1")
		r.Rows(60, 12)
		for need, ok := r.PageRequest(); ok; need, ok = r.PageRequest() {
			r.Extend(need, page)
		}
		r.SearchFrom(s.Text(), &p)
		for scan, ok := r.Scan(); ok; scan, ok = r.Scan() {
			r.Found(scan.In(page))
		}
		if shown := r.search.hits[r.search.at].id.slot; shown != p.Slot {
			t.Fatalf("%d is shown, not %d", shown, p.Slot)
		}
		if !strings.Contains(ansi.Strip(strings.Join(r.Rows(60, 12), "\n")), "needle") {
			t.Fatalf("rows =\n%s\nwant needle", ansi.Strip(strings.Join(r.Rows(60, 12), "\n")))
		}
	})
}
