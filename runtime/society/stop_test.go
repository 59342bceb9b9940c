package society

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
)

// standing draws an agent that is not being terminated.
func (w *world) standing(t *rapid.T) AgentID {
	ids := slices.DeleteFunc(w.s.Agents(), func(id AgentID) bool { return w.agent(id).Status == Terminating })
	return rapid.SampledFrom(ids).Draw(t, "standing")
}

// mortal draws an agent that the person may terminate, "" if there is none.
func (w *world) mortal(t *rapid.T) AgentID {
	ids := slices.DeleteFunc(w.s.Agents(), func(id AgentID) bool { return id == Root || w.agent(id).Status == Terminating })
	if len(ids) == 0 {
		return ""
	}
	return rapid.SampledFrom(ids).Draw(t, "mortal")
}

// anyEnd draws a stop or a termination and the agents that it ends.
func (w *world) anyEnd(t *rapid.T) (Command, []AgentID) {
	if id := w.mortal(t); id != "" && rapid.Bool().Draw(t, "terminate") {
		return Terminate{Agent: id, By: User}, w.s.Subtree(id)
	}
	id := w.standing(t)
	return Stop{Agent: id}, w.s.Subtree(id)
}

func TestS001P1NothingIsOwedAfterAStopOrATermination(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		cmd, ids := w.anyEnd(t)
		w.must(cmd)
		for _, id := range ids {
			if owed := w.s.OwedBy(id); len(owed) > 0 {
				t.Fatalf("%s owes %v", id, owed)
			}
		}
	})
}

// S001 P2, P8: the agent and all its descendants are stopped, by one event.
func TestS001P2P8AStopStopsTheWholeSubtree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		top := w.standing(t)
		ids := slices.DeleteFunc(w.s.Subtree(top), func(id AgentID) bool { return w.agent(id).Status == Terminating })
		var running []AgentID
		for _, id := range ids {
			if !w.agent(id).Status.Ended() {
				running = append(running, id)
			}
		}
		drained := w.s.drainAbove(w.agent(top)) != ""
		result := w.must(Stop{Agent: top}).(StopResult)
		if result.Stopped != (len(running) > 0) || !result.OK {
			t.Fatalf("%+v of %v", result, running)
		}
		stopped := slices.DeleteFunc(slices.Clone(running), func(id AgentID) bool { return id == top })
		if !slices.Equal(result.CascadeStopped, stopped) && len(stopped) > 0 {
			t.Fatalf("cascade %v, not %v", result.CascadeStopped, stopped)
		}
		// At once (Req 5.1). One that was drained may be terminated in the same
		// moment: by the end of the drain, or by its parent's next call.
		for _, id := range running {
			if a := w.agent(id); a.Status != Stopping && !(a.Status == Terminating && drained) {
				t.Fatalf("%s is %s", id, a.Status)
			}
		}
		w.halted()
		for _, id := range ids {
			if a := w.s.Agent(id); a != nil && a.Status != Stopped {
				t.Fatalf("%s is %s", id, a.Status)
			}
		}
	})
}

func TestS001P3AStopOrATerminationClearsEveryQueue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		cmd, ids := w.anyEnd(t)
		waiting := 0
		for _, id := range ids {
			waiting += len(w.agent(id).Mailbox)
		}
		dropped := 0
		switch r := w.must(cmd).(type) {
		case StopResult:
			dropped = r.Dropped
		case TerminateResult:
			dropped = r.Dropped
		}
		if dropped != waiting {
			t.Fatalf("%d dropped, %d were waiting", dropped, waiting)
		}
		for _, id := range ids {
			if n := len(w.agent(id).Mailbox); n > 0 {
				t.Fatalf("%s has %d messages", id, n)
			}
		}
	})
}

// Refused means dropped: nothing of it is there afterwards (Req 2.2, 2.3).
func TestS001P4AStoppedAgentRefusesEveryMessage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, small())
		mid := w.spawn(Root)
		low := w.spawn(mid)
		victim := rapid.SampledFrom([]AgentID{mid, low}).Draw(t, "victim")
		w.must(Stop{Agent: victim})
		if rapid.Bool().Draw(t, "halted") {
			w.halted()
		}
		w.refused(Send{To: victim, Text: "hello"}, AgentStopped)
		w.refused(Interrupt{Agent: victim, Text: "hello"}, AgentStopped)
		tell := w.tells(victim, "", "hello")
		w.calling(Root, tell)
		if got := w.answer(Root, tell)["error"]; got != string(AgentStopped) {
			t.Fatalf("send_message: %v", got)
		}
		if w.agent(victim).Mailbox != nil || len(w.waiting(victim)) > 0 {
			t.Fatalf("something waits for %s", victim)
		}
	})
}

// A parent whose terminate_agent call ends with it goes on with its own next
// calls, which are none of its doing.
func TestS001P5NoAgentIsToldOfAStopOrATermination(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		cmd, ids := w.anyEnd(t)
		for _, id := range ids {
			if a := w.agent(id); w.s.drainAbove(a) != "" || a.Status == Terminating {
				return
			}
		}
		w.halts = nil
		w.must(cmd)
		events := w.last
		for _, ids := range slices.Clone(w.halts) {
			w.must(Halted{Agents: ids})
			events = append(events, w.last...)
		}
		for _, e := range events {
			switch e := e.(type) {
			case Accepted:
				t.Fatalf("%T: %s is told %q", cmd, e.To, e.Body)
			case Delivered:
				t.Fatalf("%T: the user is told %q", cmd, e.Body)
			}
		}
	})
}

// Every result of work that was owed before is thrown away: directly after, and
// after the end. The epoch is raised, so that no worker can be taken for a later
// one (spec/decisions.md 4).
func TestS001P6AResultAfterAStopOrATerminationIsDiscarded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		cmd, ids := w.anyEnd(t)
		epochs := map[AgentID]uint64{}
		var works []Work
		for _, id := range ids {
			if a := w.agent(id); !a.Status.Ended() {
				epochs[id] = a.Epoch
			}
			works = append(works, w.s.OwedBy(id)...)
		}
		late := func() {
			for _, work := range works {
				for _, result := range resultsOf(work) {
					w.stale(result)
				}
			}
		}
		w.must(cmd)
		for id, epoch := range epochs {
			if w.agent(id).Epoch <= epoch {
				t.Fatalf("%s is still in epoch %d", id, epoch)
			}
		}
		late()
		w.halted()
		late()
	})
}

func TestS001P7ATerminatedAgentIsInNoRegister(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		top := w.mortal(t)
		if top == "" {
			return
		}
		ids := w.s.Subtree(top)
		w.must(Terminate{Agent: top, By: User, Reason: "enough"})
		w.halted()
		for _, id := range ids {
			if w.s.Agent(id) != nil || w.s.known[id] != nil || w.said[id] != nil {
				t.Fatalf("%s is still there", id)
			}
			if tomb := w.s.Tombstone(id); tomb == nil || tomb.TerminatedAt != w.at {
				t.Fatalf("%s has the tombstone %+v", id, tomb)
			}
			for who, a := range w.s.agents {
				if _, known := a.Contacts[id]; known || slices.Contains(a.Children, id) || slices.Contains(a.Asked, id) || a.Drain == id {
					t.Fatalf("%s still has %s", who, id)
				}
			}
			w.refused(Send{To: id, Text: "hello", Resume: true}, AgentNotFound)
		}
	})
}

func TestS001P12AStoppingAgentRefusesEveryOperation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		id := w.standing(t)
		w.must(Stop{Agent: id})
		if w.agent(id).Status != Stopping {
			return // it was stopped before
		}
		for _, cmd := range []Command{
			Send{To: id, Text: "hello"},
			Send{To: id, Text: "hello", Resume: true},
			Interrupt{Agent: id},
			Interrupt{Agent: id, Text: "hello"},
			Resume{Agent: id},
			Resume{Agent: id, Alone: true},
		} {
			w.refused(cmd, AgentStopped)
			w.is(id, Stopping)
		}
		if result := w.must(Stop{Agent: id}).(StopResult); result.Stopped || !result.OK {
			t.Fatalf("%+v", result)
		}
		if id != Root { // terminating a stopping agent goes on at once (spec/decisions.md 8)
			w.must(Terminate{Agent: id, By: User})
			w.refused(Stop{Agent: id}, AgentStopped)
			w.halted()
		}
	})
}

// Whether the answer, or the tool's result, comes before the stop or after it:
// nothing runs, and what it asked for is done only if it came before.
func TestS001P13AStopWinsOverAnAnswer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, small())
		id := w.spawn(Root)
		if rapid.Bool().Draw(t, "in a tool") {
			w.calling(id, w.call("write", object{}), w.call("write", object{"n": 2}))
		}
		work := w.s.OwedBy(id)[0]
		result := func(w *world) Command {
			if work.Kind == Act {
				return ToolDone{Work: work, Text: "done"}
			}
			return Answered{Work: work, Text: "done", Calls: nil}
		}
		if work.Kind == Think && rapid.Bool().Draw(t, "with calls") {
			result = func(w *world) Command {
				return Answered{Work: work, Calls: []conversation.Call{w.tells(User, "", "hello"), w.call("write", object{})}}
			}
		}
		before, after := w.clone(w.t), w.clone(w.t)
		before.must(result(before))
		before.must(Stop{Agent: id})
		after.must(Stop{Agent: id})
		said := len(after.said[id])
		after.stale(result(after))
		if len(after.said[id]) != said || len(after.inbox) != len(w.inbox) {
			t.Fatalf("the late result counted")
		}
		for _, world := range []*world{before, after} {
			world.halted()
			world.is(id, Stopped)
			if a := world.agent(id); a.Open != nil || a.Turn != nil || a.Tail.Group != nil {
				t.Fatalf("something is left: %+v", a)
			}
			world.legal(id)
		}
	})
}

func TestS001P14AStopCancelsEveryKindOfWork(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(w *world, id AgentID){
		"a model call": func(*world, AgentID) {},
		"a tool":       func(w *world, id AgentID) { w.calling(id, w.call("write", object{})) },
		"a retry": func(w *world, id AgentID) {
			w.must(Failed{Work: w.thinks(id), Class: "network", Text: "no route", Retryable: true})
		},
		"a drain of it": func(w *world, id AgentID) {
			w.calling(Root, w.call("terminate_agent", object{"agentId": id}))
		},
		"a drain by it": func(w *world, id AgentID) {
			w.calling(id, w.call("terminate_agent", object{"agentId": w.spawn(id)}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, DefaultLimits())
			id := w.spawn(Root)
			set(w, id)
			works := w.s.OwedBy(id)
			w.must(Stop{Agent: id})
			for _, below := range w.s.Subtree(id) {
				a := w.agent(below)
				if len(w.s.OwedBy(below)) > 0 || a.Open != nil || a.Turn != nil || a.Drain != "" || a.Drained != nil {
					t.Errorf("%s still has %+v", below, a)
				}
			}
			for _, work := range works {
				w.stale(resultsOf(work)[0])
			}
			w.rest()
		})
	}
}
