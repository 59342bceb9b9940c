package execute_test

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
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

// settled is a model whose answers and calls follow from what it is asked alone, so
// that a question that is put again is answered as before.
func settled(seed uint64) *fakeModel {
	return &fakeModel{answer: func(_ context.Context, q execute.Question, send func(string)) (graph.Message, error) {
		h := fnv.New64a()
		fmt.Fprint(h, seed, len(q.Tools), q.Messages)
		lot := h.Sum64()
		time.Sleep(time.Duration(1+lot%3) * time.Millisecond)
		if len(q.Tools) == 0 {
			return says([]string{"yes", "no", "1", "0"}[lot/3%4]), nil
		}
		text := fmt.Sprintf("%s:%x", system(q), lot)
		send(text)
		if lot/3%3 == 0 {
			return graph.Message{Text: text, Calls: []graph.Call{{ID: text, Name: "act", Arguments: "{}"}}}, nil
		}
		return says(text), nil
	}}
}

// An outcome is what can be told of an execution and does not hang on when it was
// resumed. Branches side by side end in an order that does.
type outcome struct {
	path, calls []string
	state       string
}

func outcomeOf(x *execute.Execution, one bool) outcome {
	r := x.Wait()
	o := outcome{state: fmt.Sprint(r.Status, r.Reason, r.FinalState.Context, r.FinalState.History)}
	for _, rec := range r.ExecutionPath {
		if rec.Outcome == graph.CutShort {
			continue // it was in flight
		}
		if !one {
			rec.Branch = 0
		}
		o.path = append(o.path, fmt.Sprint(rec.Kind, rec.Node, rec.Branch, rec.Outcome, rec.Verdict, rec.To, rec.Why))
	}
	for _, c := range x.ToolCalls() {
		if !one {
			c.Branch = 0
		}
		o.calls = append(o.calls, fmt.Sprintf("%+v", c))
	}
	if !one {
		slices.Sort(o.path)
		slices.Sort(o.calls)
	}
	return o
}

// An execution that continues any checkpoint ends as the uninterrupted one did: same
// identity, path, tool calls and state. One by one, it also sends the remaining chunks,
// none twice.
func TestS004EveryCheckpointLeadsToTheSameEnd(t *testing.T) {
	met := propertytest.Met[string]{}
	met.Check(t, propertytest.Once("a checkpoint was resumed"), func(rt *rapid.T) {
		def := graphtest.Draw(rt)
		def.MaxIterations, def.Timeout = 1000, graph.Duration(time.Hour)
		def.Each(func(key string, n *graph.Node) { n.Prompt = key })
		seed, one := rapid.Uint64().Draw(rt, "seed"), rapid.Bool().Draw(rt, "one by one")
		first := rapid.IntRange(0, 20).Draw(rt, "first")
		g, err := graph.Compile(def, graph.Funcs{})
		if err != nil {
			rt.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			c := execute.Config{Model: settled(seed), OneByOne: one, Tools: []tool.Tool{fakeTool{"act", func(context.Context, string) (tool.Result, error) {
				time.Sleep(time.Millisecond)
				return tool.Result{Text: "acted"}, nil
			}}}}
			var saved [][]byte
			var sent []int // chunks before each checkpoint
			var mu sync.Mutex
			var chunks []string
			hear := func(c graph.Chunk) {
				mu.Lock()
				defer mu.Unlock()
				chunks = append(chunks, c.Text)
			}
			watched, state := c, hello()
			watched.Save = func(b []byte) {
				mu.Lock()
				defer mu.Unlock()
				saved, sent = append(saved, b), append(sent, len(chunks))
			}
			state.SendChunk, state.History = hear, []graph.Message{{Role: graph.User, Text: "before"}}
			x := start(t, g, watched, state)
			if x.Wait(); !one && x.Status() != graph.Completed {
				return // what a failure cuts off beside it depends on the time
			}
			all, want := chunks, outcomeOf(x, one)
			for i := first % len(saved); i < len(saved); i += 1 + len(saved)/3 {
				chunks = nil
				again, err := execute.Continue(t.Context(), g, c, saved[i], hear)
				if err != nil {
					t.Fatal(err)
				}
				if got := outcomeOf(again, one); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
					t.Errorf("checkpoint %d of %d, one by one %t: it came to\n%q, not\n%q\n%s", i, len(saved), one, got, want, g)
				}
				if rest := all[sent[i]:]; one && !slices.Equal(chunks, rest) {
					t.Errorf("checkpoint %d of %d: it said %q, not %q", i, len(saved), chunks, rest)
				}
				if again.ID() != x.ID() || !again.StartTime().Equal(x.StartTime()) {
					t.Errorf("checkpoint %d: it is %s of %s", i, again.ID(), again.StartTime())
				}
				met["a checkpoint was resumed"]++
			}
		})
		if t.Failed() {
			rt.FailNow()
		}
	})
}

// A node is begun when what it follows from is saved, however slow the disk is.
func TestS004ACheckpointIsSavedBeforeTheNextNodeBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saved []byte
		model := echo()
		answer := model.answer
		model.answer = func(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
			if before := []byte(`"` + last(q).Text + `"`); !bytes.Contains(saved, before) {
				t.Errorf("%s was begun, and %s is not saved", system(q), before)
			}
			return answer(ctx, q, send)
		}
		save := func(c []byte) {
			time.Sleep(time.Second)
			saved = c
		}
		g := built(t, nodes("one", "two", "three").AddEdge("one", "two").AddEdge("two", "three"))
		if r := start(t, g, execute.Config{Model: model, Save: save}, hello()).Wait(); walked(r.ExecutionPath) != "one two three" {
			t.Errorf("it went %s", walked(r.ExecutionPath))
		}
	})
}
