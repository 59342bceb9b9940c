package society

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
)

// kinds is what a conversation is made of, in order.
func (w *world) kinds(id AgentID) string {
	var list []string
	for _, e := range w.history(id) {
		list = append(list, string(e.Kind))
	}
	return strings.Join(list, " ")
}

// S003 1.1, 1.2, 1.3, 3.4, 6.1: who is active is in a turn with exactly one piece
// of work, from the first message to the answer without calls.
func TestS003Req1AnAgentIsActiveFromItsMessageToItsAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.is(Root, Idle)
	w.send(Root, "hello")
	w.is(Root, WaitingLLM) // 1.2
	w.calling(Root, w.call("look", object{}))
	w.is(Root, Processing)
	w.acts(Root, "done")
	w.is(Root, WaitingLLM)
	w.says(Root, "here you are")
	w.is(Root, Idle) // 1.3, 3.4
	if a := w.agent(Root); a.Turn != nil || len(w.s.OwedBy(Root)) > 0 {
		t.Errorf("%+v", a)
	}
}

// S003 1.4, 1.5, 6.1: however many messages come, at most one piece of work of an
// agent runs, and what comes to an active one waits.
func TestS003Req1NoAgentEverHandlesTwoMessagesAtOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, small())
		w.people(t)
		for range rapid.IntRange(5, 40).Draw(t, "steps") {
			to := w.anyAgent(t)
			active := w.agent(to).Status.Active()
			waiting := len(w.agent(to).Mailbox)
			if _, err := w.try(Send{To: to, Text: "hello"}); err == nil && active && len(w.agent(to).Mailbox) != waiting+1 {
				t.Fatalf("%s is active and takes a message at once", to) // 1.4
			}
			w.step(t)
			for _, id := range w.s.Agents() {
				n := 0
				for _, step := range w.agent(id).Open {
					if !step.Drain {
						n++
					}
				}
				if n > 1 || n == 1 && !w.agent(id).Status.Active() {
					t.Fatalf("%s is %s with %d pieces of work", id, w.agent(id).Status, n) // 1.5, 6.1
				}
			}
		}
	})
}

// S003 2.1, 2.2, 2.4, 5.1: a message before the first tool: the answer with its
// calls is dropped, no tool runs, the model is asked again at once.
func TestS003Req2AMessageBeforeTheToolsDropsTheAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "build it")
	w.send(Root, "in red")
	w.calling(Root, w.call("write", object{}), w.tells(User, "", "done"))
	if got := w.kinds(Root); got != "in superseded in" {
		t.Fatalf("%s", got)
	}
	for _, e := range w.last {
		switch e.(type) {
		case CallOpened, Delivered:
			t.Errorf("%T", e) // 2.4: skipped
		}
	}
	w.thinks(Root) // 2.4: at once
	if a := w.agent(Root); a.Turn.Rounds != 0 || len(a.Mailbox) != 0 {
		t.Errorf("a dropped answer is no round: %+v", a.Turn)
	}
}

// S003 2.1, 5.5: a message while the first of several tools runs: it is waited
// for and its result kept, the rest is answered "skipped", then the messages come.
func TestS003Req2AMessageBetweenTheToolsSkipsTheRest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, DefaultLimits())
		w.send(Root, "build it")
		n := rapid.IntRange(1, 6).Draw(t, "calls")
		var calls []conversation.Call
		for i := range n {
			calls = append(calls, w.call("write", object{"n": i}))
		}
		w.calling(Root, calls...)
		done := rapid.IntRange(1, n).Draw(t, "done")
		for range done - 1 {
			w.acts(Root, "done")
		}
		w.send(Root, "in red")
		w.acts(Root, "done")
		for i, call := range calls {
			want := conversation.OK
			if i >= done {
				want = conversation.Skipped
			}
			if r := w.result(Root, call); r.Outcome != want {
				t.Fatalf("call %d of %d: %s, not %s", i, n, r.Outcome, want)
			}
		}
		if got, want := w.kinds(Root), "in answer"+strings.Repeat(" result", n)+" in"; got != want {
			t.Fatalf("%s, not %s", got, want) // 5.4, 5.5
		}
		w.thinks(Root)
	})
}

// S003 2.3, 2.5, 3.2, 4.1–4.4: all that came is taken at once, in order, wherever
// it is taken, and the queue is empty then.
func TestS003Req4AllThatWaitsIsTakenAtOnceAndInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, DefaultLimits())
		other := w.spawn(Root)
		id := w.spawn(Root)
		before := len(w.history(id))
		var want []string
		for i := range rapid.IntRange(1, 9).Draw(t, "messages") {
			text := fmt.Sprintf("message %d", i)
			if rapid.Bool().Draw(t, "by an agent") {
				w.calling(other, w.tells(id, "status_report", text))
			} else {
				w.send(id, text)
			}
			want = append(want, text)
		}
		switch rapid.IntRange(0, 2).Draw(t, "where") {
		case 0: // 2.1: before the tools
			w.calling(id, w.call("write", object{}))
		case 1: // 3.1: at the end
			w.says(id, "done")
		case 2: // after an interrupt
			w.must(Interrupt{Agent: id, Text: "now"})
			want = append(want, "now")
		}
		var got []string
		for _, e := range w.history(id)[before:] {
			if e.Kind == conversation.Inbound {
				got = append(got, strings.Split(e.Text, "\n")[1])
			}
		}
		if !slices.Equal(got, want) || len(w.agent(id).Mailbox) > 0 {
			t.Fatalf("took %q, not %q", got, want)
		}
		w.thinks(id) // 3.3
	})
}

// S003 3.1–3.3, spec/decisions.md 12: an answer that was complete is delivered,
// then what came is taken and the model is asked again.
func TestS003Req3AMessageAtTheEndComesAfterTheAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "what is it?")
	w.send(Root, "and why?")
	w.says(Root, "it is this")
	if len(w.inbox) != 1 || w.inbox[0].Body != "it is this" {
		t.Errorf("%+v", w.inbox)
	}
	if got := w.kinds(Root); got != "in answer in" { // 5.1: without calls it is not deleted
		t.Errorf("%s", got)
	}
	w.says(Root, "for that reason")
	w.is(Root, Idle) // 3.4
	if len(w.inbox) != 2 {
		t.Errorf("%+v", w.inbox)
	}
}

// S003 4.5, 6.2: the queue of interruptions is the mailbox: of an idle agent it
// is empty, unless a pause holds it. Check holds it after every command; here,
// that what a store would hold agrees.
func TestS003Req45AnIdleAgentHasNothingWaiting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		w.agrees(w.s)
		for _, id := range w.s.Agents() {
			a := w.agent(id)
			if a.Status == Idle && a.Paused == "" && a.Drain == "" && len(w.waiting(id)) > 0 {
				t.Fatalf("%s is idle with %d messages", id, len(w.waiting(id)))
			}
		}
	})
}

// S003 5.1, 5.2, 5.3, 5.5: of all that was said only the last answer with calls
// is ever taken back, and only before any of its calls.
func TestS003Req5OnlyTheLastUnexecutedAnswerIsTakenBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, small())
		w.people(t)
		for range rapid.IntRange(5, 40).Draw(t, "steps") {
			histories := map[AgentID][]conversation.Entry{}
			for _, id := range w.s.Agents() {
				histories[id] = w.history(id)
			}
			w.step(t)
			for id, was := range histories {
				if w.s.Agent(id) == nil {
					continue
				}
				for _, e := range was {
					now := w.said[id][e.Slot]
					if now.Kind == e.Kind && now.Text == e.Text && len(now.Calls) == len(e.Calls) {
						continue
					}
					last := was[len(was)-1]
					if e.Kind != conversation.Answer || len(e.Calls) == 0 || e.Slot != last.Slot || now.Kind != conversation.Superseded {
						t.Fatalf("%s: %+v became %+v", id, e, now)
					}
				}
			}
		}
	})
}

// S003 6.3, 6.5: taking a message and asking with it are one transaction, so that
// a crash at any moment neither loses nor doubles it.
func TestS003Req6ACrashAtAnyMomentLosesNoMessage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, small())
		w.people(t)
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			w.step(t)
			w.restart(false) // 6.5
			w.agrees(w.s)    // 6.2
		}
	})
}

// spec/decisions.md 11: after three answers in a row that messages of agents had
// dropped, the next answer's calls are made, all of them; the user's messages
// always interrupt.
func TestManyChildrenCannotStarveTheirParent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	child := w.spawn(Root)
	report := func() { w.calling(child, w.tells(Root, "status_report", fmt.Sprint("report ", w.calls))) }
	for range 3 {
		report()
		w.calling(Root, w.call("write", object{"n": w.calls}))
		if got := w.kinds(Root); !strings.HasSuffix(got, "superseded in") {
			t.Fatalf("%s", got)
		}
	}
	report()
	first, second := w.call("write", object{"n": 1}), w.call("write", object{"n": 2})
	w.calling(Root, first, second)
	report()
	w.acts(Root, "done")
	report()
	w.acts(Root, "done")
	for _, call := range []conversation.Call{first, second} {
		if r := w.result(Root, call); r.Outcome != conversation.OK {
			t.Errorf("%+v", r)
		}
	}
	if n := len(w.agent(Root).Mailbox); n != 0 {
		t.Errorf("%d reports wait still", n)
	}
	report() // and the count begins anew
	w.calling(Root, w.call("write", object{"n": w.calls}))
	if got := w.kinds(Root); !strings.HasSuffix(got, "superseded in") {
		t.Errorf("%s", got)
	}
}

func TestTheUserAlwaysInterrupts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	child := w.spawn(Root)
	for range 3 {
		w.calling(child, w.tells(Root, "status_report", fmt.Sprint("report ", w.calls)))
		w.calling(Root, w.call("write", object{"n": w.calls}))
	}
	w.calling(child, w.tells(Root, "status_report", "one more"))
	w.send(Root, "stop that")
	w.calling(Root, w.call("write", object{"n": w.calls}))
	if got := w.kinds(Root); !strings.HasSuffix(got, "superseded in in") {
		t.Errorf("%s", got)
	}
}

// spec/decisions.md 1, 4: interrupt aborts the call and keeps queue and children;
// of the outstanding calls finished ones keep their result, the running one is of
// unknown effect, the others were not run.
func TestAnInterruptAbortsTheCallAndKeepsTheQueue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	child := w.spawn(Root)
	calls := []conversation.Call{w.call("write", object{"n": 1}), w.call("write", object{"n": 2}), w.call("write", object{"n": 3})}
	w.calling(Root, calls...)
	w.acts(Root, "done")
	w.send(Root, "and this")
	running := w.owed(Root, Act)
	if r := w.must(Interrupt{Agent: Root}).(Interruption); !r.Was || r.Waiting != 1 {
		t.Errorf("%+v", r)
	}
	for i, want := range []conversation.Outcome{conversation.OK, conversation.AbortedCall, conversation.NotRun} {
		if got := w.result(Root, calls[i]).Outcome; got != want {
			t.Errorf("call %d: %s, not %s", i, got, want)
		}
	}
	w.stale(ToolDone{Work: running, Text: "done"})
	if a := w.agent(Root); a.Status != Idle || a.Paused != Interrupted || len(a.Mailbox) != 1 || len(w.s.OwedBy(Root)) != 0 {
		t.Fatalf("%+v", a)
	}
	w.is(child, WaitingLLM)
	if r := w.must(Interrupt{Agent: Root}).(Interruption); r.Was || len(w.last) > 0 { // a second one does nothing
		t.Errorf("%+v", r)
	}
	w.must(Resume{Agent: Root, Alone: true})
	w.thinks(Root)
	if got := w.kinds(Root); !strings.HasSuffix(got, "result result result in") {
		t.Errorf("%s", got)
	}
}

func TestAnInterruptOfAModelCallKeepsOnlyItsLength(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "tell me")
	w.must(Interrupt{Agent: Root, Partial: 345})
	last := w.history(Root)[1]
	if last.Kind != conversation.Aborted || last.Tokens != 345 || last.Text != "" {
		t.Errorf("%+v", last)
	}
	w.send(Root, "no, this") // writing to it takes the pause off
	if a := w.agent(Root); a.Paused != "" || a.Status != WaitingLLM {
		t.Errorf("%+v", a)
	}
}

// With a text: what waits is taken in order, the text last, and the model is
// asked again at once.
func TestAnInterruptWithATextAsksAgainAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "one")
	w.send(Root, "two")
	w.must(Interrupt{Agent: Root, Text: "three"})
	if got := w.kinds(Root); got != "in aborted in in" {
		t.Errorf("%s", got)
	}
	if e := w.history(Root)[3]; !strings.Contains(e.Text, "three") {
		t.Errorf("%q", e.Text)
	}
	w.thinks(Root)
	if w.agent(Root).Paused != "" {
		t.Errorf("it is paused")
	}
}
