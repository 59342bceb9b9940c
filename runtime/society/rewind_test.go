package society

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
)

// sees is what a model is sent of a conversation, as the runtime composes it.
func (w *world) sees(id AgentID) []conversation.Entry {
	first := w.agent(id).Tail.First
	read := slices.DeleteFunc(w.whole(id), func(e conversation.Entry) bool { return e.Slot < first })
	return conversation.Legal(conversation.Seen(read, nil))
}

// written returns the user's messages in an agent's conversation that are not set aside.
func (w *world) written(id AgentID) (ids []MessageID) {
	for _, e := range w.history(id) {
		if e.Kind == conversation.Inbound && e.From == string(User) {
			ids = append(ids, MessageID(e.MessageID))
		}
	}
	return ids
}

// rewind goes back to before a message of the user's, the last one for "".
func (w *world) rewind(id AgentID, message MessageID) Rewound {
	w.t.Helper()
	return w.must(w.point(Rewind{Agent: id, Message: message})).(Rewound)
}

func TestRewindToTheSecondOfFiveMessagesLeavesTheFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	for _, text := range []string{"one", "two", "three", "four", "five"} {
		w.send(Root, text)
		w.says(Root, "answer to "+text)
	}
	second := w.written(Root)[1]
	all := len(w.whole(Root))
	if got := w.rewind(Root, second); got.Message != second || got.Entries != 8 || got.Was {
		t.Errorf("the reply is %+v", got)
	}
	holds := func(when string, want ...string) {
		t.Helper()
		if got := w.sees(Root); len(got) != len(want) {
			t.Fatalf("%s: the model is sent %+v, want %q", when, got, want)
		}
		for i, e := range w.sees(Root) {
			if !strings.Contains(e.Text, want[i]) {
				t.Errorf("%s: entry %d is %q, want %q in it", when, i, e.Text, want[i])
			}
		}
	}
	holds("after it", "one", "answer to one")
	w.restart(false)
	holds("after a restart", "one", "answer to one")
	w.send(Root, "two, better")
	holds("in the next request", "one", "answer to one", "two, better")
	if got := len(w.whole(Root)); got != all+1 {
		t.Errorf("the store has %d entries, want %d", got, all+1)
	}
	for _, e := range w.whole(Root)[2:10] {
		if e.SetAside.IsZero() {
			t.Errorf("%+v is not marked", e)
		}
	}
	w.refused(w.point(Rewind{Agent: Root, Message: second}), InvalidArguments)
}

// Property: whatever came after a message, compressions, branches, calls, stops and crashes,
// behind a rewind to it the conversation is what it was before: entries, count, list of what
// is to be done, task. And it is at rest.
func TestARewoundConversationIsWhatItWasBeforeTheMessage(t *testing.T) {
	t.Parallel()
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		if rapid.IntRange(0, 3).Draw(t, "at rest") > 0 {
			w.rest()
		}
		able := slices.DeleteFunc(w.s.Agents(), func(id AgentID) bool {
			a := w.agent(id)
			return a.Status != Idle || a.Drain != "" || len(a.Mailbox) > 0 || a.compressesForUser()
		})
		if len(able) == 0 {
			return
		}
		id := rapid.SampledFrom(able).Draw(t, "of")
		a := w.agent(id)
		before, count, first, list := w.sees(id), a.Tail.Count, a.Tail.First, slices.Clone(a.Todo())
		owes, doing := slices.Clone(a.Owes), a.Doing
		w.attempt(Send{To: id, Text: "the message"})
		if len(w.written(id)) == 0 || !strings.Contains(w.history(id)[len(w.history(id))-1].Text, "the message") {
			return // it is refused, or not read
		}
		message := w.written(id)[len(w.written(id))-1]
		for range rapid.IntRange(0, 25).Draw(t, "steps since") {
			if rapid.Bool().Draw(t, "its own") {
				w.worksOn(t, id)
			} else {
				w.step(t)
			}
		}
		if a = w.s.Agent(id); a == nil || !slices.Contains(w.written(id), message) {
			return // it has ended, or was rewound further
		}
		asked := slices.Clone(a.Owes)
		if _, err := w.try(w.point(Rewind{Agent: id, Message: message})); err != nil {
			if r, ok := errors.AsType[*Refusal](err); !ok || r.Code != AgentStopped {
				t.Fatalf("it is refused: %v", err)
			}
			return
		}
		if rapid.Bool().Draw(t, "crash") {
			w.restart(false)
		}
		a = w.agent(id)
		switch {
		case a.busy():
			if len(a.Mailbox) == 0 && a.Turn.Rounds == 0 {
				return // it has gone on with what came since
			}
			t.Fatalf("%s is %s", id, a.Status)
		case !reflect.DeepEqual(w.sees(id), before):
			t.Fatalf("it is sent\n%+v\nbefore the message it was\n%+v", w.sees(id), before)
		case a.Tail.Count != count || a.Tail.First != first:
			t.Fatalf("the tail is %+v, it had %d from %d", a.Tail, count, first)
		case !slices.Equal(a.Todo(), list):
			t.Fatalf("it has %v to do, it had %v", a.Todo(), list)
		case a.Doing != doing:
			t.Fatalf("it works on %q, it did on %q", a.Doing, doing)
		}
		for _, to := range a.Owes {
			if !slices.Contains(owes, to) {
				t.Fatalf("it owes %s, who asked in what is set aside", to)
			}
		}
		for _, to := range asked {
			if b := w.s.Agent(to); b != nil && !slices.Contains(a.Owes, to) && slices.Contains(b.Asked, id) && !a.unread(to) {
				t.Fatalf("%s waits for an answer to what is set aside", to)
			}
		}
		for _, e := range w.whole(id) {
			if e.SetAside.IsZero() && e.MessageID == string(message) {
				t.Fatalf("the message is not marked")
			}
		}
		compared++
		w.late(t)
		w.agrees(w.s)
		w.halted()
		w.agrees(w.s)
	})
	if compared < propertytest.Cases()/3 {
		t.Errorf("only %d conversations were compared", compared)
	}
}

// worksOn ends some work of one agent.
func (w *world) worksOn(t *rapid.T, id AgentID) {
	owed := w.s.OwedBy(id)
	if len(owed) == 0 {
		return
	}
	switch work := owed[0].(type) {
	case Think:
		w.think(t, work)
	case Act:
		w.act(work)
	case Plan:
		w.plans(t, work)
	case Compress:
		w.squeezes(t, work)
	case Judge:
		w.judges(t, work)
	case Join:
		w.must(Joined{Work: work, Text: "all"})
	}
}

func TestRewindUndoesACompressionAndTheListOfWhatIsToBeDone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "one")
	w.calling(Root, w.todo(3, 1))
	w.says(Root, "first answer")
	w.send(Root, "two")
	before := w.sees(Root)[:5]
	w.calling(Root, w.todo(2, 2))
	w.compresses(0, "THE SUMMARY")
	w.says(Root, "second answer")
	if w.agent(Root).Tail.First == 0 {
		t.Fatal("nothing was compressed")
	}
	w.rewind(Root, "")
	if got := w.sees(Root); len(got) != 4 || !reflect.DeepEqual(got, before[:4]) {
		t.Errorf("it is sent %+v, want %+v", got, before[:4])
	}
	w.hasTodo(Root, 1, 3)
	w.rewind(Root, "")
	w.hasTodo(Root, 0, 0)
	if got := w.sees(Root); len(got) != 0 {
		t.Errorf("it is sent %+v, want nothing", got)
	}
	w.refused(w.point(Rewind{Agent: Root}), InvalidArguments)
}

// A rewind in the middle of a call is an interrupt: late results do not count, and what waits
// is read only after the user has written again.
func TestRewindOfABusyAgentInterruptsItAndKeepsItsQueue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	child := w.spawn(Root)
	w.calling(Root, w.call("write", object{"n": 1}), w.call("write", object{"n": 2}))
	running := w.owed(Root, ActStep).(Act)
	w.calling(child, w.tells(Root, "status_report", object{"text": "half way"}))
	if got := w.rewind(Root, ""); !got.Was {
		t.Errorf("the reply is %+v", got)
	}
	w.stale(ToolDone{Work: running, Text: "late", Outcome: conversation.OK})
	a := w.agent(Root)
	if a.Status != Idle || a.Paused != Interrupted || len(a.Mailbox) != 1 || a.Turn != nil {
		t.Fatalf("it is %s, paused %q, with %d messages, turn %+v", a.Status, a.Paused, len(a.Mailbox), a.Turn)
	}
	var outcomes []conversation.Outcome
	for _, e := range w.whole(Root) {
		if e.Kind == conversation.Result {
			outcomes = append(outcomes, e.Outcome)
		}
	}
	if got := outcomes[len(outcomes)-2:]; !slices.Equal(got, []conversation.Outcome{conversation.AbortedCall, conversation.NotRun}) {
		t.Errorf("the open calls ended as %v", got)
	}
	w.restart(false)
	w.send(Root, "again")
	if got := w.sees(Root); len(got) != 2 || !strings.Contains(got[0].Text, "half way") || !strings.Contains(got[1].Text, "again") {
		t.Errorf("it is sent %+v", got)
	}
	w.says(child, "all of it")
	w.says(Root, "so")
	if w.is(Root, WaitingLLM); !strings.Contains(w.sees(Root)[len(w.sees(Root))-1].Text, "all of it") {
		t.Error("the child's answer has not arrived")
	}
	if w.s.Agent(child) == nil {
		t.Error("the child is gone")
	}
}

func TestRewindTellsAgentsWhoseQuestionIsSetAside(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	child := w.spawn(Root) // which owes root an answer to its brief
	w.calling(Root, w.call("list_roles", object{}))
	w.says(Root, "it works on it")
	w.must(Interrupt{Agent: child})
	w.send(child, "look at the end too")
	w.must(Interrupt{Agent: child})
	asks := w.tells(child, "collaboration_request", object{"text": "and what of the middle?"})
	w.send(Root, "ask it about the middle")
	w.calling(Root, asks)
	w.says(Root, "asked")

	if got := w.agent(Root).Asked; !slices.Contains(got, child) {
		t.Fatalf("root waits for %v", got)
	}
	w.rewind(child, w.written(child)[0])
	a := w.agent(child)
	if !slices.Equal(a.Owes, []AgentID{Root}) || a.Turn == nil || !a.Turn.Suspended {
		t.Errorf("it owes %v in the turn %+v, want the answer to its brief, in an open turn", a.Owes, a.Turn)
	}
	w.must(Resume{Agent: child})
	w.says(child, "the list")
	if got := w.agent(child).Owes; len(got) != 0 {
		t.Errorf("it still owes %v", got)
	}

	other := w.spawn(Root)
	w.says(other, "done")
	w.send(other, "more")
	for w.agent(Root).busy() {
		w.says(Root, "yes")
	}
	w.send(Root, "ask it")
	w.calling(Root, w.tells(other, "collaboration_request", object{"text": "how far?"}))
	w.says(Root, "asked")
	w.says(other, "on to the question") // its turn goes on with root's question
	if got := w.agent(other).Owes; !slices.Contains(got, Root) {
		t.Fatalf("it owes %v", got)
	}
	w.rewind(other, "")
	if a := w.agent(other); len(a.Owes) > 0 || a.Turn != nil {
		t.Errorf("it owes %v in the turn %+v", a.Owes, a.Turn)
	}
	if got := w.agent(Root).Asked; slices.Contains(got, other) {
		t.Errorf("root waits for %v", got)
	}
	last := w.sees(Root)[len(w.sees(Root))-1]
	if want := protocol.Sentence(protocol.English, protocol.RewoundReport, other); last.From != string(other) || !strings.Contains(last.Text, want) {
		t.Errorf("root is told %+v, want %q", last, want)
	}
}

func TestRewindIsRefusedWhereItCannotBe(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.refused(w.point(Rewind{Agent: Root}), InvalidArguments)
	w.refused(w.point(Rewind{Agent: "nobody-1"}), AgentNotFound)
	child := w.spawn(Root)
	w.refused(w.point(Rewind{Agent: child}), InvalidArguments) // root has written to it, the user has not
	before := w.point(Rewind{Agent: Root})
	w.rewind(Root, "")
	w.stale(before)
	w.send(Root, "again")
	w.must(Stop{Agent: Root})
	w.refused(w.point(Rewind{Agent: Root}), AgentStopped)
	w.halted()
	if got := w.rewind(Root, ""); got.Was || w.agent(Root).Status != Stopped {
		t.Errorf("a stopped agent: %+v, and it is %s", got, w.agent(Root).Status)
	}
}

// Property: a fork has the conversation, the contacts and the list of its agent, and nothing
// that its agent has begun; from then on they are two. Or it is refused by a cap.
func TestForkIsACopyThatIsSeparateFromThenOn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		id := w.anyAgent(t)
		a := w.agent(id)
		parent := w.agent(Root)
		if id != Root {
			parent = w.agent(a.Parent)
		}
		l := w.s.limits
		room := len(w.s.Agents()) < l.Agents && parent.Depth < l.Depth && len(parent.Children()) < l.Children
		fit := a.Status != Terminating && a.Drain == "" && !parent.Status.Ended() && parent.Drain == ""
		before := encoded(t, w.records())
		contacts := len(a.Contacts)
		reply, err := w.try(Fork{Agent: id})
		if err != nil {
			r, ok := err.(*Refusal)
			if !ok || fit && (room || r.Code != LimitReached) || !fit && r.Code != AgentStopped {
				t.Fatalf("fork of %s: %v", id, err)
			}
			if encoded(t, w.records()) != before {
				t.Fatal("a refused fork has changed something")
			}
			return
		}
		if !fit || !room {
			t.Fatalf("fork of %s is not refused", id)
		}
		copied := w.agent(reply.(Forked).Agent)
		a = w.agent(id)
		for _, e := range w.whole(id) {
			if got := w.said[copied.ID][e.Slot]; !reflect.DeepEqual(got, e) {
				t.Fatalf("slot %d of the copy is %+v, want %+v", e.Slot, got, e)
			}
		}
		if copied.Parent != parent.ID || copied.Role != a.Role || copied.Turn != nil || copied.Status != Idle || copied.Paused != "" ||
			len(copied.Open)+len(copied.Mailbox)+len(copied.Owes)+len(copied.Asked)+len(copied.Later)+len(copied.children) > 0 || copied.Usage != (Usage{}) || copied.Budget != nil {
			t.Fatalf("the copy is %+v", copied)
		}
		if !slices.Equal(copied.Todo(), a.Todo()) || len(copied.Contacts) < contacts || !copied.Contacts.Knows(parent.ID) || !parent.Contacts.Knows(copied.ID) {
			t.Fatalf("the copy has to do %v and knows %v", copied.Todo(), copied.Contacts)
		}
		w.attempt(Send{To: copied.ID, Text: "another way"})
		w.worksOn(t, copied.ID)
		if slices.ContainsFunc(w.whole(id), func(e conversation.Entry) bool { return strings.Contains(e.Text, "another way") }) {
			t.Fatal("the agent has what was said to its copy")
		}
		w.restart(false)
		w.agrees(w.s)
	})
}

func TestForkOfRootIsBelowRootAndAnswersForItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	child := w.spawn(Root)
	call := w.call("write", object{"n": 1})
	w.calling(Root, call)
	id := w.must(Fork{Agent: Root}).(Forked).Agent
	if got := w.agent(id).Parent; got != Root {
		t.Errorf("it is under %s", got)
	}
	if got := w.result(id, call); got.Outcome != conversation.AbortedCall {
		t.Errorf("the call under way ended in the copy as %+v", got)
	}
	if got := w.agent(id).Contacts.Of(child).Source; got != protocol.Preset {
		t.Errorf("it knows root's child as %s", got)
	}
	w.acts(Root, "done")
	w.send(id, "and you?")
	w.says(id, "here")
	if last := w.inbox[len(w.inbox)-1]; last.Mail.From != id {
		t.Errorf("the user is answered by %s", last.Mail.From)
	}
	w.rewind(id, "")
	if got := w.sees(id); !reflect.DeepEqual(got[:3], w.sees(Root)[:3]) {
		t.Errorf("the copy is sent %+v", got)
	}
}
