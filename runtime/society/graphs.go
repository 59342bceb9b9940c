package society

import (
	"maps"
	"slices"

	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/org"
)

// A role may name a graph that its agents' turns run through. Which there are is the
// library's, from the settings and what is built in; what a role has is kept with it, so
// that it goes on when the library has lost it.

// SetGraphs sets the valid graphs that a role may name.
func (s *State) SetGraphs(library []graph.Definition) {
	s.library = map[string]graph.Definition{}
	for _, d := range library {
		s.library[d.Name] = d
	}
}

// GraphNames are the names of the graphs that a role may name.
func (s *State) GraphNames() []string { return slices.Sorted(maps.Keys(s.library)) }

// A MissingRequirement is a model or a tool that a node of a graph asks for and that is
// not there.
type MissingRequirement struct{ Node, Model, Tool string }

// MissingRequirements returns the models and tools that nodes of a graph ask for and
// that are not there. That is no mistake of the graph: it depends on the settings, and
// can change from one start to the next.
func (s *State) MissingRequirements(d *graph.Definition) []MissingRequirement {
	var all []MissingRequirement
	d.Each(func(key string, n *graph.Node) {
		if s.checkModel(n.Model, "") != nil {
			all = append(all, MissingRequirement{Node: key, Model: n.Model})
		}
		for _, name := range n.Tools {
			if _, ours := org.GroupOf(name); !ours && !s.isTool(name) {
				all = append(all, MissingRequirement{Node: key, Tool: name})
			}
		}
	})
	return all
}

// isTool reports whether there is such a tool among those that workers run.
func (s *State) isTool(name string) bool { _, ok := s.risks[name]; return ok }

// why explains what a node lacks.
func (u MissingRequirement) why(s *State) *protocol.Reason {
	if u.Model != "" {
		return protocol.Because(protocol.NodeUnfit, u.Node, s.checkModel(u.Model, ""))
	}
	return protocol.Because(protocol.NodeLacksTool, u.Node, u.Tool)
}

// namedGraph returns the graph of that name, nil for none. What its nodes ask for is
// there.
func (s *State) namedGraph(name string) (*graph.Definition, *protocol.Reason) {
	if name == "" {
		return nil, nil
	}
	d, ok := s.library[name]
	if !ok {
		return nil, noGraph(name, s.GraphNames())
	}
	if unmet := s.MissingRequirements(&d); len(unmet) > 0 {
		var all protocol.Reasons
		for _, u := range unmet {
			all = append(all, u.why(s))
		}
		return nil, protocol.Because(protocol.GraphUnfit, name, all)
	}
	return &d, nil
}

func noGraph(name string, names []string) *protocol.Reason {
	return protocol.Because(protocol.UnknownGraph, name, protocol.Names(names))
}

// chooseGraph lets a role's agents run through another graph.
func (d *decision) chooseGraph(c ChooseGraph) (RoleChange, error) {
	old := d.s.roles[c.Role]
	if old == nil {
		return RoleChange{}, refuse(InvalidArguments, "", protocol.UnknownRole, c.Role)
	}
	def, why := d.s.namedGraph(c.Graph)
	if why != nil {
		return RoleChange{}, refuse(InvalidArguments, "", protocol.GraphStays, old.Name, why)
	}
	change := RoleChange{Role: c.Role, Agents: d.s.agentsOf()[c.Role]}
	if payloadOf(def) == payloadOf(old.Graph) {
		return change, nil
	}
	role := *old
	role.Graph, role.OwnGraph, role.EditedAt = def, false, d.at
	d.add(RoleEdited{Role: role})
	change.Changed = true
	return change, nil
}

// renewGraphs gives roles the graph of the library that has the name of theirs:
// the settings may have been edited since.
func (d *decision) renewGraphs() {
	for _, r := range d.s.Roles() {
		if r.Graph == nil || r.OwnGraph {
			continue
		}
		if def, ok := d.s.library[r.Graph.Name]; ok && payloadOf(def) != payloadOf(r.Graph) {
			role := *r
			role.Graph = &def
			d.add(RoleEdited{Role: role})
		}
	}
}

// plainNode is the one node of the plain graph.
const plainNode = "turn"

func plainGraph() *graph.Graph {
	g, err := graph.New("plain").AddNode(graph.Node{Key: plainNode}).
		SetEntryPoint(plainNode).SetEndPoints([]string{plainNode}).Build()
	if err != nil {
		panic(err) // it is written out above
	}
	return g
}

// setRole keeps a role and its graph. One with mistakes, which it had not when the
// role was made, gives way to the plain one.
func (s *State) setRole(role *Role) {
	s.roles[role.ID] = role
	delete(s.graphs, role.ID)
	if role.Graph == nil {
		return
	}
	if g, err := graph.Compile(*role.Graph, graph.Funcs{}); err == nil {
		s.graphs[role.ID] = g
	}
}

// Graph returns the graph of an agent's role, nil for the plain one.
func (s *State) Graph(a *Agent) *graph.Graph { return s.graphs[a.Role] }

// RoleGraph returns the graph of a role, nil for the plain one.
func (s *State) RoleGraph(id RoleID) *graph.Graph { return s.graphs[id] }

func (s *State) graphOf(a *Agent) *graph.Graph {
	if g := s.graphs[a.Role]; g != nil {
		return g
	}
	return s.plain
}

// attach connects a run from the store with its graph. A run that no longer fits is
// dropped, and the turn fails with a reason when the program goes on.
func (s *State) attach(a *Agent) {
	if a.Ran != nil && a.Ran.Attach(s.graphOf(a)) != nil {
		a.Ran = nil
	}
	if a.Turn == nil || a.Turn.Run == nil {
		return
	}
	if err := a.Turn.Run.Attach(s.graphOf(a)); err != nil {
		a.Turn.Run, a.Turn.lost = nil, true
	}
}
