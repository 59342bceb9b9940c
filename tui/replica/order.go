package replica

import (
	"cmp"
	"math"
	"slices"

	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

// An Order says which of an agent's children is first. Root is always first of all.
type Order uint8

// The orders.
const (
	// BySpawn is how they were made: it never changes under the eyes.
	BySpawn Order = iota
	// ByActivity puts those first below whom somebody works, then those where
	// somebody came to rest last.
	ByActivity
	// ByState puts those first who need the user, or have somebody below them who
	// does; then who is paused or stopped, who works, who waits, and who is at rest.
	ByState
	// ByTokens puts those first who have used most, with all below them.
	ByTokens
	orders
)

// Order returns the order of the agents.
func (s *Society) Order() Order { return s.order }

// SortBy sorts in another order. One that does not exist changes nothing.
func (s *Society) SortBy(o Order) {
	if o < orders {
		s.order, s.unsorted = o, true
		s.Sort()
	}
}

// CycleOrder sorts in the next order, and after the last one in the first.
func (s *Society) CycleOrder() { s.SortBy((s.order + 1) % orders) }

// IsUnsorted reports whether anything has changed since the last sort that the order
// depends on: never in the order of spawning.
func (s *Society) IsUnsorted() bool { return s.unsorted }

// Sort restores the order. Apply does that only when all agents are told anew, so that
// who draws them says how often lines move: agents that are new take their place at once.
func (s *Society) Sort() {
	if !s.unsorted {
		return
	}
	s.unsorted = false
	weigh(s.roots, s.order)
	s.sort(s.roots)
}

// weigh notes what the order compares, of all agents, and returns the most of it.
func weigh(siblings []*Agent, by Order) int64 {
	most := int64(math.MinInt64)
	for _, a := range siblings {
		a.weight = max(a.weightBy(by), weigh(a.Children, by))
		most = max(most, a.weight)
	}
	if by == ByTokens || by == BySpawn {
		return math.MinInt64 // an agent's own weight holds its subtree's
	}
	return most
}

// weightBy is what an order compares, of one agent: the heaviest is first.
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
		return urgency[a.Kind]
	case ByTokens:
		return int64(a.Usage.Input + a.Usage.Output)
	}
	return 0
}

// urgency says how much a state wants to be seen.
var urgency = [...]int64{
	symbols.Asks: 9, symbols.Failed: 8, symbols.Paused: 7, symbols.Stopped: 6, symbols.Retry: 5,
	symbols.Thinking: 4, symbols.Tool: 4, symbols.Slot: 4, symbols.Pausing: 4, symbols.Stopping: 4, symbols.Draining: 4, symbols.Terminating: 4,
	symbols.Waits: 3, symbols.Reported: 2, symbols.Idle: 1,
}

// sort orders siblings, and all below them, by the weights that were noted.
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

// pinned is less for root, which may stand beside agents whose parent is not known.
func pinned(a *Agent) int {
	if a.Row.ID == society.Root {
		return 0
	}
	return 1
}
