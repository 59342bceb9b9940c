package society

import (
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/todo"
)

// A Todo is what an agent has to do by its own account, and a stored record: fields are
// added, never renamed.
type Todo struct {
	Agent AgentID     `json:"agent"`
	Items []todo.Item `json:"items"`
}

// Todo returns the agent's list, nil without one. The caller only reads it.
func (a *Agent) Todo() []todo.Item {
	if a.todo == nil {
		return nil
	}
	return a.todo.Items
}

// keepTodo is the tool todo. The first call of an answer counts: several would race, and
// the model could not know which list is kept.
func (d *decision) keepTodo(a *Agent, o openAnswer, call conversation.Call) (string, bool) {
	for _, c := range o.calls {
		if c.ID == call.ID {
			break
		}
		if c.Name == todo.Name {
			return d.refused(refuse(InvalidArguments, "", protocol.TodoAgain)), false
		}
	}
	items, why := todo.Parse(d.s.lang, call.Arguments)
	if why != nil {
		return d.badArguments(why), false
	}
	d.add(TodoKept{Todo: Todo{Agent: a.ID, Items: items}})
	done, all := todo.Count(items)
	return payloadOf(map[string]any{"ok": true, "items": items, "done": done, "total": all}), true
}

// todoText returns the agent's list as its model reads it when the call in which it wrote
// it has left its context; "" without a list.
func (d *decision) todoText(a *Agent) string {
	if len(a.Todo()) == 0 {
		return ""
	}
	return d.say(protocol.TodoNow, todo.Lines(a.Todo()))
}

// TodoKept replaces an agent's list.
type TodoKept struct{ Todo Todo }

func (e TodoKept) apply(s *State) {
	a := s.agents[e.Todo.Agent]
	s.touchRows(a)
	a.todo = nil
	if len(e.Todo.Items) > 0 {
		list := e.Todo
		a.todo = &list
	}
}
