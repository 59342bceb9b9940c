package conversation

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// soundHistory draws what the machine really leaves: slots from a Tail, groups
// whole but for the last, summaries in between, entries that no model sees.
func soundHistory(t *rapid.T) (entries []Entry, tail Tail) {
	keep := func(e Entry) { entries = append(entries, e) }
	for i := range rapid.IntRange(0, 14).Draw(t, "acts") {
		text := fmt.Sprintf("text %d", i)
		switch rapid.IntRange(0, 5).Draw(t, "act") {
		case 0, 1:
			keep(Entry{Slot: tail.Append(), Kind: Inbound, Text: text})
		case 2:
			keep(Entry{Slot: tail.Aside(), Kind: Notice, Text: text})
		case 3:
			keep(Entry{Slot: tail.Append(), Kind: Answer, Text: text})
		case 4:
			calls := someCalls(t, i)
			keep(Entry{Slot: tail.Open(0, calls), Kind: Answer, Calls: calls})
			for _, c := range calls {
				slot, _ := tail.Result(c.ID)
				keep(Entry{Slot: slot, Kind: Result, CallID: c.ID, Outcome: OK, Text: text})
			}
		case 5:
			entries, tail = compressed(entries, tail, rapid.IntRange(0, 4).Draw(t, "keep"), "", "summary "+text)
		}
	}
	return entries, tail
}

func someCalls(t *rapid.T, i int) []Call {
	var calls []Call
	for j := range rapid.IntRange(1, 3).Draw(t, "calls") {
		calls = append(calls, Call{ID: fmt.Sprintf("%d.%d", i, j), Name: "get_org", Arguments: "{}"})
	}
	return calls
}

// compressed does with a history what the runtime does with a Cut.
func compressed(entries []Entry, tail Tail, keep int, during, summary string) ([]Entry, Tail) {
	cut, ok := Plan(entries, keep, during)
	if !ok {
		return entries, tail
	}
	entries = slices.Clone(entries)
	for i, e := range entries {
		entries[i].Compressed = e.Compressed || e.Slot >= cut.From && e.Slot < cut.Upto
	}
	entries = append(entries, Entry{Slot: tail.Append(), Kind: Summary, Text: Summarize(cut.Earlier, summary)})
	tail.First, tail.Count = cut.Upto, cut.After
	return entries, tail
}

func TestCompressionKeepsTheRecentEntriesAndEverySummary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries, tail := soundHistory(t)
		during := ""
		if rapid.Bool().Draw(t, "by a call") {
			calls := append(someCalls(t, 99), Call{ID: "compress", Name: "compress_context", Arguments: "{}"})
			entries = append(entries, Entry{Slot: tail.Open(0, calls), Kind: Answer, Calls: calls})
			for _, c := range calls[:rapid.IntRange(0, len(calls)-1).Draw(t, "done")] {
				slot, _ := tail.Result(c.ID)
				entries = append(entries, Entry{Slot: slot, Kind: Result, CallID: c.ID, Text: "done"})
			}
			during = "compress"
		}
		keep := rapid.IntRange(-1, 40).Draw(t, "keep")
		before := Legal(entries)
		cut, ok := Plan(entries, keep, during)
		if tail.Count != cut.Before && ok {
			t.Fatalf("the tail counts %d, the plan %d", tail.Count, cut.Before)
		}
		after, _ := compressed(entries, tail, keep, during, "THE NEW SUMMARY")
		legal := Legal(after)
		if why := refusal(legal); why != "" {
			t.Fatalf("refused: %s", why)
		}
		if !ok {
			if !reflect.DeepEqual(legal, before) {
				t.Fatalf("nothing was to be compressed, but the history changed")
			}
			return
		}
		checkCompressed(t, before, legal, keep, during)
		if got := recorded(legal); got != cut.After {
			t.Fatalf("After is %d, the history has %d entries", cut.After, got)
		}
	})
}

func checkCompressed(t *rapid.T, before, after []Entry, keep int, during string) {
	if after[0].Kind != Summary || !strings.HasSuffix(after[0].Text, "THE NEW SUMMARY") {
		t.Fatalf("the summary is not first: %v", after[0])
	}
	if before[0].Kind == Summary {
		if !strings.HasPrefix(after[0].Text, before[0].Text) {
			t.Fatalf("an earlier summary was lost: %q became %q", before[0].Text, after[0].Text)
		}
		before = before[1:]
	}
	kept := after[1:]
	if len(kept) >= len(before) {
		t.Fatalf("nothing was taken away")
	}
	if !reflect.DeepEqual(kept, before[len(before)-len(kept):]) {
		t.Fatalf("what stays is not the end of what was")
	}
	if recorded(kept) < min(keep, recorded(before)) {
		t.Fatalf("%d entries stay, %d were to", recorded(kept), keep)
	}
	has := slices.ContainsFunc(kept, func(e Entry) bool {
		return slices.ContainsFunc(e.Calls, func(c Call) bool { return c.ID == during })
	})
	if during != "" && !has {
		t.Fatalf("the compressing call's own group is gone")
	}
	// Not more than whole groups: without its first one, fewer than keep stay.
	first := 1
	for first < len(kept) && kept[first].Kind == Result {
		first++
	}
	own := slices.ContainsFunc(kept[:min(1, len(kept))], func(e Entry) bool {
		return slices.ContainsFunc(e.Calls, func(c Call) bool { return c.ID == during })
	})
	if len(kept) > 0 && !own && recorded(kept[first:]) >= max(keep, 0) {
		t.Fatalf("%d entries stay though %d were to, and the first group could go", recorded(kept), keep)
	}
}

// recorded counts the entries that are in the store, not made up by Legal.
func recorded(legal []Entry) int {
	n := 0
	for _, e := range legal {
		if e.Kind != Result || e.Outcome != Unknown {
			n++
		}
	}
	return n
}

func TestPlanOfAnythingIsSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := anyHistory(t)
		cut, ok := Plan(entries, rapid.IntRange(-5, 35).Draw(t, "keep"), rapid.SampledFrom([]string{"", "a", "z"}).Draw(t, "during"))
		if ok && (cut.From >= cut.Upto || cut.After > cut.Before || cut.After < 1) {
			t.Fatalf("%+v", cut)
		}
		if !ok && !reflect.DeepEqual(cut, Cut{}) {
			t.Fatalf("nothing to compress, but %+v", cut)
		}
	})
}

func TestNothingToCompressIsSaidSo(t *testing.T) {
	t.Parallel()
	own := Entry{Slot: 1, Kind: Answer, Calls: []Call{{ID: "1", Name: "compress_context"}}}
	for name, entries := range map[string][]Entry{
		"an empty history":      nil,
		"a summary alone":       {{Slot: 0, Kind: Summary, Text: "old"}},
		"the call's own group":  {own},
		"a summary and the own": {{Slot: 0, Kind: Summary, Text: "old"}, own},
		"what no model sees":    {{Slot: 0, Kind: Notice, Text: "failed"}, own},
	} {
		if cut, ok := Plan(entries, 0, "1"); ok {
			t.Errorf("%s: %+v", name, cut)
		}
	}
}

func TestAnOpenAnswerIsNeverCompressedAway(t *testing.T) {
	t.Parallel()
	entries := []Entry{
		{Slot: 0, Kind: Inbound, Text: "go"},
		{Slot: 1, Kind: Answer, Calls: []Call{{ID: "1", Name: "x"}, {ID: "2", Name: "x"}}},
		{Slot: 2, Kind: Result, CallID: "1", Text: "done"},
	}
	cut, ok := Plan(entries, 0, "")
	if want := (Cut{From: 0, Upto: 1, Before: 3, After: 3}); !ok || !reflect.DeepEqual(cut, want) {
		t.Errorf("got %+v %v, want %+v", cut, ok, want)
	}
}

func TestSummarizeLeavesNothingOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		earlier := rapid.SliceOf(rapid.String()).Draw(t, "earlier")
		summary := rapid.String().Draw(t, "summary")
		rest := Summarize(earlier, summary)
		for _, part := range append(slices.Clone(earlier), summary) {
			if strings.TrimSpace(part) == "" {
				continue
			}
			i := strings.Index(rest, part)
			if i < 0 {
				t.Fatalf("%q is not in its place in %q", part, Summarize(earlier, summary))
			}
			rest = rest[i+len(part):]
		}
	})
}

func TestTheCompressingCallsGroupStaysEvenWhenMoreWasSaidSince(t *testing.T) {
	t.Parallel()
	entries := []Entry{
		{Slot: 0, Kind: Inbound, Text: "go"},
		{Slot: 1, Kind: Answer, Calls: []Call{{ID: "1", Name: "compress_context"}}},
		{Slot: 2, Kind: Result, CallID: "1", Text: "done"},
		{Slot: 3, Kind: Inbound, Text: "and?"},
		{Slot: 4, Kind: Answer, Text: "soon"},
	}
	cut, ok := Plan(entries, 1, "1")
	if want := (Cut{From: 0, Upto: 1, Before: 5, After: 5}); !ok || !reflect.DeepEqual(cut, want) {
		t.Errorf("got %+v %v, want %+v", cut, ok, want)
	}
}
