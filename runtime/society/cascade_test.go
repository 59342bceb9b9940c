package society

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/propertytest"
)

func TestS001P9ATerminationTakesTheWholeSubtree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		top := w.mortal(t)
		if top == "" {
			return false
		}
		ids := w.s.Subtree(top)
		others := slices.DeleteFunc(w.s.Agents(), func(id AgentID) bool {
			a := w.agent(id)
			return slices.Contains(ids, id) || a.Status == Terminating || w.s.drainAbove(a) != ""
		})
		if w.agent(top).Drain != "" {
			others = nil // with the end of a drain its caller goes on, and may end more
		}
		w.halts = nil
		result := w.must(Terminate{Agent: top, By: User}).(TerminateResult)
		for _, id := range ids {
			w.is(id, Terminating)
		}
		w.halted()
		for _, id := range ids {
			if w.s.Agent(id) != nil {
				t.Fatalf("%s is left", id)
			}
		}
		for _, id := range others {
			w.agent(id)
		}
		if result.TerminatedAgentID != top || !result.OK || !result.Terminated {
			t.Fatalf("%+v", result)
		}
		return len(ids) > 1
	}))
}

// What a descendant is after the end of its ancestor is what it is after its own,
// to the last field and entry.
func TestS001P10ACascadeDoesWhatTheDirectVerbDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		id := w.mortal(t)
		if id == "" {
			return false
		}
		top := w.agent(id).Parent
		terminate := rapid.Bool().Draw(t, "terminate")
		if w.agent(top).Status.Ended() || terminate && top == Root || w.s.drainAbove(w.agent(id)) != "" {
			return false // with the last of its agents a drain is over, and its caller goes on
		}
		w.halts = nil // what was ending before lets others go on
		direct, cascade := w.clone(w.t), w.clone(w.t)
		for world, target := range map[*world]AgentID{direct: id, cascade: top} {
			if terminate {
				world.must(Terminate{Agent: target, By: User, Reason: "enough"})
			} else {
				world.must(Stop{Agent: target})
			}
			world.halted()
		}
		if a, b := encoded(t, direct.s.Agent(id)), encoded(t, cascade.s.Agent(id)); a != b {
			t.Fatalf("%s\n%s", a, b)
		}
		if !reflect.DeepEqual(direct.said[id], cascade.said[id]) || !reflect.DeepEqual(direct.s.Tombstone(id), cascade.s.Tombstone(id)) {
			t.Fatalf("%s has said or left something else", id)
		}
		return true
	}))
}

// encoded is the record of something, as it is stored.
func encoded(t fatal, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("encode %T: %v", v, err)
	}
	return string(raw)
}

func TestS001P11StopsAtTheSameTimeAreOneStop(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		top := w.standing(t)
		begun := map[AgentID]int{}
		first := w.agent(top).Status.Ended()
		for i := range rapid.IntRange(2, 5).Draw(t, "stops") {
			if rapid.IntRange(0, 3).Draw(t, "halted") == 0 {
				w.halted()
			}
			if a := w.s.Agent(top); a == nil || a.Status == Terminating {
				if i == 0 {
					return false // it had ended before anybody could stop it
				}
				break // it was the last that a drain waited for
			}
			result := w.must(Stop{Agent: top}).(StopResult)
			if i > 0 && (result.Stopped || !result.OK || result.Reason == "" || len(w.last) > 0) {
				t.Fatalf("the stop %d: %+v, %v", i, result, w.last)
			}
			for _, e := range w.last {
				if e, ok := e.(StopBegun); ok {
					for _, id := range e.Agents {
						begun[id]++
					}
				}
			}
		}
		if n := begun[top]; n != 1 && !first || n > 1 {
			t.Fatalf("%s was stopped %d times", top, n)
		}
		return !first
	}))
}

// The end of the workers may be told more than once, for agents that are gone,
// and for some that are named twice.
func TestHaltedIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	low := w.spawn(mid)
	w.must(Stop{Agent: mid})
	w.must(Terminate{Agent: mid, By: User})
	ended := Halted{Agents: []AgentID{low, mid, mid, low}}
	w.must(ended)
	if w.s.Agent(mid) != nil || w.s.Agent(low) != nil {
		t.Errorf("%v are there", w.s.Agents())
	}
	w.must(ended)
	if len(w.last) > 0 {
		t.Errorf("%+v", w.last)
	}
}
