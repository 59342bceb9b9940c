package conversation

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLegalHistoryIsAcceptedByAStrictEndpointWhateverTheStoreHeld(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := anyHistory(t)
		before := clone(t, entries)
		legal := Legal(entries)
		if why := refusal(legal); why != "" {
			t.Fatalf("refused: %s\n%v", why, legal)
		}
		if !reflect.DeepEqual(clone(t, entries), before) {
			t.Fatalf("the entries were changed")
		}
	})
}

func TestLegalOfALegalHistoryIsThatHistory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		once := Legal(anyHistory(t))
		if twice := Legal(once); !reflect.DeepEqual(once, twice) {
			t.Fatalf("once:  %v\ntwice: %v", once, twice)
		}
	})
}

func TestLegalKeepsEveryMessageAndEveryAnswerWithSomethingToRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := anyHistory(t)
		var want, got []uint64
		for _, e := range entries {
			if (e.Kind == Inbound || e.Kind == Answer) && !e.Compressed && strings.TrimSpace(e.Text) != "" {
				want = append(want, e.Slot)
			}
		}
		for _, e := range Legal(entries) {
			if (e.Kind == Inbound || e.Kind == Answer) && strings.TrimSpace(e.Text) != "" {
				got = append(got, e.Slot)
			}
		}
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("want slots %v, got %v", want, got)
		}
	})
}

func TestLegalMendsWhatACrashLeft(t *testing.T) {
	t.Parallel()
	calls := []Call{{ID: "1", Name: "get_org", Arguments: "{}"}, {ID: "2", Name: "", Arguments: `{"a":`}}
	legal := Legal([]Entry{
		{Slot: 0, Kind: Inbound, Text: "go"},
		{Slot: 1, Kind: Answer, Calls: calls},
		{Slot: 2, Kind: Result, CallID: "1", Outcome: OK},
		{Slot: 4, Kind: Result, CallID: "1", Text: "again"},
		{Slot: 5, Kind: Result, CallID: "9", Text: "of nothing"},
		{Slot: 6, Kind: Inbound, Text: "and?"},
	})
	want := []Entry{
		{Slot: 0, Kind: Inbound, Text: "go"},
		{Slot: 1, Kind: Answer, Calls: []Call{calls[0], {ID: "2", Name: "unknown", Arguments: "{}"}}},
		{Slot: 2, Kind: Result, CallID: "1", Outcome: OK, Text: NoOutput},
		{Slot: 3, Kind: Result, CallID: "2", Outcome: Unknown, Text: Unanswered},
		{Slot: 6, Kind: Inbound, Text: "and?"},
	}
	if !reflect.DeepEqual(legal, want) {
		t.Fatalf("got  %v\nwant %v", legal, want)
	}
}

func TestNewestSummaryStandsFirstAndForTheOthers(t *testing.T) {
	t.Parallel()
	legal := Legal([]Entry{
		{Slot: 4, Kind: Summary, Text: "old"},
		{Slot: 5, Kind: Inbound, Text: "one"},
		{Slot: 6, Kind: Answer, Text: "two"},
		{Slot: 7, Kind: Summary, Text: "old and new"},
	})
	var texts []string
	for _, e := range legal {
		texts = append(texts, e.Text)
	}
	if want := []string{"old and new", "one", "two"}; !reflect.DeepEqual(texts, want) {
		t.Fatalf("got %q, want %q", texts, want)
	}
}

func TestEntriesKeepTheirStoredNames(t *testing.T) {
	t.Parallel()
	// What an older version wrote must be read for ever: change the code, not
	// this record.
	const stored = `{"s":7,"k":"answer","at":"2026-11-21T03:00:00Z","t":"text","td":"1. read","kp":{"h":"ab","n":70000},"b":"body","af":[{"n":"a.png","ty":"image/png","s":9,"a":"a1","v":1,"w":2,"h":3}],"r":"why",` +
		`"c":[{"id":"1","pid":"p","n":"get_org","a":"{}","x":{"s":1},"p":"problem"}],"ci":"1","o":"ok",` +
		`"f":"a-1","fr":"A","to":"b-1","ty":"general","m":"M","ta":"T","q":3,"qr":["yes"],"tk":5,"d":9,"w":"cause","x":{"y":2},"z":true,"sa":"2026-11-22T03:00:00Z","sq":{"n":34,"b":61000,"a":9000,"s":true,"l":2},"mo":"big","no":"review","br":4}`
	var e Entry
	if err := json.Unmarshal([]byte(stored), &e); err != nil {
		t.Fatal(err)
	}
	for v, i := reflect.ValueOf(e), 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("%s was not read", v.Type().Field(i).Name)
		}
	}
	again, err := json.Marshal(e)
	if err != nil || string(again) != stored {
		t.Errorf("written as %s (%v)", again, err)
	}
}

func clone(t *rapid.T, entries []Entry) []Entry {
	raw, err := json.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	var copied []Entry
	if err := json.Unmarshal(raw, &copied); err != nil {
		t.Fatal(err)
	}
	return copied
}

// Property: where no call is open and no summary comes after, a conversation can be
// made legal in two parts: what was made of the first one stays.
func TestWhatIsSettledIsMadeLegalOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries, _ := soundHistory(t)
		at := rapid.IntRange(0, len(entries)).Draw(t, "at")
		for at < len(entries) && (entries[at].Kind == Result || slices.ContainsFunc(entries[at:], func(e Entry) bool { return e.Kind == Summary })) {
			at++
		}
		parts := append(Legal(entries[:at]), Legal(entries[at:])...)
		if whole := Legal(entries); !reflect.DeepEqual(parts, whole) && len(parts)+len(whole) > 0 {
			t.Fatalf("in two parts it is %v, as a whole %v", parts, whole)
		}
	})
}
