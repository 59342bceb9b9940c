package graph_test

import (
	"fmt"
	"testing"
	"time"

	"society-tui/runtime/graph"
)

// lead runs g to its end as a host does: what is open, its end, what is open. It
// is observed, and its path is kept.
func lead(tb testing.TB, g *graph.Graph, heard *int) *graph.Run {
	r, err := graph.NewRun(g, "")
	if err != nil {
		tb.Fatal(err)
	}
	r.Observe(func(graph.Event) { *heard++ })
	at := epoch
	if err := r.Start(at); err != nil {
		tb.Fatal(err)
	}
	for w, open := r.First(); open; w, open = r.First() {
		at = at.Add(time.Millisecond)
		if err := r.Done(w, graph.Result{At: at, Verdict: graph.Yes}); err != nil {
			tb.Fatal(err)
		}
	}
	if r.Status != graph.Completed {
		tb.Fatalf("it is %s %s", r.Status, r.Reason)
	}
	return r
}

// chain is a graph of 100 nodes in a row, with or without a condition at each.
func chain(tb testing.TB, asked bool) *graph.Graph {
	b := graph.New("chain").SetMaxIterations(100)
	for i := range 100 {
		b.AddLLMNode(fmt.Sprint("n", i), "", "", nil, "")
		switch {
		case i == 0:
		case asked:
			b.AddConditionalEdge(fmt.Sprint("n", i-1), fmt.Sprint("n", i), "on?")
		default:
			b.AddEdge(fmt.Sprint("n", i-1), fmt.Sprint("n", i))
		}
	}
	return built(tb, b.SetEntryPoint("n0").SetEndPoints([]string{"n99"}))
}

func built(tb testing.TB, b *graph.Builder) *graph.Graph {
	g, err := b.Build()
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// wide is a fan-out of that many branches of one node each, and its join.
func wide(tb testing.TB, branches int) *graph.Graph {
	b := graph.New("wide").AddLLMNode("from", "", "", nil, "").AddLLMNode("join", "", "", nil, "")
	f := graph.FanOut{From: "from", Join: "join", Merge: graph.MergeAppend}
	for i := range branches {
		key := fmt.Sprint("b", i)
		b.AddLLMNode(key, "", "", nil, "").AddEdge(key, "join")
		f.Branches = append(f.Branches, graph.Branch{To: key})
	}
	return built(tb, b.AddFanOut(f).SetEntryPoint("from").SetEndPoints([]string{"join"}))
}

// BenchmarkRun measures one step of a stoppable run with its path and events: a node in a
// chain of 100, a node and a condition there, and a fan-out of 8 with its join, one node
// of which is a step.
func BenchmarkRun(b *testing.B) {
	for name, g := range map[string]*graph.Graph{"chain": chain(b, false), "branch": chain(b, true), "fan": wide(b, 8)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			heard, steps := 0, 0
			for steps < b.N {
				steps += lead(b, g, &heard).Iterations
			}
			if heard < steps {
				b.Fatal("nobody was told")
			}
		})
	}
}

// bare does by hand, in a loop, what lead has a run do in a chain: what is open, its record in
// the path, two events.
func bare(nodes []string, heard *int) []graph.Record {
	observe := func(graph.Event) { *heard++ }
	var path []graph.Record
	at := epoch
	for i, key := range nodes {
		observe(graph.Event{Kind: graph.Opened, At: at, Work: graph.Execute, Step: uint64(i), Node: key})
		w := graph.Work{Step: uint64(i), Kind: graph.Execute, Node: key}
		began := at
		at = at.Add(time.Millisecond)
		path = append(path, graph.Record{Kind: w.Kind, Outcome: graph.OK, Step: w.Step, Node: w.Node, Ended: at, Took: at.Sub(began)})
		observe(graph.Event{Kind: graph.Recorded, At: at, Record: &path[len(path)-1]})
	}
	return path
}

// BenchmarkBare is the anchor of BenchmarkRun's chain.
func BenchmarkBare(b *testing.B) {
	nodes := make([]string, 100)
	for i := range nodes {
		nodes[i] = fmt.Sprint("n", i)
	}
	b.ReportAllocs()
	heard := 0
	for steps := 0; steps < b.N; {
		steps += len(bare(nodes, &heard))
	}
}

// BenchmarkClone is what trying out a result costs in the middle of a chain of
// 100, apart from the result.
func BenchmarkClone(b *testing.B) {
	r, err := graph.NewRun(chain(b, false), "")
	if err != nil {
		b.Fatal(err)
	}
	if err := r.Start(epoch); err != nil {
		b.Fatal(err)
	}
	for range 50 {
		if err := r.Done(r.Next()[0], graph.Result{At: epoch}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	var c *graph.Run
	for b.Loop() {
		c = r.Clone()
	}
	if len(c.Path) != 50 {
		b.Fatal("it is another")
	}
}

// A step allocates its share of the path, and that of a fan-out its branches, and nothing
// that grows with the graph: counts stand for the time, which a test does not take.
func TestS004AStepAllocatesItsShareOfThePath(t *testing.T) {
	for name, test := range map[string]struct {
		g    *graph.Graph
		most float64
	}{"chain": {chain(t, false), 0.1}, "branch": {chain(t, true), 0.1}, "fan": {wide(t, 8), 0.8}} {
		heard, steps := 0, 0
		allocs := testing.AllocsPerRun(100, func() { steps = lead(t, test.g, &heard).Iterations }) / float64(steps)
		if allocs > test.most {
			t.Errorf("%s: %.2f allocations a step", name, allocs)
		}
	}
}
