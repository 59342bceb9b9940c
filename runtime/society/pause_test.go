package society

import "testing"

// The message guard pauses in the middle of a turn: pausing all, now or at the
// next start, ends what such an agent has running too.
func TestPauseAllEndsTheTurnOfWhoWasPausedWithinIt(t *testing.T) {
	t.Parallel()
	for _, cmd := range []Command{PauseAll{}, Restart{Paused: true}} {
		w := newWorld(t, DefaultLimits())
		w.must(Send{To: Root, Text: "go"})
		w.s.Apply(PausedNow{Agent: Root, Why: MessageGuard, At: w.at})
		w.must(cmd)
		if a := w.s.Agent(Root); len(w.s.Owed()) > 0 || a.Paused != MessageGuard || a.Epoch == 0 {
			t.Errorf("after %T root is %s, paused %q, in epoch %d, and owes %v", cmd, a.Status, a.Paused, a.Epoch, w.s.Owed())
		}
	}
}

// Whatever has paused an agent, the person's word takes the pause off and its turn
// goes on (spec/decisions.md 1, 24).
func TestThePersonTakesOffEveryPause(t *testing.T) {
	t.Parallel()
	for why, pause := range map[Pause]func(w *world, id AgentID){
		Interrupted:  func(w *world, id AgentID) { w.must(Interrupt{Agent: id}) },
		AskedToPause: func(w *world, _ AgentID) { w.must(PauseAll{}) },
		Quarantined:  func(w *world, id AgentID) { w.must(Quarantine{Agent: id}) },
		MessageGuard: func(w *world, id AgentID) {
			w.must(Interrupt{Agent: id})
			w.s.Apply(PausedNow{Agent: id, Why: MessageGuard, At: w.at})
		},
	} {
		for name, verb := range map[string]Command{
			"send":      Send{To: "worker-1", Text: "go on"},
			"interrupt": Interrupt{Agent: "worker-1", Text: "go on"},
			"resume":    Resume{Agent: "worker-1"},
		} {
			w := newWorld(t, DefaultLimits())
			id := w.spawn(Root)
			pause(w, id)
			if a := w.agent(id); a.Paused != why || a.Status != Idle || len(w.s.OwedBy(id)) > 0 {
				t.Fatalf("%s: %+v", why, a)
			}
			w.must(verb)
			if a := w.agent(id); a.Paused != "" || a.Status != WaitingLLM {
				t.Errorf("after %s %s is %s, paused %q", name, why, a.Status, a.Paused)
			}
		}
	}
}
