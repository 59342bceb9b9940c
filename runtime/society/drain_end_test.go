package society

import (
	"slices"
	"testing"
	"time"

	"society-tui/runtime/conversation"
)

func TestAStopOfTheUserReplacesADrain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	low := w.spawn(mid)
	call := w.terminates(Root, mid)
	w.must(Stop{Agent: mid})
	if r := w.endedBy(Root, call); r.OK || r.Terminated || r.Error == "" || r.TerminatedAgentID != mid {
		t.Errorf("%+v", r)
	}
	w.is(Root, WaitingLLM) // and goes on
	w.halted()
	w.is(mid, Stopped)
	w.is(low, Stopped)
	w.must(Resume{Agent: mid})
	w.send(mid, "hello") // it is drained no more
	w.is(mid, WaitingLLM)
}

func TestATerminationOfTheUserReplacesADrain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	call := w.terminates(Root, mid)
	w.must(Terminate{Agent: mid, By: User, Reason: "now"})
	if r := w.endedBy(Root, call); r.OK || r.Error == "" {
		t.Errorf("%+v", r)
	}
	w.halted()
	if tomb := w.s.Tombstone(mid); tomb.TerminatedBy != User {
		t.Errorf("%+v", tomb)
	}
}

// A stop of what a drain still waits for lets the drain end, and what is resumed
// in a drain takes no messages from outside.
func TestWhatIsStoppedOrResumedWithinADrainStaysInIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	low, last := w.spawn(mid), w.spawn(mid)
	call := w.terminates(Root, mid)
	w.must(Stop{Agent: low})
	w.halted()
	w.must(Resume{Agent: low})
	w.refused(Send{To: low, Text: "hello"}, AgentStopped)
	w.must(Stop{Agent: low})
	w.halted()
	w.refused(Send{To: low, Text: "hello", Resume: true}, AgentStopped)
	w.says(mid, "I am done")
	w.is(mid, Idle)
	w.must(Stop{Agent: last})
	w.is(mid, Terminating)
	w.halted()
	if r := w.endedBy(Root, call); !r.Terminated || len(r.CascadeTerminated) != 2 {
		t.Errorf("%+v", r)
	}
}

// A drain within a drain ends by itself, and its caller then goes on to its own
// end: neither waits for its bound.
func TestADrainWithinADrainEndsByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	low := w.spawn(mid)
	lowest := w.spawn(low)
	inner := w.terminates(mid, low)
	outer := w.terminates(Root, mid)
	w.says(low, "low waits for lowest")
	w.says(lowest, "lowest is done")
	w.says(low, "low is done")
	w.halted()
	if r := w.endedBy(mid, inner); !r.Terminated || len(r.CascadeTerminated) != 1 {
		t.Fatalf("%+v", r)
	}
	w.reads(mid)
	w.says(mid, "mid is done")
	w.halted()
	if r := w.endedBy(Root, outer); !r.Terminated || r.CutOff != 0 || len(r.CascadeTerminated) != 0 {
		t.Fatalf("%+v", r)
	}
}

func TestTheCallersInterruptDoesNotEndTheDrain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	call := w.terminates(Root, mid)
	w.must(Interrupt{Agent: Root, Text: "never mind"})
	if got := w.result(Root, call).Outcome; got != conversation.AbortedCall {
		t.Errorf("%s", got)
	}
	again := w.terminates(Root, mid)
	if got := w.answer(Root, again)["error"]; got != string(AgentStopped) {
		t.Errorf("it is being ended already: %v", got)
	}
	w.says(mid, "done")
	w.halted()
	if w.s.Agent(mid) != nil {
		t.Errorf("%s is still there", mid)
	}
}

func TestAStoppedChildIsTerminatedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	w.must(Stop{Agent: mid}) // its workers may still be ending
	call := w.terminates(Root, mid)
	w.is(mid, Terminating)
	w.halted()
	if r := w.endedBy(Root, call); !r.Terminated {
		t.Errorf("%+v", r)
	}
}

// A stopped child is drained too, while one below it goes on: a stop of it still replaces
// the drain.
func TestAStopReplacesTheDrainOfAStoppedAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	low := w.spawn(mid)
	w.must(Stop{Agent: mid})
	w.halted()
	w.must(Send{To: low, Text: "go on alone", Resume: true})
	call := w.terminates(Root, mid)
	w.is(mid, Stopped)
	w.refused(Send{To: mid, Text: "hello", Resume: true}, AgentStopped)
	if r := w.must(Stop{Agent: mid}).(StopResult); !r.Stopped || len(r.CascadeStopped) != 1 {
		t.Errorf("%+v", r)
	}
	if r := w.endedBy(Root, call); r.Terminated || r.Error == "" {
		t.Errorf("%+v", r)
	}
	w.halted()
	w.is(mid, Stopped)
	w.is(low, Stopped)
}

// Quarantine and the message guard pause an agent; a drain does not wait for it.
func TestWhatIsPausedByTheRulesDoesNotHoldUpADrain(t *testing.T) {
	t.Parallel()
	l := DefaultLimits()
	l.TaskMessages, l.PanicsPerMinute = 2, 1
	w := newWorld(t, l)
	mid := w.spawn(Root)
	low := w.spawn(mid)
	call := w.terminates(Root, mid)
	tell := w.tells(mid, "", "more") // the third message of the task
	w.calling(low, tell)
	if got := w.answer(low, tell)["error"]; got != string(LimitReached) {
		t.Fatalf("%v", got)
	}
	w.must(Panicked{Work: w.thinks(mid), Text: "oops"})
	w.says(low, "the end") // goes to the user: nobody else accepts it
	if n := len(w.inbox); n == 0 {
		t.Errorf("low's last word is lost")
	}
	w.halted()
	if r := w.endedBy(Root, call); !r.Terminated {
		t.Errorf("%+v", r)
	}
}

func TestARestartFinishesADrain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	w.spawn(mid)
	call := w.terminates(Root, mid)
	w.restart(false)
	w.halted()
	if r := w.endedBy(Root, call); !r.Terminated || len(r.CascadeTerminated) != 1 || r.CutOff != 2 {
		t.Errorf("%+v", r)
	}
	w.is(Root, WaitingLLM)
}

// Nested drains end once, by the outermost, whose caller gets the result.
func TestARestartEndsDrainsWithinEachOtherOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	low := w.spawn(mid)
	w.send(low, "and this")
	w.terminates(mid, low)
	call := w.terminates(Root, mid)
	w.restart(false)
	ends := 0
	for _, e := range w.last {
		if e, ok := e.(TerminationBegun); ok {
			ends++
			if !slices.Equal(e.Agents, []AgentID{mid, low}) || e.Ending.CutOff != 3 { // two turns and a message
				t.Errorf("%+v", e)
			}
		}
	}
	w.halted()
	if r := w.endedBy(Root, call); ends != 1 || r.CutOff != 3 || w.s.Tombstone(low).TerminatedBy != Root {
		t.Errorf("%d ends, %+v, %+v", ends, r, w.s.Tombstone(low))
	}
}

// A restart ends all drains in one decision. A message that is kept in one of them
// for somebody in the other is dropped with the first and counted there, and not
// once more with the second, whichever that is; nor is it given another time when
// the clock has gone back.
func TestARestartThatEndsTwoDrainsDropsAMessageBetweenThemOnce(t *testing.T) {
	t.Parallel()
	for _, senderFirst := range []bool{true, false} {
		for _, back := range []time.Duration{0, time.Hour} {
			w := newWorld(t, DefaultLimits())
			one, other := w.spawn(Root), w.spawn(Root)
			from, to := w.spawn(one), w.spawn(other)
			if !senderFirst {
				from, to = to, from
			}
			w.delays(from, to, time.Minute)
			w.terminates(one, w.agent(one).Children()[0])
			w.terminates(other, w.agent(other).Children()[0])
			if w.agent(from).Drained == nil || w.agent(to).Drained == nil || len(w.agent(from).Later) != 1 {
				t.Fatalf("they are not drained: %+v, %+v", w.agent(from), w.agent(to))
			}
			w.at = w.at.Add(-back)
			w.restart(false)
			dropped := 0
			for _, e := range w.last {
				switch e := e.(type) {
				case DelayedDropped:
					dropped += len(e.List)
				case DelayedMoved:
					if !senderFirst {
						t.Errorf("back %v: what is dropped is given the time %v", back, e.Due)
					}
				}
			}
			if dropped != 1 || len(w.agent(from).Later) > 0 || w.agent(to).Delayed() > 0 {
				t.Errorf("sender first %t, back %v: %d messages were dropped", senderFirst, back, dropped)
			}
			first, second := w.agent(w.agent(one).Children()[0]).Ending, w.agent(w.agent(other).Children()[0]).Ending
			if first.CutOff != 2 || second.CutOff != 1 { // a turn each, and the message
				t.Errorf("sender first %t, back %v: the drains cut off %d and %d", senderFirst, back, first.CutOff, second.CutOff)
			}
			w.halted()
		}
	}
}

// Two messages may be read here: the third ends the drain.
func TestADrainEndsWithTheMessageBeyondItsBound(t *testing.T) {
	t.Parallel()
	l := DefaultLimits()
	l.DrainMessages = 2
	w := newWorld(t, l)
	mid := w.spawn(Root)
	low := w.spawn(mid)
	w.send(low, "one")
	w.send(low, "two")
	call := w.terminates(Root, mid)
	w.says(mid, "I wait for low")
	w.says(low, "one is done")
	w.is(low, WaitingLLM) // has read two
	w.says(low, "two is done")
	w.is(mid, Terminating) // had its report to read
	w.halted()
	if r := w.endedBy(Root, call); r.CutOff != 1 {
		t.Errorf("%+v", r)
	}
}
