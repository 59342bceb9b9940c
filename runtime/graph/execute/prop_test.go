package execute_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
	"society-tui/runtime/graph/graphtest"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/tool"
)

// moody is a model whose answers, calls, failures and times are drawn from a
// seed.
func moody(seed uint64) *fakeModel {
	m, asked := &fakeModel{}, 0
	m.answer = func(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
		m.mu.Lock()
		asked++
		nth := asked
		m.mu.Unlock()
		h := fnv.New64a()
		fmt.Fprint(h, seed, nth, len(q.Messages))
		lot := h.Sum64()
		if wait := time.Duration(lot%4) * time.Second; wait > 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return graph.Message{}, ctx.Err()
			}
		}
		send("word")
		switch lot /= 8; {
		case len(q.Tools) == 0:
			return says([]string{"yes", "no", "1", "0", "perhaps"}[lot%5]), nil
		case lot%10 == 0:
			return graph.Message{}, errAway
		case lot%10 < 4:
			return graph.Message{Calls: []graph.Call{{ID: fmt.Sprint("call", nth), Name: "act", Arguments: "{}"}}}, nil
		}
		return says("said"), nil
	}
	return m
}

// legal says where a call has not exactly one result directly after it.
func legal(messages []graph.Message) error {
	open := map[string]bool{}
	for i, m := range messages {
		switch {
		case m.Role == graph.Tool && !open[m.CallID]:
			return fmt.Errorf("message %d answers %q, which is not open", i, m.CallID)
		case m.Role == graph.Tool:
			delete(open, m.CallID)
		case len(open) > 0:
			return fmt.Errorf("message %d comes before the results of %v", i, open)
		}
		for _, c := range m.Calls {
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%v have no result", open)
	}
	return nil
}

// However a graph is made, whatever its model does and whenever the person steps
// in, the execution ends by its deadline, its path is a walk of the graph, every
// question and the final state are legal, each tool call is made once, and a
// message of the person is in the state once.
func TestS004EveryExecutionEndsAndLeavesALegalState(t *testing.T) {
	ends := propertytest.Met[string]{}
	ends.Check(t, propertytest.Once("completed ", "cancelled aborted", "error timeout"), func(rt *rapid.T) {
		def := graphtest.Draw(rt)
		seed := rapid.Uint64().Draw(rt, "seed")
		acts := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 6).Draw(rt, "acts")
		one := rapid.Bool().Draw(rt, "one by one")
		g, err := graph.Compile(def, graph.Funcs{})
		if err != nil {
			rt.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			model, made := moody(seed), map[string]int{}
			c := execute.Config{Model: model, OneByOne: one, Tools: []tool.Tool{fakeTool{"act", func(ctx context.Context, _ string) (tool.Result, error) {
				time.Sleep(time.Second)
				return tool.Result{Text: "acted"}, nil
			}}}}
			began := time.Now()
			x := start(t, g, c, hello())
			added := step(x, acts)
			r := x.Wait()
			if took := time.Since(began); took > graph.DefaultTimeout+time.Second || !r.Status.Over() {
				t.Errorf("it is %s after %s", r.Status, took)
			}
			if err := graphtest.Walk(def, def.Entries[0], r.ExecutionPath); err != nil {
				t.Errorf("%v:\n%s", err, g)
			}
			for _, q := range model.asked {
				if err := legal(q.Messages); err != nil {
					t.Errorf("question: %v", err)
				}
			}
			if err := legal(r.FinalState.Context); err != nil {
				t.Errorf("final state: %v", err)
			}
			for _, call := range x.ToolCalls() {
				if made[call.Call.ID]++; made[call.Call.ID] > 1 {
					t.Errorf("%s was made again", call.Call.ID)
				}
			}
			if n := strings.Count(spoken(r.FinalState.Context), "by the way"); n != added {
				t.Errorf("%d of %d messages are in the state", n, added)
			}
			ends[string(r.Status)+" "+string(r.Reason)]++
		})
		if t.Failed() {
			rt.FailNow()
		}
	})
}

// step does what a person may, a second and a half apart, and returns how many
// messages it has added. A pause is always taken off at last.
func step(x *execute.Execution, acts []int) (added int) {
	for _, act := range acts {
		time.Sleep(1500 * time.Millisecond)
		switch act {
		case 0:
			_ = x.Pause() // it may be over
		case 1, 2:
			_ = x.Resume()
		case 3:
			_ = x.Interrupt()
		case 4:
			if x.AddMessage(graph.Message{Role: graph.User, Text: "by the way"}); true {
				added++
			}
		case 5:
			if len(acts) == 6 {
				_ = x.Abort()
			}
		}
	}
	if err := x.Resume(); err != nil && !errors.Is(err, graph.ErrStatus) {
		panic(err)
	}
	return added
}
