package runtime

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// review is a graph with a loop, whose check is tried twice.
func review() graph.Definition {
	return graph.Definition{
		Name: "review", MaxIterations: 9,
		Nodes: []graph.Node{
			{Key: "draft", Title: "Draft it"},
			{Key: "check", Retries: 2, RetryWait: graph.Duration(5 * time.Second)},
			{Key: "final"},
		},
		Edges:   []graph.Edge{{From: "draft", To: "check"}, {From: "check", To: "draft", Question: "is it bad?"}, {From: "check", To: "final"}},
		Entries: []string{"draft"}, EndNodes: []string{"final"},
	}
}

// onGraph runs a society whose root goes through the review.
func onGraph(t *testing.T, model llm.Model) (r *Runtime, end func()) {
	t.Helper()
	graphs := func(protocol.Lang) []graph.Definition { return []graph.Definition{review()} }
	r, err := Open(Config{Store: memdb.New(), Model: model, Graphs: graphs, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Graphs()); got != "[{review }]" {
		t.Errorf("roles can have %s", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	for _, cmd := range []society.Command{society.ChooseGraph{Role: "role-root", Graph: "review"}, society.Send{To: society.Root, Text: "go"}} {
		if _, err := r.Do(ctx, cmd); err != nil {
			t.Fatal(err)
		}
	}
	return r, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// stand describes root's position by its row and profile.
func stand(t *testing.T, r *Runtime) (api.Row, api.Profile, string) {
	t.Helper()
	w := r.Watch()
	defer w.Close()
	c, err := w.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Profile(t.Context(), society.Root)
	if err != nil {
		t.Fatal(err)
	}
	row := c.Rows[0]
	status := "no run"
	if p.Run != nil {
		status = string(p.Run.Status)
	}
	walk := row.Walk
	return row, p, fmt.Sprintf("%s %s %s (%d/%d) %d ended, paused %q, %s", row.State, walk.Node, walk.Doing, walk.Iterations, walk.Most, walk.Ended, row.Paused, status)
}

func TestARowSaysWhereAnAgentStandsInItsGraph(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.Script("scripted",
			llmtest.After(10*time.Second, llmtest.Say("a draft")),
			llmtest.Fail(&llm.Error{Class: llm.Invalid, Text: "no"}),
			llmtest.After(10*time.Second, llmtest.Say("it is bad")),
			llmtest.After(10*time.Second, llmtest.Say("no, it is well")),
			llmtest.Say("final words"),
		)
		r, end := onGraph(t, model)
		defer end()
		says := func(want string) (api.Row, api.Profile) {
			t.Helper()
			synctest.Wait()
			row, p, got := stand(t, r)
			if got != want {
				t.Errorf("it stands at %q, want %q", got, want)
			}
			return row, p
		}
		says(`waiting_llm Draft it execute (1/9) 0 ended, paused "", running`)
		if _, err := r.Do(t.Context(), society.PauseAgent{Agent: society.Root}); err != nil {
			t.Fatal(err)
		}
		says(`waiting_llm Draft it execute (1/9) 0 ended, paused "asked", running`)
		time.Sleep(11 * time.Second)
		says(`idle check execute (2/9) 1 ended, paused "asked", running`)
		if _, err := r.Do(t.Context(), society.Resume{Agent: society.Root}); err != nil {
			t.Fatal(err)
		}
		row, _ := says(`waiting_llm check wait (2/9) 2 ended, paused "", running`)
		if row.Retry == nil || row.Retry.Attempt != 1 || row.Retry.Most != 2 || row.Retry.Cause == "" {
			t.Errorf("it tries again as %+v", row.Retry)
		}
		time.Sleep(6 * time.Second)
		says(`waiting_llm check execute (3/9) 3 ended, paused "", running`)
		time.Sleep(10 * time.Second)
		_, early := says(`waiting_llm check judge (3/9) 4 ended, paused "", running`)
		time.Sleep(10 * time.Second)
		_, p := says(`idle   (0/9) 0 ended, paused "", completed`)
		if n := len(early.Run.Path); n != 4 {
			t.Errorf("the run that was handed over has grown to %d records", n)
		}
		if d, err := r.GraphDefinition(t.Context(), p.Graph); err != nil || d.Name != "review" || len(p.Run.Path) != 6 {
			t.Errorf("Profile(root) names the graph %q (%v) and has %d records, want review and 6", d.Name, err, len(p.Run.Path))
		}
	})
}
