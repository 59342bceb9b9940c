package runtime

import (
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/org"
)

// tellGraphs tells the rules which graphs roles may name, and returns what agents
// are offered of them.
func (r *Runtime) tellGraphs(lang protocol.Lang) []org.Graph {
	var library []graph.Definition
	if r.cfg.Graphs != nil {
		library = r.cfg.Graphs(lang)
	}
	r.state.SetGraphs(library)
	var offered []org.Graph
	for _, d := range library {
		offered = append(offered, org.Graph{Name: d.Name, Description: d.Description})
	}
	return offered
}
