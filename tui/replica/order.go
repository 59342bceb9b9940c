package replica

import (
	"cmp"
	"math"
	"slices"

	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

// An Order is the order of siblings. Root is always first.
type Order uint8

const (
	// BySpawn is the order of creation, which never changes.
	BySpawn Order = iota
	// ByActivity puts working subtrees first, then those that became idle last.
	ByActivity
	// ByState puts subtrees first that need the user, then paused or stopped
	// agents, working, waiting and idle ones.
	ByState
	// ByTokens puts the subtrees first that used most.
	ByTokens
	orders
)

// Order returns the order of the agents.
func (s *Society) Order() Order { return s.order }

// SortBy sorts in another order. An invalid one is ignored.
func (s *Society) SortBy(o Order) {
	if o < orders {
		s.order, s.unsorted = o, true
		s.Sort()
	}
}

// CycleOrder sorts in the next order, and after the last in the first.
func (s *Society) CycleOrder() { s.SortBy((s.order + 1) % orders) }

// IsUnsorted reports whether a sort could change the order. In order of
// creation it never can.
func (s *Society) IsUnsorted() bool { return s.unsorted }

// Sort restores the order. Apply sorts only a complete update, so that the
// caller decides how often lines move; new agents are inserted in place.
func (s *Society) Sort() {
	if !s.unsorted {
		return
	}
	s.unsorted = false
	weigh(s.roots, s.order)
	s.sort(s.roots)
}

// weigh computes the sort keys of siblings and their descendants, and returns
// the largest.
func weigh(siblings []*Agent, by Order) int64 {
	most := int64(math.MinInt64)
	for _, a := range siblings {
		a.weight = max(a.weightBy(by), weigh(a.Children, by))
		most = max(most, a.weight)
	}
	if by == ByTokens || by == BySpawn {
		return math.MinInt64 // an agent's key includes its subtree's
	}
	return most
}

// weightBy returns the sort key of one agent: the largest is first.
func (a *Agent) weightBy(by Order) int64 {
	switch by {
	case ByActivity:
		switch {
		case a.Kind.Busy():
			return math.MaxInt64
		case a.Row.Since.IsZero():
			return math.MinInt64
		}
		return a.Row.Since.UnixNano()
	case ByState:
		return a.Urgency()
	case ByTokens:
		return int64(a.Usage.Input + a.Usage.Output)
	}
	return 0
}

// urgency ranks states by how much they need attention.
var urgency = [...]int64{
	symbols.Asks: 9, symbols.Failed: 8, symbols.Paused: 7, symbols.Stopped: 6, symbols.Retry: 5,
	symbols.Thinking: 4, symbols.Tool: 4, symbols.Slot: 4, symbols.Pausing: 4, symbols.Stopping: 4, symbols.Draining: 4, symbols.Terminating: 4,
	symbols.Waits: 3, symbols.Reported: 2, symbols.Idle: 1,
}

// Urgency ranks the agent's state: the largest needs attention most.
func (a *Agent) Urgency() int64 { return urgency[a.Kind] }

// sort orders siblings and their descendants by sort key.
func (s *Society) sort(siblings []*Agent) {
	if !slices.IsSortedFunc(siblings, compare) {
		slices.SortFunc(siblings, compare)
		s.shape++
	}
	for _, a := range siblings {
		s.sort(a.Children)
	}
}

// compare orders siblings.
func compare(a, b *Agent) int {
	return cmp.Or(
		cmp.Compare(pinned(a), pinned(b)),
		cmp.Compare(b.weight, a.weight),
		CompareSpawn(a, b),
	)
}

// pinned is less for root, which may stand beside agents whose parent is
// unknown.
func pinned(a *Agent) int {
	if a.Row.ID == society.Root {
		return 0
	}
	return 1
}
