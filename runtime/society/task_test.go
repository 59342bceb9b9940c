package society

import (
	"cmp"
	"slices"
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

// Who asks in several tasks has one question, and the answer in any of them goes on with them all.
func TestTheTasksOfAQuestionGetOneAnswer(t *testing.T) {
	t.Parallel()
	for name, fresh := range map[string]bool{"in one of them": false, "in a new task": true} {
		w := newWorld(t, DefaultLimits())
		tasks := []TaskID{w.must(Send{To: Root, Text: "one"}).(Sent).Task, w.must(Send{To: Root, Text: "two", NewTask: true}).(Sent).Task}
		w.reads(Root)
		w.calling(Root, w.tells(string(User), "collaboration_request", "how?"))
		w.says(Root, "I asked")
		state := func(want TaskState) {
			t.Helper()
			for i, task := range tasks {
				if s := cmp.Or(w.s.TaskProgress()[task].State, TaskSettled); s != want {
					t.Errorf("%s: task %d is %s, not %s", name, i+1, s, want)
				}
			}
		}
		state(TaskAsks)
		answer := Send{To: Root, Text: "well", NewTask: fresh, Task: tasks[1]}
		if fresh {
			answer.Task = ""
		}
		if task := w.must(answer).(Sent).Task; fresh {
			tasks = append(tasks, task)
		}
		state(TaskOpen) // not read yet
		w.thinks(Root)
		state(TaskOpen)
		w.says(Root, "done")
		state(TaskSettled)
		mail := w.inbox[len(w.inbox)-1].Mail
		if got := slices.Sorted(mail.tasks()); !slices.Equal(got, slices.Sorted(slices.Values(tasks))) {
			t.Errorf("%s: the answer is for %v, not %v", name, got, tasks)
		}
		for i, task := range tasks {
			if w.s.Task(task).Unanswered {
				t.Errorf("%s: task %d has no answer", name, i+1)
			}
		}
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
