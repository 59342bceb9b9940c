package tree

import (
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

// Row returns what is known of an agent.
func (r *Model) Row(id society.AgentID) (api.Row, bool) {
	if n := r.nodes[id]; n != nil {
		return n.row, true
	}
	return api.Row{}, false
}

// Name returns what an agent is called on the screen; its id when it is not
// known.
func (r *Model) Name(id society.AgentID) string {
	switch n := r.nodes[id]; {
	case n != nil:
		return n.name()
	case id == society.User:
		return r.words.InboxMin
	}
	return string(id)
}

// Path returns the agents from root down to id, both with it. It is empty for an
// agent that is not known.
func (r *Model) Path(id society.AgentID) []society.AgentID {
	var path []society.AgentID
	for n := r.nodes[id]; n != nil; n = n.parent {
		path = append(path, n.row.ID)
	}
	slices.Reverse(path)
	return path
}

// Subtree returns id and all agents below it, parents before their children.
func (r *Model) Subtree(id society.AgentID) []society.AgentID {
	n := r.nodes[id]
	if n == nil {
		return nil
	}
	var all []society.AgentID
	var walk func(*node)
	walk = func(n *node) {
		all = append(all, n.row.ID)
		for _, kid := range n.kids {
			walk(kid)
		}
	}
	walk(n)
	return all
}

// Below returns how many children an agent has, and its descendants by state.
func (r *Model) Below(id society.AgentID) (kids int, all symbols.Tally) {
	if n := r.nodes[id]; n != nil {
		return len(n.kids), n.below()
	}
	return 0, symbols.Tally{}
}

// Use returns what an agent and all below it have used, those that are gone with
// them.
func (r *Model) Use(id society.AgentID) society.Usage {
	if n := r.nodes[id]; n != nil {
		return n.use
	}
	return society.Usage{}
}

// Total counts all agents by state.
func (r *Model) Total() symbols.Tally {
	var t symbols.Tally
	for _, n := range r.roots {
		t.Plus(&n.sum)
	}
	return t
}

// Len returns how many agents there are.
func (r *Model) Len() int { return len(r.nodes) }

// NeedYou returns the agents that ask or failed, the one that has waited longest
// first.
func (r *Model) NeedYou() []api.Row {
	waiting := r.waiting()
	rows := make([]api.Row, len(waiting))
	for i, n := range waiting {
		rows[i] = n.row
	}
	return rows
}

func (r *Model) waiting() []*node {
	waiting := make([]*node, 0, len(r.need))
	for _, n := range r.need {
		waiting = append(waiting, n)
	}
	slices.SortFunc(waiting, func(a, b *node) int {
		if c := a.row.Since.Compare(b.row.Since); c != 0 {
			return c
		}
		return bySpawn(a, b)
	})
	return waiting
}

// Marked returns the marked agents in spawn order.
func (r *Model) Marked() []society.AgentID {
	var marked []*node
	if r.marks > 0 {
		for _, n := range r.nodes {
			if n.marked {
				marked = append(marked, n)
			}
		}
	}
	slices.SortFunc(marked, bySpawn)
	ids := make([]society.AgentID, len(marked))
	for i, n := range marked {
		ids[i] = n.row.ID
	}
	return ids
}

// Targets returns whom a verb is for: the marked agents, or the selected one
// when none is marked.
func (r *Model) Targets() []society.AgentID {
	if r.marks > 0 {
		return r.Marked()
	}
	return []society.AgentID{r.Selected()}
}
