package conversation

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A script lives a conversation on a Tail as the machine does, and keeps beside
// it the entries that the store would hold.
type script struct {
	tail     Tail
	entries  map[uint64]Entry
	open     []Call
	answered map[string]bool
	dropped  map[uint64]bool
	n        int
}

func (s *script) keep(t *rapid.T, e Entry) {
	if _, taken := s.entries[e.Slot]; taken {
		t.Fatalf("slot %d was handed out twice", e.Slot)
	}
	s.entries[e.Slot] = e
}

func (s *script) history() []Entry {
	var list []Entry
	for _, e := range s.entries {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b Entry) int { return int(a.Slot) - int(b.Slot) })
	return list
}

func (s *script) hear(t *rapid.T) {
	s.n++
	s.keep(t, Entry{Slot: s.tail.Append(), Kind: Inbound, Text: fmt.Sprint("message ", s.n)})
}

func (s *script) note(t *rapid.T) {
	s.keep(t, Entry{Slot: s.tail.Aside(), Kind: Notice, Text: "failed"})
}

func (s *script) answer(t *rapid.T) {
	if s.tail.Group != nil {
		return
	}
	s.n++
	calls := someCalls(t, s.n)
	if rapid.Bool().Draw(t, "plain") {
		calls = nil
	}
	s.keep(t, Entry{Slot: s.tail.Open(0, calls), Kind: Answer, Text: fmt.Sprint("answer ", s.n), Calls: calls})
	if len(calls) > 0 {
		s.open, s.answered = calls, map[string]bool{}
	}
}

func (s *script) result(t *rapid.T) {
	if s.tail.Group == nil {
		return
	}
	c := rapid.SampledFrom(s.open).Draw(t, "call")
	slot, ok := s.tail.Result(c.ID)
	if ok == s.answered[c.ID] {
		t.Fatalf("result of %s: ok is %v, it was answered before: %v", c.ID, ok, s.answered[c.ID])
	}
	if ok {
		s.answered[c.ID] = true
		s.keep(t, Entry{Slot: slot, Kind: Result, CallID: c.ID, Outcome: OK, Text: "result of " + c.ID})
	}
}

// interrupt does what an interruption does: nothing executed, the answer is taken back; something
// executed, it stays and the rest is skipped.
func (s *script) interrupt(t *rapid.T) {
	before := s.history()
	slot, ok := s.tail.Drop()
	if executed := len(s.answered) > 0; s.tail.Group != nil && !executed {
		t.Fatalf("an answer of which nothing was executed is still open: %+v", s.tail.Group)
	} else if ok && executed {
		t.Fatalf("executed calls were taken back: %v", s.answered)
	}
	if !ok {
		s.skipRest(t)
		return
	}
	e := s.entries[slot]
	if e.Kind != Answer || len(e.Calls) == 0 {
		t.Fatalf("what was taken back is no answer with calls: %v", e)
	}
	for _, other := range before {
		if other.Kind == Answer && other.Slot > slot {
			t.Fatalf("slot %d was taken back, and %d is a later answer", slot, other.Slot)
		}
	}
	e.Kind = Superseded
	s.entries[slot], s.open, s.answered = e, nil, nil
	s.dropped[slot] = true
	for _, other := range before {
		if other.Slot != slot && !reflect.DeepEqual(other, s.entries[other.Slot]) {
			t.Fatalf("an earlier entry is %+v, was %+v", s.entries[other.Slot], other)
		}
	}
}

func (s *script) skipRest(t *rapid.T) {
	for _, c := range s.open {
		if slot, ok := s.tail.Result(c.ID); ok {
			s.keep(t, Entry{Slot: slot, Kind: Result, CallID: c.ID, Outcome: Skipped, Text: "skipped"})
		}
	}
}

func (s *script) check(t *rapid.T) {
	if s.tail.Group == nil {
		s.open, s.answered = nil, nil
	}
	history := s.history()
	legal := Legal(history)
	if why := refusal(legal); why != "" {
		t.Fatal(why)
	}
	count := 0
	for _, e := range history {
		if e.Kind.InContext() {
			count++
		}
	}
	if count != s.tail.Count {
		t.Fatalf("the tail counts %d of %d entries", s.tail.Count, count)
	}
	for _, e := range legal {
		if s.dropped[e.Slot] {
			t.Fatalf("a dropped answer is seen again: %v", e)
		}
		if e.Kind == Result && e.Outcome != Unknown && !reflect.DeepEqual(e, s.entries[e.Slot]) {
			t.Fatalf("the result %v became %v", s.entries[e.Slot], e)
		}
	}
	// Results stand where their answer reserved room for them, so what arrived
	// in between never comes between.
	for i := 1; i < len(legal); i++ {
		if legal[i-1].Slot >= legal[i].Slot {
			t.Fatalf("not in slot order: %v", legal)
		}
	}
}

func TestInterruptionsTakeBackOnlyWhatWasNotExecuted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &script{entries: map[uint64]Entry{}, dropped: map[uint64]bool{}}
		t.Repeat(map[string]func(*rapid.T){
			"hear": s.hear, "note": s.note, "answer": s.answer,
			"result": s.result, "interrupt": s.interrupt, "": s.check,
		})
	})
}

func TestACopyOfATailKeepsWhatItSaw(t *testing.T) {
	t.Parallel()
	var tail Tail
	tail.Open(0, []Call{{ID: "1"}, {ID: "2"}})
	seen := tail
	if _, ok := tail.Result("1"); !ok {
		t.Fatal("the call was not open")
	}
	if seen.Group.Calls[0].Done || !tail.Group.Calls[0].Done {
		t.Errorf("the copy has %v, the tail %v", seen.Group.Calls, tail.Group.Calls)
	}
}

func TestResultsLandBehindTheirAnswerInWhateverOrderTheyCome(t *testing.T) {
	t.Parallel()
	var tail Tail
	tail.Append()
	answer := tail.Open(0, []Call{{ID: "1"}, {ID: "2"}})
	meanwhile := tail.Append()
	second, _ := tail.Result("2")
	first, _ := tail.Result("1")
	if got := []uint64{answer, first, second, meanwhile}; !reflect.DeepEqual(got, []uint64{1, 2, 3, 4}) {
		t.Errorf("slots %v", got)
	}
	if _, ok := tail.Result("1"); ok || tail.Group != nil || tail.Count != 5 {
		t.Errorf("not closed: %+v", tail)
	}
}

func TestTailsKeepTheirStoredNames(t *testing.T) {
	t.Parallel()
	for _, stored := range []string{
		`{"next":9,"group":{"slot":6,"calls":[{"id":"1","name":"x","done":true},{"id":"2"}],"weight":3},"first":1,"count":4,"tokens":50,"since":7,"measured":true,"scale":900}`,
		`{"next":9,"group":{"slot":4,"calls":[{"id":"1"}],"branch":1,"beside":[{"slot":6,"calls":[{"id":"2"}],"branch":2}]},"count":2}`,
	} {
		var tail Tail
		if err := json.Unmarshal([]byte(stored), &tail); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(tail); err != nil || string(again) != stored {
			t.Errorf("written as %s (%v)", again, err)
		}
	}
}

// A tail of before branches side by side had tools goes on as it was.
func TestAnOlderTailHasOneOpenAnswer(t *testing.T) {
	t.Parallel()
	var tail Tail
	if err := json.Unmarshal([]byte(`{"next":9,"group":{"slot":6,"calls":[{"id":"1","done":true},{"id":"2"}]},"count":2}`), &tail); err != nil {
		t.Fatal(err)
	}
	if open := tail.Opened(); len(open) != 1 || open[0].Slot != 6 || open[0].Branch != 0 {
		t.Fatalf("open are %+v", open)
	}
	if slot, ok := tail.Result("2"); !ok || slot != 8 || tail.Group != nil {
		t.Errorf("its last result stands in slot %d: %+v", slot, tail)
	}
}

// Branches that run side by side each have an open answer: results land behind their
// own, whatever comes in between, and what lies before the first of them is settled.
func TestOpenAnswersOfBranchesStayApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var tail Tail
		type answer struct {
			slot uint64
			left []Call
		}
		open, at := map[int]*answer{}, map[string]uint64{} // where each result is to stand
		count := 0
		for n := range rapid.IntRange(1, 30).Draw(t, "steps") {
			seen := tail
			was := fmt.Sprint(tail.Opened())
			branch := rapid.IntRange(1, 3).Draw(t, "branch")
			if a := open[branch]; a == nil {
				calls := someCalls(t, n)
				a = &answer{slot: tail.Open(branch, calls), left: calls}
				for i, c := range calls {
					at[c.ID] = a.slot + 1 + uint64(i)
				}
				open[branch] = a
			} else {
				i := rapid.IntRange(0, len(a.left)-1).Draw(t, "call")
				slot, ok := tail.Result(a.left[i].ID)
				if !ok || slot != at[a.left[i].ID] {
					t.Fatalf("the result of %s stands in slot %d, not %d", a.left[i].ID, slot, at[a.left[i].ID])
				}
				if a.left = slices.Delete(a.left, i, i+1); len(a.left) == 0 {
					delete(open, branch)
				}
			}
			if count++; tail.Count != count {
				t.Fatalf("the tail counts %d of %d entries", tail.Count, count)
			}
			if now := fmt.Sprint(seen.Opened()); now != was {
				t.Fatalf("a copy had %s and has %s", was, now)
			}
			settled, branches := tail.Next, []int{}
			for b, a := range open {
				settled, branches = min(settled, a.slot), append(branches, b)
			}
			var got []int
			for _, g := range tail.Opened() {
				got = append(got, g.Branch)
			}
			if slices.Sort(got); tail.Settled() != settled || !slices.Equal(got, slices.Sorted(slices.Values(branches))) {
				t.Fatalf("%v are open and all before %d is settled, not %v and %d", got, tail.Settled(), branches, settled)
			}
		}
	})
}
