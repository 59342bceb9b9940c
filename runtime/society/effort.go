package society

import (
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/runtime/protocol"
)

// EffortUnset takes the effort of a role away.
const EffortUnset = "unset"

// Efforts are those that SetEffort takes.
func Efforts() []string { return append([]string{EffortUnset}, llm.Efforts()...) }

// Effort returns how much the model of an agent is to think, "" as its settings say.
func (s *State) Effort(a *Agent) string {
	if role := s.roles[a.Role]; role != nil {
		return role.Effort
	}
	return ""
}

// setEffort says how much the models of roles think.
func (d *decision) setEffort(c SetEffort) (EffortChange, error) {
	var change EffortChange
	if c.Effort != "" && !slices.Contains(Efforts(), c.Effort) {
		return change, refuse(InvalidArguments, "", protocol.UnknownEffort, c.Effort)
	}
	roles, err := d.effortRoles(c)
	if err != nil {
		return change, err
	}
	effort := strings.TrimSuffix(c.Effort, EffortUnset)
	for _, old := range roles {
		if c.Effort != "" && effort != old.Effort {
			role := *old
			role.Effort, role.EditedAt = effort, d.at
			d.add(RoleEdited{Role: role})
			change.Changed = true
			old = &role
		}
		change.Roles = append(change.Roles, RoleEffort{Role: old.ID, Name: old.Name, Effort: old.Effort})
	}
	return change, nil
}

// effortRoles returns the roles that a SetEffort is for.
func (d *decision) effortRoles(c SetEffort) ([]*Role, error) {
	if c.Of == "" {
		a, err := d.agent(c.Agent)
		if err != nil {
			return nil, err
		}
		return []*Role{d.s.roles[a.Role]}, nil
	}
	all := d.s.Roles()
	named := func(is func(*Role) bool) []*Role {
		return slices.DeleteFunc(slices.Clone(all), func(r *Role) bool { return !is(r) })
	}
	if found := named(func(r *Role) bool { return string(r.ID) == c.Of }); len(found) > 0 {
		return found, nil
	}
	if found := named(func(r *Role) bool { return strings.EqualFold(r.Name, c.Of) }); len(found) > 0 {
		return found, nil
	}
	if slices.Contains(d.s.models, c.Of) {
		return named(func(r *Role) bool { return d.s.modelName(r.Model, r.Capability) == c.Of }), nil
	}
	return nil, refuse(InvalidArguments, "", protocol.NoEffortOf, c.Of, strings.Join(Efforts(), ", "))
}
