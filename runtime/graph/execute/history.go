package execute

import (
	"slices"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// legal returns messages as every endpoint takes them: one system message in front,
// then a user message; each answer with calls directly followed by one result a call;
// nothing without a text; and a user message last, since a node is asked to say
// something, and some endpoints take an answer at the end for one to be continued.
// It does not change messages. What it makes up stands in no state.
func legal(messages []graph.Message, node graph.Node) []graph.Message {
	var prompt []string
	said := make([]graph.Message, 0, len(messages)+2)
	for i, m := range messages {
		switch m.Role {
		case graph.System:
			prompt = append(prompt, m.Text)
		case graph.Tool:
			// Behind its answer, below; one that answers nothing is left out.
		case graph.Assistant:
			if len(m.Calls) > 0 || strings.TrimSpace(m.Text) != "" {
				said = append(append(said, m), results(m.Calls, messages[i+1:])...)
			}
		default:
			if strings.TrimSpace(m.Text) != "" {
				said = append(said, m)
			}
		}
	}
	next := graph.Message{Role: graph.User, Text: protocol.Sentence(protocol.English, protocol.StepBegins, nameOf(node))}
	if len(said) == 0 || said[0].Role != graph.User {
		said = slices.Insert(said, 0, next)
	}
	if last := said[len(said)-1]; last.Role == graph.Assistant {
		said = append(said, next)
	}
	if len(prompt) > 0 {
		said = slices.Insert(said, 0, graph.Message{Role: graph.System, Text: strings.Join(prompt, "\n\n")})
	}
	return said
}

// results returns one result for each call, found among the tool messages that follow
// the answer, in the order of the calls.
func results(calls []graph.Call, behind []graph.Message) []graph.Message {
	end := slices.IndexFunc(behind, func(m graph.Message) bool { return m.Role != graph.Tool })
	if end >= 0 {
		behind = behind[:end]
	}
	var list []graph.Message
	for _, c := range calls {
		result := graph.Message{Role: graph.Tool, CallID: c.ID, Text: conversation.Unanswered}
		if i := slices.IndexFunc(behind, func(m graph.Message) bool { return m.CallID == c.ID }); i >= 0 {
			result.Text = behind[i].Text
		}
		if strings.TrimSpace(result.Text) == "" {
			result.Text = conversation.NoOutput
		}
		list = append(list, result)
	}
	return list
}

func nameOf(n graph.Node) string {
	if n.Title != "" {
		return n.Title
	}
	return n.Key
}
