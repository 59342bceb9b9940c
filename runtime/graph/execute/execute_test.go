package execute_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
	"society-tui/runtime/tool"
)

func TestS004AnExecutionEndsAtItsEndPointWithStatePathAndLastMessage(t *testing.T) {
	t.Parallel()
	model := echo()
	var chunks []string
	state := hello()
	state.SendChunk = func(c graph.Chunk) { chunks = append(chunks, c.Node+":"+c.Text) }
	begun := time.Now()
	x := start(t, built(t, nodes("chat", "review").AddEdge("chat", "review")), execute.Config{Model: model, ID: "run-1"}, state)
	r := x.Wait()
	if !r.Success || r.Status != graph.Completed || r.FinalMessage != "review" || r.Iterations != 2 || r.Err != nil {
		t.Errorf("it came to %+v", r)
	}
	if got := walked(r.ExecutionPath); got != "chat review" {
		t.Errorf("it went %s", got)
	}
	if got := spoken(r.FinalState.Context); got != "hello chat review" {
		t.Errorf("it said %s", got)
	}
	if !slices.Equal(chunks, []string{"chat:chat", "review:review"}) {
		t.Errorf("it streamed %q", chunks)
	}
	if x.ID() != "run-1" || x.Status() != graph.Completed || x.IterationCount() != 2 || x.StartTime().Before(begun) || x.StartTime().After(r.ExecutionPath[0].Ended) {
		t.Errorf("the handle says %s %s", x.ID(), x.Status())
	}
	for name, err := range map[string]error{"pause": x.Pause(), "resume": x.Resume(), "abort": x.Abort(), "interrupt": x.Interrupt()} {
		if !errors.Is(err, graph.ErrStatus) {
			t.Errorf("%s of what is over: %v", name, err)
		}
	}
}

func TestS004AModelIsSentPromptHistoryAndContext(t *testing.T) {
	t.Parallel()
	model := echo()
	state := hello()
	state.History = []graph.Message{
		{Role: graph.User, Text: "before"},
		{Role: graph.Assistant, Calls: []graph.Call{{ID: "1", Name: "old"}}},
		{Role: graph.Tool, CallID: "1", Text: "old result"},
		{Role: graph.Assistant, Text: "answered"},
	}
	start(t, built(t, nodes("chat")), execute.Config{Model: model}, state).Wait()
	if got := spoken(model.asked[0].Messages); got != "chat before answered hello" {
		t.Errorf("it was sent %q", got)
	}
}

// A result belongs to the last answer that has called so, also if an earlier one has none.
func TestS004AResultBelongsToTheLastCallOfItsName(t *testing.T) {
	t.Parallel()
	model, call := echo(), []graph.Call{{ID: "1", Name: "look"}}
	state := graph.State{Context: []graph.Message{
		{Role: graph.User, Text: "look"},
		{Role: graph.Assistant, Text: "first", Calls: call},
		{Role: graph.User, Text: "well?"},
		{Role: graph.Assistant, Text: "second", Calls: call},
		{Role: graph.Tool, CallID: "1", Text: "found"},
	}}
	start(t, built(t, nodes("chat")), execute.Config{Model: model}, state).Wait()
	said := model.asked[0].Messages[1:]
	first, second := said[1], said[4]
	if len(said) != 6 || first.Calls[0].ID == second.Calls[0].ID || said[2].CallID != first.Calls[0].ID || !strings.Contains(said[2].Text, "unknown") {
		t.Errorf("it was sent %+v", said)
	}
	if said[5].CallID != second.Calls[0].ID || said[5].Text != "found" {
		t.Errorf("the result is %+v", said[5])
	}
}

// A node asks again after each round of tools, whose results are in the context,
// and ends with the first answer without a call.
func TestS004ANodeCallsToolsUntilItsModelCallsNone(t *testing.T) {
	t.Parallel()
	calls := [][]graph.Call{
		{{ID: "1", Name: "double", Arguments: `{"n":21}`}, {ID: "2", Name: "ghost"}},
		{{ID: "3", Name: "double", Arguments: "not json"}, {ID: "4", Name: "broken"}, {ID: "5", Name: "panics"}},
	}
	round := 0
	model := &fakeModel{answer: func(context.Context, execute.Question, func(string)) (graph.Message, error) {
		if round++; round <= len(calls) {
			return graph.Message{Text: "let me see", Calls: calls[round-1]}, nil
		}
		return says("42"), nil
	}}
	tools := []tool.Tool{
		fakeTool{"double", func(_ context.Context, args string) (tool.Result, error) {
			return tool.Result{Text: "42 of " + args}, nil
		}},
		fakeTool{"broken", func(context.Context, string) (tool.Result, error) { return tool.Result{}, errors.New("no disk") }},
		fakeTool{"panics", func(context.Context, string) (tool.Result, error) { panic("oh") }},
	}
	x := start(t, built(t, nodes("chat")), execute.Config{Model: model, Tools: tools}, hello())
	r := x.Wait()
	if !r.Success || r.FinalMessage != "42" {
		t.Fatalf("it came to %+v", r)
	}
	got := x.ToolCalls()
	wants := []string{`42 of {"n":21}`, `error: there is no tool "ghost"`, "error: the arguments", "error: no disk", "error: the tool panicked: oh"}
	if len(got) != len(wants) {
		t.Fatalf("%d calls were made: %+v", len(got), got)
	}
	for i, want := range wants {
		if !strings.HasPrefix(got[i].Result, want) || got[i].Failed != (i > 0) {
			t.Errorf("call %d came to %q", i+1, got[i].Result)
		}
	}
	sent := model.asked[2].Messages
	if len(model.asked[0].Tools) != 3 || last(execute.Question{Messages: sent}).CallID != "5" || len(sent) != 9 {
		t.Errorf("the last question has %d messages", len(sent))
	}
}

func TestS004ANodeThatCallsToolsForEverFails(t *testing.T) {
	t.Parallel()
	for rounds, want := range map[int]int{3: 4, 0: 31} {
		model := &fakeModel{answer: func(context.Context, execute.Question, func(string)) (graph.Message, error) {
			return graph.Message{Calls: []graph.Call{{ID: "1", Name: "ghost"}}}, nil
		}}
		r := start(t, built(t, nodes("chat")), execute.Config{Model: model, Rounds: rounds}, hello()).Wait()
		if r.Reason != graph.NodeFailed || !strings.Contains(r.Detail, "rounds") || len(model.asked) != want {
			t.Errorf("after %d questions it is %s: %s", len(model.asked), r.Reason, r.Detail)
		}
	}
}

// Who judges a condition has no tools: a call instead of an answer is a failure, which
// counts as no.
func TestS004AJudgeThatCallsAToolHasFailed(t *testing.T) {
	t.Parallel()
	model := &fakeModel{answer: func(_ context.Context, q execute.Question, _ func(string)) (graph.Message, error) {
		if last(q).Text == "once more?" {
			return graph.Message{Text: "yes", Calls: []graph.Call{{ID: "1", Name: "act"}}}, nil
		}
		return says("well"), nil
	}}
	g := built(t, nodes("a", "b", "c").AddConditionalEdge("a", "b", "once more?").AddEdge("a", "c").AddEdge("b", "c"))
	r := start(t, g, execute.Config{Model: model, Tools: []tool.Tool{fakeTool{name: "act"}}}, hello()).Wait()
	if judged := r.ExecutionPath[1]; walked(r.ExecutionPath) != "a c" || judged.Outcome != graph.Failed || !strings.Contains(judged.Why, "tool") {
		t.Errorf("it went %s, judged by %+v", walked(r.ExecutionPath), judged)
	}
}

func TestS004ANodeHasTheToolsAndTheModelThatItNames(t *testing.T) {
	t.Parallel()
	other := echo()
	b := graph.New("named").AddLLMNode("a", "", "other", []string{"one"}, "a").SetEntryPoint("a").SetEndPoints([]string{"a"})
	c := execute.Config{Model: echo(), Models: map[string]execute.Model{"other": other}, Tools: []tool.Tool{fakeTool{name: "one"}, fakeTool{name: "two"}}}
	start(t, built(t, b), c, hello()).Wait()
	if len(other.asked) != 1 || len(other.asked[0].Tools) != 1 || other.asked[0].Tools[0].Name != "one" {
		t.Errorf("it was asked %+v", other.asked)
	}
	for name, test := range map[string]struct {
		c    execute.Config
		want error
	}{
		"model": {execute.Config{Model: echo(), Tools: c.Tools}, execute.ErrModel},
		"tool":  {execute.Config{Model: echo(), Models: c.Models}, execute.ErrTool},
	} {
		if _, err := execute.Start(t.Context(), built(t, b), test.c, "", hello()); !errors.Is(err, test.want) {
			t.Errorf("without the %s: %v", name, err)
		}
	}
}

// A graph on its own has 60 s, unless it says something else, and is over when
// they are, with what there is.
func TestS004ATimeoutIsARealDeadline(t *testing.T) {
	for _, limit := range []time.Duration{0, 7 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			model := slow(4 * time.Second)
			g := built(t, nodes("a", "b", "c").SetTimeout(limit).AddEdge("a", "b").AddConditionalEdge("b", "a", "again?").AddEdge("b", "c"))
			model.answer = func(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
				if last(q).Text == "again?" {
					return says("yes, once more"), nil
				}
				return slow(4*time.Second).answer(ctx, q, send)
			}
			began := time.Now()
			r := start(t, g, execute.Config{Model: model}, hello()).Wait()
			want := limit
			if want == 0 {
				want = 60 * time.Second
			}
			if took := time.Since(began); took != want || r.Status != graph.Error || r.Reason != graph.TimedOut || r.Success {
				t.Errorf("after %s it is %s %s", took, r.Status, r.Reason)
			}
			if cut := r.ExecutionPath[len(r.ExecutionPath)-1]; cut.Outcome != graph.CutShort && limit != 0 || !strings.HasPrefix(walked(r.ExecutionPath), "a b") {
				t.Errorf("its path ends in %+v", cut)
			}
			if got := spoken(r.FinalState.Context); !strings.HasPrefix(got, "hello a") {
				t.Errorf("its state is %q", got)
			}
		})
	}
}

// A node's own timeout cuts it off, and is a failure that is tried again.
func TestS004ANodeThatTakesTooLongIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		model := &fakeModel{answer: func(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
			if tries++; tries == 1 {
				return slow(time.Hour).answer(ctx, q, send)
			}
			return says("quick"), nil
		}}
		b := graph.New("timed").AddNode(graph.Node{Key: "a", Timeout: graph.Duration(5 * time.Second), Retries: 1}).SetEntryPoint("a").SetEndPoints([]string{"a"})
		began := time.Now()
		r := start(t, built(t, b), execute.Config{Model: model}, hello()).Wait()
		if took := time.Since(began); !r.Success || took != 6*time.Second || r.ExecutionPath[0].Outcome != graph.Late {
			t.Errorf("after %s it is %s: %+v", took, r.Status, r.ExecutionPath)
		}
	})
}

func TestS004AFailedNodeIsTriedAgainUnlessTheFailureIsFinal(t *testing.T) {
	for _, final := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			model := &fakeModel{answer: func(context.Context, execute.Question, func(string)) (graph.Message, error) {
				if final {
					return graph.Message{}, fmt.Errorf("ask: %w", execute.Final(errAway))
				}
				return graph.Message{}, errAway
			}}
			b := graph.New("retried").AddNode(graph.Node{Key: "a", Retries: 3}).SetEntryPoint("a").SetEndPoints([]string{"a"})
			began := time.Now()
			r := start(t, built(t, b), execute.Config{Model: model}, hello()).Wait()
			tries, took := 4, 7*time.Second // 1, 2 and 4 s
			if final {
				tries, took = 1, 0
			}
			if len(model.asked) != tries || time.Since(began) != took || r.Reason != graph.NodeFailed {
				t.Errorf("final %t: %d tries in %s", final, len(model.asked), time.Since(began))
			}
		})
	}
}

// After an abort, and when the caller's context ends, in the middle of a stream,
// no chunk arrives any more and nothing is left running.
func TestS004CancelInTheMiddleOfAStream(t *testing.T) {
	for _, by := range []string{"abort", "context"} {
		synctest.Test(t, func(t *testing.T) {
			model := &fakeModel{answer: func(ctx context.Context, _ execute.Question, send func(string)) (graph.Message, error) {
				for ctx.Err() == nil {
					send("word ")
					time.Sleep(time.Second)
				}
				send("too late")
				return says("too late"), nil
			}}
			var chunks atomic.Int32
			state := hello()
			state.SendChunk = func(graph.Chunk) { chunks.Add(1) }
			ctx, cancel := context.WithCancelCause(t.Context())
			x, err := execute.Start(ctx, built(t, nodes("a")), execute.Config{Model: model}, "", state)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(2500 * time.Millisecond)
			errGone := errors.New("the caller has gone")
			if by == "abort" {
				if err := x.Abort(); err != nil {
					t.Fatal(err)
				}
			} else {
				cancel(errGone)
			}
			r := x.Wait()
			cancel(nil)
			if r.Status != graph.Cancelled || r.Reason != graph.Aborted || chunks.Load() != 3 || spoken(r.FinalState.Context) != "hello" {
				t.Errorf("%s: it is %s after %d chunks, having said %q", by, r.Status, chunks.Load(), spoken(r.FinalState.Context))
			}
			if by == "context" && !errors.Is(r.Err, errGone) || by == "abort" && r.Err != nil {
				t.Errorf("%s: the error is %v", by, r.Err)
			}
		})
	}
}

func fanned(merge graph.Merge) *graph.Builder {
	return nodes("from", "left", "right", "join").
		AddFanOut(graph.FanOut{From: "from", Join: "join", Merge: merge, Branches: []graph.Branch{{To: "left"}, {To: "right"}}}).
		AddEdge("left", "join").AddEdge("right", "join")
}

// Branches run side by side, each seeing what was said before it and not the
// other, unless they are to run one by one; their order in the join is theirs.
func TestS004BranchesRunSideBySideInContextsOfTheirOwn(t *testing.T) {
	for _, one := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			model := &fakeModel{answer: func(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
				wait := time.Second
				if system(q) == "left" {
					wait = 3 * time.Second // it ends last and comes first
				}
				return slow(wait).answer(ctx, q, send)
			}}
			began := time.Now()
			r := start(t, built(t, fanned(graph.MergeAppend)), execute.Config{Model: model, OneByOne: one}, hello()).Wait()
			want := 5 * time.Second
			if one {
				want = 6 * time.Second
			}
			if took := time.Since(began); took != want || !r.Success {
				t.Errorf("one by one %t: %s after %s", one, r.Status, took)
			}
			if got := spoken(r.FinalState.Context); got != "hello from left right join" {
				t.Errorf("it said %q", got)
			}
			for _, q := range model.asked {
				if system(q) == "left" || system(q) == "right" {
					if got := spoken(shown(q)[1:]); got != "hello from" {
						t.Errorf("%s was shown %q", system(q), got)
					}
				}
			}
		})
	}
}

func TestS004AJoinMergesAsItIsTold(t *testing.T) {
	t.Parallel()
	twice := &fakeModel{answer: func(_ context.Context, q execute.Question, _ func(string)) (graph.Message, error) {
		if last(q).Role != graph.Tool && system(q) != "join" {
			return graph.Message{Text: system(q) + "?", Calls: []graph.Call{{ID: system(q), Name: "ghost"}}}, nil
		}
		return says(system(q) + "!"), nil
	}}
	for merge, want := range map[graph.Merge]string{
		graph.MergeLast: "left! right! join!",
		graph.MergeFunc: "2 branches after 4 join!",
	} {
		b := nodes("from", "left", "right", "join").
			AddFanOut(graph.FanOut{
				From: "from", Join: "join", Merge: merge, Func: map[graph.Merge]string{graph.MergeFunc: "count"}[merge],
				Branches: []graph.Branch{{To: "left"}, {To: "right"}},
			}).
			AddEdge("left", "join").AddEdge("right", "join").
			DefineMerge("count", func(before []graph.Message, branches [][]graph.Message) ([]graph.Message, error) {
				return []graph.Message{{Role: graph.User, Text: fmt.Sprintf("%d branches after %d", len(branches), len(before))}}, nil
			})
		r := start(t, built(t, b), execute.Config{Model: twice}, hello()).Wait()
		if got := spoken(r.FinalState.Context[4:]); got != want {
			t.Errorf("%s: it said %q, not %q", merge, got, want)
		}
	}
}

// A panic in the caller's code ends the run with an error, and nothing else.
func TestS004APanicIsAnErrorOfTheRun(t *testing.T) {
	t.Parallel()
	panics := &fakeModel{answer: func(context.Context, execute.Question, func(string)) (graph.Message, error) { panic("oh") }}
	tests := map[string]struct {
		b    *graph.Builder
		m    execute.Model
		want graph.Reason
	}{
		"condition": {nodes("a", "b").AddFuncEdge("a", "b", "c", func(graph.State) (bool, error) { panic("oh") }), echo(), graph.ConditionFailed},
		"merge": {nodes("from", "left", "join").AddEdge("left", "join").
			AddFanOut(graph.FanOut{From: "from", Join: "join", Merge: graph.MergeFunc, Func: "m", Branches: []graph.Branch{{To: "left"}}}).
			DefineMerge("m", func([]graph.Message, [][]graph.Message) ([]graph.Message, error) { panic("oh") }), echo(), graph.MergeFailed},
		"model": {nodes("a"), panics, graph.NodeFailed},
	}
	for name, test := range tests {
		r := start(t, built(t, test.b), execute.Config{Model: test.m}, hello()).Wait()
		if r.Status != graph.Error || r.Reason != test.want || !strings.Contains(r.Detail, "panic: oh") {
			t.Errorf("%s: it is %s %s: %s", name, r.Status, r.Reason, r.Detail)
		}
	}
	r := start(t, built(t, nodes("a")), execute.Config{Model: echo(), Watch: func(graph.Event) { panic("oh") }}, hello()).Wait()
	if r.Err == nil || !strings.Contains(r.Err.Error(), "oh") {
		t.Errorf("watch: %v", r.Err)
	}
}

// Conditions in words are put to the node's model, those in Go are called; what
// the model says counts, and why is in the path.
func TestS004AConditionIsAskedOfTheModelOrOfAGoFunction(t *testing.T) {
	t.Parallel()
	model := &fakeModel{answer: func(_ context.Context, q execute.Question, _ func(string)) (graph.Message, error) {
		switch {
		case strings.HasPrefix(last(q).Text, "1: "):
			return says("2, because it rains"), nil
		case strings.HasSuffix(last(q).Text, "?"):
			return says("Yes. It rains."), nil
		}
		return says(system(q)), nil
	}}
	said := func(s graph.State) (bool, error) { return s.FinalMessage() == "a", nil }
	for name, test := range map[string]struct {
		b         *graph.Builder
		path, why string
	}{
		"question": {nodes("a", "b", "c").AddConditionalEdge("a", "b", "does it rain?").AddEdge("a", "c").AddEdge("b", "c"), "a b c", "It rains."},
		"choice": {nodes("a", "b", "c").SetRouting(graph.RouteChoice).AddConditionalEdge("a", "b", "it is dry").
			AddConditionalEdge("a", "c", "it is wet").AddEdge("b", "c"), "a c", "because it rains"},
		"function": {nodes("a", "b", "c").AddFuncEdge("a", "b", "said", said).AddEdge("a", "c").AddEdge("b", "c"), "a b c", "said()"},
	} {
		r := start(t, built(t, test.b), execute.Config{Model: model}, hello()).Wait()
		if got := walked(r.ExecutionPath); got != test.path || len(r.ExecutionPath) < 2 || r.ExecutionPath[1].Why != test.why {
			t.Errorf("%s: it went %s: %+v", name, got, r.ExecutionPath)
		}
	}
}
