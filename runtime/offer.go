package runtime

import (
	"encoding/json"
	"sync"

	"society-tui/llm"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
)

// An offer is the tools that an agent may call, in all the forms in which a call
// of a model needs them. It never changes, so that all agents to whom the same is
// offered share it.
type offer struct {
	names  []string
	specs  []llm.ToolSpec
	weight int // estimate of what they take of a model's context
	checks map[string]func() *tool.Checker
}

// A standing is what decides which tools an agent is offered, beside those that there
// are.
type standing struct {
	role  *society.Role // replaced, never changed
	graph *graph.Graph  // likewise
	node  string
}

// offered is what an agent may call: what its role was given, and the node of its
// graph that it is at does not leave out. Only the loop calls it.
func (r *Runtime) offered(a *society.Agent, at *graph.Work) *offer {
	where := standing{role: r.state.Role(a.Role)}
	if at != nil {
		where.graph, where.node = r.state.Graph(a), at.Node
	}
	if o := r.offers[where]; o != nil {
		return o
	}
	o := &offer{names: []string{}, checks: r.checks}
	for _, s := range r.specs {
		if r.state.MayUseAt(a, at, s.Name) {
			o.names = append(o.names, s.Name)
			o.specs = append(o.specs, llm.ToolSpec{Name: s.Name, Description: s.Purpose, Parameters: s.Parameters})
			o.weight += conversation.Estimate(s.Name) + conversation.Estimate(s.Purpose) + conversation.Weigh(string(s.Parameters))
		}
	}
	r.offers[where] = o
	return o
}

// check says what is wrong with the arguments of a call of a tool that workers run,
// nil for nothing. The tools of the organisation check theirs themselves.
func (o *offer) check(c llm.Call) error {
	if checker, ok := o.checks[c.Name]; ok {
		return checker().Check(json.RawMessage(c.Arguments))
	}
	return nil
}

// checkersOf returns what checks the calls of each tool. A schema is read when its
// tool is first called.
func checkersOf(specs []tool.Spec) map[string]func() *tool.Checker {
	checks := map[string]func() *tool.Checker{}
	for _, s := range specs {
		checks[s.Name] = sync.OnceValue(func() *tool.Checker { return tool.CheckerOf(s) })
	}
	return checks
}
