package runtime

import (
	"bytes"
	"container/list"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"society-tui/llm"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// cacheBytes bounds the bytes of conversations that are kept beside the store.
const cacheBytes = 32 << 20

// A conversationCache keeps what was read of conversations, so that a call of a model reads
// only what is new. What is settled never changes: entries are only ever added
// behind it, and what a compression takes away leaves from the front. So nothing
// that is kept can be out of date, and only the end of an agent, a reload of the
// state and the bound take something out again. Of the bound, those go first that
// were not looked at for longest.
type conversationCache struct {
	mu    sync.Mutex
	most  int
	bytes int
	kept  map[society.AgentID]*cachedConversation
	order *list.List // of *cachedConversation, the last used in front
}

// A cachedConversation is the cached part [from,upto) of an agent's conversation, in
// slots. The mutex of its cache guards it.
type cachedConversation struct {
	agent      society.AgentID
	from, upto uint64
	// entries is only appended to, so that whoever was given a part of it keeps
	// what it saw.
	entries []conversation.Entry
	// fresh are entries from upto on, in no order: those that were written since the
	// conversation was last recalled, as far as they were told.
	fresh   []conversation.Entry
	history *history // what was made of the entries for a model
	told    int      // bytes of what it was given
	bytes   int
	// place is nil once it was dropped from the cache: what a worker adds then is lost.
	place *list.Element

	prompt *systemPrompt // owned by the loop
}

func newConversationCache(most int) *conversationCache {
	return &conversationCache{most: most, kept: map[society.AgentID]*cachedConversation{}, order: list.New()}
}

// of returns where the conversation of a living agent is kept. Only the loop calls
// it, so that none of an agent that was forgotten comes back.
func (m *conversationCache) of(agent society.AgentID) *cachedConversation {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.kept[agent]
	if c == nil {
		c = &cachedConversation{agent: agent, history: &history{}}
		c.place = m.order.PushFront(c)
		m.kept[agent] = c
		m.count(c, emptyConversation)
	}
	m.bound(c)
	return c
}

// learn keeps an entry that was just written, so that the next worker need not read
// it: of an agent that is remembered, and if it is not known anyway. An entry that
// is written again takes the place of the one before.
func (m *conversationCache) learn(agent society.AgentID, e conversation.Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.kept[agent]
	if c == nil || e.Slot < c.upto {
		return
	}
	m.count(c, sizeOf(&e))
	if i := c.learnt(e.Slot); i >= 0 {
		m.count(c, -sizeOf(&c.fresh[i]))
		c.fresh[i] = e
	} else {
		c.fresh = append(c.fresh, e)
	}
	m.bound(c)
}

// unlearn forgets an entry that is written again by who does not know it whole.
func (m *conversationCache) unlearn(agent society.AgentID, slot uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.kept[agent]; c != nil {
		if i := c.learnt(slot); i >= 0 {
			m.count(c, -sizeOf(&c.fresh[i]))
			c.fresh = slices.Delete(c.fresh, i, i+1)
		}
	}
}

// learnt returns where in fresh the entry of a slot is, -1 if it is not.
func (c *cachedConversation) learnt(slot uint64) int {
	return slices.IndexFunc(c.fresh, func(e conversation.Entry) bool { return e.Slot == slot })
}

// recalled returns what is kept of a conversation with this tail, and the slot at
// which to read on: the next one if there is nothing to be read. What lies before
// the first slot of the tail will not be asked for again.
func (m *conversationCache) recalled(c *cachedConversation, tail conversation.Tail) (entries []conversation.Entry, upto uint64, h *history) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.place == nil || c.from > tail.First || c.upto < tail.First {
		return nil, tail.First, &history{}
	}
	gone := 0
	for gone < len(c.entries) && c.entries[gone].Slot < tail.First {
		m.count(c, -sizeOf(&c.entries[gone]))
		gone++
	}
	if gone > 0 {
		c.entries = slices.Clone(c.entries[gone:])
	}
	c.from = tail.First
	open, all := c.settle(tail)
	// Another worker may have seen more, and kept it.
	entries = slices.Clip(c.entries[:before(c.entries, tail.Next)])
	if all {
		return append(entries, open...), tail.Next, c.history
	}
	return entries, c.upto, c.history
}

// settle moves what was learnt and is settled to the entries, if all that there is
// up to the tail's end was learnt. It returns the entries that are not settled.
func (c *cachedConversation) settle(tail conversation.Tail) (open []conversation.Entry, all bool) {
	at := make([]int, 0, 8)
	for slot := c.upto; slot < tail.Next; slot++ {
		i := c.learnt(slot)
		if i < 0 {
			return nil, false
		}
		at = append(at, i)
	}
	settled := tail.Settled()
	for _, i := range at {
		if c.fresh[i].Slot < settled {
			c.entries = append(c.entries, c.fresh[i])
		} else {
			open = append(open, c.fresh[i])
		}
	}
	c.upto = max(c.upto, settled)
	c.fresh = slices.DeleteFunc(c.fresh, func(e conversation.Entry) bool { return e.Slot < c.upto })
	return open, true
}

// keep adds entries that were read from a slot on, in order, to those that were
// recalled: of them those that lie before settled. It returns all of them.
func (m *conversationCache) keep(c *cachedConversation, recalled []conversation.Entry, from, settled uint64, read []conversation.Entry) []conversation.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	whole := m.add(c, from, settled, read)
	if whole && len(c.entries) == len(recalled)+len(read) {
		return slices.Clip(c.entries)
	}
	return append(recalled, read...)
}

// add reports whether it has added the entries: it does not if another worker was
// quicker, the agent is forgotten, or they are too many. The caller holds mu.
func (m *conversationCache) add(c *cachedConversation, from, settled uint64, read []conversation.Entry) bool {
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
	m.overtake(c)
	m.bound(c)
	return c.upto == settled
}

// overtake forgets what was learnt and is among the entries by now.
func (m *conversationCache) overtake(c *cachedConversation) {
	c.fresh = slices.DeleteFunc(c.fresh, func(e conversation.Entry) bool {
		gone := e.Slot < c.upto
		if gone {
			m.count(c, -sizeOf(&e))
		}
		return gone
	})
}

// tell counts what an agent was given.
func (m *conversationCache) tell(c *cachedConversation, bytes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.place != nil && c.told != bytes {
		m.count(c, bytes-c.told)
		c.told = bytes
		m.bound(c)
	}
}

// forget drops what is kept of an agent that is gone.
func (m *conversationCache) forget(agent society.AgentID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.kept[agent]; c != nil {
		m.drop(c)
	}
}

// clear drops all of it.
func (m *conversationCache) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.kept {
		m.drop(c)
	}
}

func (m *conversationCache) count(c *cachedConversation, bytes int) {
	c.bytes += bytes
	m.bytes += bytes
}

// bound evicts the least recently used conversations other than c, and c itself if it
// alone is too large. The caller holds mu.
func (m *conversationCache) bound(c *cachedConversation) {
	m.order.MoveToFront(c.place)
	for last := m.order.Back(); m.bytes > m.most && last != c.place; last = m.order.Back() {
		m.drop(last.Value.(*cachedConversation)) //nolint:forcetypeassert // nothing else is in it
	}
	if m.bytes > m.most {
		m.empty(c)
	}
}

func (m *conversationCache) empty(c *cachedConversation) {
	m.bytes -= c.bytes - emptyConversation
	c.bytes, c.told, c.entries, c.fresh, c.from, c.upto = emptyConversation, 0, nil, nil, 0, 0
	c.history = &history{}
}

func (m *conversationCache) drop(c *cachedConversation) {
	m.bytes -= c.bytes
	m.order.Remove(c.place)
	delete(m.kept, c.agent)
	c.place, c.entries, c.fresh, c.history, c.bytes, c.told = nil, nil, nil, nil, 0, 0
}

// emptyConversation is the estimated size of a cached agent without entries.
const emptyConversation = 256

// sizeOf is about what an entry takes in memory, with the message that is made of it.
func sizeOf(e *conversation.Entry) int {
	n := int(reflect.TypeFor[conversation.Entry]().Size()+reflect.TypeFor[llm.Message]().Size()) + len(e.Text) + len(e.Body) + len(e.Reasoning) + len(e.Extra)
	for _, c := range e.Calls {
		n += int(reflect.TypeFor[conversation.Call]().Size()+reflect.TypeFor[llm.Call]().Size()) + len(c.Arguments) + len(c.Problem) + len(c.Extra)
	}
	return n
}

// recall returns what was said, from the memory and, for what is not in it, from
// the store, and what the agent was given. The entries must not be changed.
func (r *Runtime) recall(t *modelCall) (entries []conversation.Entry, err error) {
	system, weight, err := t.prompt.system(r.cfg.Store, t.lang)
	if err != nil {
		return nil, err
	}
	r.cache.tell(t.cached, len(system))
	t.system = protocol.Warned(t.lang, r.withInstructions(t.lang, t.budgets.Message, system), t.warning)
	t.weight = weight + conversation.Estimate(t.system[len(system):]) + t.toolSet.weight
	kept, from, said := r.cache.recalled(t.cached, t.tail)
	t.said = said
	if r.cfg.Check {
		r.checkMemory(t, kept)
	}
	if from == t.tail.Next {
		return kept, nil
	}
	err = r.cfg.Store.View(func(tx storage.Tx) (err error) {
		entries, err = rememberedEntries(tx, t.item.Agent, from, t.tail.Next)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the conversation of %s: %w", t.item.Agent, err)
	}
	return r.cache.keep(t.cached, kept, from, t.tail.Settled(), entries), nil
}

// rememberedEntries returns entries as they are remembered: where a text was kept makes no
// difference to a model, and what was set aside is not for it.
func rememberedEntries(tx storage.Tx, agent society.AgentID, from, upto uint64) ([]conversation.Entry, error) {
	entries, err := tables.Entries(tx, agent, from, upto)
	entries = slices.DeleteFunc(entries, func(e conversation.Entry) bool { return !e.SetAside.IsZero() })
	for i := range entries {
		if !entries[i].HasImage() {
			entries[i].Kept = nil
		}
	}
	return entries, err
}

// learn adds the entries of a committed batch to the cache. Only messages of the same
// batch have their text.
func (r *Runtime) learn(events []society.Event) {
	for i, e := range events {
		r.followRewind(e)
		if e, ok := e.(society.Writes); ok {
			for agent, entry := range e.Written() {
				if entry.Seq != 0 {
					letter, ok := letterIn(events[:i], agent, entry.Seq)
					if !ok {
						continue
					}
					entry.Text, entry.Body, entry.Attached = letter.Text, letter.Body, letter.Mail.Attached
				}
				r.cache.learn(agent, entry)
			}
		}
		if e, ok := e.(society.Rewrites); ok {
			r.cache.unlearn(e.Rewritten())
		}
	}
}

// letterIn finds the message to an agent that was accepted with its text.
func letterIn(events []society.Event, to society.AgentID, seq uint64) (society.MessageQueued, bool) {
	for _, e := range slices.Backward(events) {
		if a, ok := e.(society.MessageQueued); ok && a.To == to && a.Mail.Seq == seq {
			return a, a.Held == nil // else its text is in the store alone
		}
	}
	return society.MessageQueued{}, false
}

// checkMemory panics if what is kept is not what the store has: a test's memory is
// wrong. An agent whose rows are being swept has none to compare with.
func (r *Runtime) checkMemory(t *modelCall, kept []conversation.Entry) {
	var stored []conversation.Entry
	err := r.cfg.Store.View(func(tx storage.Tx) (err error) {
		stored, err = rememberedEntries(tx, t.item.Agent, t.tail.First, t.tail.Next)
		return err
	})
	if err != nil || len(stored) == 0 || len(kept) == 0 {
		return
	}
	n := len(kept)
	if n <= len(stored) {
		// As they are stored: a point in time that was read has lost its clock.
		have, err := json.Marshal(kept)
		want, err2 := json.Marshal(stored[:n])
		if err == nil && err2 == nil && bytes.Equal(have, want) {
			return
		}
	}
	panic(fmt.Sprintf("%s remembers %d entries that are not those of its conversation", t.item.Agent, n))
}
