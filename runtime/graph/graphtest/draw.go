// Package graphtest is for tests of whatever runs agent graphs: it draws graphs,
// and knows without the rules which paths through one are right.
package graphtest

import (
	"fmt"

	"pgregory.net/rapid"

	"society-tui/runtime/graph"
)

// A grower draws definitions without mistakes, from blocks with one way in and
// one way out: nodes, rows, ways that part and meet, loops, fan-outs within
// fan-outs, and whole graphs in the place of a node.
type grower struct {
	t   *rapid.T
	def graph.Definition
}

// Draw returns a definition without mistakes and with one end point.
func Draw(t *rapid.T) graph.Definition {
	g := grower{t: t}
	return g.grow("drawn", 3)
}

func (g *grower) grow(name string, depth int) graph.Definition {
	g.def = graph.Definition{
		Name:          name,
		MaxIterations: rapid.IntRange(0, 60).Draw(g.t, "most"),
		Routing:       rapid.SampledFrom([]graph.Routing{"", graph.RouteEach, graph.RouteChoice}).Draw(g.t, "routing"),
	}
	head, tail := g.row(depth)
	last := g.node() // so that there is always a way to be left
	g.def.Edges = append(g.def.Edges, graph.Edge{From: tail, To: last})
	g.def.Entries, g.def.EndNodes = []string{head}, []string{last}
	if g.def.Nodes[0].Key != head && rapid.Bool().Draw(g.t, "two entries") {
		g.def.Entries = append(g.def.Entries, g.def.Nodes[0].Key)
	}
	return g.def
}

func (g *grower) node() string {
	key := fmt.Sprintf("n%d", len(g.def.Nodes))
	n := graph.Node{Key: key, Retries: rapid.IntRange(0, 2).Draw(g.t, "retries")}
	if rapid.IntRange(0, 3).Draw(g.t, "timed") == 0 {
		n.Timeout = graph.Duration(rapid.IntRange(1, 20).Draw(g.t, "seconds")) * 1e9
	}
	g.def.Nodes = append(g.def.Nodes, n)
	return key
}

func (g *grower) edge(from, to string) {
	g.def.Edges = append(g.def.Edges, graph.Edge{From: from, To: to})
}

func (g *grower) ask(from, to string) {
	g.def.Edges = append(g.def.Edges, graph.Edge{From: from, To: to, Question: "is it " + to + "?"})
}

// block returns where a block is entered, and the node that its way on begins at.
func (g *grower) block(depth int) (head, tail string) {
	kinds := 6
	if depth == 0 {
		kinds = 1
	}
	switch rapid.IntRange(0, kinds-1).Draw(g.t, "block") {
	case 1:
		return g.row(depth - 1)
	case 2: // ways that part and meet
		head, tail = g.node(), g.node()
		for range rapid.IntRange(1, 3).Draw(g.t, "ways") {
			first, last := g.block(depth - 1)
			g.ask(head, first)
			g.edge(last, tail)
		}
		if rapid.Bool().Draw(g.t, "default") {
			g.edge(head, tail)
		}
		return head, tail
	case 3: // a loop
		head, last := g.block(depth - 1)
		tail = g.node()
		g.edge(last, tail)
		g.ask(tail, head)
		return head, tail
	case 4:
		return g.fan(depth)
	case 5: // a graph in the place of a node
		key := fmt.Sprintf("n%d", len(g.def.Nodes))
		inner := grower{t: g.t}
		d := inner.grow("in "+key, depth-1)
		g.def.Nodes = append(g.def.Nodes, graph.Node{Key: key, Graph: &d, Entry: d.Entries[0]})
		return key, key
	}
	key := g.node()
	return key, key
}

func (g *grower) row(depth int) (head, tail string) {
	head, tail = g.block(depth)
	for range rapid.IntRange(0, 2).Draw(g.t, "row") {
		first, last := g.block(depth)
		g.edge(tail, first)
		tail = last
	}
	return head, tail
}

func (g *grower) fan(depth int) (head, tail string) {
	head, tail = g.node(), g.node()
	f := graph.FanOut{
		From: head, Join: tail,
		Merge: rapid.SampledFrom([]graph.Merge{graph.MergeAppend, graph.MergeLast}).Draw(g.t, "merge"),
	}
	for range rapid.IntRange(1, 4).Draw(g.t, "branches") {
		first, last := g.block(depth - 1)
		b := graph.Branch{To: first}
		if rapid.Bool().Draw(g.t, "asked") {
			b.Question = "is " + first + " needed?"
		}
		f.Branches = append(f.Branches, b)
		g.edge(last, tail)
	}
	g.def.FanOuts = append(g.def.FanOuts, f)
	return head, tail
}
