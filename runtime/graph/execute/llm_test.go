package execute_test

import (
	"context"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/demo"
	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
)

// A talker asks a model of the program, as a host of graphs would.
type talker struct{ model llm.Model }

func (m talker) Answer(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
	var req llm.Request
	for _, message := range q.Messages {
		if message.Role == graph.System {
			req.System = message.Text
			continue
		}
		sent := llm.Message{Role: llm.Role(message.Role), Text: message.Text, CallID: message.CallID, Extra: message.Extra}
		for _, c := range message.Calls {
			sent.Calls = append(sent.Calls, llm.Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments, Extra: c.Extra})
		}
		req.Messages = append(req.Messages, sent)
	}
	for _, s := range q.Tools {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: s.Name, Description: s.Purpose, Parameters: s.Schema()})
	}
	answer := graph.Message{Role: graph.Assistant}
	for chunk, err := range m.model.Generate(ctx, req) {
		if err != nil {
			if e := llm.AsError(err); !e.Class.Retryable() {
				return answer, execute.Final(err)
			}
			return answer, err
		}
		send(chunk.Text)
		answer.Text += chunk.Text
		for _, c := range chunk.Calls {
			answer.Calls = append(answer.Calls, graph.Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments, Extra: c.Extra})
		}
		if chunk.Done {
			answer.Extra = chunk.Extra
		}
	}
	return answer, nil
}

// The graph of the design runs on the offline model, over its real wire: each
// node streams what it then says, and the second is shown the first one's words.
func TestS004TheGraphOfTheDesignRunsOnTheOfflineModel(t *testing.T) {
	t.Parallel()
	model, err := demo.New(demo.Config{})
	if err != nil {
		t.Fatal(err)
	}
	g := built(t, nodes("chat", "review").AddEdge("chat", "review"))
	streamed := map[string]string{}
	state := hello()
	state.SendChunk = func(c graph.Chunk) { streamed[c.Node] += c.Text }
	r := start(t, g, execute.Config{Model: talker{model}}, state).Wait()
	if !r.Success || strings.TrimSpace(r.FinalMessage) == "" || len(r.FinalState.Context) != 3 {
		t.Fatalf("it is %s %s: %s", r.Status, r.Reason, r.Detail)
	}
	for i, node := range []string{"chat", "review"} {
		if said := r.FinalState.Context[i+1].Text; said != streamed[node] {
			t.Errorf("%s said %q and streamed %q", node, said, streamed[node])
		}
	}
	t.Logf("%s", r.FinalMessage)
}
