package society

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
)

// terminates lets an agent call terminate_agent for a child.
func (w *world) terminates(parent, child AgentID) conversation.Call {
	w.t.Helper()
	call := w.call("terminate_agent", object{"agentId": child, "reason": "enough"})
	w.calling(parent, call)
	return call
}

// endedBy reads the result of a terminate_agent call.
func (w *world) endedBy(parent AgentID, call conversation.Call) TerminateResult {
	w.t.Helper()
	var r TerminateResult
	if err := json.Unmarshal([]byte(w.result(parent, call).Text), &r); err != nil {
		w.t.Fatalf("%v", err)
	}
	return r
}

// The child leaves the register, what it held is freed, and its end is recorded.
func TestS000P6TerminateAgentRemovesTheChildAndRecordsIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := peopled(t, DefaultLimits())
		child := w.agent(Root).Children()[0]
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

// Only the parent may: anybody else gets an error, and nothing changes (SPEC.md, decision 8).
func TestS000P7OnlyTheParentTerminates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := peopled(t, small())
		by := w.anyAgent(t)
		w.reads(by)
		target := rapid.SampledFrom(append(w.s.Agents(), User, "nobody-1")).Draw(t, "target")
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

// What waits in the queues of the subtree is read before the removal,
// whatever its agents are in, children before parents, and nothing comes in from
// outside. What the bound cuts off is counted in the event and in the result; the
// paused are not waited for, and theirs is counted too.
func TestS000P8EveryQueueOfTheSubtreeIsReadBeforeTheRemoval(t *testing.T) {
	t.Parallel()
	ways := propertytest.Met[string]{}
	ways.Check(t, propertytest.Once("cut off", "worked off", "messages read"), func(t *rapid.T) {
		w := grown(t)
		w.s.limits = DefaultLimits()
		w.s.limits.TaskMessages = 1 << 30
		able := slices.DeleteFunc(w.s.Agents(), func(id AgentID) bool {
			a := w.agent(id)
			return id == Root || a.Drain != "" || a.Status == Terminating || w.agent(a.Parent).Status == Stopping || w.s.drainAbove(a) != ""
		})
		if len(able) == 0 {
			t.Skip("nobody can be drained")
		}
		top := rapid.SampledFrom(able).Draw(t, "top")
		if !w.asked(w.agent(top).Parent) || w.s.Agent(top) == nil {
			return
		}
		ids := w.s.Subtree(top)
		for range rapid.IntRange(0, 6).Draw(t, "messages") {
			w.mails(t, rapid.SampledFrom(ids).Draw(t, "to"))
		}
		by := w.agent(top).Parent
		unread := map[AgentID][]*delivery{}
		for _, id := range ids {
			// One whose branch waits for the user will wait for the user when its other branches have ended.
			asks := func(s Step) bool { return s.waitsForUser() }
			if a := w.s.Agent(id); a != nil && a.Paused == "" && !slices.ContainsFunc(a.Open, asks) {
				unread[id] = w.waiting(id)
			}
		}
		if !w.asked(by) || w.s.Agent(top) == nil {
			return
		}
		if rapid.IntRange(0, 3).Draw(t, "bounded") == 0 {
			w.s.limits.DrainMessages = rapid.IntRange(0, 3).Draw(t, "bound")
		}
		call := w.terminates(by, top)
		if !slices.ContainsFunc(w.last, func(e Event) bool { _, ok := e.(DrainBegun); return ok }) {
			return
		}
		end := w.worksOff(t, top)
		if w.s.Agent(by) == nil { // a drain above has ended it, too
			return
		}
		switch r := w.endedBy(by, call); {
		case !r.OK || !r.Terminated || r.CutOff != end.cutOff || r.TerminatedAgentID != top:
			t.Fatalf("%+v, the event said %d", r, end.cutOff)
		case (end.late || w.s.limits.DrainMessages < 100) && end.cutOff+end.within > 0:
			ways["cut off"]++
			return
		}
		ways["worked off"]++
		for id, letters := range unread {
			for _, d := range letters {
				if d.taken != 1 {
					t.Fatalf("%s has not read %+v", id, d)
				}
				ways["messages read"]++
			}
		}
	})
}

// A drainEnd is how a drain has ended.
type drainEnd struct {
	cutOff int  // what it did not wait for
	within int  // the same of drains within it that had begun before
	late   bool // its time was up
}

// worksOff lets the agents of a drain finish what they have, with anything but a
// pause. The time of the drain is up when only those are left who wait for a budget.
func (w *world) worksOff(t *rapid.T, top AgentID) (end drainEnd) {
	count := func(s *State, e TerminationBegun) {
		if e.Agents[0] == top {
			end.cutOff = e.Ending.CutOff
		} else if s.Below(e.Agents[0], top) {
			end.within += e.Ending.CutOff
		}
	}
	w.witness = func(was *State, _ Command, _ error) {
		for _, e := range w.last {
			switch e := e.(type) {
			case MailTaken:
				if a := was.Agent(e.Agent); a.Drain != "" && held(was, a) {
					w.t.Fatalf("%s reads before those below it", a.ID)
				}
			case MessageQueued:
				if a := was.Agent(e.To); a.Drain != "" && !was.Below(e.Mail.From, e.To) {
					w.t.Fatalf("%s, which is drained, is told something by %s", e.To, e.Mail.From)
				}
			case AgentMade:
				if was.Agent(e.Agent.Parent).Drain != "" {
					w.t.Fatalf("%s spawns in its drain", e.Agent.Parent)
				}
			case TerminationBegun:
				count(was, e)
			}
			was.Apply(e)
		}
	}
	defer func() { w.witness = nil }()
	for _, e := range w.last { // nothing was to be waited for
		if e, ok := e.(TerminationBegun); ok {
			count(w.s, e)
		}
	}
	for range 300 {
		w.halted()
		var owed []Work
		for _, id := range w.s.Subtree(top) {
			for _, work := range w.s.OwedBy(id) {
				if work.Kind() == CompressStep || !w.agent(id).step(work.Item().Step).aside() { // a drain waits for the user's compressions
					owed = append(owed, work)
					break
				}
			}
		}
		switch {
		case len(owed) == 0 && slices.ContainsFunc(w.s.Subtree(top), func(id AgentID) bool { return w.agent(id).awaitsBudget() }):
			end.late = true
			w.timeIsUp(top)
			continue
		case w.s.Agent(top) == nil:
			return end
		case len(owed) == 0:
			w.t.Fatalf("the drain of %s does not end: %+v", top, w.agent(top))
		}
		w.finishes(t, rapid.SampledFrom(owed).Draw(t, "work"))
	}
	w.t.Fatalf("the drain of %s does not end: %+v", top, w.agent(top))
	return end
}

// timeIsUp lets the deadline of a drain come.
func (w *world) timeIsUp(top AgentID) {
	for _, work := range w.s.OwedBy(top) {
		if w.agent(top).step(work.Item().Step).For == DrainDeadline {
			w.at = maxTime(w.at, untilOf(work))
			w.must(w.ends(work))
			return
		}
	}
}

// finishes ends a piece of work of a draining agent.
func (w *world) finishes(t *rapid.T, work Work) {
	w.at = maxTime(w.at, untilOf(work))
	if work.Kind() == CompressStep {
		w.squeeze(work, 0)
		return
	}
	if plan, ok := work.(Plan); ok { // one that waits for the user is not waited for
		w.must(Planned{Work: plan, Failed: "not_found"})
		return
	}
	if work.Kind() != ThinkStep {
		w.must(w.ends(work))
		return
	}
	answer := Answered{Work: work.(Think), Text: rapid.SampledFrom([]string{"", "done"}).Draw(t, "text")}
	if w.agent(work.Item().Agent).Turn.Rounds < 3 {
		to := rapid.SampledFrom(append(w.s.Agents(), User)).Draw(t, "to")
		switch rapid.IntRange(0, 5).Draw(t, "how") {
		case 0:
			answer.Calls = []conversation.Call{w.tells(to, "status_report", fmt.Sprint("report ", w.calls))}
		case 1:
			answer.Calls = []conversation.Call{w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief()})}
		case 2:
			answer.Calls = []conversation.Call{w.call("look", object{"n": w.calls})}
		}
	}
	w.must(answer)
}

// ends is the end of an Act or a Wait.
func (w *world) ends(work Work) Command {
	if work.Kind() == ActStep {
		return w.worked(work.(Act))
	}
	if work.Kind() != WaitStep {
		return resultOf(work)
	}
	return TimerFired{Work: work.(Wait)}
}

// Agents that another may not end, with the code of the refusal: all but its own children
// that are not being ended already. Nothing begins.
func TestEveryWrongTargetOfADrainIsRefusedWithItsCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	sibling := w.spawn(Root)
	low, second, third, fourth := w.spawn(mid), w.spawn(mid), w.spawn(mid), w.spawn(mid)
	lowest := w.spawn(low)
	w.must(Terminate{Agent: third, By: User})
	w.halted()
	w.must(Terminate{Agent: fourth, By: User}) // whose workers have not ended
	w.terminates(mid, second)
	w.must(Interrupt{Agent: mid, Text: "go on meanwhile"})
	named := func(id AgentID) string { return payloadOf(object{"agentId": id}) }
	for name, c := range map[string]struct {
		arguments string
		code      Code
	}{
		"itself":                    {named(mid), NotYourChild},
		"its parent, which is root": {named(Root), NotYourChild},
		"its sibling":               {named(sibling), NotYourChild},
		"its grandchild":            {named(lowest), NotYourChild},
		"the user":                  {named(User), InvalidRecipient},
		"nobody":                    {named("nobody-1"), AgentNotFound},
		"no name":                   {named(""), InvalidArguments},
		"no agent at all":           {`{}`, InvalidArguments},
		"one that is drained":       {named(second), AgentStopped},
		"one that was terminated":   {named(third), AgentNotFound},
		"one that is terminating":   {named(fourth), AgentStopped},
		"a number":                  {`{"agentId":7}`, InvalidArguments},
		"a list":                    {`["` + string(low) + `"]`, InvalidArguments},
		"no JSON":                   {`agentId: worker-1`, InvalidArguments},
		"nothing":                   {``, InvalidArguments},
	} {
		call := w.call("terminate_agent", nil)
		call.Arguments = c.arguments
		if w.agent(mid).Turn.Rounds > 20 {
			w.says(mid, "a pause")
			w.send(mid, "and on")
		}
		w.calling(mid, call)
		if got := w.answer(mid, call)["error"]; got != string(c.code) || w.result(mid, call).Outcome != conversation.Failed {
			t.Errorf("%s: %v, not %s", name, got, c.code)
		}
		for _, e := range w.last {
			switch e.(type) {
			case DrainBegun, TerminationBegun, Erased:
				t.Errorf("%s: %T", name, e)
			}
		}
	}
	w.calling(low, w.call("terminate_agent", object{"agentId": mid})) // nor its parent below root
	if e := w.last[len(w.last)-2].(ToolResultKept); !strings.Contains(e.Entry.Text, string(NotYourChild)) {
		t.Errorf("its parent: %s", e.Entry.Text)
	}
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
	if wait := w.owed(mid, WaitStep); untilOf(wait).Sub(w.at) != 30*time.Second {
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

// A parent whose terminate_agent is overtaken by the user gets a code, and a text in the
// language of the society.
func TestADrainThatTheUserEndsIsSaidInTheLanguageOfTheSociety(t *testing.T) {
	t.Parallel()
	for lang, want := range map[protocol.Lang][2]string{
		protocol.English: {"a stop took over", "the user terminated it"}, protocol.Chinese: {"已被停止操作取代", "用户已将其终止"},
	} {
		for i, end := range []func(AgentID) Command{
			func(id AgentID) Command { return Stop{Agent: id} },
			func(id AgentID) Command { return Terminate{Agent: id, By: User} },
		} {
			w := newWorld(t, DefaultLimits())
			w.s.lang = lang
			child := w.spawn(Root)
			call := w.terminates(Root, child)
			w.must(end(child))
			if got := w.endedBy(Root, call); got.OK || got.Error != []Code{AgentStopped, AgentNotFound}[i] || got.Message != want[i] {
				t.Errorf("in %s %T comes to %+v, want %q", lang, end(child), got, want[i])
			}
		}
	}
}
