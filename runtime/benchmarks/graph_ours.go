package main

import (
	"fmt"
	"time"

	"society-tui/runtime/graph"
)

// An ourRun drives runs of our graph engine as the society does: what is open, its
// end, what is open. Every run can be paused, cut short or checkpointed between any
// two steps; it keeps its path and tells an observer of each step's begin and end.
type ourRun struct {
	graph *graph.Graph
	steps int
	heard int
}

func (s *ourRun) act() error {
	r, err := graph.NewRun(s.graph, "")
	if err != nil {
		return err
	}
	r.Observe(func(graph.Event) { s.heard++ })
	if err := r.Start(time.Now()); err != nil {
		return err
	}
	for w, open := r.First(); open; w, open = r.First() {
		// Any time will do, but taking it is part of a step.
		if err := r.Done(w, graph.Result{At: time.Now(), Verdict: graph.Yes}); err != nil {
			return err
		}
	}
	if r.Status != graph.Completed || r.Iterations != s.steps || len(r.Path) < s.steps {
		return fmt.Errorf("%s after %d steps", r.Status, r.Iterations)
	}
	return nil
}

func (s *ourRun) leave() error {
	if s.heard < 2*s.steps {
		return fmt.Errorf("%d events", s.heard)
	}
	return nil
}

func ourRunOf(b *graph.Builder, steps int) (seat, error) {
	g, err := b.Build()
	return &ourRun{graph: g, steps: steps}, err
}

// ourChain is a row of nodes; asked, there is a condition between any two.
func ourChain(nodes int, asked bool) func() (seat, error) {
	return func() (seat, error) {
		b := graph.New("chain").SetMaxIterations(nodes)
		for i := range nodes {
			b.AddLLMNode(key(i), "", "", nil, "")
			switch {
			case i == 0:
			case asked:
				b.AddConditionalEdge(key(i-1), key(i), "on?")
			default:
				b.AddEdge(key(i-1), key(i))
			}
		}
		return ourRunOf(b.SetEntryPoint(key(0)).SetEndPoints([]string{key(nodes - 1)}), nodes)
	}
}

// ourFan is a node, branches of one node each, and their join.
func ourFan(branches int) func() (seat, error) {
	return func() (seat, error) {
		b := graph.New("fan").AddLLMNode("from", "", "", nil, "").AddLLMNode("join", "", "", nil, "")
		f := graph.FanOut{From: "from", Join: "join", Merge: graph.MergeAppend}
		for i := range branches {
			b.AddLLMNode(key(i), "", "", nil, "").AddEdge(key(i), "join")
			f.Branches = append(f.Branches, graph.Branch{To: key(i)})
		}
		return ourRunOf(b.AddFanOut(f).SetEntryPoint("from").SetEndPoints([]string{"join"}), branches+2)
	}
}

func key(i int) string { return fmt.Sprint("n", i) }
