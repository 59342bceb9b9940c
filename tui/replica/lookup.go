package replica

import (
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

// Agent returns an agent, nil if it is not present.
func (s *Society) Agent(id society.AgentID) *Agent { return s.agents[id] }

// Roots returns root, and the agents whose parent is not known.
func (s *Society) Roots() []*Agent { return s.roots }

// Row returns what is known of an agent.
func (s *Society) Row(id society.AgentID) (api.Row, bool) {
	if a := s.agents[id]; a != nil {
		return a.Row, true
	}
	return api.Row{}, false
}

// Name returns what an agent is called on the screen; its id when it is not
// present.
func (s *Society) Name(id society.AgentID) string {
	switch a := s.agents[id]; {
	case a != nil:
		return a.Name()
	case id == society.User:
		return s.user
	}
	return string(id)
}

// Path returns the agents from root down to id, both with it. It is empty for an
// agent that is not present.
func (s *Society) Path(id society.AgentID) []society.AgentID {
	var path []society.AgentID
	for a := s.agents[id]; a != nil; a = a.Parent {
		path = append(path, a.Row.ID)
	}
	slices.Reverse(path)
	return path
}

// Subtree returns id and all agents below it, parents before their children.
func (s *Society) Subtree(id society.AgentID) []society.AgentID {
	var all []society.AgentID
	var walk func(*Agent)
	walk = func(a *Agent) {
		all = append(all, a.Row.ID)
		for _, child := range a.Children {
			walk(child)
		}
	}
	if a := s.agents[id]; a != nil {
		walk(a)
	}
	return all
}

// Below returns how many children an agent has, and its descendants by state.
func (s *Society) Below(id society.AgentID) (children int, all symbols.Tally) {
	if a := s.agents[id]; a != nil {
		return len(a.Children), a.Below()
	}
	return 0, symbols.Tally{}
}

// Use returns what an agent and all below it have used, removed ones included.
func (s *Society) Use(id society.AgentID) society.Usage {
	if a := s.agents[id]; a != nil {
		return a.Usage
	}
	return society.Usage{}
}

// Total counts all agents by state.
func (s *Society) Total() symbols.Tally {
	var t symbols.Tally
	for _, a := range s.roots {
		t.Plus(&a.Sum)
	}
	return t
}

// Len returns how many agents there are.
func (s *Society) Len() int { return len(s.agents) }

// NeedYou returns the agents that ask or failed, the one that has waited longest
// first.
func (s *Society) NeedYou() []api.Row {
	waiting := make([]*Agent, 0, len(s.need))
	for _, a := range s.need {
		waiting = append(waiting, a)
	}
	slices.SortFunc(waiting, func(a, b *Agent) int {
		if c := a.Row.Since.Compare(b.Row.Since); c != 0 {
			return c
		}
		return CompareSpawn(a, b)
	})
	rows := make([]api.Row, len(waiting))
	for i, a := range waiting {
		rows[i] = a.Row
	}
	return rows
}

// Shape grows when agents come, go or change places.
func (s *Society) Shape() uint64 { return s.shape }

// Revision grows with each Apply.
func (s *Society) Revision() uint64 { return s.revision }

// IsKnown reports whether all agents were told once: before that, a society without
// agents is not known to be empty.
func (s *Society) IsKnown() bool { return s.known }

// IsWorking reports whether anybody worked at the last Apply.
func (s *Society) IsWorking() bool { return s.working }

// Unread returns how many messages to the user are unread.
func (s *Society) Unread() int { return s.unread }

// Usage returns what was ever spent.
func (s *Society) Usage() society.Usage { return s.usage }

// Streamed returns how many bytes of answers have arrived.
func (s *Society) Streamed() int64 { return s.streamed }

// Unsaved returns why nothing is being saved, "" while everything is.
func (s *Society) Unsaved() string { return s.unsaved }

// Model returns the name of the default model.
func (s *Society) Model() string { return s.model }

// Health returns what is wrong with a model, "" for nothing.
func (s *Society) Health(model string) string { return s.health[model] }

// Active returns the agents at work.
func (s *Society) Active() []society.AgentID {
	var active []society.AgentID
	for _, id := range s.Subtree(society.Root) {
		if row, _ := s.Row(id); row.State.Active() {
			active = append(active, id)
		}
	}
	return active
}
