package runtime_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/society/societytest"
	"society-tui/storage/memdb"
)

// founder is a model that spawns an agent if the message asks for it, and otherwise says "well".
func founder(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	last := req.Messages[len(req.Messages)-1]
	if last.Role == llm.User && strings.Contains(last.Text, "Spawn one.") {
		return llmtest.CallTools(call("spawn_agent", object{"roleId": "role-worker", "taskBrief": object{
			"objective": "rest", "constraints": []string{}, "inputs": "none", "outputs": "none", "completion_criteria": "none",
		}}))(ctx, req)
	}
	return llmtest.Say("well")(ctx, req)
}

// BenchmarkOneAgentAmongMany measures what a turn, a spawn and a stop of one agent take,
// through the loop and with a watcher, among agents that rest. The store is in memory, as
// the disk takes what it takes.
func BenchmarkOneAgentAmongMany(b *testing.B) {
	for _, agents := range []int{100, 10_000} {
		b.Run(fmt.Sprint(agents), func(b *testing.B) {
			t := restingThrong(b, agents)
			w := t.r.Watch()
			id := society.AgentID(fmt.Sprint("worker-", agents-1)) // it has no children
			seen := map[society.AgentID]api.Row{}
			until := func(ok func() bool) {
				for !ok() {
					t.looks(w, seen)
				}
			}
			idle := func(id society.AgentID) bool { return seen[id].State == society.Idle && seen[id].Waiting == 0 }
			var turn, spawn, stop figure
			for n := 0; b.Loop() || n < 20; n++ {
				delete(seen, id)
				begun := time.Now()
				t.do(society.Send{To: id, Text: "Say something."})
				until(func() bool { return idle(id) })
				turn.add(time.Since(begun))

				child := society.AgentID(fmt.Sprint("worker-", agents+n))
				begun = time.Now()
				t.do(society.Send{To: id, Text: "Spawn one."})
				until(func() bool { return seen[child].ID == child })
				spawn.add(time.Since(begun))
				until(func() bool { return idle(child) && idle(id) })

				stop.add(t.do(society.Stop{Agent: id}))
				t.do(society.Resume{Agent: id})
				t.do(society.Terminate{Agent: child, By: society.User})
			}
			w.Close()
			t.quit()
			report(b, map[string]*figure{"turn-ms": &turn, "spawn-ms": &spawn, "stop-ms": &stop})
		})
	}
}

// restingThrong opens a society of so many agents, and waits until all have reported.
func restingThrong(b *testing.B, agents int) *throng {
	b.Helper()
	store := newCrowd(b, agents).fill(b, memdb.New())
	limits := societytest.Limits(2 * agents)
	limits.SpawnsPerMinute, limits.TaskMessages, limits.Depth = 1<<30, 1<<30, 20
	r, err := runtime.Open(runtime.Config{Store: store, Model: llmtest.Func("founder", founder), Limits: limits, ModelCalls: 100})
	if err != nil {
		b.Fatal(err)
	}
	t := started(b, r, store)
	w := r.Watch()
	defer w.Close()
	seen := map[society.AgentID]api.Row{}
	for {
		t.looks(w, seen)
		busy := 0
		for _, row := range seen {
			if row.State != society.Idle || row.Waiting > 0 {
				busy++
			}
		}
		if len(seen) == agents && busy == 0 {
			return t
		}
	}
}

// looks takes the rows of the next change.
func (t *throng) looks(w *runtime.Watcher, seen map[society.AgentID]api.Row) {
	t.tb.Helper()
	c, err := w.Next(t.ctx)
	if err != nil {
		t.tb.Fatal(err)
	}
	for _, row := range c.Rows {
		seen[row.ID] = row
	}
}
