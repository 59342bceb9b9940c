package society

import (
	"slices"

	"society-tui/runtime/protocol"
)

// A role may say which model its agents think with: by its name, or by what it
// is to be good for, and then whoever asks picks one. Which there are is no part
// of the society: they are the settings', and can change from one start to the
// next. So the rules hold only that a role is made with one that there is; a role
// whose model has gone stays as it is, and its agents' turns fail with words.

// SetModels tells the rules which models a role may name, and which capabilities
// these have.
func (s *State) SetModels(names, capabilities []string) {
	s.models, s.can = names, capabilities
}

// checkModel says what is wrong with what a role asks for.
func (s *State) checkModel(name, capability string) *protocol.Reason {
	switch {
	case name != "" && capability != "":
		return protocol.Because(protocol.ModelOrCapability, name, capability)
	case name != "" && !slices.Contains(s.models, name):
		return protocol.Because(protocol.UnsetModel, name, protocol.Names(s.models))
	case capability != "" && !slices.Contains(s.can, capability):
		return protocol.Because(protocol.UnsetCapability, capability, protocol.Names(s.can))
	}
	return nil
}

// chooseModel lets a role ask for another model.
func (d *decision) chooseModel(c ChooseModel) (any, error) {
	old := d.s.roles[c.Role]
	if old == nil {
		return nil, refuse(InvalidArguments, "", protocol.UnknownRole, c.Role)
	}
	if why := d.s.checkModel(c.Model, c.Capability); why != nil {
		return nil, refuse(InvalidArguments, "", protocol.ModelStays, old.Name, why)
	}
	change := RoleChange{Role: c.Role, Agents: d.s.agentsOf()[c.Role]}
	if c.Model == old.Model && c.Capability == old.Capability {
		return change, nil
	}
	role := *old
	role.Model, role.Capability, role.EditedAt = c.Model, c.Capability, d.at
	d.add(RoleEdited{Role: role})
	change.Changed = true
	return change, nil
}
