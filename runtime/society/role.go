package society

import (
	"encoding/json"
	"fmt"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// createRole is the tool create_role.
func (d *decision) createRole(a *Agent, call conversation.Call) (string, bool) {
	var args struct {
		Name      string                  `json:"name"`
		Prompt    string                  `json:"rolePrompt"`
		Interface *protocol.InterfaceSpec `json:"interfaceSpec"`
		Snake     *protocol.InterfaceSpec `json:"interface_spec"`
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
	role := Role{
		ID: d.roleID(args.Name), Name: args.Name, Prompt: args.Prompt, Interface: args.Interface,
		CreatedBy: a.ID, CreatedAt: d.at, Order: d.s.counters.Order + 1,
	}
	d.add(RoleMade{Role: role})
	return payloadOf(map[string]any{"ok": true, "roleId": role.ID, "name": role.Name}), true
}

// roleID makes an id that models can copy: the name's slug, numbered when it is
// taken.
func (d *decision) roleID(name string) RoleID {
	base := "role-" + protocol.Slug(name)
	id := RoleID(base)
	for n := 2; d.s.roles[id] != nil; n++ {
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
		found = append(found, m)
	}
	return payloadOf(map[string]any{"roles": found}), true
}

// listRoles is the tool list_roles.
func (d *decision) listRoles() string {
	agents := map[RoleID]int{}
	for _, a := range d.s.agents {
		agents[a.Role]++
	}
	list := []map[string]any{}
	for _, r := range d.s.Roles() {
		list = append(list, map[string]any{
			"roleId": r.ID, "name": r.Name, "createdBy": r.CreatedBy, "agents": agents[r.ID],
		})
	}
	return payloadOf(map[string]any{"roles": list})
}
