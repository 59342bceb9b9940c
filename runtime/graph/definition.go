package graph

import (
	"fmt"
	"slices"
	"time"
)

// A Definition is a graph as data: what a template, the settings or a model may write, in
// JSON or TOML. Validate returns its mistakes, and Compile makes a Graph of a valid one.
type Definition struct {
	Name        string `json:"name" toml:"name"`
	Description string `json:"description,omitempty" toml:"description,omitempty"`
	// MaxIterations bounds the node executions of a run; 0 is
	// DefaultMaxIterations.
	MaxIterations int `json:"max_iterations,omitempty" toml:"max_iterations,omitempty"`
	// Timeout bounds a run in time. 0 leaves it to who runs the graph: on its own
	// it is DefaultTimeout, in an agent's turn there is none.
	Timeout Duration `json:"timeout,omitempty" toml:"timeout,omitempty"`
	// Routing is how the conditions of a node are asked; "" is RouteEach.
	Routing Routing `json:"routing,omitempty" toml:"routing,omitempty"`
	// Parallel lets the branches of an agent's turn run side by side; else they run
	// one after another. On its own a graph always runs them side by side.
	Parallel bool     `json:"parallel,omitempty" toml:"parallel,omitempty"`
	Nodes    []Node   `json:"nodes" toml:"nodes"`
	Edges    []Edge   `json:"edges,omitempty" toml:"edges,omitempty"`
	FanOuts  []FanOut `json:"fan_outs,omitempty" toml:"fan_outs,omitempty"`
	Entries  []string `json:"entry_points" toml:"entry_points"`
	EndNodes []string `json:"end_points" toml:"end_points"`
}

// What holds where a Definition says nothing, and the bounds of what it may say.
// The path of a run is part of its state, so its length must be modest.
const (
	DefaultMaxIterations = 50
	DefaultTimeout       = 60 * time.Second
	DefaultRetryWait     = time.Second

	mostIterations = 1000
	mostNodes      = 500 // with those of sub-graphs
	mostEdges      = 5000
	mostBranches   = 100
	mostDepth      = 8 // of sub-graphs
	mostRetries    = 10
	longestTime    = 24 * time.Hour
	longestKey     = 64 // bytes
	longestText    = 64 << 10
)

// Routing is how the conditions of a node's edges are asked.
type Routing string

// The ways of routing.
const (
	RouteEach   Routing = "each"   // one yes/no question for each edge, in order
	RouteChoice Routing = "choice" // one choice among all conditional edges of the node
)

// A Node is a place of a graph: a model that is asked with tools until it calls
// none, or, with Graph set, a whole graph in its place.
type Node struct {
	// Key names the node within its graph. A node of a sub-graph has the key of
	// the sub-graph's node before its own: "research/plan".
	Key   string `json:"key" toml:"key"`
	Title string `json:"title,omitempty" toml:"title,omitempty"` // for people
	// Prompt is the system prompt, Model the name of the model; "" is the default of the
	// run's host.
	Prompt string `json:"prompt,omitempty" toml:"prompt,omitempty"`
	Model  string `json:"model,omitempty" toml:"model,omitempty"`
	// Tools names the tools for the model; nil is all, an empty list none.
	Tools []string `json:"tools,omitzero" toml:"tools"`
	// Retries limits the retries of a failed execution. RetryWait is the wait before the
	// first; each further wait is twice as long. 0 is DefaultRetryWait.
	Retries   int      `json:"retries,omitempty" toml:"retries,omitempty"`
	RetryWait Duration `json:"retry_wait,omitempty" toml:"retry_wait,omitempty"`
	// Timeout bounds one execution; 0 is no bound of its own.
	Timeout Duration `json:"timeout,omitempty" toml:"timeout,omitempty"`
	// Graph makes the node a sub-graph. It is entered at Entry, which may be left
	// out if it has but one; from its end points the edges of this node lead on.
	// The limits of the outermost graph hold, not its own.
	Graph *Definition `json:"graph,omitempty" toml:"graph,omitempty"`
	Entry string      `json:"entry,omitempty" toml:"entry,omitempty"`
}

// An Edge leads from one node to the next. It has a condition, a Question in
// words or the name of a Go function, or is the node's default, which is taken
// when no condition held. The first condition that holds decides.
type Edge struct {
	From     string `json:"from" toml:"from"`
	To       string `json:"to" toml:"to"`
	Question string `json:"question,omitempty" toml:"question,omitempty"`
	Func     string `json:"func,omitempty" toml:"func,omitempty"`
}

// Conditional reports whether the edge has a condition.
func (e Edge) Conditional() bool { return e.Question != "" || e.Func != "" }

// A FanOut is taken in place of a default edge: its branches run side by side,
// each in a context of its own, and when each has led to Join or was not taken,
// the contexts are merged and Join is executed, once. A branch may loop and fan
// out itself; it holds no end point.
type FanOut struct {
	From     string   `json:"from" toml:"from"`
	Branches []Branch `json:"branches" toml:"branches"`
	Join     string   `json:"join" toml:"join"`
	Merge    Merge    `json:"merge" toml:"merge"`
	// Func names the Go function of a MergeFunc.
	Func string `json:"func,omitempty" toml:"func,omitempty"`
}

// A Branch begins at the node To. With a condition it is taken only if that
// holds.
type Branch struct {
	To       string `json:"to" toml:"to"`
	Question string `json:"question,omitempty" toml:"question,omitempty"`
	Func     string `json:"func,omitempty" toml:"func,omitempty"`
}

// Merge is what a join takes of its branches into the trunk.
type Merge string

// The merges: all messages of each branch, in the order of the branches; the
// last message of each, in that order; what a Go function makes of them.
const (
	MergeAppend Merge = "append"
	MergeLast   Merge = "last"
	MergeFunc   Merge = "func"
)

// Duration is a time span that is written like "90s" or "1m30s".
type Duration time.Duration

// MarshalText writes d as time.Duration does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration does.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%.40q is not a duration", text)
	}
	*d = Duration(v)
	return nil
}

// Each calls f with each node that is executed, those of sub-graphs too, and its
// key with those of the sub-graphs around it. The definition may be wrong in any
// way but too deep: levels below the deepest that may be are left out.
func (d *Definition) Each(f func(key string, n *Node)) { d.each("", mostDepth, f) }

func (d *Definition) each(prefix string, depth int, f func(key string, n *Node)) {
	for i := range d.Nodes {
		n := &d.Nodes[i]
		switch {
		case n.Graph == nil:
			f(prefix+n.Key, n)
		case depth > 1:
			n.Graph.each(prefix+n.Key+"/", depth-1, f)
		}
	}
}

// RenameModel returns the definition with another model, "" for the default, for its nodes that
// ask for one by name; d itself if none does.
func (d *Definition) RenameModel(before, now string) *Definition {
	asked := false
	d.Each(func(_ string, n *Node) { asked = asked || n.Model == before })
	if !asked || before == "" {
		return d
	}
	other := d.clone(mostDepth)
	other.Each(func(_ string, n *Node) {
		if n.Model == before {
			n.Model = now
		}
	})
	return other
}

// clone returns a copy that shares nothing with d. Levels below depth are left
// out, so that a definition that holds itself has an end.
func (d *Definition) clone(depth int) *Definition {
	c := *d
	c.Nodes, c.Edges = slices.Clone(d.Nodes), slices.Clone(d.Edges)
	c.Entries, c.EndNodes = slices.Clone(d.Entries), slices.Clone(d.EndNodes)
	for i, n := range c.Nodes {
		c.Nodes[i].Tools = slices.Clone(n.Tools)
		if n.Graph != nil && depth > 0 {
			c.Nodes[i].Graph = n.Graph.clone(depth - 1)
		}
	}
	c.FanOuts = slices.Clone(d.FanOuts)
	for i, f := range c.FanOuts {
		c.FanOuts[i].Branches = slices.Clone(f.Branches)
	}
	return &c
}

// Apart reports whether a field of a definition, by its name in a file, is one on which
// no other part of the graph depends: what is wrong with it leads to no other mistake.
func Apart(field string) bool {
	switch field {
	case "title", "description", "prompt", "model", "tools", "retries", "retry_wait", "timeout", "max_iterations", "parallel":
		return true
	}
	return false
}
