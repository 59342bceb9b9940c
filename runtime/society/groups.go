package society

import (
	"maps"
	"slices"
	"strconv"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
)

// Tools are given to roles in groups. A role without a list may use all that
// there are, also those that come later; a role with one may use these, and read,
// and no others. Its agents are offered no others either, but the rules are what
// counts: a call of another tool is answered with an error, so the history stays
// legal. An agent can give a role only what its own role has.

// SetGroups sets the groups of the tools that workers run.
func (s *State) SetGroups(groups map[string]tool.Group) { s.groups = groups }

// mayUse reports whether an agent's role was given a tool.
func (s *State) mayUse(id AgentID, name string) bool {
	a := s.agents[id]
	if a == nil || s.roles[a.Role] == nil {
		return false
	}
	groups := s.roles[a.Role].Groups()
	return groups == nil || slices.Contains(groups, s.groupOf(name))
}

// Groups are the groups of tools that the role's agents may use: those of its list,
// and reading. Nil is all that there are.
func (r *Role) Groups() []tool.Group {
	if r.Tools == nil || slices.Contains(r.Tools, tool.Read) {
		return r.Tools
	}
	return append(slices.Clone(r.Tools), tool.Read)
}

func (s *State) groupOf(name string) tool.Group {
	if g, ok := org.GroupOf(name); ok {
		return g
	}
	if g, ok := s.groups[name]; ok {
		return g
	}
	return tool.Group(name)
}

// Groups are all groups of tools that there are, in a fixed order.
func (s *State) Groups() []tool.Group {
	groups := org.Groups()
	for _, g := range slices.Sorted(maps.Values(s.groups)) {
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return groups
}

// groupsOf returns the tool groups of a new role, each once and in the order of Groups.
// They must exist and be among those of by; by "" may give all. Without a list the role
// gets the groups of by.
func (s *State) groupsOf(wanted []tool.Group, by *Role) ([]tool.Group, *protocol.Reason) {
	all := s.Groups()
	own := all
	if by != nil && by.Tools != nil {
		own = by.Groups()
	}
	if wanted == nil {
		if by == nil || by.Tools == nil {
			return nil, nil
		}
		return slices.Clone(by.Tools), nil
	}
	given := map[tool.Group]bool{}
	for _, g := range wanted {
		if g == org.Organisation {
			for _, part := range org.Groups() {
				given[part] = true
			}
			continue
		}
		given[g] = true
	}
	var unknown, foreign []tool.Group
	for _, g := range slices.Sorted(maps.Keys(given)) {
		switch {
		case !slices.Contains(all, g):
			unknown = append(unknown, g)
		case !slices.Contains(own, g):
			foreign = append(foreign, g)
		}
	}
	switch {
	case len(unknown) > 0:
		return nil, protocol.Because(protocol.UnknownGroups, listed(unknown), listed(all))
	case len(foreign) > 0:
		return nil, protocol.Because(protocol.ForeignGroups, listed(foreign), listed(own))
	}
	groups := []tool.Group{}
	for _, g := range all {
		if given[g] {
			groups = append(groups, g)
		}
	}
	return groups, nil
}

// notGiven answers a call of a tool that the agent's role was not given, or that
// the node of its graph does not have.
func (d *decision) notGiven(a *Agent, name, node string) string {
	if d.s.mayUse(a.ID, name) {
		n, _ := d.s.graphOf(a).Node(node)
		return d.badArguments(protocol.Because(protocol.NotInStep, name, node, protocol.Names(n.Tools)))
	}
	return d.badArguments(protocol.Because(protocol.ToolNotGiven, name, listed(d.s.roles[a.Role].Groups())))
}

func listed(groups []tool.Group) protocol.Names {
	names := make(protocol.Names, len(groups))
	for i, g := range groups {
		names[i] = strconv.Quote(string(g))
	}
	return names
}
