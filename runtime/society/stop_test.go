package society

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/tool/org"
)

// standing draws an agent that is not being terminated.
func (w *world) standing(t *rapid.T) AgentID {
	ids := slices.DeleteFunc(w.s.Agents(), func(id AgentID) bool { return w.agent(id).Status == Terminating })
	return rapid.SampledFrom(ids).Draw(t, "standing")
}

// mortal draws an agent that the user may terminate, "" if there is none.
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
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		cmd, ids := w.anyEnd(t)
		owed := 0
		for _, id := range ids {
			owed += len(w.s.OwedBy(id))
		}
		w.must(cmd)
		for _, id := range ids {
			if owed := w.s.OwedBy(id); len(owed) > 0 {
				t.Fatalf("%s owes %v", id, owed)
			}
		}
		return owed > 0
	}))
}

// An agent in any state is stopping at once, and stopped when its workers have
// ended: by one event, which names the agent itself first.
func TestS001P2AStoppedAgentIsStopped(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		id := w.standing(t)
		before := w.agent(id).Status
		drained := w.s.drainAbove(w.agent(id)) != ""
		w.must(Stop{Agent: id})
		a := w.agent(id)
		switch {
		case before == Stopped && (a.Status == Stopped || a.Status == Stopping):
		case drained && a.Status == Terminating:
			return false // it was the last that a drain waited for, or its parent's next call ends it
		case a.Status != Stopping:
			t.Fatalf("%s was %s and is %s", id, before, a.Status)
		}
		for _, e := range w.last {
			if e, begun := e.(StopBegun); begun && !before.Ended() && e.Agents[0] != id {
				t.Fatalf("%s is not the first of %v", id, e.Agents)
			}
		}
		w.halted()
		if a := w.s.Agent(id); a != nil && a.Status != Stopped {
			t.Fatalf("%s is %s", id, a.Status)
		}
		w.load() // and it stays so
		if a := w.s.Agent(id); a != nil && a.Status != Stopped {
			t.Fatalf("%s is %s after a restart", id, a.Status)
		}
		return !before.Ended()
	}))
}

func TestS001P8AStopStopsTheWholeSubtree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
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
		// At once. One that was drained may be terminated in the same
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
		return len(stopped) > 0 // somebody below it too
	}))
}

func TestS001P3AStopOrATerminationClearsEveryQueue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		for range 3 {
			w.mails(t, w.anyAgent(t))
		}
		cmd, ids := w.anyEnd(t)
		waiting, last := len(w.keptBetween(ids)), map[AgentID]uint64{}
		for _, id := range ids {
			waiting += len(w.agent(id).Mailbox)
			for _, m := range w.agent(id).Mailbox {
				last[id] = m.Seq
			}
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
			a := w.agent(id)
			if len(a.Mailbox) > 0 || a.Cursor < last[id] { // so that a store can forget them
				t.Fatalf("%s has %d messages, its cursor is at %d of %d", id, len(a.Mailbox), a.Cursor, last[id])
			}
		}
		return waiting > 0
	}))
}

// Refused means dropped: nothing of it is there afterwards. So it is for
// the user and for agents, whatever the type, while it is stopping and when it is
// stopped, and for all that were stopped along.
func TestS001P4AStoppedAgentRefusesEveryMessage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		w.must(Stop{Agent: w.standing(t)})
		if rapid.Bool().Draw(t, "halted") {
			w.halted()
		}
		stopped := slices.DeleteFunc(w.s.Agents(), func(id AgentID) bool { s := w.agent(id).Status; return s != Stopped && s != Stopping })
		if len(stopped) == 0 {
			return false // the last that a drain waited for
		}
		victim := rapid.SampledFrom(stopped).Draw(t, "victim")
		before := encoded(t, w.records())
		w.refused(Send{To: victim, Text: "hello"}, AgentStopped)
		w.refused(Send{To: victim, Text: "hello", NewTask: true}, AgentStopped)
		w.refused(Interrupt{Agent: victim, Text: "hello"}, AgentStopped)
		if after := encoded(t, w.records()); after != before {
			t.Fatalf("was\n%s and is\n%s", before, after)
		}
		var others []Work
		for _, work := range w.s.Owed() {
			a := w.agent(work.Item().Agent)
			waits := work.Kind() == ThinkStep && a.SideBySide() && work.Item().Run.Branch != a.AtHand().Branch // for its branch's turn
			if work.Kind() == ThinkStep && len(a.Mailbox) == 0 && !waits && w.s.MayUseAt(a, work.Item().Run, org.SendMessage) {
				others = append(others, work)
			}
		}
		if len(others) == 0 {
			return false
		}
		work := rapid.SampledFrom(others).Draw(t, "by")
		payload := w.anyPayload(t)
		payload["target"] = object{"id": victim, "role": "x"} // who ends cannot be introduced
		tell := w.tells(victim, rapid.SampledFrom(anyKind).Draw(t, "kind"), payload)
		w.must(Answered{Work: work.(Think), Calls: []conversation.Call{tell}})
		if a := w.s.Agent(victim); a == nil || !a.Status.Ended() {
			return false // the next call of whoever waited for it
		}
		if w.result(work.Item().Agent, tell).Outcome == conversation.NotRun {
			return false // one round too many
		}
		if got := w.answer(work.Item().Agent, tell)["error"]; got != string(AgentStopped) {
			t.Fatalf("send_message to %s, which is %s: %v", victim, w.agent(victim).Status, got)
		}
		if w.agent(victim).Mailbox != nil || len(w.waiting(victim)) > 0 {
			t.Fatalf("something waits for %s", victim)
		}
		return true
	}))
}

// A parent whose terminate_agent call ends with it goes on with its own next
// calls, which are none of its doing.
func TestS001P5NoAgentIsToldOfAStopOrATermination(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		cmd, ids := w.anyEnd(t)
		for _, id := range ids {
			if a := w.agent(id); w.s.drainAbove(a) != "" || a.Status == Terminating {
				return false
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
			case MessageQueued:
				t.Fatalf("%T: %s is told %q", cmd, e.To, e.Body)
			case MessageToUser:
				t.Fatalf("%T: the user is told %q", cmd, e.Body)
			}
		}
		return true
	}))
}

// Every result of work that was owed before is thrown away: directly after, and after the
// end. The epoch is raised, so that no worker can be taken for a later one (SPEC.md,
// decision 4).
func TestS001P6AResultAfterAStopOrATerminationIsDiscarded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
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
		return len(works) > 0
	}))
}

func TestS001P7ATerminatedAgentIsInNoRegister(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		top := w.mortal(t)
		if top == "" {
			return false
		}
		ids := w.s.Subtree(top)
		w.must(Terminate{Agent: top, By: User, Reason: "enough"})
		w.halted()
		for _, id := range ids {
			if w.s.Agent(id) != nil || w.said[id] != nil {
				t.Fatalf("%s is still there", id)
			}
			if tomb := w.s.Tombstone(id); tomb == nil || tomb.TerminatedAt != w.at {
				t.Fatalf("%s has the tombstone %+v", id, tomb)
			}
			for who, a := range w.s.agents {
				if a.Contacts.Knows(id) || slices.ContainsFunc(a.knownBy, func(b *Agent) bool { return b.ID == id }) || slices.Contains(a.Children(), id) || slices.Contains(a.Asked, id) || a.Drain == id {
					t.Fatalf("%s still has %s", who, id)
				}
			}
			w.refused(Send{To: id, Text: "hello", Resume: true}, AgentNotFound)
		}
		return true
	}))
}

func TestS001P12AStoppingAgentRefusesEveryOperation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		id := w.standing(t)
		w.must(Stop{Agent: id})
		if w.agent(id).Status != Stopping {
			return false // it was stopped before
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
		if id != Root { // terminating a stopping agent goes on at once (SPEC.md, decision 8)
			w.must(Terminate{Agent: id, By: User})
			w.refused(Stop{Agent: id}, AgentStopped)
			w.halted()
		}
		return true
	}))
}

// A result of any work comes before the stop or after it: nothing runs afterwards, its
// requests are carried out only if it came before, and children that it made then are
// stopped too.
func TestS001P13AStopWinsOverAnAnswer(t *testing.T) {
	t.Parallel()
	kinds := propertytest.Met[StepKind]{}
	kinds.Check(t, propertytest.Once(ThinkStep, ActStep, WaitStep, CompressStep), propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		owed := w.s.Owed()
		if len(owed) == 0 {
			return false
		}
		work := rapid.SampledFrom(owed).Draw(t, "work")
		kinds[work.Kind()]++
		above := []AgentID{work.Item().Agent}
		for a := w.agent(work.Item().Agent); a.ID != Root; a = w.agent(a.Parent) {
			above = append(above, a.Parent)
		}
		top := rapid.SampledFrom(above).Draw(t, "top")
		w.at = maxTime(w.at, untilOf(work))
		results := []Command{resultOf(work)}
		if work.Kind() == ThinkStep {
			results = []Command{
				Answered{Work: work.(Think), Text: "that is it"},
				Answered{Work: work.(Think), Calls: []conversation.Call{
					w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief()}), w.tells(User, "", "hello"),
				}},
				Answered{Work: work.(Think), Calls: []conversation.Call{w.call("write", object{})}},
				Failed{Work: work, Class: "auth", Text: "no key"},
			}
		}
		result := rapid.SampledFrom(results).Draw(t, "result")
		before, after := w.clone(w.t), w.clone(w.t)
		before.must(result)
		if a := before.s.Agent(top); a == nil || a.Status == Terminating {
			return false // with it a drain has ended
		}
		before.must(Stop{Agent: top})
		after.must(Stop{Agent: top})
		told, ids := len(after.inbox), after.s.Agents()
		after.stale(result)
		if len(after.inbox) != told || !slices.Equal(after.s.Agents(), ids) {
			t.Fatalf("the late result counted")
		}
		for _, world := range []*world{before, after} {
			below := world.s.Subtree(top)
			world.halted()
			for _, id := range below {
				a := world.s.Agent(id)
				if a == nil {
					continue // its drain was over
				}
				if a.Status != Stopped || a.Open != nil || a.Turn != nil || a.Tail.Group != nil || len(a.Mailbox) > 0 {
					t.Fatalf("something is left: %+v", a)
				}
				world.legal(id, world.history(id))
			}
		}
		return true
	}))
}

// Every kind of work, whatever it is for, and whether a stop or a termination
// cancels it: a model call, a tool that reads, writes or compresses, the wait for
// a retry, the compression of a full context, a drain of it and a drain by it.
// None is owed any more, none can count, and no drain of the subtree goes on.
func TestS001P14AStopOrATerminationCancelsEveryKindOfWork(t *testing.T) {
	t.Parallel()
	kinds, all := propertytest.Met[string]{}, propertytest.Once("society.Stop", "society.Terminate", "think ", "act look", "act write", "act compress_context", "wait ", "compress ", "the bound of a drain")
	kinds.Check(t, callsInBranches(all), propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		cmd, ids := w.anyEnd(t)
		w.meetBranches(kinds, ids)
		var works []Work
		for _, id := range ids {
			for _, work := range w.s.OwedBy(id) {
				works = append(works, work)
				name := string(work.Kind()) + " " + callOf(work).Name
				if w.agent(id).step(work.Item().Step).waits(DrainDeadline) {
					name = "the bound of a drain"
				}
				kinds[name]++
			}
		}
		kinds[fmt.Sprintf("%T", cmd)]++
		w.must(cmd)
		for _, id := range ids {
			a := w.agent(id)
			if len(w.s.OwedBy(id)) > 0 || a.Open != nil || a.Turn != nil || a.Drain != "" || a.Drained != nil {
				t.Fatalf("%s still has %+v", id, a)
			}
		}
		for _, work := range works {
			for _, result := range resultsOf(work) {
				w.stale(result)
			}
		}
		w.rest()
		return len(works) > 0
	}))
}

// An interrupt cancels what the agent itself is in the middle of, of every kind,
// and its wait for the end of a drain, whose call is answered as aborted; the
// bound of a drain goes on, the drain that it waited for too, and so do all below.
func TestS001P14AnInterruptCancelsEveryKindOfWorkOfItsAgent(t *testing.T) {
	t.Parallel()
	kinds, all := propertytest.Met[string]{}, propertytest.Once("think ", "act look", "act write", "act compress_context", "wait ", "compress ", "plan ", "an answer of the user", "a drain of a child")
	kinds.Check(t, callsInBranches(all), propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		var able []AgentID
		for _, id := range w.s.Agents() {
			if w.agent(id).busy() {
				able = append(able, id)
			}
		}
		if len(able) == 0 {
			return false
		}
		id := rapid.SampledFrom(able).Draw(t, "interrupted")
		work, runs := w.running(id)
		w.meetBranches(kinds, []AgentID{id})
		call, waits := w.draining(id)
		asks := w.agent(id).waitsForUser()
		switch {
		case runs:
			kinds[string(work.Kind())+" "+callOf(work).Name]++
		case asks:
			kinds["an answer of the user"]++
		default:
			kinds["a drain of a child"]++
		}
		others, drains := map[AgentID][]Work{}, []AgentID{}
		for _, other := range w.s.Subtree(id)[1:] {
			if w.s.drainAbove(w.agent(other)) == "" { // else who is paused may be what the drain waited for
				others[other] = w.s.OwedBy(other)
			}
			if w.agent(other).Drained != nil && w.s.drainAbove(w.agent(id)) == "" {
				drains = append(drains, other)
			}
		}
		if !w.must(Interrupt{Agent: id}).(Interruption).Was {
			t.Fatalf("%s, who owes %+v, was in the middle of nothing", id, work)
		}
		if runs {
			for _, result := range resultsOf(work) {
				w.stale(result)
			}
		} else if last := w.lastResult(id, call.ID); asks {
			if len(w.s.approvals.of[id]) > 0 {
				t.Fatalf("%s still asks the user", id)
			}
		} else if !waits || last.Outcome != conversation.AbortedCall {
			t.Fatalf("%s waited for a drain with %+v, which came to %+v", id, call, last)
		}
		if more, runs := w.running(id); runs || w.agent(id).busy() {
			t.Fatalf("%s goes on with %+v", id, more)
		}
		for _, other := range drains {
			if w.agent(other).Drained == nil {
				t.Fatalf("the drain of %s ends with the wait for it", other)
			}
		}
		for other, owed := range others {
			for _, work := range owed {
				if !w.agent(other).expects(work) {
					t.Fatalf("%s owes %+v no more", other, work)
				}
			}
		}
		w.rest()
		return true
	}))
}

// lastResult is what a call of an agent has come to.
func (w *world) lastResult(id AgentID, call string) conversation.Entry {
	w.t.Helper()
	for slot := w.agent(id).Tail.Next; slot > 0; slot-- {
		if e, said := w.said[id][slot-1]; said && e.CallID == call {
			return e
		}
	}
	w.t.Fatalf("%s has no result of %s", id, call)
	return conversation.Entry{}
}

// Whoever below is stopping still is passed over: the others are taken up.
func TestAResumePassesOverWhoIsStoppingStill(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	low, other := w.spawn(mid), w.spawn(mid)
	w.must(Interrupt{Agent: mid})
	w.must(Stop{Agent: other})
	w.halted()
	w.must(Stop{Agent: low})
	if r := w.must(Resume{Agent: mid}).(Resumption); !slices.Equal(r.Agents, []AgentID{mid, other}) || !slices.Equal(r.Again, []AgentID{mid}) {
		t.Errorf("%v were taken up, of them %v go on where they were cut short", r.Agents, r.Again)
	}
	w.is(mid, WaitingLLM)
	w.is(other, Idle)
	w.is(low, Stopping)
}
