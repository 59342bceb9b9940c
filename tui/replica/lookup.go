package replica

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/width"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

// Agent returns an agent, or nil if it is not present.
func (s *Society) Agent(id society.AgentID) *Agent { return s.agents[id] }

// Agents returns all agents, in no order.
func (s *Society) Agents() iter.Seq[*Agent] { return maps.Values(s.agents) }

// Roots returns root, and agents whose parent is unknown.
func (s *Society) Roots() []*Agent { return s.roots }

// Row returns the row of an agent.
func (s *Society) Row(id society.AgentID) (api.Row, bool) {
	if a := s.agents[id]; a != nil {
		return a.Row, true
	}
	return api.Row{}, false
}

// Name returns the name of an agent on the screen, also of one that was removed, or the id of
// one that was never present.
func (s *Society) Name(id society.AgentID) string {
	switch a := s.agents[id]; {
	case a != nil:
		return a.Name()
	case id == society.User:
		return s.user
	}
	return cmp.Or(s.former[id], string(id))
}

// QuickReply returns the reply that a number alone chooses, if an agent offers replies with its
// question. A digit of an input method counts, too.
func (s *Society) QuickReply(id society.AgentID, number string) (reply string, ok bool) {
	a := s.agents[id]
	number = width.Fold.String(strings.TrimSpace(number))
	if a == nil || !a.Row.Asks || len(number) != 1 {
		return "", false
	}
	n := int(number[0]) - '1'
	if n < 0 || n >= len(a.Row.Replies) {
		return "", false
	}
	return a.Row.Replies[n], true
}

// Path returns the agents from root to id, both included. It is empty if id is
// not present.
func (s *Society) Path(id society.AgentID) []society.AgentID {
	var path []society.AgentID
	for a := s.agents[id]; a != nil; a = a.Parent {
		path = append(path, a.Row.ID)
	}
	slices.Reverse(path)
	return path
}

// Subtree returns id and its descendants, parents before children.
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

// Any reports whether it holds for an agent or for a descendant. Subtrees whose sums say
// that it cannot are passed over, so that this takes no longer with more agents at rest.
func (s *Society) Any(id society.AgentID, can func(*symbols.Tally) bool, holds func(*api.Row) bool) bool {
	var walk func(*Agent) bool
	walk = func(a *Agent) bool {
		return can(&a.Sum) && (holds(&a.Row) || slices.ContainsFunc(a.Children, walk))
	}
	a := s.agents[id]
	return a != nil && walk(a)
}

// Below returns how many children an agent has, and its descendants by state.
func (s *Society) Below(id society.AgentID) (children int, all symbols.Tally) {
	if a := s.agents[id]; a != nil {
		return len(a.Children), a.Below()
	}
	return 0, symbols.Tally{}
}

// Use returns the usage of an agent and its subtree, including removed agents.
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

// NeedYou returns the agents that ask or failed, the longest waiting one first.
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

// Shape grows when agents are added, removed or moved.
func (s *Society) Shape() uint64 { return s.shape }

// Revision grows with each Apply.
func (s *Society) Revision() uint64 { return s.revision }

// IsKnown reports whether all agents were received once; before that the
// society is not known to be empty.
func (s *Society) IsKnown() bool { return s.known }

// IsWorking reports whether an agent was working at the last Apply.
func (s *Society) IsWorking() bool { return s.working }

// Unread returns how many messages to the user are unread.
func (s *Society) Unread() int { return s.unread }

// Usage returns the total usage.
func (s *Society) Usage() society.Usage { return s.usage }

// Streamed returns how many bytes of answers have arrived.
func (s *Society) Streamed() int64 { return s.streamed }

// Unsaved returns why saving fails, or "".
func (s *Society) Unsaved() string { return s.unsaved }

// Screens returns how many screens show the society, this one included.
func (s *Society) Screens() int { return s.screens }

// IsCut reports whether the connection to the society is cut: the copy is as of then.
func (s *Society) IsCut() bool { return s.cut }

// Currency returns the sign of the currency of all amounts, "" for none.
func (s *Society) Currency() string { return s.currency }

// Budgets returns the budgets in force, with what is spent of them.
func (s *Society) Budgets() []society.BudgetStatus { return s.budgets }

// Sandbox returns what holds in the commands of agents; zero if they run none.
func (s *Society) Sandbox() api.Sandbox { return s.sandbox }

// Model returns the name of the default model.
func (s *Society) Model() string { return s.model }

// Health returns the problem of a model, or "".
func (s *Society) Health(model string) string { return s.health[model] }

// Active returns the working agents.
func (s *Society) Active() []society.AgentID {
	var active []society.AgentID
	for _, id := range s.Subtree(society.Root) {
		if row, _ := s.Row(id); row.State.Active() {
			active = append(active, id)
		}
	}
	return active
}
