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
