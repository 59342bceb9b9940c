package runtime

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"sync"

	"society-tui/llm"
	"society-tui/runtime/conversation"
)

// A history keeps the messages that were made of the settled entries of one
// conversation, so that each is made, and weighed, once. They are those that the
// trunk of the agent's graph sees. Workers of the agent use it one after the
// other.
type history struct {
	mu sync.Mutex
	// first is the slot at which the conversation began when they were made, upto
	// that behind the last entry.
	first, upto uint64
	// model receives the messages, and budgets limits each text: both decide how an entry
	// is rendered.
	model   string
	budgets conversation.Budgets
	// messages is only appended to, so that whoever was given a part of it keeps
	// what it saw.
	messages []llm.Message
	weight   int
}

// of returns the messages of a conversation and what they weigh. The messages must
// not be changed, and what is appended to them is the caller's own.
func (h *history) of(t *modelCall, entries []conversation.Entry) ([]llm.Message, int) {
	settled := before(entries, t.tail.Settled())
	if len(t.branches) > 0 || slices.ContainsFunc(entries[settled:], goesInFront) {
		return t.extend(nil, 0, conversation.Seen(entries, t.branches))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	known := before(entries, h.upto)
	again := h.first != t.tail.First || h.model != t.model.Name || h.budgets != t.budgets ||
		h.upto > t.tail.Settled() || // another worker has seen more
		slices.ContainsFunc(entries[known:], goesInFront)
	if again {
		h.first, h.upto, h.model, h.budgets, h.messages, h.weight = t.tail.First, 0, t.model.Name, t.budgets, nil, 0
		known = 0
	}
	h.messages, h.weight = t.extend(h.messages, h.weight, conversation.Seen(entries[known:settled], nil))
	h.upto = t.tail.Settled()
	return t.extend(slices.Clip(h.messages), h.weight, conversation.Seen(entries[settled:], nil))
}

func goesInFront(e conversation.Entry) bool { return e.Kind == conversation.Summary }

// before counts the entries that stand before a slot.
func before(entries []conversation.Entry, slot uint64) int {
	return sort.Search(len(entries), func(i int) bool { return entries[i].Slot >= slot })
}

// checkHistory panics if the messages are not those that the whole conversation
// makes: a test's history is wrong.
func (t *modelCall) checkHistory(entries []conversation.Entry, messages []llm.Message, weight int) {
	whole, heavy := t.extend(nil, 0, conversation.Seen(entries, t.branches))
	if weight != heavy || len(whole)+len(messages) > 0 && !reflect.DeepEqual(messages, whole) {
		panic(fmt.Sprintf("%s is to be sent %d messages of weight %d that are not those of its conversation", t.item.Agent, len(messages), weight))
	}
}
