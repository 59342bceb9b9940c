package execute_test

import (
	"strings"
	"testing"

	"society-tui/llm/demo"
	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
	"society-tui/runtime/graph/execute/llmmodel"
)

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
	r := start(t, g, execute.Config{Model: llmmodel.New(model)}, state).Wait()
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
