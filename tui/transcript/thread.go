package transcript

import (
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
	"society-tui/tui/scroll"
)

// A thread is the part of a conversation that is in memory: its entries, their
// items, and the user's position.
type thread struct {
	model *Model
	agent society.AgentID

	entries []conversation.Entry // ordered by slot
	waiting []api.Waiting
	from    uint64 // lowest slot in memory
	first   uint64 // lowest slot that exists
	next    uint64

	known   bool // at least one page was read
	asked   bool // a page is being read
	stale   bool // read again from changed on
	changed uint64
	failed  string // why reading failed

	row     api.Row
	graph   *graph.Graph // of the agent's role
	draft   draft
	outputs map[string]*output // of running calls, by their ids
	running []int              // the items of running calls
	stored  []*item            // items of the entries
	items   []*item            // stored, followed by the live items
	list    *scroll.List
	folds   map[foldKey]fold
	home    bool      // go to the first entry, once it is in memory, see Model.Top
	sought  time.Time // go to this time, see Seek
	pending *view     // position to restore once its page is here
}

func newThread(r *Model, id society.AgentID) *thread {
	t := &thread{model: r, agent: id, folds: make(map[foldKey]fold)}
	t.list = scroll.New(t)
	return t
}

// Len returns the number of items, for scroll.List.
func (t *thread) Len() int { return len(t.items) }

// Height returns the rows of item i at the current width.
func (t *thread) Height(i int) int {
	if t.model.width == 0 {
		return 1 // never drawn: scroll.List asks for all heights again
	}
	return t.items[i].lay(t.model, t, t.model.width)
}

// redraw drops all layouts.
func (t *thread) redraw() {
	for _, it := range t.items {
		it.laid = false
		if it.call != nil {
			it.call.seen = false // an agent in it may have another name
		}
	}
	if t.draft.on {
		t.draft.redraw(t.model)
	}
	t.live()
	t.list.Reflow()
}

// standing sets the agent's current state.
func (t *thread) standing(row api.Row) {
	t.row = row
	t.live()
}

// rebuild makes the items from the entries. Unchanged items keep their layout.
func (t *thread) rebuild() {
	b := builder{thread: t, old: make(map[itemID]*item, len(t.stored))}
	for _, it := range t.stored {
		b.old[it.id] = it
	}
	b.build(t.entries)
	before := t.stored
	t.stored = b.items
	t.shift(before)
	t.live()
}

// shift tells the list which items were added and dropped at the beginning, so
// that visible rows stay in place, and from where to measure again.
func (t *thread) shift(before []*item) {
	if len(before) == 0 || len(t.stored) == 0 {
		t.list.Cut(0)
		return
	}
	dropped := 0
	came := indexOf(t.stored, before[0].id)
	if came < 0 {
		came = 0
		if dropped = indexOf(before, t.stored[0].id); dropped < 0 {
			t.list.Cut(0)
			return
		}
	}
	if came > 0 {
		t.list.Prepended(came)
	}
	if dropped > 0 {
		t.list.Dropped(dropped)
	}
	for i := came; i < len(t.stored); i++ {
		j := i - came + dropped
		if j >= len(before) || before[j] != t.stored[i] {
			t.list.Cut(i)
			return
		}
		if it := t.stored[i]; !it.laid {
			switch {
			case it.gap && !it.withGap:
				t.list.Pushed(i, 1)
			case !it.gap && it.withGap:
				t.list.Pushed(i, -1)
			default:
				t.list.Changed(i)
			}
		}
	}
	t.list.Cut(len(t.stored))
}

func indexOf(items []*item, id itemID) int {
	for i, it := range items {
		if it.id == id {
			return i
		}
	}
	return -1
}

// current returns the item under the cursor.
func (t *thread) current() (int, *item) {
	at, ok := t.list.Cursor()
	if !ok || at.Item >= len(t.items) {
		return -1, nil
	}
	return at.Item, t.items[at.Item]
}
