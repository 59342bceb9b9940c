package society

import (
	"slices"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// A role can name its agents' model, or a capability, for which any model that has it is
// used. The set of models comes from the settings and can change between starts. So the
// rules check only that the model exists when a role is made. If it is removed later, the
// role stays as it is, and its agents' turns fail with a reason.

// SetModels sets the models that a role may name, with their capabilities.
func (s *State) SetModels(names, capabilities []string) {
	s.models, s.can = names, capabilities
}

// SetWindow sets the context window, in tokens, of a model or a capability; 0 is unknown.
func (s *State) SetWindow(window func(model, capability string) int) { s.window = window }

// SetModelName sets the name of the model that a name or capability leads to, "" for none.
func (s *State) SetModelName(name func(model, capability string) string) { s.modelName = name }

// Wants returns what an agent asks for: the node of the graph that it is at, else the agent
// itself, else its role.
func (s *State) Wants(a *Agent, at *graph.Work) (model, capability string) {
	if node, ok := s.Node(a, at); ok && node.Model != "" {
		return node.Model, ""
	}
	if a.Model != "" {
		return a.Model, ""
	}
	if role := s.roles[a.Role]; role != nil {
		return role.Model, role.Capability
	}
	return "", ""
}

// budgets returns what the model of an agent is sent of one text at some work of
// its graph.
func (s *State) budgets(a *Agent, at *graph.Work) conversation.Budgets {
	if s.window == nil {
		return conversation.BudgetsFor(0)
	}
	return conversation.BudgetsFor(s.window(s.Wants(a, at)))
}

// TextBudgets are those of texts for an agent's model between turns.
func (s *State) TextBudgets(a *Agent) conversation.Budgets { return s.budgets(a, nil) }

// SetWaiting sets whether a model is set up that is not asked, because the offline model is the
// default and answers for all.
func (s *State) SetWaiting(waits func(model string) bool) { s.waits = waits }

// checkModel returns what is wrong with the model that a role asks for.
func (s *State) checkModel(name, capability string) *protocol.Reason {
	switch {
	case name != "" && capability != "":
		return protocol.Because(protocol.ModelOrCapability, name, capability)
	case name != "" && !slices.Contains(s.models, name) && s.waits != nil && s.waits(name):
		return protocol.Because(protocol.WaitingModel, name)
	case name != "" && !slices.Contains(s.models, name):
		return protocol.Because(protocol.UnsetModel, name, protocol.Names(s.models))
	case capability != "" && !slices.Contains(s.can, capability):
		return protocol.Because(protocol.UnsetCapability, capability, protocol.Names(s.can))
	}
	return nil
}

// checkChosenModel does so for the user, who can set one up.
func (s *State) checkChosenModel(name, capability string) *protocol.Reason {
	why := s.checkModel(name, capability)
	if why != nil && why.Key == protocol.UnsetModel {
		return protocol.Because(protocol.UnsetChosenModel, why.Args...)
	}
	return why
}

// assignModel lets a single agent ask for another model.
func (d *decision) assignModel(c AssignModel) (ModelAssigned, error) {
	a, err := d.agent(c.Agent)
	if err != nil {
		return ModelAssigned{}, err
	}
	if why := d.s.checkChosenModel(c.Model, ""); why != nil {
		return ModelAssigned{}, &Refusal{Code: InvalidArguments, Agent: a.ID, Why: protocol.Because(protocol.ModelStays, string(a.ID), why)}
	}
	reply := ModelAssigned{Model: c.Model, Changed: a.Model != c.Model}
	if reply.Changed {
		d.add(AgentModelSet(c))
	}
	if reply.Model == "" {
		reply.Model = d.s.roles[a.Role].Model
	}
	return reply, nil
}

// chooseModel lets a role ask for another model.
func (d *decision) chooseModel(c ChooseModel) (RoleChange, error) {
	old := d.s.roles[c.Role]
	if old == nil {
		return RoleChange{}, refuse(InvalidArguments, "", protocol.UnknownRole, c.Role)
	}
	if why := d.s.checkChosenModel(c.Model, c.Capability); why != nil {
		return RoleChange{}, refuse(InvalidArguments, "", protocol.ModelStays, old.Name, why)
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

// renameModel lets all that name a model name it as it is called now.
func (d *decision) renameModel(c RenameModel) {
	if c.Before == "" { // which is how they ask for the default
		return
	}
	for _, old := range d.s.Roles() {
		role := *old
		if role.Model == c.Before {
			role.Model = c.Now
		}
		if role.Graph != nil {
			role.Graph = role.Graph.RenameModel(c.Before, c.Now)
		}
		if role.Model != old.Model || role.Graph != old.Graph {
			d.add(RoleEdited{Role: role})
		}
	}
	for _, id := range d.s.Agents() {
		if d.s.agents[id].Model == c.Before {
			d.add(AgentModelSet{Agent: id, Model: c.Now})
		}
	}
}
