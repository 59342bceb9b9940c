package runtime

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

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
	// tooMany and tooLarge are not offered.
	tooMany, tooLarge []string
	told              sync.Once // of those
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
// read, for whose description its model's window has no room. No request offers more than each
// endpoint takes. Only the loop calls it.
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
			o.tooLarge = append(o.tooLarge, s.Name)
			continue
		}
		if len(o.names) == llm.MostTools {
			o.tooMany = append(o.tooMany, s.Name)
			continue
		}
		o.names = append(o.names, s.Name)
		o.specs = append(o.specs, llm.ToolSpec{Name: s.Name, Description: s.Purpose, Parameters: schema})
		o.weight += weight
	}
	if o.tooMany != nil { // once, because the set is kept
		r.log.Warn("tools not offered: a request takes no more", "role", where.role.Name, "most", llm.MostTools, "tools", o.tooMany)
	}
	if o.tooLarge != nil {
		r.log.Warn("tools not offered: their descriptions would take more than a fifth of the model's window", "role", where.role.Name, "window", where.window, "tools", o.tooLarge)
	}
	maps.DeleteFunc(r.toolbox.offers, func(k toolSetKey, _ *toolSet) bool { return k.role != nil && k.role != r.state.Role(k.role.ID) })
	r.toolbox.offers[where] = o
	return o
}

// tellLeft tells the user once which tools an agent is not offered, in the conversation of the
// first that is not.
func (r *Runtime) tellLeft(t *modelCall) {
	o := t.toolSet
	o.told.Do(func() {
		if n := len(o.tooMany); n > 0 {
			r.remark(t, protocol.TooManyTools, n, llm.MostTools, firstOf(o.tooMany))
		}
		if n := len(o.tooLarge); n > 0 {
			r.remark(t, protocol.NoRoomForTools, n, toolShare, firstOf(o.tooLarge))
		}
	})
}

// firstOf lists names, as many as a line takes.
func firstOf(names []string) string {
	const most = 5
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "…")
	}
	return strings.Join(names, ", ")
}

// remark has the conversation of the agent say something of its work, which goes on.
func (r *Runtime) remark(t *modelCall, key protocol.Key, args ...any) {
	r.post(society.Remarked{Of: t.item, Text: protocol.Sentence(t.lang, key, args...)})
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
