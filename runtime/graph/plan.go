package graph

import (
	"slices"
	"strings"
)

// A Plan is a graph as it is drawn: its nodes with the sub-graphs laid out flat,
// and all ways between them.
type Plan struct {
	Stops []Stop // in the order in which they were written
	Ways  []Way  // those of a node together, in the order in which they are tried
}

// A Stop is a node that is executed.
type Stop struct {
	Key, Title string // with those of the sub-graphs around it, as in Graph.Title
	Entry, End bool
}

// WayKind is when a Way is taken.
type WayKind uint8

// The kinds of ways.
const (
	Asked     WayKind = iota + 1 // if its condition holds
	Otherwise                    // if no condition held
	Branching                    // into a branch, if its condition holds or it has none
	Joining                      // from a fan-out to where its branches are joined
)

// A Way leads from one node to another.
type Way struct {
	From, To string // keys
	Kind     WayKind
	Question string // of the condition
	Func     string // the name of its Go function
}

// Plan returns the graph as it is drawn.
func (g *Graph) Plan() Plan {
	var p Plan
	entries := make([]int, 0, len(g.entries))
	for _, i := range g.entries {
		entries = append(entries, i)
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		p.Stops = append(p.Stops, Stop{Key: n.key, Title: g.Title(n.key), Entry: slices.Contains(entries, i), End: n.end})
		for _, w := range n.edges {
			p.Ways = append(p.Ways, Way{n.key, w.key, Asked, w.question, w.name})
		}
		if n.fallback >= 0 {
			p.Ways = append(p.Ways, Way{From: n.key, To: g.nodes[n.fallback].key, Kind: Otherwise})
		}
		if n.fan >= 0 {
			f := &g.fans[n.fan]
			for _, w := range f.branches {
				p.Ways = append(p.Ways, Way{n.key, w.key, Branching, w.question, w.name})
			}
			p.Ways = append(p.Ways, Way{From: n.key, To: g.nodes[f.join].key, Kind: Joining})
		}
	}
	return p
}

// Title returns the display name of a node: its title, else its key, after those of the
// sub-graphs around it. An unknown key is returned as it is.
func (g *Graph) Title(key string) string {
	d, rest := g.def, key
	var names []string
	for d != nil {
		name, more, deeper := strings.Cut(rest, "/")
		i := slices.IndexFunc(d.Nodes, func(n Node) bool { return n.Key == name })
		if i < 0 {
			return key
		}
		n := &d.Nodes[i]
		if n.Title != "" {
			name = n.Title
		}
		names = append(names, name)
		if !deeper {
			return strings.Join(names, "/")
		}
		d, rest = n.Graph, more
	}
	return key
}
