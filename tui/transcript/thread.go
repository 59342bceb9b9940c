package transcript

import (
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
	"society-tui/tui/scroll"
)

// A thread is one conversation as far as it is in memory: its entries, the items
// that they are shown as, and where the user is in it.
type thread struct {
	model *Model
	agent society.AgentID

	entries []conversation.Entry // in the order of their slots
	waiting []api.Waiting
	from    uint64 // the lowest slot that is in memory
	first   uint64 // the lowest there is
	next    uint64

	known   bool // something was read
	asked   bool // something is being read
	stale   bool // it is to be read again from changed on
	changed uint64
	failed  string // why it could not be read

	row    api.Row
	graph  *graph.Graph // of the agent's role
	draft  draft
	stored []*item // what the entries are shown as
	items  []*item // the same, and behind it what goes on now
	list   *scroll.List
	folds  map[foldKey]fold
	sought time.Time // what was said then is gone to, see Seek
	wish   *view     // where to go back to, as soon as it is here
}

func newThread(r *Model, id society.AgentID) *thread {
	t := &thread{model: r, agent: id, folds: make(map[foldKey]fold)}
	t.list = scroll.New(t)
	return t
}

// Len and Height make a thread what a scroll.List shows.
func (t *thread) Len() int { return len(t.items) }

// Height returns the rows of item i at the present width.
func (t *thread) Height(i int) int {
	if t.model.width == 0 {
		return 1 // it was never drawn: all heights will be asked for again
	}
	return t.items[i].lay(t.model, t, t.model.width)
}

// redraw forgets everything that was laid out.
func (t *thread) redraw() {
	for _, it := range t.items {
		it.laid = false
	}
	if t.draft.on {
		t.draft.redraw(t.model)
	}
	t.live()
	t.list.Reflow()
}

// standing takes over what the agent does.
func (t *thread) standing(row api.Row) {
	t.row = row
	t.live()
}

// rebuild makes the items anew from the entries. Those that stayed as they were
// keep what was laid out of them.
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

// shift tells the list what came and went at the beginning, so that what is seen
// stays where it is, and from where on it is to be measured again.
func (t *thread) shift(before []*item) {
	if len(before) == 0 || len(t.stored) == 0 {
		t.list.Cut(0)
		return
	}
	gone := 0
	came := indexOf(t.stored, before[0].id)
	if came < 0 {
		came = 0
		if gone = indexOf(before, t.stored[0].id); gone < 0 {
			t.list.Cut(0)
			return
		}
	}
	if came > 0 {
		t.list.Prepended(came)
	}
	if gone > 0 {
		t.list.Dropped(gone)
	}
	for i := came; i < len(t.stored); i++ {
		j := i - came + gone
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
