package society

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// SPEC.md, decision 21: the text of a turn goes to all who asked.
func TestAnAnswerGoesToEachWhoAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	a, b := w.spawn(Root), w.spawn(Root)
	w.send(b, "what do you see?")
	w.calling(a, w.tells(b, "collaboration_request", "help me"))
	w.reads(b)
	if got := w.agent(b).Owes; !slices.Equal(got, []AgentID{Root, User, a}) {
		t.Fatalf("b owes %v", got)
	}
	w.says(b, "my answer")
	if len(w.inbox) != 1 || len(w.agent(b).Owes) != 0 {
		t.Errorf("%+v, owes %v", w.inbox, w.agent(b).Owes)
	}
	for _, id := range []AgentID{Root, a} {
		if mail := w.agent(id).Mailbox; len(mail) != 1 || !mail[0].Reply || mail[0].earns() {
			t.Errorf("%s is told %+v", id, mail)
		}
		if slices.Contains(w.agent(id).Asked, b) {
			t.Errorf("%s still waits for b", id)
		}
	}
}

// The recipients of the final text of a's turn in each situation, in order, or of a note
// (SPEC.md, decision 21). b is another child of root, c one of a.
func TestWhoGetsTheTextOfATurn(t *testing.T) {
	t.Parallel()
	type situated struct {
		name string
		set  func(w *world, a, b AgentID)
		to   []AgentID
		note bool
		owes []AgentID // still, afterwards
	}
	asks := func(kind string) func(w *world, a, b AgentID) {
		return func(w *world, a, b AgentID) {
			w.says(a, "the first")
			w.calling(b, w.tells(a, kind, w.valid()))
		}
	}
	for _, c := range []situated{
		{name: "its parent gave it a task", set: func(*world, AgentID, AgentID) {}, to: []AgentID{Root}},
		{name: "the user has asked too", set: func(w *world, a, _ AgentID) {
			w.send(a, "and?")
			w.reads(a)
		}, to: []AgentID{Root, User}},
		{name: "another has asked too", set: func(w *world, a, b AgentID) {
			w.calling(b, w.tells(a, "collaboration_request", "help me"))
			w.reads(a)
		}, to: []AgentID{Root, "worker-2"}},
		{name: "another alone asks for help", set: asks("collaboration_request"), to: []AgentID{"worker-2"}},
		{name: "another alone asks for an introduction", set: asks("introduction_request"), to: []AgentID{"worker-2"}},
		{name: "another alone gives it a task", set: asks("task_assignment"), to: []AgentID{"worker-2"}},
		{name: "another alone says something", set: asks("general"), to: []AgentID{"worker-2"}},
		{name: "another only reports", set: asks("status_report"), to: []AgentID{Root}},
		{name: "another only introduces", set: asks("introduction_response"), to: []AgentID{Root}},
		{name: "another only helps", set: asks("collaboration_response"), to: []AgentID{Root}},
		{name: "it has answered by a message already", set: func(w *world, a, _ AgentID) {
			w.calling(a, w.tells(Root, "status_report", "the result"))
		}, to: []AgentID{Root}},
		{name: "a child is at its task", set: func(w *world, a, _ AgentID) { w.spawn(a) }, note: true, owes: []AgentID{Root}},
		{name: "a child is at its task, and the user has asked", set: func(w *world, a, _ AgentID) {
			w.send(a, "and?")
			w.reads(a)
			w.spawn(a)
		}, to: []AgentID{User}, note: true, owes: []AgentID{Root, User}},
		{name: "whom it asked has not answered", set: func(w *world, a, b AgentID) {
			w.calling(a, w.tells(b, "collaboration_request", "help me"))
		}, note: true, owes: []AgentID{Root}},
		{name: "whom it asked is at rest without an answer", set: func(w *world, a, b AgentID) {
			w.calling(a, w.tells(b, "collaboration_request", "help me"))
			w.reads(b)
			w.says(b, "")
			w.reads(b)
		}, to: []AgentID{Root}},
		{name: "it only told another", set: func(w *world, a, b AgentID) {
			w.calling(a, w.tells(b, "status_report", "half of it"))
		}, to: []AgentID{Root}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, DefaultLimits())
			a, b := w.spawn(Root), w.spawn(Root)
			c.set(w, a, b)
			w.says(a, "this is it")
			var to []AgentID
			for _, e := range w.last {
				switch e := e.(type) {
				case MessageQueued:
					if e.Mail.From == a {
						to = append(to, e.To)
					}
				case MessageToUser:
					if e.Mail.From == a {
						to = append(to, User)
					}
					if e.Note != c.note {
						t.Errorf("a note: %t", e.Note)
					}
				}
			}
			if !slices.Equal(to, c.to) || !slices.Equal(w.agent(a).Owes, c.owes) {
				t.Errorf("it goes to %v, not %v; a owes %v", to, c.to, w.agent(a).Owes)
			}
		})
	}
}

// valid is a payload that fits every type.
func (w *world) valid() object {
	return object{
		"text": "well", "reason": "it is hard", "required_capability": "to see", "taskBrief": brief(),
		"target": object{"id": Root, "role": "organiser"},
	}
}

func TestASentMessageToWhoAskedIsTheAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	a := w.spawn(Root)
	w.calling(a, w.tells(Root, "status_report", "here is the list"))
	if m := w.lastAccepted()[0]; !m.Mail.Reply || m.Pays != Root || len(w.agent(a).Owes) != 0 || len(w.agent(Root).Asked) != 0 {
		t.Errorf("%+v", m)
	}
	w.says(a, "") // empty text is not sent
	if len(w.lastAccepted()) != 0 {
		t.Errorf("%+v", w.lastAccepted())
	}
}

// Who asks back what it needs for its task still owes the result: the user is not
// given "I have told it" for it, whichever way its parent answers.
func TestARequestBackIsNotYetTheAnswer(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"collaboration_request", "introduction_request"} {
		for _, byTool := range []bool{true, false} {
			w := newWorld(t, DefaultLimits())
			child := w.spawn(Root)
			w.calling(child, w.tells(Root, kind, object{"text": "which text?", "reason": "two are there", "required_capability": "to know"}))
			m := w.lastAccepted()[0]
			if !m.Mail.Reply || !m.Mail.earns() || m.Pays != "" || !slices.Equal(w.agent(child).Owes, []AgentID{Root}) || !slices.Equal(w.agent(Root).Asked, []AgentID{child}) {
				t.Fatalf("%s: %+v, owes %v", kind, m, w.agent(child).Owes)
			}
			w.says(child, "I have asked")
			w.says(Root, "the child is at it") // written before the question was read
			notes := len(w.inbox)
			if byTool {
				w.calling(Root, w.tells(child, "", "the second"))
				w.says(Root, "I have told it")
				notes++
			}
			for _, e := range w.inbox {
				if !e.Note {
					t.Errorf("%s: the user is given %q for an answer", kind, e.Body)
				}
			}
			if len(w.inbox) != notes {
				t.Errorf("%s: the user is told %+v", kind, w.inbox)
			}
			if !byTool {
				continue // its next text is the answer to both who wait
			}
			w.says(child, "the result")
			if got := w.lastAccepted(); len(got) != 1 || got[0].Pays != Root || len(w.agent(Root).Asked) != 0 {
				t.Fatalf("%s: root is told %+v", kind, got)
			}
			w.says(Root, "the result, for you")
			if last := w.inbox[len(w.inbox)-1]; last.Note || len(w.inbox) != notes+1 {
				t.Errorf("%s: the user is told %+v", kind, w.inbox)
			}
		}
	}
}

// Only to somebody who has asked is a message a reply.
func TestAMessageToWhoHasNotAskedIsNoReply(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	a, b := w.spawn(Root), w.spawn(Root)
	for _, kind := range []string{"general", "status_report", "collaboration_request"} {
		w.calling(a, w.tells(b, kind, "hello"))
		if m := w.lastAccepted()[0]; m.Mail.Reply || m.Pays != "" || m.Mail.earns() != (kind != "status_report") {
			t.Errorf("%s: %+v", kind, m)
		}
	}
}

// With nobody owed the text goes to who gave the task; root's to the user.
func TestTheTextOfWhoOwesNobodyGoesToItsRequester(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	a, b := w.spawn(Root), w.spawn(Root)
	w.says(a, "done")
	w.says(b, "done")
	w.reads(Root)
	w.says(Root, "all is done")
	told := len(w.inbox)
	w.send(a, "go on")
	w.calling(a, w.tells(b, "status_report", "for you"), w.tells(User, "", "soon"))
	w.says(b, "thank you")
	if mail := w.lastAccepted(); len(mail) != 1 || mail[0].To != Root || mail[0].Mail.Type != "status_report" {
		t.Errorf("%+v", mail)
	}
	w.says(Root, "b says thank you")
	if len(w.inbox) != told+2 || w.inbox[told+1].Body != "b says thank you" {
		t.Errorf("%+v", w.inbox)
	}
}

// While something it asked for is still to come, a text is a note: the user sees
// it if they asked, nobody else gets it, and the debts stay.
func TestATextBeforeTheAnswersAreThereIsANote(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	a := w.spawn(Root)
	b := w.spawn(a)
	w.says(Root, "a is at it")
	if len(w.inbox) != 1 || !w.inbox[0].Note || !slices.Equal(w.agent(Root).Owes, []AgentID{User}) {
		t.Fatalf("%+v, owes %v", w.inbox, w.agent(Root).Owes)
	}
	w.says(a, "b is at it")
	if len(w.lastAccepted()) != 0 || !slices.Equal(w.agent(a).Owes, []AgentID{Root}) {
		t.Fatalf("%+v", w.lastAccepted())
	}
	w.says(b, "the result")
	w.says(a, "the result, checked")
	w.says(Root, "the result, for you")
	if last := w.inbox[len(w.inbox)-1]; last.Note || last.Body != "the result, for you" || len(w.agent(Root).Owes) != 0 {
		t.Errorf("%+v", last)
	}
}

// Who has come to rest without an answer is not waited for: its silence must not
// keep from the user what there is.
func TestNobodyWaitsForWhoHasComeToRest(t *testing.T) {
	t.Parallel()
	for name, silence := range map[string]func(w *world, id AgentID){
		"it says nothing": func(w *world, id AgentID) { w.says(id, "") },
		"it is stopped":   func(w *world, id AgentID) { w.must(Stop{Agent: id}) },
		"it is terminated": func(w *world, id AgentID) {
			w.must(Terminate{Agent: id, By: User})
		},
		"it fails": func(w *world, id AgentID) { w.must(Failed{Work: w.thinks(id), Class: "auth", Text: "no key"}) },
		"it waits for who waits for it": func(w *world, id AgentID) {
			w.calling(id, w.tells(Root, "collaboration_request", "help me"))
			w.says(id, "I wait for root")
			w.reads(Root)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, DefaultLimits())
			id := w.spawn(Root)
			silence(w, id)
			w.reads(Root)
			w.says(Root, "this is what I have")
			if len(w.inbox) != 1 || w.inbox[0].Note || slices.Contains(w.agent(Root).Owes, User) {
				t.Errorf("%+v", w.inbox)
			}
		})
	}
}

func TestWhoIsPausedInTheMiddleIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id := w.spawn(Root)
	w.must(Interrupt{Agent: id})
	w.says(Root, "it is paused")
	if len(w.inbox) != 1 || !w.inbox[0].Note {
		t.Errorf("%+v", w.inbox)
	}
}

// A second question that came before the answer to the first is still open.
func TestAnAnswerSettlesOnlyWhatWasRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	a := w.spawn(Root)
	w.calling(Root, w.tells(a, "collaboration_request", "and this?"))
	w.says(a, "the first answer")
	if !slices.Equal(w.agent(Root).Asked, []AgentID{a}) || !slices.Equal(w.agent(a).Owes, []AgentID{Root}) {
		t.Fatalf("root waits for %v, a owes %v", w.agent(Root).Asked, w.agent(a).Owes)
	}
	w.says(a, "the second answer")
	if len(w.agent(Root).Asked) != 0 || len(w.agent(a).Owes) != 0 {
		t.Errorf("root waits for %v, a owes %v", w.agent(Root).Asked, w.agent(a).Owes)
	}
}

// What cannot be delivered goes once to the nearest ancestor that accepts it, at
// last to the user, with the reason, and the debt is settled by it.
func TestAnUndeliverableAnswerGoesUpwards(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	low := w.spawn(mid)
	w.must(Stop{Agent: mid})
	w.halted()
	w.must(Resume{Agent: low, Alone: true})
	w.send(low, "what have you got?")
	peer := w.spawn(Root)
	w.calling(peer, w.tells(low, "collaboration_request", "help me"))
	w.reads(low)
	w.must(Terminate{Agent: peer, By: User})
	w.halted()
	told := len(w.inbox)
	w.says(low, "the list")
	if got := w.lastAccepted(); len(got) != 1 || got[0].To != Root || got[0].Pays != peer || got[0].Mail.Type != "status_report" ||
		!strings.Contains(got[0].Body, `"undelivered_to":"`+string(peer)+`","reason":"agent_not_found"`) && !strings.Contains(got[0].Body, `"reason":"agent_not_found","undelivered_to":"`+string(peer)) {
		t.Fatalf("%+v", got)
	}
	if len(w.inbox) != told+1 || len(w.agent(low).Owes) != 0 {
		t.Errorf("owes %v still", w.agent(low).Owes)
	}
	w.must(Stop{Agent: Root})
	w.halted()
	w.must(Resume{Agent: low, Alone: true})
	w.send(low, "and now?")
	w.calling(low, w.tells(User, "", "well"))
	w.says(low, "nobody above accepts this")
	last := w.inbox[len(w.inbox)-1]
	if last.Mail.From != low || !strings.Contains(last.Body, "agent_stopped") {
		t.Errorf("%+v", last)
	}
}

// A reply earns no reply, so agents that answer everything politely become idle: here
// every think ends with a text, and the society is quiet after a bounded number of
// thinks.
func TestPoliteAgentsComeToRest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := peopled(t, DefaultLimits())
		asked := 0
		for range rapid.IntRange(0, 10).Draw(t, "questions") {
			by, to := w.anyAgent(t), w.anyAgent(t)
			if by == to {
				continue
			}
			if w.agent(by).Status == Idle {
				w.send(by, "talk to them")
				asked++
			}
			w.reads(by)
			kind := rapid.SampledFrom([]string{"general", "collaboration_request", "collaboration_response", "status_report"}).Draw(t, "type")
			w.calling(by, w.tells(to, kind, "how are you?"))
			asked++
		}
		thinks := 0
		for bound := 10 * (len(w.s.Agents()) + asked); ; thinks++ {
			owed := w.s.Owed()
			if len(owed) == 0 {
				break
			}
			if thinks > bound {
				t.Fatalf("%d thinks of %d agents after %d questions, and no end", thinks, len(w.s.Agents()), asked)
			}
			work := rapid.SampledFrom(owed).Draw(t, "work")
			w.must(Answered{Work: work.(Think), Text: fmt.Sprintf("thank you very much, %d times", thinks)})
		}
		for _, id := range w.s.Agents() {
			if a := w.agent(id); a.Status != Idle || len(a.Owes) > 0 || len(a.Asked) > 0 {
				t.Fatalf("%s is %s, owes %v and waits for %v", id, a.Status, a.Owes, a.Asked)
			}
		}
	})
}

// SPEC.md, decision 22: one text answers all requests that have none yet, whichever task it comes in.
func TestAnAnswerBelongsToEachTaskWithARequestThatHasNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	state := func(task TaskID) TaskState { return w.s.TaskProgress()[task].State }
	begin := func(text string) TaskID { return w.must(Send{To: Root, Text: text, NewTask: true}).(Sent).Task }
	first := begin("plan a picnic")
	child := w.spawn(Root)
	w.says(Root, "at work")
	second := begin("plan a walk")
	w.says(Root, "still at work")
	if n := w.inbox[1]; !n.Note || n.Mail.Task != second || !slices.Equal(n.Mail.Also, []TaskID{first}) {
		t.Fatalf("the note is %+v", n)
	}
	w.says(child, "the report")
	third := begin("plan a feast")
	w.reads(Root)
	for _, task := range []TaskID{first, second, third} {
		if state(task) != TaskOpen {
			t.Errorf("%s is %q before the answer", task, state(task))
		}
	}
	w.s = w.again()
	w.must(Restart{})
	w.says(Root, "a picnic, a walk and a feast")
	answer := w.inbox[len(w.inbox)-1]
	if got := append(answer.Mail.Also, answer.Mail.Task); answer.Note || len(got) != 3 || !slices.Contains(got, first) || !slices.Contains(got, second) || !slices.Contains(got, third) {
		t.Errorf("the answer is %+v", answer)
	}
	for _, task := range []TaskID{first, second, third} {
		if s := state(task); s != "" && s != TaskSettled {
			t.Errorf("%s is %q after the answer", task, s)
		}
	}
	if left := w.agent(Root).Requests; len(left) > 0 {
		t.Errorf("left are %+v", left)
	}
}

// What keeps one of them from its answer keeps the other from it too.
func TestTasksThatAreAnsweredTogetherAreInOneState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	first := w.must(Send{To: Root, Text: "plan a picnic"}).(Sent).Task
	child := w.spawn(Root)
	w.says(Root, "at work")
	second := w.must(Send{To: Root, Text: "plan a walk", NewTask: true}).(Sent).Task
	w.says(Root, "still at work")
	w.must(Failed{Work: w.thinks(child), Class: "auth", Text: "no"})
	for _, task := range []TaskID{first, second} {
		if s := w.s.TaskProgress()[task].State; s != TaskOpen { // root reads of it
			t.Errorf("%s is %q while root works", task, s)
		}
	}
	w.calling(Root, w.tells(string(User), "collaboration_request", "what now?"))
	w.says(Root, "I have asked")
	for _, task := range []TaskID{first, second} {
		if s := w.s.TaskProgress()[task].State; s != TaskAsks {
			t.Errorf("%s is %q while root asks", task, s)
		}
	}
}

func TestATaskEndsAsTheTurnThatHasItsRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.must(Send{To: Root, Text: "plan a picnic"})
	second := w.must(Send{To: Root, Text: "plan a walk", NewTask: true}).(Sent).Task
	w.reads(Root)
	w.must(Failed{Work: w.thinks(Root), Class: "auth", Text: "no"})
	if s := w.s.TaskProgress()[second].State; s != TaskFailed {
		t.Errorf("after a failure it is %q", s)
	}
}
