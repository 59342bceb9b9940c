package runtime

import (
	"container/list"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// memoryMost bounds the bytes of conversations that are kept beside the store.
const memoryMost = 32 << 20

// A memory keeps what was read of conversations, so that a call of a model reads
// only what is new. What is settled never changes: entries are only ever added
// behind it, and what a compression takes away leaves from the front. So nothing
// that is kept can be out of date, and only the end of an agent, a reload of the
// state and the bound take something out again. Of the bound, those go first that
// were not looked at for longest.
type memory struct {
	mu    sync.Mutex
	most  int
	bytes int
	kept  map[society.AgentID]*recollection
	order *list.List // of *recollection, the one that was looked at last in front
}

// A recollection is what is kept of one agent's conversation, [from,upto) of its
// slots. Its memory's mutex guards it.
type recollection struct {
	agent      society.AgentID
	from, upto uint64
	// entries is only appended to, so that whoever was given a part of it keeps
	// what it saw.
	entries []conversation.Entry
	bytes   int
	// place is nil when nobody will look here any more: what a worker brings then
	// is not kept.
	place *list.Element
}

func newMemory(most int) *memory {
	return &memory{most: most, kept: map[society.AgentID]*recollection{}, order: list.New()}
}

// of returns where the conversation of a living agent is kept. Only the loop calls
// it, so that none of an agent that was forgotten comes back.
func (m *memory) of(agent society.AgentID) *recollection {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.kept[agent]
	if c == nil {
		c = &recollection{agent: agent}
		c.place = m.order.PushFront(c)
		m.kept[agent] = c
		m.count(c, emptyRecollection)
	}
	m.bound(c)
	return c
}

// recalled returns what is kept from a slot on, and the slot at which to read on.
// What lies before it will not be asked for again.
func (m *memory) recalled(c *recollection, first uint64) (entries []conversation.Entry, upto uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.place == nil || c.from > first || c.upto < first {
		return nil, first
	}
	gone := 0
	for gone < len(c.entries) && c.entries[gone].Slot < first {
		m.count(c, -sizeOf(&c.entries[gone]))
		gone++
	}
	if gone > 0 {
		c.entries = slices.Clone(c.entries[gone:])
	}
	c.from = first
	return slices.Clip(c.entries), c.upto
}

// keep adds entries that were read from a slot on, in order, to those that were
// recalled: of them those that lie before settled. It returns all of them.
func (m *memory) keep(c *recollection, recalled []conversation.Entry, from, settled uint64, read []conversation.Entry) []conversation.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	whole := m.add(c, from, settled, read)
	if whole && len(c.entries) == len(recalled)+len(read) {
		return slices.Clip(c.entries)
	}
	return append(recalled, read...)
}

// add says whether it has added the entries: it does not if another worker was
// quicker, the agent is forgotten, or they are too many. The caller holds mu.
func (m *memory) add(c *recollection, from, settled uint64, read []conversation.Entry) bool {
	switch {
	case c.place == nil || settled < from || c.upto > from && c.from <= from:
		return false
	case c.upto != from: // what is kept does not join up with it
		m.empty(c)
		c.from = from
	}
	for i := range read {
		if read[i].Slot < settled {
			c.entries = append(c.entries, read[i])
			m.count(c, sizeOf(&read[i]))
		}
	}
	c.upto = settled
	m.bound(c)
	return c.upto == settled
}

// forget drops what is kept of an agent that is gone.
func (m *memory) forget(agent society.AgentID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.kept[agent]; c != nil {
		m.drop(c)
	}
}

// clear drops all of it.
func (m *memory) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.kept {
		m.drop(c)
	}
}

func (m *memory) count(c *recollection, bytes int) {
	c.bytes += bytes
	m.bytes += bytes
}

// bound keeps to the bound: by dropping others than c, which is looked at now, and
// if it alone is too large, that too. The caller holds mu.
func (m *memory) bound(c *recollection) {
	m.order.MoveToFront(c.place)
	for last := m.order.Back(); m.bytes > m.most && last != c.place; last = m.order.Back() {
		m.drop(last.Value.(*recollection)) //nolint:forcetypeassert // nothing else is in it
	}
	if m.bytes > m.most {
		m.empty(c)
	}
}

func (m *memory) empty(c *recollection) {
	m.bytes -= c.bytes - emptyRecollection
	c.bytes, c.entries, c.from, c.upto = emptyRecollection, nil, 0, 0
}

func (m *memory) drop(c *recollection) {
	m.bytes -= c.bytes
	m.order.Remove(c.place)
	delete(m.kept, c.agent)
	c.place, c.entries, c.bytes = nil, nil, 0
}

// emptyRecollection is about what the memory takes for an agent of which nothing
// is kept.
const emptyRecollection = 256

// sizeOf is about what an entry takes in memory.
func sizeOf(e *conversation.Entry) int {
	n := int(reflect.TypeFor[conversation.Entry]().Size()) + len(e.Text) + len(e.Body) + len(e.Reasoning) + len(e.Extra)
	for _, c := range e.Calls {
		n += int(reflect.TypeFor[conversation.Call]().Size()) + len(c.Arguments) + len(c.Problem) + len(c.Extra)
	}
	return n
}

// recall returns what was said, from the memory and, for what is not in it, from
// the store, and reads what the agent was given. The entries must not be changed.
func (r *Runtime) recall(t *thought) (entries []conversation.Entry, err error) {
	kept, from := r.memory.recalled(t.memory, t.tail.First)
	err = r.cfg.Store.View(func(tx storage.Tx) (err error) {
		if t.system, err = system(tx, t.lang, &t.prompt); err != nil {
			return err
		}
		if r.cfg.Check {
			r.checkMemory(tx, t, kept)
		}
		entries, err = tables.Entries(tx, t.work.Agent, from, t.tail.Next)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the conversation of %s: %w", t.work.Agent, err)
	}
	return r.memory.keep(t.memory, kept, from, t.tail.Settled(), entries), nil
}

// checkMemory panics if what is kept is not what the store has: a test's memory is
// wrong. An agent whose rows are being swept has none to compare with.
func (r *Runtime) checkMemory(tx storage.Tx, t *thought, kept []conversation.Entry) {
	stored, err := tables.Entries(tx, t.work.Agent, t.tail.First, t.tail.Next)
	if err != nil || len(stored) == 0 || len(kept) == 0 {
		return
	}
	if n := len(kept); n > len(stored) || !reflect.DeepEqual(kept, stored[:n]) {
		panic(fmt.Sprintf("%s remembers %d entries that are not those of its conversation", t.work.Agent, n))
	}
}
