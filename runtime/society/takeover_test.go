package society

import "testing"

// spec/decisions.md 2: a stop of the person takes over from a drain, also where
// the drain is of an agent that had been stopped before.
func TestAStopTakesOverTheDrainOfWhoIsStoppedAlready(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	lead := w.spawn(Root)
	helper := w.spawn(lead)
	w.must(Stop{Agent: lead})
	w.halted()
	w.must(Send{To: helper, Text: "go on", Resume: true})
	w.calling(Root, w.call("terminate_agent", object{"agentId": lead}))
	if a := w.s.Agent(lead); a.Drained == nil || a.Status != Stopped {
		t.Fatalf("%s is %s and not being drained", lead, a.Status)
	}
	w.must(Stop{Agent: Root})
	w.halted()
	for _, id := range []AgentID{Root, lead, helper} {
		if a := w.s.Agent(id); a == nil || a.Status != Stopped || a.Drain != "" {
			t.Errorf("%s is %+v", id, a)
		}
	}
}
