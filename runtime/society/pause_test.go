package society

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

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

// Whatever has paused an agent, the user's word takes the pause off and its turn goes on
// (SPEC.md, decisions 1, 24).
func TestResumeOfTheUserEndsEveryPause(t *testing.T) {
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

// A rule that panics for an agent pauses it and ends what it runs; its queue is
// kept. Who has ended is not paused on top.
func TestAQuarantinePausesWhoeverHasNotEnded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		id := w.standing(t)
		was := *w.agent(id)
		waiting := len(was.Mailbox)
		w.must(Quarantine{Agent: id})
		a := w.s.Agent(id)
		switch {
		case was.Drain != "" && (a == nil || a.Status == Terminating): // nothing else was waited for
		case was.Status.Ended():
			if a.Paused != "" || a.Status != was.Status {
				t.Fatalf("%s was %s and is %s, paused %q", id, was.Status, a.Status, a.Paused)
			}
		case a.Paused != Quarantined || a.Status != Idle || len(a.Mailbox) != waiting || was.Status.Active() && a.Epoch == was.Epoch:
			t.Fatalf("%s was %+v and is %+v", id, was, a)
		}
	})
}

// Of a wait to ask again that was cut short nothing is left to be shown.
func TestAnInterruptEndsTheWaitToAskAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "hello")
	w.must(Failed{Work: w.thinks(Root), Class: "network", Text: "no route", Retryable: true})
	wait := w.owed(Root, WaitStep)
	if w.agent(Root).Turn.Retry == nil {
		t.Fatalf("root does not wait to ask again: %+v", w.agent(Root).Turn)
	}
	w.must(Interrupt{Agent: Root})
	w.stale(TimerFired{Work: wait.(Wait)})
	if a := w.agent(Root); a.Turn.Retry != nil || len(w.s.OwedBy(Root)) > 0 {
		t.Errorf("%+v waits for %+v", a.Turn, a.Turn.Retry)
	}
}

// "Resume and send" takes up with the recipient all below it that a stop took
// along, and nobody above or beside.
func TestResumeAndSendTakesUpTheStoppedBelow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid, beside := w.spawn(Root), w.spawn(Root)
	low := w.spawn(mid)
	lowest := w.spawn(low)
	w.must(Stop{Agent: Root})
	w.halted()
	sent := w.must(Send{To: mid, Text: "go on", Resume: true}).(Sent)
	if !slices.Equal(sent.Resumed, []AgentID{mid, low, lowest}) {
		t.Errorf("%v were taken up", sent.Resumed)
	}
	w.is(mid, WaitingLLM)
	w.is(low, Idle)
	w.is(lowest, Idle)
	w.is(beside, Stopped)
	w.is(Root, Stopped)
}

// Only the user's own messages can be taken back, the newest of them first.
func TestOnlyTheUsersOwnMessagesAreTakenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	child := w.spawn(Root)
	w.send(Root, "one")
	w.send(Root, "two")
	w.calling(child, w.tells(Root, "status_report", "so far"))
	mails := slices.Clone(w.agent(Root).Mailbox)
	w.refused(DropWaiting{Agent: Root, Seq: mails[2].Seq}, InvalidArguments)
	for _, i := range []int{1, 0} {
		if got := w.must(DropWaiting{Agent: Root}).(Dropped); got.Seq != mails[i].Seq {
			t.Errorf("message %d is taken back, not %d", got.Seq, mails[i].Seq)
		}
	}
	w.refused(DropWaiting{Agent: Root}, InvalidArguments)
	if left := w.agent(Root).Mailbox; len(left) != 1 || left[0].From != child {
		t.Errorf("%+v", left)
	}
}
