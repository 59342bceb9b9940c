package graph

import (
	"maps"
	"strings"
	"time"
)

// A Builder collects the parts of a graph. Nothing is checked before Build, so the parts
// may come in any order.
type Builder struct {
	def      Definition
	funcs    Funcs
	mistakes Mistakes // that the definition itself cannot show
}

// Funcs are the Go functions that a definition names.
type Funcs struct {
	Conditions map[string]Condition
	Mergers    map[string]Merger
}

func (f Funcs) clone() Funcs { return Funcs{maps.Clone(f.Conditions), maps.Clone(f.Mergers)} }

// add takes those of g as well; for a name of both it is g's that holds.
func (f *Funcs) add(g Funcs) {
	if f.Conditions == nil {
		f.Conditions = map[string]Condition{}
	}
	if f.Mergers == nil {
		f.Mergers = map[string]Merger{}
	}
	maps.Copy(f.Conditions, g.Conditions)
	maps.Copy(f.Mergers, g.Mergers)
}

// New begins a graph with that name.
func New(name string) *Builder {
	b := &Builder{def: Definition{Name: name}}
	b.funcs.add(Funcs{})
	return b
}

// SetDescription sets the purpose of the graph.
func (b *Builder) SetDescription(text string) *Builder {
	b.def.Description = text
	return b
}

// SetMaxIterations bounds the node executions of a run; 0 is the default.
func (b *Builder) SetMaxIterations(n int) *Builder {
	b.def.MaxIterations = n
	return b
}

// SetTimeout bounds a run in time; 0 is the default.
func (b *Builder) SetTimeout(d time.Duration) *Builder {
	b.def.Timeout = Duration(d)
	return b
}

// SetRouting sets how conditions are asked; "" is RouteEach.
func (b *Builder) SetRouting(r Routing) *Builder {
	b.def.Routing = r
	return b
}

// AddLLMNode adds a node that asks the named model, "" for the default one, with
// that prompt and those tools, nil for all.
func (b *Builder) AddLLMNode(key, title, model string, tools []string, prompt string) *Builder {
	return b.AddNode(Node{Key: key, Title: title, Model: model, Tools: tools, Prompt: prompt})
}

// AddNode adds a node with all that can be said of one.
func (b *Builder) AddNode(n Node) *Builder {
	b.def.Nodes = append(b.def.Nodes, n)
	return b
}

// AddGraph adds a node that is a whole graph, entered at its first entry point.
func (b *Builder) AddGraph(key, title string, g *Graph) *Builder {
	for name := range g.funcs.Conditions {
		if _, taken := b.funcs.Conditions[name]; taken {
			b.mistake(DuplicateFunc, key, textNamedTwice.With(name))
		}
	}
	for name := range g.funcs.Mergers {
		if _, taken := b.funcs.Mergers[name]; taken {
			b.mistake(DuplicateFunc, key, textMergeTwice.With(name))
		}
	}
	b.funcs.add(g.funcs)
	d := g.Definition()
	return b.AddNode(Node{Key: key, Title: title, Graph: &d, Entry: d.Entries[0]})
}

// AddEdge adds the default way on from a node.
func (b *Builder) AddEdge(from, to string) *Builder {
	b.def.Edges = append(b.def.Edges, Edge{From: from, To: to})
	return b
}

// AddConditionalEdge adds an edge that is taken if the model says yes to the
// question. Edges are asked in the order in which they were added.
func (b *Builder) AddConditionalEdge(from, to, question string) *Builder {
	if strings.TrimSpace(question) == "" {
		b.mistake(BlankQuestion, from, textAsksNothing.With(to))
		return b
	}
	b.def.Edges = append(b.def.Edges, Edge{From: from, To: to, Question: question})
	return b
}

// AddFuncEdge adds an edge with a Go function as its condition. name identifies the
// function where the graph is written down; f is nil for one that is defined elsewhere.
func (b *Builder) AddFuncEdge(from, to, name string, f Condition) *Builder {
	if name == "" {
		b.mistake(UnknownFunc, from, textNoFunc.With(to))
		return b
	}
	b.def.Edges = append(b.def.Edges, Edge{From: from, To: to, Func: name})
	if f == nil {
		return b
	}
	return b.DefineCondition(name, f)
}

// AddFanOut adds branches after a node, with the join that ends them.
func (b *Builder) AddFanOut(f FanOut) *Builder {
	b.def.FanOuts = append(b.def.FanOuts, f)
	return b
}

// DefineCondition gives a condition that edges and branches name its function.
func (b *Builder) DefineCondition(name string, f Condition) *Builder {
	if _, taken := b.funcs.Conditions[name]; taken {
		b.mistake(DuplicateFunc, "", textTwoNamed.With(name))
	}
	b.funcs.Conditions[name] = f
	return b
}

// DefineMerge gives a merge that fan-outs name its function.
func (b *Builder) DefineMerge(name string, f Merger) *Builder {
	if _, taken := b.funcs.Mergers[name]; taken {
		b.mistake(DuplicateFunc, "", textTwoMerges.With(name))
	}
	b.funcs.Mergers[name] = f
	return b
}

// SetEntryPoint makes a node one at which a run may begin. It may be called for
// several; the first is where a run begins that names none.
func (b *Builder) SetEntryPoint(key string) *Builder {
	b.def.Entries = append(b.def.Entries, key)
	return b
}

// SetEndPoints says after which nodes a run is done. Each is executed first.
func (b *Builder) SetEndPoints(keys []string) *Builder {
	b.def.EndNodes = append(b.def.EndNodes[:0:0], keys...)
	return b
}

// Build checks the graph and reports every mistake in it, not only the first, as
// Mistakes.
func (b *Builder) Build() (*Graph, error) {
	all := append(b.mistakes[:len(b.mistakes):len(b.mistakes)], b.def.mistakes(b.funcs)...)
	if len(all) > 0 {
		return nil, all
	}
	return compile(&b.def, b.funcs), nil
}

func (b *Builder) mistake(code Code, where string, why error) {
	b.mistakes.add(code, where, "", why)
}
