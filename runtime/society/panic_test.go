package society

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
)

// The others' records are the same before and after, except for the message
// about the failure.
func TestS000P12APanicTouchesNoOtherAgent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		w.s.limits.PanicsPerMinute = 3
		owed := w.s.Owed()
		if len(owed) == 0 {
			return
		}
		work := rapid.SampledFrom(owed).Draw(t, "work")
		if a := w.agent(work.Item().Agent); w.breaksOff(w.s, a) || a.step(work.Item().Step).waits(NodeDeadline) || a.step(work.Item().Step).waits(RetryNode) {
			return // its run may end by that
		}
		if a := w.agent(work.Item().Agent); a.Drain != "" || len(a.Panics) > 0 || work.Item().Attempt > 2 || work.Kind() != ThinkStep && len(a.Mailbox) > 0 || a.compressesForUser() {
			return // its end, or its next call, is another story
		}
		if group := w.agent(work.Item().Agent).Tail.Group; group != nil && !group.Calls[len(group.Calls)-1].Done && len(group.Calls) > 1 {
			return // its next call may be a message
		}
		before := map[AgentID]string{}
		for _, id := range w.s.Agents() {
			before[id] = encoded(t, w.agent(id))
		}
		w.must(Panicked{Work: work, Text: "oops"})
		for id, record := range before {
			if id != work.Item().Agent && encoded(t, w.agent(id)) != record {
				t.Fatalf("%s was\n%s and is\n%s", id, record, encoded(t, w.agent(id)))
			}
		}
		if a := w.agent(work.Item().Agent); len(w.s.OwedBy(work.Item().Agent)) == 0 && !(a.Turn != nil && a.Turn.Held) {
			t.Fatalf("one panic is tried again, or answered: %+v", w.agent(work.Item().Agent))
		}
	})
}

// The third within a minute quarantines: the turn fails, the agent is paused, its queue
// is kept (SPEC.md, decision 24).
func TestTheThirdPanicWithinAMinuteQuarantines(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, DefaultLimits())
		id := w.spawn(Root)
		var panics []time.Time
		for range 8 {
			w.at = w.at.Add(time.Duration(rapid.IntRange(0, 50).Draw(t, "seconds")) * time.Second)
			panics = append(panics, w.at)
			w.must(Panicked{Work: w.thinks(id), Text: "oops"})
			within := 0
			for _, p := range panics {
				if w.at.Sub(p) < time.Minute {
					within++
				}
			}
			a := w.agent(id)
			if quarantined := a.Paused == Quarantined; quarantined != (within >= 3) {
				t.Fatalf("%d panics within a minute: %q", within, a.Paused)
			}
			if a.Paused != "" {
				w.send(Root, "what is it?")
				w.says(Root, "hm")
				return
			}
			if a.Turn.Suspended {
				return // the retries are over first
			}
			w.fires(id)
		}
	})
}

// The tool had begun: its effect is unknown, and the result tells the model so, even if
// the panic ends the turn.
func TestAToolThatPanicsIsNeverSaidNotToHaveRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "go")
	for i := range 3 {
		call, next := w.call("write", object{"n": i}), w.call("look", object{"n": i})
		w.calling(Root, call, next)
		w.must(Panicked{Work: w.owed(Root, ActStep), Text: "oops"})
		if r := w.result(Root, call); r.Outcome != conversation.Failed {
			t.Errorf("panic %d: %+v", i, r)
		}
		if i < 2 {
			w.acts(Root, "done")
		} else if r := w.result(Root, next); r.Outcome != conversation.NotRun {
			t.Errorf("%+v", r)
		}
	}
	if a := w.agent(Root); a.Paused != Quarantined || !a.Turn.Suspended || a.Error == "" {
		t.Errorf("%+v", a)
	}
	w.must(Resume{Agent: Root})
	w.says(Root, "I go on")
}
