package society

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
)

// terminates lets an agent call terminate_agent for a child.
func (w *world) terminates(parent, child AgentID) conversation.Call {
	w.t.Helper()
	call := w.call("terminate_agent", object{"agentId": child, "reason": "enough"})
	w.calling(parent, call)
	return call
}

// endedBy reads what a terminate_agent call came to.
func (w *world) endedBy(parent AgentID, call conversation.Call) TerminateResult {
	w.t.Helper()
	var r TerminateResult
	if err := json.Unmarshal([]byte(w.result(parent, call).Text), &r); err != nil {
		w.t.Fatalf("%v", err)
	}
	return r
}

// The child leaves the register, what it held is freed, and its end is recorded
// (Req 3.1–3.3).
func TestS000P6TerminateAgentRemovesTheChildAndRecordsIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := peopled(t, DefaultLimits())
		child := w.agent(Root).Children[0]
		ids := w.s.Subtree(child)
		w.reads(Root)
		call := w.terminates(Root, child)
		for range 100 {
			w.halted()
			if w.s.Agent(child) == nil {
				break
			}
			for _, id := range ids {
				if a := w.s.Agent(id); a != nil && a.Status == WaitingLLM {
					w.says(id, "my last word")
				}
			}
		}
		for _, id := range ids {
			if w.s.Agent(id) != nil || w.said[id] != nil {
				t.Fatalf("%s is still there", id)
			}
			if tomb := w.s.Tombstone(id); tomb.TerminatedBy != Root || tomb.Reason != "enough" || tomb.TerminatedAt != w.at {
				t.Fatalf("%+v", tomb)
			}
		}
		r := w.endedBy(Root, call)
		if !r.OK || !r.Terminated || r.TerminatedAgentID != child || len(r.CascadeTerminated) != len(ids)-1 || r.CutOff != 0 {
			t.Fatalf("%+v", r)
		}
	})
}

// Only the parent may: anybody else gets an error, and nothing changes (Req 3.4,
// spec/decisions.md 8).
func TestS000P7OnlyTheParentTerminates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := peopled(t, small())
		by := w.anyAgent(t)
		w.reads(by)
		target := rapid.SampledFrom(append(w.s.Agents(), User, "nobody-1", "")).Draw(t, "target")
		if a := w.s.Agent(target); a != nil && a.Parent == by {
			return
		}
		call := w.terminates(by, target)
		for _, e := range w.last {
			switch e.(type) {
			case DrainBegun, TerminationBegun:
				t.Fatalf("%s ends %s", by, target)
			}
		}
		code := w.answer(by, call)["error"]
		if w.s.Agent(target) != nil && code != string(NotYourChild) || w.s.Agent(target) == nil && target != User && code != string(AgentNotFound) ||
			target == User && code != string(InvalidRecipient) {
			t.Fatalf("%s ends %q: %v", by, target, code)
		}
		w.refused(Terminate{Agent: Root, By: User}, InvalidRecipient)
		w.refused(Terminate{Agent: "worker-1", By: "worker-1"}, NotYourChild)
	})
}

// What waits in the queues of the subtree is read before the removal (Req 3.5):
// in order, children before parents, until the bound of messages.
func TestS000P8QueuesAreReadBeforeTheRemoval(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := DefaultLimits()
		l.DrainMessages = 5
		w := newWorld(t, l)
		mid := w.spawn(Root)
		low := w.spawn(mid)
		sent := map[AgentID]int{}
		for range rapid.IntRange(0, 9).Draw(t, "messages") {
			to := rapid.SampledFrom([]AgentID{mid, low}).Draw(t, "to")
			sent[to]++
			w.send(to, fmt.Sprintf("message %d", sent[to]))
		}
		letters := map[AgentID]map[uint64]*delivery{mid: w.letter[mid], low: w.letter[low]}
		call := w.terminates(Root, mid)
		for range 20 {
			w.halted()
			if w.s.Agent(mid) == nil {
				break
			}
			for _, id := range []AgentID{low, mid} {
				if a := w.s.Agent(id); a != nil && a.Status == WaitingLLM {
					busy := w.s.busyBelow(id)
					w.must(Answered{Work: w.thinks(id)})
					if took(w.last, id) && busy {
						t.Fatalf("%s reads before those below it", id)
					}
				}
			}
		}
		unread := 0
		for _, all := range letters {
			for _, d := range all {
				if d.taken == 0 {
					unread++
				}
			}
		}
		// A turn that the bound cut short counts as one, too.
		r := w.endedBy(Root, call)
		if r.CutOff < unread || r.CutOff > unread+2 {
			t.Fatalf("%d messages were not read, %+v", unread, r)
		}
		if sent[mid]+sent[low] <= 5 && r.CutOff > 0 {
			t.Fatalf("of %v messages: %+v", sent, r)
		}
	})
}

// took says whether an agent took messages.
func took(events []Event, id AgentID) bool {
	return slices.ContainsFunc(events, func(e Event) bool {
		taken, ok := e.(Taken)
		return ok && taken.Agent == id
	})
}

func TestADrainAdmitsMessagesOnlyUpwards(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid, peer := w.spawn(Root), w.spawn(Root)
	low, other := w.spawn(mid), w.spawn(mid)
	w.terminates(Root, mid)
	w.refused(Send{To: mid, Text: "hello"}, AgentStopped)
	w.refused(Send{To: low, Text: "hello", Resume: true}, AgentStopped)
	w.refused(Interrupt{Agent: mid, Text: "hello"}, AgentStopped)
	for by, to := range map[AgentID]AgentID{peer: mid, low: other, mid: low} {
		call := w.tells(to, "", "hello")
		w.calling(by, call)
		if got := w.answer(by, call)["error"]; got != string(AgentStopped) {
			t.Errorf("from %s to %s: %v", by, to, got)
		}
	}
	up, out := w.tells(mid, "", "my report"), w.tells(peer, "status_report", "goodbye")
	w.calling(low, up, out)
	for _, call := range []conversation.Call{up, out} {
		if got := w.answer(low, call)["ok"]; got != true {
			t.Errorf("%s: %v", call.Arguments, w.result(low, call).Text)
		}
	}
	for _, call := range []conversation.Call{
		w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief()}),
		w.call("create_role", object{"name": "x", "rolePrompt": "x"}),
		w.call("terminate_agent", object{"agentId": "worker-9"}),
	} {
		w.calling(low, call)
		if w.result(low, call).Outcome != conversation.Failed {
			t.Errorf("a draining agent may not %s", call.Name)
		}
	}
}

// A child's last report reaches its draining parent, and the parent's reaches
// the caller, before the call is answered.
func TestTheLastReportsComeUpBeforeTheRemoval(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid, peer := w.spawn(Root), w.spawn(Root)
	low := w.spawn(mid)
	w.calling(mid, w.tells(peer, "collaboration_request", "help"))
	call := w.terminates(Root, mid)
	w.says(mid, "I wait for low")
	if n := len(w.agent(Root).Mailbox); n != 0 {
		t.Fatalf("it waits for low: that was a note, not %d messages", n)
	}
	w.says(low, "low's result")
	if got := w.agent(mid); got.Status != WaitingLLM || len(got.Mailbox) != 0 {
		t.Fatalf("mid has not read low's result: %+v", got)
	}
	w.says(mid, "low's result, as I see it") // peer's answer could not reach it any more
	mail := w.agent(Root).Mailbox
	if len(mail) != 1 || mail[0].Line != "low's result, as I see it" {
		t.Fatalf("root is told %+v", mail)
	}
	w.is(mid, Terminating)
	w.is(Root, Processing)
	w.halted()
	if !w.endedBy(Root, call).Terminated {
		t.Errorf("the call is not answered in the transaction of the end")
	}
}

func TestADrainEndsAtItsBoundAndCountsWhatIsCutOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	w.send(mid, "one")
	w.send(mid, "two")
	call := w.terminates(Root, mid)
	if wait := w.owed(mid, Wait); wait.Until.Sub(w.at) != 30*time.Second {
		t.Fatalf("%+v", wait)
	}
	w.fires(mid)
	w.halted()
	if r := w.endedBy(Root, call); r.CutOff != 3 || !r.Terminated { // two unread, one turn not ended
		t.Errorf("%+v", r)
	}
}

func TestADrainDoesNotWaitForWhatIsPaused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	low := w.spawn(mid)
	w.must(Interrupt{Agent: low})
	w.calling(mid, w.tells(low, "", "go on"))
	call := w.terminates(Root, mid)
	w.is(mid, WaitingLLM)
	w.must(Interrupt{Agent: mid}) // an interrupt within the drain lets it end
	w.is(mid, Terminating)
	w.halted()
	if r := w.endedBy(Root, call); r.CutOff != 1 || !slices.Equal(r.CascadeTerminated, []AgentID{low}) {
		t.Errorf("%+v", r)
	}
}
