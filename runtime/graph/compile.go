package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// A place is a node as a run sees it.
type place struct {
	key      string
	node     *Node
	end      bool
	edges    []way // with conditions, in order
	fallback int   // place of the default edge, or -1
	fan      int   // the fan-out instead, or -1
	// choices are the edges when one question is put for all, else nil.
	choices []Choice
}

// A Choice is one of the ways that a Choose is among.
type Choice struct{ To, Question string }

// A way leads to a place under a condition, or under none.
type way struct {
	to             int
	key            string // of that place
	question, name string
}

// A fan is a FanOut as a run sees it.
type fan struct {
	branches []way
	join     int
	merge    Merge
	name     string // of the Go function
}

// Compile makes a graph of a definition, or returns its Mistakes. Later changes
// to the definition do not change the graph.
func Compile(d Definition, funcs Funcs) (*Graph, error) {
	if err := d.Validate(funcs); err != nil {
		return nil, err
	}
	return compile(&d, funcs), nil
}

// compile lays a definition without mistakes out flat.
func compile(d *Definition, funcs Funcs) *Graph {
	g := &Graph{def: d.clone(mostDepth), funcs: funcs.clone(), at: map[string]int{}, entries: map[string]int{}}
	heads, tails := g.lay(g.def, "")
	for _, key := range g.def.Entries {
		g.entries[key] = heads[key]
	}
	for _, key := range g.def.EndNodes {
		for _, i := range tails[key] {
			g.nodes[i].end = true
		}
	}
	g.version = Version(hash(g.def))
	g.fingerprint = fingerprint(g.def)
	return g
}

// lay adds the nodes and ways of a definition. It returns where each node is
// entered, and what its ways on begin at: the node itself or, of a sub-graph,
// its end points.
func (g *Graph) lay(d *Definition, prefix string) (heads map[string]int, tails map[string][]int) {
	heads, tails = map[string]int{}, map[string][]int{}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if n.Graph == nil {
			at := len(g.nodes)
			g.nodes = append(g.nodes, place{key: prefix + n.Key, node: n, fallback: -1, fan: -1})
			g.at[prefix+n.Key] = at
			heads[n.Key], tails[n.Key] = at, []int{at}
			continue
		}
		inner, ends := g.lay(n.Graph, prefix+n.Key+"/")
		entry := n.Entry
		if entry == "" {
			entry = n.Graph.Entries[0]
		}
		heads[n.Key] = inner[entry]
		for _, end := range n.Graph.EndNodes {
			tails[n.Key] = append(tails[n.Key], ends[end]...)
		}
	}
	for _, e := range d.Edges {
		for _, from := range tails[e.From] {
			p, to := &g.nodes[from], heads[e.To]
			if !e.Conditional() {
				p.fallback = to
				continue
			}
			p.edges = append(p.edges, way{to, g.nodes[to].key, e.Question, e.Func})
			if d.Routing == RouteChoice && e.Question != "" {
				p.choices = append(p.choices, Choice{g.nodes[to].key, e.Question})
			}
		}
	}
	for _, f := range d.FanOuts {
		laid := fan{join: heads[f.Join], merge: f.Merge, name: f.Func}
		for _, b := range f.Branches {
			to := heads[b.To]
			laid.branches = append(laid.branches, way{to, g.nodes[to].key, b.Question, b.Func})
		}
		for _, from := range tails[f.From] {
			g.nodes[from].fan = len(g.fans)
		}
		g.fans = append(g.fans, laid)
	}
	return heads, tails
}

// fingerprint hashes what decides the way of a run: see Graph.Fingerprint.
func fingerprint(d *Definition) string {
	bare := d.clone(mostDepth)
	strip(bare)
	return hash(bare)
}

func hash(d *Definition) string {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // strings and numbers of our own types
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// strip takes out of a definition what does not decide the way of a run.
func strip(d *Definition) {
	d.Name, d.Description, d.MaxIterations, d.Timeout = "", "", 0, 0
	for i, n := range d.Nodes {
		d.Nodes[i] = Node{Key: n.Key, Graph: n.Graph, Entry: n.Entry}
		if n.Graph != nil {
			strip(n.Graph)
		}
	}
}
