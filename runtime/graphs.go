package runtime

import (
	"context"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool/org"
)

// Graphs returns the graphs that roles can have. It may be called from any
// goroutine.
func (r *Runtime) Graphs() []api.Graph {
	var list []api.Graph
	for _, d := range r.library(r.lang) {
		list = append(list, api.Graph{Name: d.Name, Description: d.Description})
	}
	return list
}

// GraphDefinition returns the graph of that version, or api.ErrNoGraph if no role has it.
func (r *Runtime) GraphDefinition(ctx context.Context, version graph.Version) (d graph.Definition, err error) {
	found := false
	err = r.inLoop(ctx, func(s *society.State) {
		for _, role := range s.Roles() {
			if g := s.RoleGraph(role.ID); g != nil && g.Version() == version {
				d, found = g.Definition(), true
				return
			}
		}
	})
	if err == nil && !found {
		err = api.ErrNoGraph
	}
	return d, err
}

// library are the graphs of the settings and those that are built in. Their nodes name models
// as they are called now.
func (r *Runtime) library(lang protocol.Lang) []graph.Definition {
	if r.cfg.Graphs == nil {
		return nil
	}
	list := slices.Clone(r.cfg.Graphs(lang))
	for _, c := range *r.renamed.Load() {
		for i := range list {
			list[i] = *list[i].RenameModel(c.Before, c.Now)
		}
	}
	return list
}

// tellGraphs gives the rules the graphs that roles may name, and returns those that
// agents are offered.
func (r *Runtime) tellGraphs(lang protocol.Lang) []org.Graph {
	library := r.library(lang)
	r.state.SetGraphs(library)
	var offered []org.Graph
	for _, d := range library {
		offered = append(offered, org.Graph{Name: d.Name, Description: d.Description})
	}
	return offered
}
