package society

import (
	"encoding/json"
	"fmt"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// createRole is the tool create_role.
func (d *decision) createRole(a *Agent, call conversation.Call) (string, bool) {
	var args struct {
		Name      string                  `json:"name"`
		Prompt    string                  `json:"rolePrompt"`
		Interface *protocol.InterfaceSpec `json:"interfaceSpec"`
		Snake     *protocol.InterfaceSpec `json:"interface_spec"`
		Tools     []tool.Group            `json:"toolGroups"`

		Model      string `json:"model"`
		Capability string `json:"capability"`
		Graph      string `json:"graph"`
	}
	if err := json.Unmarshal([]byte(call.Arguments), &args); err != nil {
		return d.badArguments(err), false
	}
	if a.Drain != "" {
		return refused(refuse(AgentStopped, a.ID, "you are being ended: finish what you have, and create nothing new")), false
	}
	if err := protocol.CheckRoleName(args.Name); err != nil {
		return d.badArguments(fmt.Errorf("name: %w", err)), false
	}
	if strings.TrimSpace(args.Prompt) == "" {
		return d.badArguments(fmt.Errorf("rolePrompt is missing: say what an agent of this role does, and how")), false
	}
	if args.Interface == nil {
		args.Interface = args.Snake
	}
	tools, err := d.s.groupsOf(args.Tools, d.s.roles[a.Role])
	if err != nil {
		return d.badArguments(fmt.Errorf("toolGroups: %w", err)), false
	}
	if err := d.s.checkModel(args.Model, args.Capability); err != nil {
		return d.badArguments(err), false
	}
	steps, err := d.s.namedGraph(args.Graph)
	if err != nil {
		return d.badArguments(err), false
	}
	role := Role{
		ID: d.roleID(args.Name, nil), Name: args.Name, Prompt: args.Prompt, Interface: args.Interface,
		Tools: tools, Model: args.Model, Capability: args.Capability, Graph: steps, CreatedBy: a.ID, CreatedAt: d.at, Order: d.s.counters.Order + 1,
	}
	d.add(RoleMade{Role: role})
	return payloadOf(map[string]any{"ok": true, "roleId": role.ID, "name": role.Name}), true
}

// makeRole adds a role for the person.
func (d *decision) makeRole(c MakeRole) (any, error) {
	if err := protocol.CheckRoleName(c.Name); err != nil {
		return nil, refuseName("", err)
	}
	if err := d.checkRolePrompt(c.Prompt); err != nil {
		return nil, err
	}
	tools, err := d.s.groupsOf(c.Tools, nil)
	if err != nil {
		return nil, refuse(InvalidArguments, "", "the role %q cannot be made: %v", c.Name, err)
	}
	role := Role{
		ID: d.roleID(c.Name, nil), Name: c.Name, Prompt: c.Prompt, Interface: c.Interface,
		Tools: tools, CreatedBy: User, CreatedAt: d.at, Order: d.s.counters.Order + 1,
	}
	d.add(RoleMade{Role: role})
	return RoleChange{Role: role.ID, Changed: true}, nil
}

// editRole gives a role another prompt.
func (d *decision) editRole(c EditRole) (any, error) {
	old := d.s.roles[c.Role]
	if old == nil {
		return nil, refuse(InvalidArguments, "", "there is no role %q", c.Role)
	}
	if err := d.checkRolePrompt(c.Prompt); err != nil {
		return nil, err
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
		return refuse(InvalidArguments, "", "the prompt is empty: say what an agent of this role does, and how")
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
	var args struct {
		Query string `json:"query"`
	}
	if err := json.Unmarshal([]byte(call.Arguments), &args); err != nil {
		return d.badArguments(err), false
	}
	query := strings.ToLower(strings.TrimSpace(args.Query))
	if query == "" {
		return d.badArguments(fmt.Errorf("query is missing: give a part of a role's name, or call list_roles")), false
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
	if r.Tools != nil {
		m["toolGroups"] = r.Tools
	}
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
