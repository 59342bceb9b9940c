package sessions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
)

// inflight-1.db.gz is the store of a program of format 1 that was killed in the middle of
// everything: root waits for worker-7, which it drains; walker-1 is in two branches side by
// side; worker-1 thinks and has two messages; worker-2 runs the first of two calls of a tool
// that writes; worker-3 waits to ask again; worker-4 is stopped; worker-5 is interrupted and
// has a message; worker-6 thinks, and a message of its own is sent in an hour.

// A counter is the tool whose call was running.
type counter struct{ calls []string }

func (*counter) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: "change", Purpose: "Works.", Class: tool.ClassOwn, Group: tool.Read}
}

func (c *counter) Call(_ context.Context, _ tool.Caller, args json.RawMessage) (tool.Result, error) {
	c.calls = append(c.calls, string(args))
	return tool.Result{Text: "changed"}, nil
}

// sideBySide is the graph of walker-1.
func sideBySide(protocol.Lang) []graph.Definition {
	return []graph.Definition{{
		Name: "beside", Parallel: true,
		Nodes: []graph.Node{{Key: "open"}, {Key: "left"}, {Key: "right"}, {Key: "sum"}},
		Edges: []graph.Edge{{From: "left", To: "sum"}, {From: "right", To: "sum"}},
		FanOuts: []graph.FanOut{
			{From: "open", Join: "sum", Merge: graph.MergeAppend, Branches: []graph.Branch{{To: "left"}, {To: "right"}}},
		},
		Entries: []string{"open"}, EndNodes: []string{"sum"},
	}}
}

func TestAgentsInFlightGoOnAfterTheStepToAnotherFormat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, untouched := filepath.Join(dir, "society.db"), filepath.Join(dir, "untouched.db")
	for _, file := range []string{path, untouched} {
		if err := os.WriteFile(file, unzipped(t, "testdata/inflight-1.db.gz"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		tools := &counter{}
		o, err := sessions.Open(runtime.Config{
			Model: llmtest.Func("m", llmtest.Say("well done")), Check: true, Graphs: sideBySide, Tools: []tool.Tool{tools},
		}, path)
		if err != nil || o.Moved != "" {
			t.Fatalf("it does not open: %v %s", err, o.Moved)
		}
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- o.Society.Run(ctx) }()
		time.Sleep(2 * time.Hour)
		rows := rowsOf(t, o.Society)
		for id, want := range map[society.AgentID]society.Status{
			"root": society.Idle, "walker-1": society.Idle, "worker-1": society.Idle, "worker-2": society.Idle, "worker-3": society.Idle,
			"worker-4": society.Stopped, "worker-5": society.Idle, "worker-6": society.Idle,
		} {
			waiting := 0
			if id == "worker-5" {
				waiting = 1
			}
			if row, there := rows[id]; !there || row.State != want || row.Waiting != waiting || row.Error != "" {
				t.Errorf("%s is %s, %d messages wait, %q", id, row.State, row.Waiting, row.Error)
			}
		}
		if _, there := rows["worker-7"]; there || len(rows) != 8 || rows["worker-5"].Paused != society.Interrupted {
			t.Errorf("there are %+v", rows)
		}
		if !slices.Equal(tools.calls, []string{`{"n":2}`}) {
			t.Errorf("the tool was called with %q: the call that was running must not run again, the next one must", tools.calls)
		}
		var outcomes []conversation.Outcome
		for _, e := range entriesOf(t, o.Society, "worker-2") {
			if e.Kind == conversation.Result {
				outcomes = append(outcomes, e.Outcome)
			}
		}
		if !slices.Equal(outcomes, []conversation.Outcome{conversation.Unknown, conversation.OK}) {
			t.Errorf("the calls of worker-2 came to %q", outcomes)
		}
		var bodies []string
		for _, e := range entriesOf(t, o.Society, "worker-1") {
			if e.Kind == conversation.Inbound {
				bodies = append(bodies, e.Body)
			}
		}
		if n := len(bodies); n != 4 || !slices.Equal(bodies[1:], []string{"first", "second", "in an hour"}) {
			t.Errorf("worker-1 has read %q", bodies)
		}
		if p, err := o.Society.Policy(t.Context()); err != nil || len(p.Modes)+len(p.Rules) > 0 {
			t.Errorf("the policy is %+v, %v", p, err)
		}
		leave()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := runtime.Check(o.Store); err != nil {
			t.Errorf("the store is not sound: %v", err)
		}
		if err := o.Store.Close(); err != nil {
			t.Error(err)
		}
	})
	if got, want := exported(t, path+".format-1"), exported(t, untouched); !bytes.Equal(got, want) {
		t.Errorf("the copy of before differs in line %s", firstDifference(got, want))
	}
}

func rowsOf(t *testing.T, r *runtime.Runtime) map[society.AgentID]api.Row {
	t.Helper()
	w := r.Watch()
	defer w.Close()
	c, err := w.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows := map[society.AgentID]api.Row{}
	for _, row := range c.Rows {
		rows[row.ID] = row
	}
	return rows
}

func entriesOf(t *testing.T, r *runtime.Runtime, id society.AgentID) []conversation.Entry {
	t.Helper()
	p, err := r.Entries(t.Context(), id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p.Entries
}
