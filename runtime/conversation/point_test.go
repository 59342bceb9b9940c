package conversation

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var asideAt = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Whatever was set aside, a model sees the history that there would be without it.
func TestLegalHoldsNothingThatWasSetAside(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := anyHistory(t)
		from := uint64(rapid.IntRange(0, 30).Draw(t, "from"))
		left := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Slot >= from })
		for i := range entries {
			if entries[i].Slot >= from {
				entries[i].SetAside = asideAt
			}
		}
		if got, want := Legal(entries), Legal(left); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		if cut, ok := Plan(entries, 0, ""); ok {
			if want, _ := Plan(left, 0, ""); !reflect.DeepEqual(cut, want) {
				t.Fatalf("planned %+v, want %+v", cut, want)
			}
		}
	})
}

// Property: a point is the tail that there was before the message, also if summaries stood
// before it, and if the conversation was compressed since.
func TestAPointIsTheTailBeforeTheMessage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var entries []Entry
		var tail Tail
		var before Tail
		n := rapid.IntRange(2, 25).Draw(t, "acts")
		at := rapid.IntRange(0, n-1).Draw(t, "message")
		for i := range n {
			switch act := rapid.IntRange(0, 3).Draw(t, "act"); {
			case i == at:
				before = tail
				entries = append(entries, Entry{Slot: tail.Append(), Kind: Inbound, From: "user", MessageID: "m", Text: "the message"})
			case act == 0:
				entries = append(entries, Entry{Slot: tail.Append(), Kind: Answer, Text: fmt.Sprint("answer ", i)})
			case act == 1:
				calls := someCalls(t, i)
				entries = append(entries, Entry{Slot: tail.Open(0, calls), Kind: Answer, Calls: calls})
				for _, c := range calls {
					slot, _ := tail.Result(c.ID)
					entries = append(entries, Entry{Slot: slot, Kind: Result, CallID: c.ID, Outcome: OK, Text: "done"})
				}
			case act == 2:
				entries = append(entries, Entry{Slot: tail.Aside(), Kind: Notice, Text: "a notice"})
			default:
				read := entries[slot(entries, tail.First):]
				cut, ok := Plan(read, rapid.IntRange(0, 4).Draw(t, "keep"), "")
				if !ok {
					continue
				}
				entries = append(entries, Entry{
					Slot: tail.Aside(), Kind: Summary, Text: Summarize(cut.Earlier, fmt.Sprint("summary ", i)), Compression: &Compression{Entries: cut.Gone()},
				})
				tail.First, tail.Count = cut.Upto, cut.After
			}
		}
		p, ok := PointOf(entries, "user", rapid.SampledFrom([]string{"", "m"}).Draw(t, "named"), "todo", BudgetsFor(0))
		switch {
		case !ok || p.Message != "m":
			t.Fatalf("got %+v, %v", p, ok)
		case p.First != before.First || p.Count != before.Count:
			t.Fatalf("the point has %d entries from %d on, the tail had %d from %d on", p.Count, p.First, before.Count, before.First)
		}
		if _, ok := PointOf(entries, "user", "another", "todo", BudgetsFor(0)); ok {
			t.Fatal("a message that is not there is found")
		}
		for i := range entries {
			entries[i].SetAside = asideAt
		}
		if _, ok := PointOf(entries, "user", "", "todo", BudgetsFor(0)); ok {
			t.Fatal("a message that is set aside is found")
		}
	})
}
