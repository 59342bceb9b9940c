package tree

import (
	"cmp"
	"math"
	"slices"

	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

// An Order says which of an agent's children stands first. Root always stands above
// all others, and the person above root.
type Order uint8

// The orders.
const (
	// BySpawn is how they were made: it never changes under the eyes.
	BySpawn Order = iota
	// ByActivity puts those first below whom somebody works, then those where
	// somebody came to rest last.
	ByActivity
	// ByState puts those first who need the person, or have somebody below them who
	// does; then who is paused or stopped, who works, who waits, and who is at rest.
	ByState
	// ByTokens puts those first who have used most, with all below them.
	ByTokens
	orders
)

// CycleOrder goes on to the next order, and from the last one to the first.
func (r *Model) CycleOrder() { r.sort((r.order + 1) % orders) }

// Order is how the agents stand.
func (r *Model) Order() Order { return r.order }

func (r *Model) sort(by Order) {
	r.order, r.unsorted = by, true
	r.Sort()
}

// Unsorted says whether anything has changed that the order looks at, since it was
// made: never in the order of spawning.
func (r *Model) Unsorted() bool { return r.unsorted }

// Sort puts the agents into their order again. It does not come by itself, so that
// how often lines move is for whoever draws them to say: only those that are new
// take their place at once. The selected agent stays selected and on its row of the
// screen, where it can.
func (r *Model) Sort() {
	if !r.unsorted {
		return
	}
	r.unsorted = false
	weigh(r.roots, r.order)
	r.reorder(r.roots)
}

// weigh notes what the order looks at, of all nodes, and returns the most of it.
func weigh(kids []*node, by Order) int64 {
	most := int64(math.MinInt64)
	for _, n := range kids {
		n.weight = max(n.weightBy(by), weigh(n.kids, by))
		most = max(most, n.weight)
	}
	if by == ByTokens || by == BySpawn {
		return math.MinInt64 // of these a node knows that of its subtree
	}
	return most
}

// weightBy is what an order looks at, of one agent: the heaviest stands first.
func (n *node) weightBy(by Order) int64 {
	switch by {
	case ByActivity:
		switch {
		case n.kind.Busy():
			return math.MaxInt64
		case n.row.Since.IsZero():
			return math.MinInt64
		}
		return n.row.Since.UnixNano()
	case ByState:
		return urgency[n.kind]
	case ByTokens:
		return int64(n.use.Input + n.use.Output)
	}
	return 0
}

// urgency says how much a state wants to be seen.
var urgency = [...]int64{
	symbols.Asks: 9, symbols.Failed: 8, symbols.Paused: 7, symbols.Stopped: 6, symbols.Retry: 5,
	symbols.Thinking: 4, symbols.Tool: 4, symbols.Slot: 4, symbols.Pausing: 4, symbols.Stopping: 4, symbols.Draining: 4, symbols.Terminating: 4,
	symbols.Waits: 3, symbols.Reported: 2, symbols.Idle: 1,
}

// reorder sorts by the weights that were noted.
func (r *Model) reorder(kids []*node) {
	if !slices.IsSortedFunc(kids, before) {
		slices.SortFunc(kids, before)
		r.stale = true
	}
	for _, n := range kids {
		r.reorder(n.kids)
	}
}

// before compares siblings as they are to stand.
func before(a, b *node) int {
	return cmp.Or(
		cmp.Compare(pinned(a), pinned(b)),
		cmp.Compare(b.weight, a.weight),
		bySpawn(a, b),
	)
}

// pinned is less for root, which may stand beside agents whose parent has not come.
func pinned(n *node) int {
	if n.row.ID == society.Root {
		return 0
	}
	return 1
}

// ordering is what the order is called.
func (r *Model) ordering() string {
	return [...]string{BySpawn: r.words.BySpawn, ByActivity: r.words.ByActivity, ByState: r.words.ByState, ByTokens: r.words.ByTokens}[r.order]
}
