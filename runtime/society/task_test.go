package society

import (
	"testing"

	"pgregory.net/rapid"
)

// SPEC.md, decision 22: the composer continues the recipient's task, root's first text
// begins one, /new begins another, an unknown one is refused.
func TestAMessageOfTheUserContinuesTheAgentsTask(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	first := w.must(Send{To: Root, Text: "one"}).(Sent)
	if w.s.Task(first.Task) == nil || first.Message == "" {
		t.Fatalf("%+v", first)
	}
	w.says(Root, "done")
	if again := w.must(Send{To: Root, Text: "two"}).(Sent); again.Task != first.Task || again.Message == first.Message {
		t.Errorf("%+v after %+v", again, first)
	}
	w.says(Root, "done")
	second := w.must(Send{To: Root, Text: "other", NewTask: true}).(Sent)
	if second.Task == first.Task {
		t.Errorf("%+v", second)
	}
	w.says(Root, "done")
	if back := w.must(Send{To: Root, Text: "again", Task: first.Task}).(Sent); back.Task != first.Task {
		t.Errorf("%+v", back)
	}
	w.refused(Send{To: Root, Text: "x", Task: "no-such-task"}, TaskNotFound)
	w.refused(Send{To: Root, Text: " \n"}, InvalidArguments)
}

// A task whose question the user answers in a new task is not answered: its answer comes there.
func TestATaskThatGoesOnInAnotherIsNotAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	first := w.must(Send{To: Root, Text: "build it"}).(Sent).Task
	w.calling(Root, w.tells(User, "collaboration_request", "how?"))
	w.says(Root, "I asked")
	if s := w.s.TaskProgress()[first].State; s != TaskAsks {
		t.Fatalf("%s while root asks", s)
	}
	second := w.must(Send{To: Root, Text: "well", NewTask: true}).(Sent).Task
	w.says(Root, "done")
	if s := w.s.TaskProgress()[first].State; s != "" && s != TaskSettled || !w.s.Task(first).Unanswered {
		t.Errorf("%s, unanswered %v", s, w.s.Task(first).Unanswered)
	}
	if w.s.Task(second).Unanswered {
		t.Error("the task of the answer has none")
	}
	w.must(Send{To: Root, Text: "and this?", Task: first})
	w.says(Root, "that too")
	if w.s.Task(first).Unanswered {
		t.Error("a task that is answered later has no answer")
	}
}

// A turn has the task of the first message that it took, and all that follows
// from it has that task.
func TestWhatFollowsInheritsTheTask(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := peopled(t, DefaultLimits())
		by := w.anyAgent(t)
		w.says(by, "done")
		w.reads(by)
		if w.agent(by).Status.Active() {
			w.says(by, "done")
		}
		if w.agent(by).Status != Idle {
			return
		}
		task := w.must(Send{To: by, Text: "something new", NewTask: true}).(Sent).Task
		other := w.must(Send{To: by, Text: "and that", NewTask: true}).(Sent).Task
		w.reads(by) // the second comes within the turn of the first
		if got := w.thinks(by).Task; got != task || got == other {
			t.Fatalf("the turn has task %s, not %s", got, task)
		}
		to := rapid.SampledFrom(append(w.s.Agents(), User)).Draw(t, "to")
		w.calling(by, w.tells(to, "", "hello"))
		for _, e := range w.last {
			switch e := e.(type) {
			case MessageQueued:
				if e.Mail.Task != task {
					t.Fatalf("%+v", e.Mail)
				}
			case MessageToUser:
				if e.Mail.Task != task {
					t.Fatalf("%+v", e.Mail)
				}
			}
		}
	})
}

func TestTheUsersMessageEndsTheCountOfATask(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id := w.spawn(Root)
	task := w.agent(Root).Task
	w.calling(id, w.tells(Root, "", "one"))
	if got := w.s.Task(task).Hops; got != 2 {
		t.Errorf("%d hops", got)
	}
	w.send(id, "well?")
	if got := w.s.Task(task).Hops; got != 0 {
		t.Errorf("%d hops", got)
	}
}

// A message to an agent whose turn has failed or was interrupted begins a turn of its
// own, with its own task and its own count of rounds (SPEC.md, decision 22).
func TestAMessageAfterABrokenTurnBeginsATurnOfItsOwn(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]func(w *world){
		"it has failed":      func(w *world) { w.must(Failed{Work: w.thinks(Root), Class: "auth", Text: "no key"}) },
		"it was interrupted": func(w *world) { w.must(Interrupt{Agent: Root}) },
	} {
		w := newWorld(t, DefaultLimits())
		w.send(Root, "the first")
		w.calling(Root, w.call("list_roles", object{}))
		first := w.agent(Root).Turn.Task
		breaks(w)
		sent := w.must(Send{To: Root, Text: "something else", NewTask: true}).(Sent)
		turn := w.agent(Root).Turn
		if sent.Task == first || turn.Task != sent.Task || turn.Rounds != 0 || w.thinks(Root).Task != sent.Task {
			t.Errorf("%s: task %s, rounds %d, sent in task %s after %s", name, turn.Task, turn.Rounds, sent.Task, first)
		}
	}
}
