package society

import "testing"

// SPEC.md, decision 2: a stop of the user replaces a drain, also of an agent that was
// already stopped.
func TestAStopEndsTheDrainAboveAStoppedAgent(t *testing.T) {
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

// Also where it is stopping still: whoever was stopped must not be terminated
// after all.
func TestAStopEndsTheDrainAboveAStoppingAgent(t *testing.T) {
	t.Parallel()
	for name, top := range map[string]func(lead AgentID) AgentID{
		"itself": func(lead AgentID) AgentID { return lead },
		"above":  func(AgentID) AgentID { return Root },
	} {
		w := newWorld(t, DefaultLimits())
		lead := w.spawn(Root)
		helper := w.spawn(lead)
		w.must(Stop{Agent: lead})
		w.must(Halted{Agents: []AgentID{helper}})
		w.must(Send{To: helper, Text: "go on", Resume: true})
		w.calling(Root, w.call("terminate_agent", object{"agentId": lead}))
		if a := w.s.Agent(lead); a.Drained == nil || a.Status != Stopping {
			t.Fatalf("%s is %s and not being drained", lead, a.Status)
		}
		w.must(Stop{Agent: top(lead)})
		w.halted()
		for _, id := range []AgentID{lead, helper} {
			if a := w.s.Agent(id); a == nil || a.Status != Stopped || a.Drain != "" {
				t.Errorf("a stop of %s: %s is %+v", name, id, a)
			}
		}
	}
}
