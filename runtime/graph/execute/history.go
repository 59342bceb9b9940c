package execute

import (
	"cmp"
	"fmt"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// legal returns messages as every endpoint takes them, made by the same rules as those of
// an agent: one system message in front, then a user message; each call of an answer
// with one result directly behind it, under an id of its own; nothing without a text;
// and no answer last, since a node is asked to say something, and some endpoints take an
// answer at the end for one to be continued. It does not change messages. What it makes
// up stands in no state.
func legal(messages []graph.Message, node graph.Node) []graph.Message {
	var system []string
	entries := make([]conversation.Entry, 0, len(messages))
	ids := callIDs{used: map[string]bool{}, open: map[string][]string{}}
	for i, m := range messages {
		if m.Role == graph.System {
			if strings.TrimSpace(m.Text) != "" {
				system = append(system, m.Text)
			}
			continue
		}
		entries = append(entries, ids.entry(uint64(i), m))
	}
	list := make([]graph.Message, 0, len(entries)+3)
	if len(system) > 0 {
		list = append(list, graph.Message{Role: graph.System, Text: strings.Join(system, "\n\n")})
	}
	said := conversation.Legal(entries)
	next := graph.Message{Role: graph.User, Text: protocol.Sentence(protocol.English, protocol.StepBegins, cmp.Or(node.Title, node.Key))}
	if len(said) == 0 || said[0].Kind == conversation.Answer {
		list = append(list, next)
	}
	for i := range said {
		list = append(list, messageOf(&said[i]))
	}
	if list[len(list)-1].Role == graph.Assistant {
		list = append(list, next)
	}
	return list
}

func messageOf(e *conversation.Entry) graph.Message {
	m := graph.Message{Role: graph.User, Text: e.Text, CallID: e.CallID, Extra: e.Extra}
	switch e.Kind {
	case conversation.Answer:
		m.Role = graph.Assistant
	case conversation.Result:
		m.Role = graph.Tool
	}
	for _, c := range e.Calls {
		m.Calls = append(m.Calls, graph.Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments, Extra: c.Extra})
	}
	return m
}

// callIDs give each call of a history an id of its own: models may number the calls of
// each answer anew, and branches are merged that knew nothing of each other.
type callIDs struct {
	used map[string]bool
	open map[string][]string // by the model's id: those that have no result yet
}

// entry returns a message as an entry of a conversation.
func (ids *callIDs) entry(slot uint64, m graph.Message) conversation.Entry {
	e := conversation.Entry{Slot: slot, Kind: conversation.Inbound, Text: m.Text, Extra: m.Extra}
	switch m.Role {
	case graph.Assistant:
		e.Kind = conversation.Answer
		for _, c := range m.Calls {
			delete(ids.open, c.ID) // what an earlier answer called so has no result
		}
		for _, c := range m.Calls {
			e.Calls = append(e.Calls, conversation.Call{ID: ids.called(c.ID), Name: c.Name, Arguments: c.Arguments, Extra: c.Extra})
		}
	case graph.Tool:
		e.Kind, e.CallID = conversation.Result, ids.answered(m.CallID)
	}
	return e
}

func (ids *callIDs) called(id string) string {
	own := id
	for n := 2; own == "" || ids.used[own]; n++ {
		own = fmt.Sprintf("%s-%d", cmp.Or(id, "call"), n)
	}
	ids.used[own] = true
	ids.open[id] = append(ids.open[id], own)
	return own
}

// answered returns the id of the first call of that name without a result; a result of
// none keeps the name.
func (ids *callIDs) answered(id string) string {
	open := ids.open[id]
	if len(open) == 0 {
		return id
	}
	ids.open[id] = open[1:]
	return open[0]
}
