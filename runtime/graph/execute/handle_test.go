package execute_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
	"society-tui/runtime/tool"
)

func TestS004APauseWaitsForTheBorderOfANode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := slow(10 * time.Second)
		x := start(t, built(t, nodes("a", "b").AddEdge("a", "b")), execute.Config{Model: model}, hello())
		time.Sleep(time.Second)
		if err := x.Pause(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Second)
		if x.Status() != graph.Running || walked(x.Path()) != "a" || model.times("b") != 0 {
			t.Errorf("paused it is %s after %s", x.Status(), walked(x.Path()))
		}
		if err := x.Resume(); err != nil {
			t.Fatal(err)
		}
		if r := x.Wait(); !r.Success || walked(r.ExecutionPath) != "a b" {
			t.Errorf("resumed it is %s after %s", r.Status, walked(r.ExecutionPath))
		}
	})
}

// An interrupt cuts off the call and keeps what tools have done; the node is asked
// again on resume, and is not told to call them again.
func TestS004AnInterruptCutsOffAndKeepsWhatToolsHaveDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		acted := 0
		act := fakeTool{"act", func(context.Context, string) (tool.Result, error) { acted++; return tool.Result{Text: "acted"}, nil }}
		model := &fakeModel{}
		model.answer = func(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
			switch {
			case last(q).Role == graph.User:
				return graph.Message{Calls: []graph.Call{{ID: "1", Name: "act"}}}, nil
			case len(model.asked) < 3:
				return slow(10*time.Second).answer(ctx, q, send)
			}
			return says("done"), nil
		}
		x := start(t, built(t, nodes("a")), execute.Config{Model: model, Tools: []tool.Tool{act}}, hello())
		time.Sleep(time.Second)
		if err := x.Interrupt(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Second)
		if x.Status() != graph.Running || len(model.asked) != 2 {
			t.Errorf("interrupted it is %s after %d questions", x.Status(), len(model.asked))
		}
		if err := x.Resume(); err != nil {
			t.Fatal(err)
		}
		r := x.Wait()
		if !r.Success || acted != 1 || spoken(r.FinalState.Context) != "hello  acted done" || r.ExecutionPath[0].Outcome != graph.CutShort {
			t.Errorf("it is %s, has acted %d times and said %q", r.Status, acted, spoken(r.FinalState.Context))
		}
	})
}

// A tool that acts on although it was cut off is waited for before the node begins
// anew, so that its model sees what was done, and that the next call was not.
func TestS004ANodeBeginsAnewAfterTheToolThatActsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		acted := 0
		act := fakeTool{"act", func(context.Context, string) (tool.Result, error) {
			time.Sleep(5 * time.Second)
			acted++
			return tool.Result{Text: "acted"}, nil
		}}
		model := &fakeModel{answer: func(_ context.Context, q execute.Question, _ func(string)) (graph.Message, error) {
			if last(q).Role == graph.Tool {
				return says("done"), nil
			}
			return graph.Message{Calls: []graph.Call{{ID: "1", Name: "act"}, {ID: "2", Name: "act"}}}, nil
		}}
		x := start(t, built(t, nodes("a")), execute.Config{Model: model, Tools: []tool.Tool{act}}, hello())
		time.Sleep(time.Second)
		if err := x.Interrupt(); err != nil {
			t.Fatal(err)
		}
		if err := x.Resume(); err != nil {
			t.Fatal(err)
		}
		if r := x.Wait(); !r.Success || acted != 1 || spoken(r.FinalState.Context) != "hello  acted not run: the execution was cut off before it done" {
			t.Errorf("it is %s, has acted %d times and said %q", r.Status, acted, spoken(r.FinalState.Context))
		}
	})
}

// A message enters the trunk once: at the next border, and while branches are
// open after their join; the history can be added to at any time.
func TestS004AMessageEntersTheTrunkOnceAndNotABranch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := slow(2 * time.Second)
		x := start(t, built(t, fanned(graph.MergeAppend)), execute.Config{Model: model}, hello())
		x.AddHistory(graph.Message{Role: graph.User, Text: "before"})
		time.Sleep(3 * time.Second) // in the branches
		x.AddMessage(graph.Message{Role: graph.User, Text: "by the way"})
		time.Sleep(2 * time.Second) // in the join
		x.AddMessage(graph.Message{Role: graph.User, Text: "too late"})
		r := x.Wait()
		if got := spoken(r.FinalState.Context); got != "hello from left right by the way join too late" {
			t.Errorf("it said %q", got)
		}
		if got := spoken(r.FinalState.History); got != "before" {
			t.Errorf("its history is %q", got)
		}
	})
}

// An execution that continues any checkpoint has the same end, and executes no finished
// node again.
func TestS004ACheckpointOfAnyMomentGoesOnToTheSameEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := func(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
			if last(q).Text == "is it done?" {
				return says("yes"), nil
			}
			return slow(time.Second).answer(ctx, q, send)
		}
		b := nodes("from", "left", "right", "join", "end").
			AddFanOut(graph.FanOut{From: "from", Join: "join", Merge: graph.MergeAppend, Branches: []graph.Branch{{To: "left"}, {To: "right"}}}).
			AddEdge("left", "join").AddEdge("right", "join").AddConditionalEdge("join", "end", "is it done?")
		g := built(t, b)
		var mu sync.Mutex
		var saved [][]byte
		config := execute.Config{Model: &fakeModel{answer: answer}, Save: func(c []byte) { mu.Lock(); saved = append(saved, c); mu.Unlock() }}
		whole := start(t, g, config, hello()).Wait()
		want := spoken(whole.FinalState.Context)
		if !whole.Success || want != "hello from left right join end" || len(saved) < 7 {
			t.Fatalf("it is %s, %q, with %d checkpoints", whole.Status, want, len(saved))
		}
		for i, checkpoint := range saved {
			time.Sleep(time.Hour) // which is not of the run
			model := &fakeModel{answer: answer}
			x, err := execute.Continue(t.Context(), g, execute.Config{Model: model}, checkpoint, nil)
			if err != nil {
				t.Fatal(err)
			}
			ended := walkedWell(x.Path())
			r := x.Wait()
			if !r.Success || spoken(r.FinalState.Context) != want || x.ID() == "" {
				t.Errorf("checkpoint %d: it is %s %s %s, %q", i, r.Status, r.Reason, r.Detail, spoken(r.FinalState.Context))
			}
			for _, node := range ended {
				if model.times(node) > 0 {
					t.Errorf("checkpoint %d: %s had ended and was executed again", i, node)
				}
			}
		}
	})
}

// What the user adds is in a checkpoint at once, and a pause too.
func TestS004ACheckpointHoldsPausesAndMessagesOfTheUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saved []byte
		g := built(t, nodes("a"))
		x := start(t, g, execute.Config{Model: slow(time.Minute / 2), Save: func(c []byte) { saved = c }}, hello())
		time.Sleep(time.Second)
		x.AddMessage(graph.Message{Role: graph.User, Text: "by the way"})
		x.AddHistory(graph.Message{Role: graph.User, Text: "before"})
		if err := x.Pause(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		again, err := execute.Continue(t.Context(), g, execute.Config{Model: slow(time.Second)}, saved, nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if again.Status() != graph.Running || len(walkedWell(again.Path())) != 0 {
			t.Errorf("it was paused and is %s", again.Status())
		}
		if err := errors.Join(again.Resume(), x.Abort()); err != nil {
			t.Fatal(err)
		}
		x.Wait()
		r := again.Wait()
		if got := spoken(r.FinalState.Context) + ", " + spoken(r.FinalState.History); got != "hello by the way a, before" {
			t.Errorf("it said %q", got)
		}
	})
}

// A checkpoint that is damaged, or of something else, is refused.
func TestS004ADamagedCheckpointIsRefused(t *testing.T) {
	t.Parallel()
	var saved []byte
	g := built(t, nodes("a", "b").AddEdge("a", "b"))
	start(t, g, execute.Config{Model: echo(), Save: func(c []byte) { saved = c }}, hello()).Wait()
	other := built(t, nodes("a", "c").AddEdge("a", "c"))
	for name, test := range map[string]struct {
		g     *graph.Graph
		bytes []byte
		want  error
	}{
		"empty":         {g, nil, graph.ErrDamaged},
		"cut":           {g, saved[:len(saved)/2], graph.ErrDamaged},
		"newer":         {g, append([]byte{99}, saved[1:]...), graph.ErrNewer},
		"another graph": {other, saved, graph.ErrChanged},
	} {
		if _, err := execute.Continue(t.Context(), test.g, execute.Config{Model: echo()}, test.bytes, nil); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	x, err := execute.Continue(t.Context(), g, execute.Config{Model: echo()}, saved, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := x.Wait(); !r.Success || r.Iterations != 2 || spoken(r.FinalState.Context) != "hello a b" {
		t.Errorf("of an execution that was over it makes %+v", r)
	}
}

// An abort cuts off what runs also while the caller's disk is slow.
func TestS004AnAbortDoesNotWaitForTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cut time.Duration
		began := time.Now()
		model := &fakeModel{answer: func(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
			if system(q) == "right" {
				<-ctx.Done()
				cut = time.Since(began)
				return graph.Message{}, ctx.Err()
			}
			return slow(time.Second).answer(ctx, q, send)
		}}
		save := func([]byte) {
			if time.Since(began) >= 2*time.Second { // left has ended
				time.Sleep(30 * time.Second)
			}
		}
		x := start(t, built(t, fanned(graph.MergeAppend)), execute.Config{Model: model, Save: save}, hello())
		time.Sleep(3 * time.Second)
		if err := x.Abort(); err != nil {
			t.Fatal(err)
		}
		if r := x.Wait(); r.Status != graph.Cancelled || cut != 3*time.Second {
			t.Errorf("it is %s, and was cut off after %s", r.Status, cut)
		}
	})
}

// walkedWell are the nodes of a path that have ended well.
func walkedWell(path []graph.Record) []string {
	var ended []string
	for _, r := range path {
		if r.Kind == graph.Execute && r.Outcome == graph.OK {
			ended = append(ended, r.Node)
		}
	}
	return ended
}

// Watch gets all events in order.
func TestS004AWatcherIsToldOfAllThatHappens(t *testing.T) {
	t.Parallel()
	var told []string
	watch := func(e graph.Event) {
		switch e.Kind {
		case graph.Opened:
			told = append(told, "opened "+e.Node)
		case graph.Recorded:
			told = append(told, "recorded "+e.Record.Node)
		case graph.Over:
			told = append(told, "over "+string(e.Status))
		}
	}
	start(t, built(t, nodes("a", "b").AddEdge("a", "b")), execute.Config{Model: echo(), Watch: watch}, hello()).Wait()
	if got := strings.Join(told, ", "); got != "opened a, recorded a, opened b, recorded b, over completed" {
		t.Errorf("it was told %q", got)
	}
}
