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

// two returns a society in which root has two children, who think.
func two(t fatal) (w *world, from, to AgentID) {
	w = newWorld(t, DefaultLimits())
	return w, w.spawn(Root), w.spawn(Root)
}

// delays has an agent that thinks send a message later, and returns its call.
func (w *world) delays(from AgentID, to any, after time.Duration) conversation.Call {
	w.t.Helper()
	call := w.tellsLater(to, "later", after)
	w.calling(from, call)
	return call
}

// alarm is the wait for the first message that an agent keeps.
func (w *world) alarm(id AgentID) Work {
	w.t.Helper()
	step := w.agent(id).alarmed()
	if step == nil {
		w.t.Fatalf("%s waits for nothing", id)
	}
	for _, work := range w.s.OwedBy(id) {
		if work.Item().Step == step.N {
			return work
		}
	}
	w.t.Fatalf("%s does not owe its wait", id)
	return nil
}

// keptBetween returns the messages that are to be sent later by or to some of
// these agents.
func (w *world) keptBetween(ids []AgentID) (kept []DelayedMessage) {
	w.t.Helper()
	for _, by := range w.s.Agents() {
		for _, l := range w.agent(by).Later {
			if slices.Contains(ids, by) || slices.Contains(ids, l.To) {
				kept = append(kept, l)
			}
		}
	}
	return kept
}

// rings lets the time come of the first message that an agent keeps.
func (w *world) rings(id AgentID) {
	w.t.Helper()
	work := w.alarm(id)
	w.at = maxTime(w.at, untilOf(work))
	w.must(TimerFired{Work: work.(Wait)})
}

func TestADelayedMessageIsAcknowledgedAtOnceAndDeliveredWhenDue(t *testing.T) {
	t.Parallel()
	w, from, to := two(t)
	call := w.delays(from, to, 90*time.Second)
	r := w.answer(from, call)
	if r["ok"] != true || r["messageId"] == "" || r["dueAt"] != "2026-01-01T00:01:30.000Z" || r["contactKnown"] != false {
		t.Fatalf("%v", r)
	}
	if b := w.agent(to); len(b.Mailbox) != 0 || b.Delayed() != 1 || b.Contacts.Of(from).ID != "" {
		t.Fatalf("%d wait, %d are delayed, contacts %v", len(b.Mailbox), b.Delayed(), b.Contacts)
	}
	w.says(from, "that is all") // to root, who is owed it, and not to the recipient
	w.is(from, Idle)
	before := w.s.counters.Seq
	w.rings(from)
	b := w.agent(to)
	if len(b.Mailbox) != 1 || string(b.Mailbox[0].ID) != r["messageId"] || b.Mailbox[0].Seq <= before || b.Delayed() != 0 {
		t.Fatalf("%+v, %d are delayed", b.Mailbox, b.Delayed())
	}
	if b.Contacts.Of(from).ID == "" || len(w.s.OwedBy(from)) != 0 {
		t.Fatalf("contacts %v, it owes %v", b.Contacts, w.s.OwedBy(from))
	}
	w.says(to, "well") // and takes the message next
	if got := w.visible(to); got[len(got)-1].Text == "" || !strings.Contains(got[len(got)-1].Text, "\nlater\n") {
		t.Fatalf("%+v", got[len(got)-1])
	}
}

// Decision 10: order is by the number that a message gets when it is due.
func TestDelayedMessagesComeInTheOrderOfTheirTimes(t *testing.T) {
	t.Parallel()
	w, from, to := two(t)
	var want []string
	for _, s := range []int{30, 10, 20, 10} {
		r := w.answer(from, w.delays(from, to, time.Duration(s)*time.Second))
		want = append(want, r["messageId"].(string)) //nolint:forcetypeassert // or the test fails
	}
	for range 3 {
		w.rings(from)
	}
	var got []string
	for _, m := range w.agent(to).Mailbox {
		got = append(got, string(m.ID))
	}
	if want = []string{want[1], want[3], want[2], want[0]}; !slices.Equal(got, want) {
		t.Fatalf("came as %v, not %v", got, want)
	}
}

func TestADelayIsAWholeNumberOfMillisecondsUpToSevenDays(t *testing.T) {
	t.Parallel()
	w, from, to := two(t)
	tells := func(raw string) object {
		call := w.call("send_message", object{"to": to, "payload": raw, "delayMs": json.RawMessage(raw)})
		w.calling(from, call)
		return w.answer(from, call)
	}
	for raw, want := range map[string]time.Duration{
		"null": 0, "0": 0, "1": time.Millisecond, "1e3": time.Second, `"10"`: 10 * time.Millisecond, "604800000": 7 * 24 * time.Hour,
	} {
		got, due := tells(raw), any(nil)
		if want > 0 {
			due = w.at.Add(want).Format("2006-01-02T15:04:05.000Z07:00")
		}
		if got["ok"] != true || got["dueAt"] != due {
			t.Errorf("%s is due at %v, not %v", raw, got, due)
		}
	}
	for _, raw := range []string{"-1", "0.5", "604800001", "1e300", `"soon"`, "[]", "{}", "true"} {
		if got := tells(raw); got["error"] != string(InvalidArguments) || !strings.Contains(got["message"].(string), "delayMs must be a whole number from 0 to 604800000, not "+raw) {
			t.Errorf("%q: %v", raw, got)
		}
	}
}

// Each recipient has a result of its own.
func TestADelayedMessageToSeveralHasAResultForEach(t *testing.T) {
	t.Parallel()
	w, from, to := two(t)
	w.must(Stop{Agent: to})
	r := w.answer(from, w.delays(from, []AgentID{Root, to, User, "nobody-1", from}, time.Minute))
	var got []string
	for _, each := range r["results"].([]any) { //nolint:forcetypeassert // or the test fails
		o := each.(object) //nolint:forcetypeassert // as above
		got = append(got, fmt.Sprint(o["to"], " ", o["ok"], " ", o["error"], " ", o["dueAt"] != nil))
	}
	want := []string{
		"root true <nil> true", string(to) + " <nil> agent_stopped false", "user true <nil> true",
		"nobody-1 <nil> agent_not_found false", string(from) + " <nil> invalid_recipient false",
	}
	if !slices.Equal(got, want) || len(w.agent(from).Later) != 2 {
		t.Fatalf("%q", got)
	}
	w.rings(from)
	if last := w.inbox[len(w.inbox)-1]; last.Body != "later" {
		t.Fatalf("the user is told %+v", last)
	}
}

// Decision 10: the stop or termination of either side drops it, and counts it.
func TestAStopOrTerminationOfEitherSideDropsADelayedMessage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cmd     func(from, to AgentID) Command
		dropped func(any) int
	}{
		"stop of the sender":           {func(from, _ AgentID) Command { return Stop{Agent: from} }, stopDropped},
		"stop of the recipient":        {func(_, to AgentID) Command { return Stop{Agent: to} }, stopDropped},
		"stop of both":                 {func(_, _ AgentID) Command { return Stop{Agent: Root} }, stopDropped},
		"termination of the sender":    {func(from, _ AgentID) Command { return Terminate{Agent: from, By: User} }, terminateDropped},
		"termination of the recipient": {func(_, to AgentID) Command { return Terminate{Agent: to, By: User} }, terminateDropped},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, from, to := two(t)
			w.delays(from, to, time.Minute)
			work := w.alarm(from)
			if n := c.dropped(w.must(c.cmd(from, to))); n != 1 {
				t.Fatalf("%d are counted", n)
			}
			w.stale(TimerFired{Work: work.(Wait)})
			if a := w.s.Agent(from); len(a.Later) != 0 || a.alarmed() != nil {
				t.Fatalf("%+v", a)
			}
			w.halted()
			if b := w.s.Agent(to); b != nil && b.Delayed() != 0 {
				t.Fatalf("%d are delayed", b.Delayed())
			}
		})
	}
}

func stopDropped(reply any) int      { return reply.(StopResult).Dropped }      //nolint:forcetypeassert // or the test fails
func terminateDropped(reply any) int { return reply.(TerminateResult).Dropped } //nolint:forcetypeassert // as above

// A drain does not wait for the time of a message: it cuts off and counts what
// those in it keep, and what is kept for them.
func TestADrainCutsOffDelayedMessages(t *testing.T) {
	t.Parallel()
	w, from, to := two(t)
	w.delays(from, to, time.Hour)
	w.delays(to, []AgentID{from, Root}, time.Hour)
	w.says(from, "done")
	w.says(Root, "noted") // and reads that
	ends := w.call("terminate_agent", object{"agentId": from})
	w.calling(Root, ends)
	w.halted()
	if r := w.answer(Root, ends); r["ok"] != true || r["cutOff"] != 2.0 {
		t.Fatalf("%v", r)
	}
	if a := w.agent(to); len(a.Later) != 1 || a.Later[0].To != Root {
		t.Fatalf("%+v", a.Later)
	}
}

// Whatever becomes of the turns of both, short of an end, the message is kept.
func TestAnInterruptOrARestartLosesNoDelayedMessage(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(w *world, from, to AgentID){
		"interrupt of the sender":    func(w *world, from, _ AgentID) { w.must(Interrupt{Agent: from}) },
		"interrupt of the recipient": func(w *world, _, to AgentID) { w.must(Interrupt{Agent: to}) },
		"failure of the sender's turn": func(w *world, from, _ AgentID) {
			w.must(Failed{Work: w.thinks(from), Class: "auth", Text: "no"})
		},
		"pause of all":       func(w *world, _, _ AgentID) { w.must(PauseAll{}) },
		"restart":            func(w *world, _, _ AgentID) { w.restart(false) },
		"restart, paused":    func(w *world, _, _ AgentID) { w.restart(true) },
		"restart, when idle": func(w *world, from, _ AgentID) { w.says(from, "done"); w.restart(false) },
		"a panic of the wait": func(w *world, from, _ AgentID) {
			w.must(Panicked{Work: w.alarm(from), Text: "oops"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, from, to := two(t)
			w.delays(from, to, time.Minute)
			do(w, from, to)
			if len(w.agent(to).Mailbox) != 0 {
				t.Fatalf("it came before its time: %+v", w.agent(to).Mailbox)
			}
			w.rings(from)
			if b := w.agent(to); len(b.Mailbox) != 1 {
				t.Fatalf("%+v", b.Mailbox)
			}
		})
	}
}

// Order and delivery do not hang on the clock.
func TestAClockThatJumpsLosesNoDelayedMessage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		jump time.Duration
		wait time.Duration // from the jump to the alarm, at most
	}{
		"an hour forward": {time.Hour, 0},
		"an hour back":    {-time.Hour, time.Minute},
		"to 1970":         {-56 * 365 * 24 * time.Hour, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, from, to := two(t)
			w.delays(from, to, time.Minute)
			w.at = w.at.Add(c.jump)
			w.restart(false)
			work := w.alarm(from)
			if left := untilOf(work).Sub(w.at); left > c.wait {
				t.Fatalf("it waits %v", left)
			}
			w.at = maxTime(w.at, untilOf(work))
			w.must(TimerFired{Work: work.(Wait)})
			if b := w.agent(to); len(b.Mailbox) != 1 {
				t.Fatalf("%+v", b.Mailbox)
			}
		})
	}
	// While the program runs, the timer counts what has passed, whatever the clock says.
	w, from, to := two(t)
	w.delays(from, to, time.Minute)
	work := w.alarm(from)
	w.jumps = true
	w.at = w.at.Add(-time.Hour)
	w.must(TimerFired{Work: work.(Wait)})
	if b := w.agent(to); len(b.Mailbox) != 1 {
		t.Fatalf("%+v", b.Mailbox)
	}
}

// What is due is checked as if it were sent then. The sender believes that it has
// written: the runtime tells it otherwise, and asks for no answer.
func TestARefusalWhenDueIsToldToTheSender(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		refuse func(w *world, to AgentID)
		code   Code
	}{
		"it is being drained": {func(w *world, to AgentID) {
			w.calling(Root, w.call("terminate_agent", object{"agentId": to}), w.call("look", object{}))
		}, AgentStopped},
		"its queue is full": {func(w *world, _ AgentID) { w.s.limits.Queue = 0 }, MailboxFull},
		"the task has had too many": {func(w *world, _ AgentID) {
			w.s.limits.TaskMessages = 1
		}, LimitReached},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, from, to := two(t)
			id := w.answer(from, w.delays(from, to, time.Minute))["messageId"]
			w.says(from, "done")
			w.says(Root, "noted") // and reads that
			waiting := len(w.agent(to).Mailbox)
			c.refuse(w, to)
			w.rings(from)
			if b := w.agent(to); len(b.Mailbox) != waiting || b.Delayed() != 0 {
				t.Fatalf("%+v", b.Mailbox)
			}
			told := ""
			for _, e := range w.history(from) {
				if e.From == string(Runtime) || e.Kind == conversation.Notice {
					told = e.Text
				}
			}
			for _, m := range w.agent(from).Mailbox {
				if m.From == Runtime {
					told = m.Line
				}
			}
			if !strings.Contains(told, fmt.Sprintf("message %s to %s was not delivered", id, to)) {
				t.Fatalf("%s: it is told %q", c.code, told)
			}
			if slices.Contains(w.agent(from).Owes, Runtime) {
				t.Fatalf("it owes an answer to %v, want not the runtime", w.agent(from).Owes)
			}
		})
	}
}

func TestDelayedMessagesAreLimited(t *testing.T) {
	t.Parallel()
	w, from, to := two(t)
	w.s.limits.Queue = 2
	for i, want := range []any{nil, nil, "limit_reached"} {
		if r := w.answer(from, w.delays(from, User, time.Duration(i+1)*time.Minute)); r["error"] != want {
			t.Fatalf("%d: %v", i, r)
		}
	}
	w.delays(to, Root, time.Minute)
	w.delays(to, Root, 2*time.Minute)
	w.says(from, "done")
	w.says(Root, "noted") // and reads that
	third := w.spawn(Root)
	if r := w.answer(third, w.delays(third, Root, time.Minute)); r["error"] != "mailbox_full" {
		t.Fatalf("%v", r)
	}
}

// An answer that is on its way is waited for (SPEC.md, decision 21): what is said without
// it is a note.
func TestAnAgentWaitsForADelayedAnswer(t *testing.T) {
	t.Parallel()
	w, from, to := two(t)
	w.says(to, "done")
	w.says(Root, "noted") // and reads that
	w.delays(from, Root, time.Minute)
	w.says(from, "") // nothing now
	w.says(Root, "I wait for it")
	if last := w.inbox[len(w.inbox)-1]; !last.Note {
		t.Fatalf("%+v", last)
	}
	w.rings(from)
	if got := w.agent(Root).Asked; slices.Contains(got, from) {
		t.Fatalf("root still waits for %v", got)
	}
	w.thinks(Root)
}

func TestADelayedIntroductionIsMadeWhenItIsDue(t *testing.T) {
	t.Parallel()
	w, from, to := two(t)
	third := w.spawn(Root)
	w.calling(from, w.call("send_message", object{
		"to": to, "message_type": protocol.IntroductionResponse, "delayMs": 1000,
		"payload": object{"target": object{"id": third, "role": "worker"}},
	}))
	if known := w.agent(to).Contacts.Knows(third); known {
		t.Fatalf("it is introduced before its time: %+v", w.agent(to).Contacts)
	}
	w.restart(false)
	w.rings(from)
	if c := w.agent(to).Contacts.Of(third); c.Source != protocol.Introduction || c.IntroducedBy != string(from) {
		t.Fatalf("%+v", c)
	}
}

// Whether a delayed message introduces its sender is judged when it is delivered.
func TestS002ADelayedMessageIntroducesASenderThatIsNotKnownWhenItIsDue(t *testing.T) {
	t.Parallel()
	for _, writes := range []string{"nobody", "the sender", "the recipient"} {
		w, from, to := two(t)
		w.calling(from, w.call("send_message", object{"to": to, "delayMs": 1000, "payload": "later"}))
		switch writes {
		case "the sender":
			w.calling(from, w.tells(to, "", "now"))
		case "the recipient":
			w.reads(to)
			w.calling(to, w.tells(from, "", "hello"))
		}
		w.restart(false)
		w.rings(from)
		if got := w.lastAccepted()[0]; got.To != to || (got.Introduction != "") != (writes == "nobody") {
			t.Errorf("%s has written before, and it is %+v", writes, got)
		}
	}
}

func TestADelayedIntroductionOfOneThatHasEndedIsRefusedWhenItIsDue(t *testing.T) {
	t.Parallel()
	w, from, to := two(t)
	third := w.spawn(Root)
	w.calling(from, w.call("send_message", object{
		"to": to, "message_type": protocol.IntroductionResponse, "delayMs": 1000,
		"payload": object{"target": object{"id": third, "role": "worker"}},
	}))
	w.must(Terminate{Agent: third, By: User})
	w.rings(from)
	for _, e := range w.lastAccepted() {
		if e.To == to {
			t.Fatalf("it is delivered: %+v", e)
		}
	}
	if told := w.lastAccepted(); len(told) != 1 || told[0].To != from || !strings.Contains(told[0].Body, string(third)) {
		t.Fatalf("%s is told %+v", from, told)
	}
}

// In any history each delayed message is delivered exactly once and not before
// its time, or is counted as dropped (the mirror holds it against every event),
// and none is left when all times have come.
func TestEveryDelayedMessageIsDeliveredOnceWhenDueOrCountedAsDropped(t *testing.T) {
	t.Parallel()
	ends := propertytest.Met[string]{}
	ends.Check(t, propertytest.Once("delivered", "dropped"), func(t *rapid.T) {
		w := peopled(t, small())
		for range rapid.IntRange(5, 40).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "delays") == 0 {
				w.anyDelay(t)
				continue
			}
			w.step(t)
		}
		w.agrees(w.s)
		w.halted()
		for range 200 {
			rang := false
			for _, id := range w.s.Agents() {
				if w.s.Agent(id) != nil && w.agent(id).alarmed() != nil {
					w.rings(id)
					rang = true
				}
			}
			w.halted()
			if !rang {
				break
			}
		}
		w.agrees(w.s)
		for _, p := range w.mirror.later {
			switch {
			case !p.over:
				t.Fatalf("%+v is neither delivered nor dropped", p.Later)
			case p.dropped:
				ends["dropped"]++
			default:
				ends["delivered"]++
			}
		}
	})
}

// anyDelay has somebody who thinks send something later.
func (w *world) anyDelay(t *rapid.T) {
	for _, work := range w.s.Owed() {
		if work.Kind() == ThinkStep && w.agent(work.Item().Agent).Drain == "" {
			to := []AgentID{w.anyAgent(t), User, w.anyAgent(t)}
			after := time.Duration(rapid.IntRange(0, 60).Draw(t, "after")) * time.Second
			w.must(Answered{Work: work.(Think), Calls: []conversation.Call{w.tellsLater(to, "later", after)}})
			return
		}
	}
	w.attempt(Send{To: w.anyAgent(t), Text: "hello", Resume: true})
}
