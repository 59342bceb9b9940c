package society

import (
	"maps"
	"slices"
	"strconv"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
)

// Tools are given to roles in groups. A role without a list has those of the organisation
// and read, also of those that come later; a role with one has these, and read, and no
// others. Its agents are offered no others either, but the rules are what counts: a call
// of another tool is answered with an error, so the history stays legal. An agent can give
// a role any group that there is: what a group may do is decided call by call.

// SetIsolated sets whether every agent but root has a git worktree of its own, which a
// worker makes before the agent.
func (s *State) SetIsolated(isolated bool) { s.isolated = isolated }

// TeamsOf returns how often a template was added.
func (s *State) TeamsOf(template string) int { return s.counters.Teams[template] }

// Worktrees returns the git worktrees that agents have, by name.
func (s *State) Worktrees() map[string]AgentID {
	live := map[string]AgentID{}
	for id, a := range s.agents {
		if a.Worktree != "" {
			live[a.Worktree] = id
		}
	}
	return live
}

// SetGroups sets the groups of the tools that workers run, and those of MCP servers: a role can
// be given them, and rules can name their tools, although they may have no tools now.
func (s *State) SetGroups(groups map[string]tool.Group, empty ...tool.Group) {
	s.groups, s.emptyGroups = groups, empty
}

// mayUse reports whether an agent's role was given a tool.
func (s *State) mayUse(id AgentID, name string) bool {
	a := s.agents[id]
	if a == nil || s.roles[a.Role] == nil {
		return false
	}
	return slices.Contains(s.roles[a.Role].Groups(), s.groupOf(name))
}

// Groups are the groups of tools that the role's agents may use: those of its list, or of
// the organisation, and reading.
func (r *Role) Groups() []tool.Group {
	groups := r.Tools
	if groups == nil {
		groups = org.Groups()
	}
	if slices.Contains(groups, tool.Read) {
		return groups
	}
	return append(slices.Clip(groups), tool.Read)
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
	for _, g := range slices.Sorted(slices.Values(append(slices.Collect(maps.Values(s.groups)), s.emptyGroups...))) {
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return groups
}

// groupsOf returns the tool groups of a new role, each once and in the order of Groups.
// They must exist. Without a list it is nil.
func (s *State) groupsOf(wanted []tool.Group) ([]tool.Group, *protocol.Reason) {
	if wanted == nil {
		return nil, nil
	}
	all := s.Groups()
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
	var unknown []tool.Group
	for _, g := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(all, g) {
			unknown = append(unknown, g)
		}
	}
	if len(unknown) > 0 {
		return nil, protocol.Because(protocol.UnknownGroups, listed(unknown), listed(all))
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
	if _, ours := org.GroupOf(name); !ours && !d.s.isTool(name) { // it was there when the agent was offered it
		return d.badArguments(protocol.Because(protocol.UnknownTool, name, d.toolsOf(a)))
	}
	if d.s.mayUse(a.ID, name) {
		n, _ := d.s.graphOf(a).Node(node)
		return d.badArguments(protocol.Because(protocol.NotInStep, name, node, protocol.Names(n.Tools)))
	}
	return d.badArguments(protocol.Because(protocol.ToolNotGiven, name, listed(d.s.roles[a.Role].Groups())))
}

// toolsOf names the tools that workers run and an agent may use.
func (d *decision) toolsOf(a *Agent) protocol.Names {
	var names protocol.Names
	for _, name := range slices.Sorted(maps.Keys(d.s.groups)) {
		if d.s.mayUse(a.ID, name) {
			names = append(names, name)
		}
	}
	return names
}

func listed(groups []tool.Group) protocol.Names {
	names := make(protocol.Names, len(groups))
	for i, g := range groups {
		names[i] = strconv.Quote(string(g))
	}
	return names
}
