// Package replica is the client's copy of a society: its agents with sums over
// subtrees, their order, who needs the user, and facts about the whole. The
// screen, plain mode and a remote client read it.
//
// Text that models, tools and files wrote is cleaned on entry, so that
// everything a Society returns is safe to draw, each text in one line.
package replica

import (
	"maps"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

// A Society is the copy. One goroutine uses it. Use New.
type Society struct {
	user   string // the user's name
	agents map[society.AgentID]*Agent
	former map[society.AgentID]string // names of agents that were removed
	roots  []*Agent                   // root, and agents whose parent is unknown
	need   map[society.AgentID]*Agent

	graphs map[graph.Version]*graph.Graph

	approvals map[uint64]api.Approval
	asked     map[society.AgentID]uint64 // the first that waits
	ended     map[uint64]api.ApprovalEnd // by the last Apply
	mode      approval.Mode
	sandbox   api.Sandbox

	order    Order
	unsorted bool
	shape    uint64
	revision uint64

	known    bool
	unread   int
	usage    society.Usage
	currency string
	budgets  []society.BudgetStatus
	streamed int64
	model    string
	health   map[string]string
	unsaved  string
	working  bool
	servers  int
	screens  int
	cut      bool
}

// New returns an empty copy. Name returns user for the user.
func New(user string) *Society {
	return &Society{
		user: user, agents: make(map[society.AgentID]*Agent), former: make(map[society.AgentID]string), need: make(map[society.AgentID]*Agent), graphs: make(map[graph.Version]*graph.Graph),
		approvals: make(map[uint64]api.Approval), ended: make(map[uint64]api.ApprovalEnd), asked: make(map[society.AgentID]uint64),
	}
}

// Applied tells what an Apply changed besides rows and numbers.
type Applied struct {
	Removed   []society.AgentID
	Renamed   bool // a name on the screen changed
	Inbox     bool // the number of unread messages to the user changed
	Health    bool // the health of a model changed
	Servers   bool // an MCP server has changed
	WorkEnded bool // no agent works any more
}

// Apply applies changes, whose texts it cleans.
func (s *Society) Apply(c *api.Changes) Applied {
	clean(c)
	s.approve(c)
	first := !s.known
	var did Applied
	if c.All {
		did.Removed = s.keepOnly(c.Rows)
	}
	for i := range c.Rows {
		did.Renamed = s.put(&c.Rows[i]) || did.Renamed
	}
	did.Removed = append(did.Removed, s.Remove(c.Gone)...)
	if s.order != BySpawn && len(c.Rows) > 0 {
		s.unsorted = true
	}
	if c.All {
		s.known = true
		s.Sort()
	}
	did.Inbox = s.unread != c.Inbox
	did.Health = !maps.Equal(s.health, c.Health)
	did.Servers = s.servers != c.Servers || c.All && c.Servers > 0 // another process may count anew
	did.WorkEnded = s.work(c, first)
	s.unread, s.usage, s.streamed = c.Inbox, c.Usage, c.Streamed
	s.currency, s.budgets = c.Currency, c.Budgets
	s.model, s.health, s.unsaved = c.Model, c.Health, c.Unsaved
	s.servers, s.screens, s.cut, s.sandbox = c.Servers, c.Screens, c.Disconnected, c.Sandbox
	s.revision++
	return did
}

// Stays reports whether changes tell nothing of the society, but of what clients keep.
func (s *Society) Stays(c *api.Changes) bool {
	return !c.All && len(c.Rows)+len(c.Gone)+len(c.Rewritten)+len(c.Streaming)+len(c.Log)+c.Missed == 0 && !c.Leaving &&
		s.servers == c.Servers && s.screens == c.Screens && s.cut == c.Disconnected && s.sandbox.State == c.Sandbox.State && s.unread == c.Inbox && s.usage == c.Usage && s.streamed == c.Streamed && s.model == c.Model && s.unsaved == c.Unsaved && maps.Equal(s.health, c.Health)
}

// AddGraphs adds graphs that rows of the next Apply refer to. Their texts are
// cleaned where they are drawn.
func (s *Society) AddGraphs(graphs map[graph.Version]*graph.Graph) { maps.Copy(s.graphs, graphs) }

// Graph returns a graph, or nil if version is "" or unknown.
func (s *Society) Graph(version graph.Version) *graph.Graph { return s.graphs[version] }

// work updates IsWorking, and reports whether work has ended. Work that began
// and ended since the last call has left only its usage, in changes that tell
// All too: they come to a client that is behind, or that was cut off. Less usage is
// that of a process that has not done this work.
func (s *Society) work(c *api.Changes, first bool) (ended bool) {
	total := s.Total()
	used, before := c.Usage.Tokens(), s.usage.Tokens()
	worked := s.working || used > before && !first
	s.working = total.Busy() > 0
	return worked && !s.working
}

// Remove removes ended agents before Changes do, and returns those that were
// present.
func (s *Society) Remove(ids []society.AgentID) []society.AgentID {
	var removed []society.AgentID
	for _, id := range ids {
		if a := s.agents[id]; a != nil {
			s.former[id] = a.Name()
			s.drop(a)
			removed = append(removed, id)
		}
	}
	if s.order != BySpawn && len(removed) > 0 {
		s.unsorted = true
	}
	return removed
}

// keepOnly removes all agents without a row, and returns them.
func (s *Society) keepOnly(rows []api.Row) []society.AgentID {
	present := make(map[society.AgentID]bool, len(rows))
	for i := range rows {
		present[rows[i].ID] = true
	}
	var others []society.AgentID
	for id := range s.agents {
		if !present[id] {
			others = append(others, id)
		}
	}
	return s.Remove(others)
}

// put adds or updates the agent of a row, and reports whether its name on the screen
// changed.
func (s *Society) put(row *api.Row) (renamed bool) {
	s.asking(row)
	a := s.agents[row.ID]
	switch {
	case a == nil:
		a = s.add(row)
	case a.Row.Parent != row.Parent || a.Row.Order != row.Order:
		renamed = isRenamed(&a.Row, row)
		s.unlink(a)
		a.update(row)
		s.link(a)
	default:
		renamed = isRenamed(&a.Row, row)
		a.update(row)
	}
	if a.Kind.NeedsYou() {
		s.need[row.ID] = a
	} else {
		delete(s.need, row.ID)
	}
	return renamed
}

func isRenamed(old, now *api.Row) bool { return old.Name != now.Name || old.Sole != now.Sole }

func (s *Society) add(row *api.Row) *Agent {
	a := &Agent{Row: *row, Kind: symbols.Of(row), Usage: own(row), Version: 1}
	a.Sum.Add(a.Kind, 1)
	a.weight = a.weightBy(s.order)
	s.agents[row.ID] = a
	delete(s.former, row.ID)
	s.link(a)
	// Rows come in any order: its children may have been first.
	for i := 0; i < len(s.roots); {
		if child := s.roots[i]; child.Row.Parent == row.ID && child != a {
			s.unlink(child)
			s.link(child)
			continue
		}
		i++
	}
	return a
}

// link puts a below its parent, or among the roots until that is present.
func (s *Society) link(a *Agent) {
	s.shape++
	a.Parent = s.agents[a.Row.Parent]
	if a.Parent == nil {
		s.roots = insert(s.roots, a)
		return
	}
	a.Parent.Children = insert(a.Parent.Children, a)
	a.Parent.grow(&a.Sum, a.Usage)
}

func (s *Society) unlink(a *Agent) {
	s.shape++
	if a.Parent == nil {
		s.roots = without(s.roots, a)
		return
	}
	a.Parent.Children = without(a.Parent.Children, a)
	a.Parent.shrink(&a.Sum, a.Usage)
	a.Parent = nil
}

// drop removes an agent. Its remaining children are named by the same change;
// until then they are roots.
func (s *Society) drop(a *Agent) {
	s.unlink(a)
	for _, child := range a.Children {
		child.Parent = nil
		s.roots = insert(s.roots, child)
	}
	a.Children = nil
	delete(s.agents, a.Row.ID)
	delete(s.need, a.Row.ID)
}
