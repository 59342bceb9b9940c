package society

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/conversation"
	"society-tui/runtime/tool/todo"
)

// todo is a call of todo with n items, the first of which are done.
func (w *world) todo(n, done int) conversation.Call {
	items := make([]object, n)
	for i := range items {
		items[i] = object{"text": fmt.Sprintf("step  %d\n", i+1), "status": "pending"}
		if i < done {
			items[i]["status"] = "done"
		}
	}
	return w.call(todo.Name, object{"items": items})
}

// planning is a world in which root has been asked for something.
func planning(t *testing.T) *world {
	w := newWorld(t, DefaultLimits())
	w.must(Send{To: Root, Text: "go"})
	return w
}

func (w *world) hasTodo(id AgentID, done, all int) {
	w.t.Helper()
	if d, n := todo.Count(w.agent(id).Todo()); d != done || n != all {
		w.t.Fatalf("the list of %s has %d of %d done, want %d of %d", id, d, n, done, all)
	}
}

func TestTodoIsKeptReplacedAndDeleted(t *testing.T) {
	t.Parallel()
	w := planning(t)
	first := w.todo(3, 1)
	w.calling(Root, first)
	w.hasTodo(Root, 1, 3)
	if got := w.answer(Root, first); got["ok"] != true || got["done"] != 1.0 || got["total"] != 3.0 {
		t.Errorf("the result is %v", got)
	}
	if got := w.agent(Root).Todo()[1]; got != (todo.Item{Text: "step 2", Status: todo.Pending}) {
		t.Errorf("an item is kept as %+v", got)
	}
	w.calling(Root, w.todo(2, 2))
	w.hasTodo(Root, 2, 2)
	w.restart(false)
	w.hasTodo(Root, 2, 2)
	w.calling(Root, w.todo(0, 0))
	w.hasTodo(Root, 0, 0)
}

// Of several lists in one answer the first counts, and the others are refused: a model
// cannot know which would be the last.
func TestSecondTodoInOneAnswerIsRefused(t *testing.T) {
	t.Parallel()
	w := planning(t)
	first, look, second := w.todo(2, 0), w.call("list_roles", object{}), w.todo(3, 3)
	w.calling(Root, first, look, second)
	w.hasTodo(Root, 0, 2)
	if got := w.answer(Root, second); got["error"] != string(InvalidArguments) || w.result(Root, second).Outcome != conversation.Failed {
		t.Errorf("the second call is answered with %v", got)
	}
	w.calling(Root, w.todo(3, 3))
	w.hasTodo(Root, 3, 3)
}

func TestTodoThatDoesNotFitChangesNothing(t *testing.T) {
	t.Parallel()
	w := planning(t)
	w.calling(Root, w.todo(2, 1))
	for _, args := range []object{
		{},
		{"items": "none"},
		{"items": []any{"text"}},
		{"items": []object{{"text": " ", "status": "done"}}},
		{"items": []object{{"text": "x", "status": "later"}}},
		{"items": []object{{"text": strings.Repeat("x", todo.MostBytes+1), "status": "done"}}},
		{"items": make([]object, todo.MostItems+1)},
	} {
		call := w.call(todo.Name, args)
		w.calling(Root, call)
		if got := w.answer(Root, call); got["error"] != string(InvalidArguments) {
			t.Errorf("%.100v is answered with %v", args, got)
		}
		w.hasTodo(Root, 1, 2)
	}
	w.calling(Root, w.todo(todo.MostItems, 7))
	w.hasTodo(Root, 7, todo.MostItems)
}

// The call with the list leaves the context, the list does not: it stands behind the
// summary, and only the present one does.
func TestTodoComesBackAfterACompression(t *testing.T) {
	t.Parallel()
	w := planning(t)
	summaries := 0
	for n := 1; n <= 2; n++ {
		w.calling(Root, w.todo(n+1, n))
		compress := w.call("compress_context", object{"summary": "so far", "keepRecentCount": 0})
		w.calling(Root, compress)
		w.act(w.owed(Root, ActStep).(Act))
		summaries = 0
		for _, slot := range slices.Sorted(maps.Keys(w.said[Root])) {
			e := w.said[Root][slot]
			if e.Kind != conversation.Summary {
				continue
			}
			summaries++
			if strings.Contains(e.Text, "step") {
				t.Errorf("the list is part of what later summaries repeat: %q", e.Text)
			}
			if summaries == n && (!strings.Contains(e.Todo, fmt.Sprintf("[x] step %d", n)) || strings.Count(e.Todo, "step") != n+1) {
				t.Errorf("behind summary %d stands %q", n, e.Todo)
			}
		}
	}
	if summaries != 2 {
		t.Errorf("there are %d summaries", summaries)
	}
}
