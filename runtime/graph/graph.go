// Package graph holds agent graphs: definitions and their checks, and a run through a
// graph as a pure state machine. It has no goroutine, clock, randomness or I/O: Next
// returns the open work of a run, and Done takes its result, with the time. Package
// execute runs graphs on its own.
package graph

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Graph is a graph without mistakes. It never changes, and any number of runs
// and goroutines may share it.
type Graph struct {
	def         *Definition
	funcs       Funcs
	fingerprint string
	version     Version
	// nodes are those that are executed, with the sub-graphs laid out flat; at
	// finds them by their keys, entries by the entry points of the outermost.
	nodes   []place
	at      map[string]int
	fans    []fan
	entries map[string]int
}

// A Version tells definitions apart that differ in anything.
type Version string

// Name is what the graph is called.
func (g *Graph) Name() string { return g.def.Name }

// MaxIterations bounds the node executions of a run.
func (g *Graph) MaxIterations() int {
	if g.def.MaxIterations == 0 {
		return DefaultMaxIterations
	}
	return g.def.MaxIterations
}

// Timeout bounds a run in time, 0 if the graph sets no bound.
func (g *Graph) Timeout() time.Duration { return time.Duration(g.def.Timeout) }

// Parallel reports whether the branches of an agent's turn run side by side.
func (g *Graph) Parallel() bool { return g.def.Parallel }

// Fingerprint stands for all of the graph that decides the way of a run: nodes,
// edges, conditions, fan-outs, entry and end points. Prompts, tools, models,
// limits and words for people are read when they are needed and may change.
func (g *Graph) Fingerprint() string { return g.fingerprint }

// Version names the whole definition: two graphs of one version are the same.
func (g *Graph) Version() Version { return g.version }

// Definition returns the graph as data, for whoever stores or draws it.
func (g *Graph) Definition() Definition { return *g.def.clone(mostDepth) }

// Validate is nil: a Graph has no mistakes. Definition.Validate is for what may have
// some.
func (g *Graph) Validate() error { return g.def.Validate(g.funcs) }

// Entries are the entry points; at the first a run begins that names none.
func (g *Graph) Entries() []string { return slices.Clone(g.def.Entries) }

// Node returns the node with that key. What it holds must not be changed.
func (g *Graph) Node(key string) (Node, bool) {
	d := g.def
	for {
		name, rest, deeper := strings.Cut(key, "/")
		i := slices.IndexFunc(d.Nodes, func(n Node) bool { return n.Key == name })
		switch {
		case i < 0 || deeper && d.Nodes[i].Graph == nil:
			return Node{}, false
		case !deeper:
			return d.Nodes[i], true
		}
		d, key = d.Nodes[i].Graph, rest
	}
}

// Condition returns the Go function of that name, nil if there is none.
func (g *Graph) Condition(name string) Condition { return g.funcs.Conditions[name] }

// Merger returns the Go function of that name, nil if there is none.
func (g *Graph) Merger(name string) Merger { return g.funcs.Mergers[name] }

// String draws the graph as lines of text, one for each way on.
func (g *Graph) String() string {
	var b strings.Builder
	draw(&b, g.def, "")
	return b.String()
}

func draw(b *strings.Builder, d *Definition, indent string) {
	fmt.Fprintf(b, "%s%s\n", indent, d.Name)
	for _, n := range d.Nodes {
		b.WriteString(indent + "  ")
		if slices.Contains(d.Entries, n.Key) {
			b.WriteString("> ")
		}
		b.WriteString(n.Key)
		if slices.Contains(d.EndNodes, n.Key) {
			b.WriteString(" .")
		}
		b.WriteByte('\n')
		for _, e := range d.Edges {
			if e.From == n.Key {
				fmt.Fprintf(b, "%s    -> %s%s\n", indent, e.To, asked(e.Question, e.Func))
			}
		}
		for _, f := range d.FanOuts {
			if f.From != n.Key {
				continue
			}
			for _, branch := range f.Branches {
				fmt.Fprintf(b, "%s    => %s%s\n", indent, branch.To, asked(branch.Question, branch.Func))
			}
			fmt.Fprintf(b, "%s    =| %s (%s)\n", indent, f.Join, f.Merge)
		}
		if n.Graph != nil {
			draw(b, n.Graph, indent+"    ")
		}
	}
}

// asked is a condition as a drawing names it.
func asked(question, name string) string {
	switch {
	case question != "":
		return fmt.Sprintf(" if %q", question)
	case name != "":
		return " if " + name + "()"
	}
	return ""
}
