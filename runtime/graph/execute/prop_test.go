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
			// The ids begin anew with each answer, as those of some models do.
			calls := []graph.Call{{ID: "1", Name: "act", Arguments: fmt.Sprintf(`{"n":%d}`, nth)}, {ID: "1", Name: "act", Arguments: fmt.Sprintf(`{"n":%d.5}`, nth)}, {Name: "no such tool"}}
			return graph.Message{Calls: calls[:1+lot%3]}, nil
		}
		return says([]string{"said", "", " "}[lot%3]), nil
	}
	return m
}

// legal returns where a call has not exactly one result directly after it.
func legal(messages []graph.Message) error {
	open := map[string]int{}
	for i, m := range messages {
		switch {
		case m.Role == graph.Tool && open[m.CallID] == 0:
			return fmt.Errorf("message %d answers %q, which is not open", i, m.CallID)
		case m.Role == graph.Tool:
			if open[m.CallID]--; open[m.CallID] == 0 {
				delete(open, m.CallID)
			}
		case len(open) > 0:
			return fmt.Errorf("message %d comes before the results of %v", i, open)
		}
		for _, c := range m.Calls {
			open[c.ID]++
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%v have no result", open)
	}
	return nil
}

// sendable returns why an endpoint would refuse a history.
func sendable(messages []graph.Message) error {
	ids := map[string]bool{}
	for i, m := range messages {
		if strings.TrimSpace(m.Text) == "" && len(m.Calls) == 0 {
			return fmt.Errorf("message %d says nothing", i)
		}
		if m.Role == graph.System && i > 0 {
			return fmt.Errorf("message %d is the system's", i)
		}
		for _, c := range m.Calls {
			if c.ID == "" || ids[c.ID] {
				return fmt.Errorf("message %d calls %s with the id %q", i, c.Name, c.ID)
			}
			ids[c.ID] = true
		}
	}
	said := messages
	if len(said) > 0 && said[0].Role == graph.System {
		said = said[1:]
	}
	if len(said) == 0 || said[0].Role != graph.User || said[len(said)-1].Role == graph.Assistant {
		return errors.New("it begins or ends with an answer")
	}
	return legal(messages)
}

// anyContext is what a caller may bring: also a part of a conversation that no endpoint
// would take as it is.
func anyContext(t *rapid.T) graph.State {
	var s graph.State
	for _, list := range []*[]graph.Message{&s.History, &s.Context} {
		for range rapid.IntRange(0, 4).Draw(t, "messages") {
			*list = append(*list, rapid.SampledFrom([]graph.Message{
				{Role: graph.User, Text: "hello"},
				{Role: graph.User},
				{Role: graph.System, Text: "be brief"},
				{Role: graph.Assistant, Text: "how can I help?"},
				{Role: graph.Assistant},
				{Role: graph.Assistant, Text: "wait", Calls: []graph.Call{{ID: "1", Name: "a name", Arguments: "none"}, {ID: "2", Name: "act"}}},
				{Role: graph.Tool, CallID: "1", Text: "found"},
				{Role: graph.Tool, CallID: "2"},
				{Role: graph.Tool, CallID: "3", Text: "of nothing"},
			}).Draw(t, "message"))
		}
	}
	return s
}

// However a graph is made, whatever its model does and whenever the user steps in, and
// whatever was said before, the execution ends by its deadline, its path is a walk of the
// graph, every question is one that endpoints take, what was said in the run has its
// results, each tool call is made once, and a message of the user is in the state once.
func TestS004EveryExecutionEndsAndLeavesALegalState(t *testing.T) {
	ends := propertytest.Met[string]{}
	ends.Check(t, propertytest.Once("completed ", "cancelled aborted", "error timeout"), func(rt *rapid.T) {
		def := graphtest.Draw(rt)
		seed := rapid.Uint64().Draw(rt, "seed")
		acts := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 6).Draw(rt, "acts")
		one := rapid.Bool().Draw(rt, "one by one")
		state := anyContext(rt)
		before := len(state.Context)
		g, err := graph.Compile(def, graph.Funcs{})
		if err != nil {
			rt.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			model, made := moody(seed), map[string]int{}
			c := execute.Config{Model: model, OneByOne: one, Tools: []tool.Tool{fakeTool{"act", func(ctx context.Context, _ string) (tool.Result, error) {
				time.Sleep(time.Second)
				return tool.Result{Text: []string{"acted", ""}[seed%2]}, nil
			}}}}
			began := time.Now()
			x := start(t, g, c, state)
			added := step(x, acts)
			r := x.Wait()
			if took := time.Since(began); took > graph.DefaultTimeout+time.Second || !r.Status.Over() {
				t.Errorf("it is %s after %s", r.Status, took)
			}
			if err := graphtest.Walk(def, def.Entries[0], r.ExecutionPath); err != nil {
				t.Errorf("%v:\n%s", err, g)
			}
			for _, q := range model.asked {
				if err := sendable(q.Messages); err != nil {
					t.Errorf("question: %v: %+v", err, q.Messages)
				}
			}
			if err := legal(r.FinalState.Context[before:]); err != nil {
				t.Errorf("final state: %v", err)
			}
			for _, call := range x.ToolCalls() {
				if made[call.Call.Arguments]++; made[call.Call.Arguments] > 1 && call.Call.Name == "act" {
					t.Errorf("%s was made again", call.Call.Arguments)
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

// step does what a user may, a second and a half apart, and returns how many messages it
// has added. A pause is always taken off at last.
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
