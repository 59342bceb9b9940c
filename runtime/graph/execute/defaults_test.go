package execute_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

type idleTool struct{}

func (idleTool) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: "idle", Purpose: "Does nothing.", Parameters: []tool.Property{tool.May("why", tool.Text("Why."))}}
}

func (idleTool) Call(context.Context, tool.Caller, json.RawMessage) (tool.Result, error) {
	return tool.Result{Text: "nothing"}, nil
}

// No list of tools means all; an empty list means none.
func TestS004ANodeWithAnEmptyListHasNoTools(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tools []string
		want  int
	}{"no list": {nil, 1}, "an empty list": {[]string{}, 0}, "a list": {[]string{"idle"}, 1}} {
		model := echo()
		g := built(t, graph.New("test").AddLLMNode("node", "", "", c.tools, "node").SetEntryPoint("node").SetEndPoints([]string{"node"}))
		start(t, g, execute.Config{Model: model, Tools: []tool.Tool{idleTool{}}}, hello()).Wait()
		if got := len(model.asked[0].Tools); got != c.want {
			t.Errorf("%s: the model is offered %d tools, want %d", name, got, c.want)
		}
	}
}

func TestS004AGraphWithoutATimeoutEndsAfterSixtySeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r := start(t, built(t, nodes("node")), execute.Config{Model: slow(time.Hour)}, hello()).Wait()
		if took := time.Since(began); took != time.Minute || r.Status != graph.Error {
			t.Errorf("the run is %s after %v, want an error after 1m", r.Status, took)
		}
	})
}
