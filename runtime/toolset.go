package runtime

import (
	"encoding/json"
	"maps"
	"slices"

	"society-tui/llm"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/read"
)

// A toolSet is the tools that an agent may call, in every form that a model call needs.
// It never changes, so agents with the same tools share it.
type toolSet struct {
	names  []string
	specs  []llm.ToolSpec
	weight int                  // estimate of what they take of a model's context
	given  map[string]tool.Spec // of tools that workers run
	left   []string             // for which there is no room
}

// A toolSetKey decides which of the tools an agent is offered.
type toolSetKey struct {
	role  *society.Role // replaced, never changed
	graph *graph.Graph  // likewise
	node  string
	// window is the tokens that its model takes, 0 for unknown.
	window int
}

// toolShare is the part of a window that descriptions of tools may take.
const toolShare = 5

// toolSetOf returns the tools that an agent may call: those of its role without those
// that the node of its graph leaves out, and without those, but for the organisation's and
// read, for whose description its model's window has no room. Only the loop calls it.
func (r *Runtime) toolSetOf(a *society.Agent, at *graph.Work) *toolSet {
	where := toolSetKey{role: r.state.Role(a.Role)}
	if at != nil {
		where.graph, where.node = r.state.Graph(a), at.Node
	}
	if model, ok := r.modelOf(a, at); ok {
		where.window = model.Window
	}
	if o := r.toolbox.offers[where]; o != nil {
		return o
	}
	o := &toolSet{names: []string{}, given: r.toolbox.configured}
	for _, s := range r.toolbox.specs {
		if !r.state.MayUseAt(a, at, s.Name) {
			continue
		}
		if s.Name == read.Name && r.readsMore(a) {
			s = r.toolbox.readSpec
		}
		schema := s.Schema()
		weight := conversation.Estimate(s.Name) + conversation.Estimate(s.Purpose) + conversation.Weigh(string(schema))
		_, organises := org.GroupOf(s.Name)
		if !organises && s.Name != read.Name && where.window > 0 && o.weight+weight > where.window/toolShare {
			o.left = append(o.left, s.Name)
			continue
		}
		o.names = append(o.names, s.Name)
		o.specs = append(o.specs, llm.ToolSpec{Name: s.Name, Description: s.Purpose, Parameters: schema})
		o.weight += weight
	}
	if o.left != nil { // once, because the set is kept
		r.log.Warn("tools not offered: their descriptions would take more than a fifth of the model's window", "role", where.role.Name, "window", where.window, "tools", o.left)
	}
	maps.DeleteFunc(r.toolbox.offers, func(k toolSetKey, _ *toolSet) bool { return k.role != nil && k.role != r.state.Role(k.role.ID) })
	r.toolbox.offers[where] = o
	return o
}

// readsMore reports whether an agent may read what is no text of the runtime's too: its
// role was given the group of the tool that does. Only the loop calls it.
func (r *Runtime) readsMore(a *society.Agent) bool {
	role := r.state.Role(a.Role)
	return r.toolbox.reader != nil && role != nil && slices.Contains(role.Groups(), r.toolbox.readSpec.In())
}

// check returns what is wrong with the arguments of a call, nil for nothing. The tools of
// the organisation check theirs themselves.
func (o *toolSet) check(lang protocol.Lang, c llm.Call) *protocol.Reason {
	if spec, ok := o.given[c.Name]; ok {
		return spec.Check(json.RawMessage(c.Arguments))
	}
	return protocol.ReadArguments(lang, c.Arguments).Wrong(c.Name)
}
