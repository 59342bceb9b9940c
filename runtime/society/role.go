package society

import (
	"fmt"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// createRole is the tool create_role.
func (d *decision) createRole(a *Agent, call conversation.Call) (string, bool) {
	role, why := d.roleWanted(call)
	if why != nil {
		return d.badArguments(why), false
	}
	if a.Drain != "" {
		return d.refused(refuse(AgentStopped, a.ID, protocol.YouAreEnded)), false
	}
	if role.Tools, why = d.s.groupsOf(role.Tools); why != nil {
		return d.badArguments(protocol.Because(protocol.InField, "toolGroups", why)), false
	}
	role.ID, role.CreatedBy, role.CreatedAt, role.Order = d.roleID(role.Name, nil), a.ID, d.at, d.s.counters.Order+1
	d.add(RoleMade{Role: role})
	return payloadOf(map[string]any{"ok": true, "roleId": role.ID, "name": role.Name}), true
}

// roleWanted reads the role that a call of create_role describes.
func (d *decision) roleWanted(call conversation.Call) (Role, *protocol.Reason) {
	args := d.arguments(call)
	role := Role{
		Name: args.Required("name"), Prompt: args.Required("rolePrompt"), Interface: args.InterfaceSpec(),
		Model: args.Text("model"), Capability: args.Text("capability"),
	}
	groups, steps := args.Texts("toolGroups"), args.Text("graph")
	if groups == nil { // as many models call it; a role without its groups could not do its work
		groups = args.Texts("tools")
	}
	if groups != nil {
		role.Tools = make([]tool.Group, len(groups))
	}
	for i, g := range groups {
		role.Tools[i] = tool.Group(g)
	}
	why := args.Wrong(call.Name)
	if why != nil {
		return role, why
	}
	if why := protocol.CheckRoleName(role.Name); why != nil {
		return role, protocol.Because(protocol.InField, "name", why)
	}
	if strings.TrimSpace(role.Prompt) == "" {
		return role, protocol.Because(protocol.RoleNeedsPrompt)
	}
	if why := d.s.checkModel(role.Model, role.Capability); why != nil {
		return role, why
	}
	role.Graph, why = d.s.namedGraph(steps)
	return role, why
}

// makeRole adds a role for the user.
func (d *decision) makeRole(c MakeRole) (RoleChange, error) {
	if why := protocol.CheckRoleName(c.Name); why != nil {
		return RoleChange{}, &Refusal{Code: InvalidArguments, Why: why}
	}
	if err := d.checkRolePrompt(c.Prompt); err != nil {
		return RoleChange{}, err
	}
	tools, why := d.s.groupsOf(c.Tools)
	if why != nil {
		return RoleChange{}, refuse(InvalidArguments, "", protocol.RoleNotMade, c.Name, why)
	}
	role := Role{
		ID: d.roleID(c.Name, nil), Name: c.Name, Prompt: c.Prompt, Interface: c.Interface,
		Tools: tools, CreatedBy: User, CreatedAt: d.at, Order: d.s.counters.Order + 1,
	}
	d.add(RoleMade{Role: role})
	return RoleChange{Role: role.ID, Changed: true}, nil
}

// editRole gives a role another prompt.
func (d *decision) editRole(c EditRole) (RoleChange, error) {
	old := d.s.roles[c.Role]
	if old == nil {
		return RoleChange{}, refuse(InvalidArguments, "", protocol.UnknownRole, c.Role)
	}
	if err := d.checkRolePrompt(c.Prompt); err != nil {
		return RoleChange{}, err
	}
	change := RoleChange{Role: c.Role, Agents: d.s.agentsOf()[c.Role]}
	if c.Prompt == old.Prompt {
		return change, nil
	}
	role := *old
	role.Prompt, role.EditedAt = c.Prompt, d.at
	d.add(RoleEdited{Role: role})
	change.Changed = true
	return change, nil
}

func (d *decision) checkRolePrompt(prompt string) error {
	if strings.TrimSpace(prompt) == "" {
		return refuse(InvalidArguments, "", protocol.EmptyPrompt)
	}
	if r := d.tooLarge("", len(prompt)); r != nil {
		return r
	}
	return nil
}

// agentsOf counts the agents of each role.
func (s *State) agentsOf() map[RoleID]int {
	agents := map[RoleID]int{}
	for _, a := range s.agents {
		agents[a.Role]++
	}
	return agents
}

// AgentsOf counts the agents that have a role.
func (s *State) AgentsOf(id RoleID) int { return s.agentsOf()[id] }

// roleID makes an id that models can copy: the name's slug, numbered when it is
// taken, by a role that there is or one that is just being made.
func (d *decision) roleID(name string, making map[RoleID]bool) RoleID {
	base := "role-" + protocol.Slug(name)
	id := RoleID(base)
	for n := 2; d.s.roles[id] != nil || making[id]; n++ {
		id = RoleID(fmt.Sprintf("%s-%d", base, n))
	}
	return id
}

// findRole is the tool find_role: roles whose name contains the query, or whose
// id it is.
func (d *decision) findRole(call conversation.Call) (string, bool) {
	args := d.arguments(call)
	query := strings.ToLower(strings.TrimSpace(args.Text("query")))
	if why := args.Wrong(call.Name); why != nil {
		return d.badArguments(why), false
	}
	if query == "" {
		return d.badArguments(protocol.Because(protocol.QueryNeeded)), false
	}
	found := []map[string]any{}
	for _, r := range d.s.Roles() {
		if !strings.Contains(strings.ToLower(r.Name), query) && string(r.ID) != query {
			continue
		}
		m := map[string]any{"roleId": r.ID, "name": r.Name}
		if r.Interface != nil {
			m["interfaceSpec"] = r.Interface
		}
		describe(m, r)
		found = append(found, m)
	}
	return payloadOf(map[string]any{"roles": found}), true
}

// listRoles is the tool list_roles.
func (d *decision) listRoles() string {
	agents := d.s.agentsOf()
	list := []map[string]any{}
	for _, r := range d.s.Roles() {
		m := map[string]any{"roleId": r.ID, "name": r.Name, "createdBy": r.CreatedBy, "agents": agents[r.ID]}
		describe(m, r)
		list = append(list, m)
	}
	return payloadOf(map[string]any{"roles": list})
}

// describe adds what a role has that others do not.
func describe(m map[string]any, r *Role) {
	m["toolGroups"] = r.Groups()
	if r.Template != "" {
		m["template"] = r.Template
	}
	if r.Model != "" {
		m["model"] = r.Model
	}
	if r.Capability != "" {
		m["capability"] = r.Capability
	}
	if r.Graph != nil {
		m["graph"] = r.Graph.Name
	}
}
