package runtime

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
)

// A talk is a conversation as the store has it: entries before settled stay.
type talk struct {
	id             society.AgentID
	entries        []conversation.Entry
	first, settled uint64
}

func (a *talk) next() uint64 { return uint64(len(a.entries)) }

func (a *talk) tail() conversation.Tail {
	tail := conversation.Tail{First: a.first, Next: a.next()}
	if a.settled < a.next() {
		tail.Group = &conversation.Group{Slot: a.settled}
	}
	return tail
}

func (a *talk) from(slot uint64) []conversation.Entry { return a.entries[slot:] }

// Property: what is recalled, with what is read behind it, is the conversation as
// it is stored; what is kept has the size that is counted for it, never more than
// the bound; of an agent that was forgotten nothing comes back. All the while
// workers are between recalling and keeping, and what they were given stays.
func TestTheMemoryIsTheConversation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := newConversationCache(rapid.IntRange(1_000, 40_000).Draw(t, "bound"))
		talks := map[string]*talk{}
		type worker struct {
			of       *talk
			memory   *cachedConversation
			tail     conversation.Tail
			recalled []conversation.Entry
			upto     uint64
			stored   []conversation.Entry
			want     []conversation.Entry
		}
		var working []*worker
		some := rapid.SampledFrom([]string{"a-1", "b-1", "c-1"})
		at := func(t *rapid.T) *talk {
			name := some.Draw(t, "agent")
			if talks[name] == nil {
				talks[name] = &talk{id: society.AgentID(name)}
			}
			return talks[name]
		}
		t.Repeat(map[string]func(*rapid.T){
			"say": func(t *rapid.T) {
				a := at(t)
				for range rapid.IntRange(1, 5).Draw(t, "entries") {
					e := conversation.Entry{
						Slot: a.next(), Kind: conversation.Inbound, Text: strings.Repeat("x", rapid.IntRange(0, 2_000).Draw(t, "length")),
					}
					a.entries = append(a.entries, e)
					if rapid.Bool().Draw(t, "learnt") {
						m.learn(a.id, e)
					}
				}
			},
			"settle": func(t *rapid.T) {
				a := at(t)
				a.settled = rapid.Uint64Range(a.settled, a.next()).Draw(t, "settled")
			},
			"rewrite what is not settled": func(t *rapid.T) {
				a := at(t)
				if a.settled == a.next() {
					t.Skip("all is settled")
				}
				a.entries = slices.Clone(a.entries)
				slot := rapid.Uint64Range(a.settled, a.next()-1).Draw(t, "slot")
				a.entries[slot].Kind, a.entries[slot].Text = conversation.Superseded, "dropped"
				if rapid.Bool().Draw(t, "learnt") {
					m.learn(a.id, a.entries[slot])
				} else {
					m.unlearn(a.id, slot)
				}
			},
			"compress": func(t *rapid.T) {
				a := at(t)
				a.first = rapid.Uint64Range(a.first, a.settled).Draw(t, "first")
			},
			"begin": func(t *rapid.T) {
				a := at(t)
				w := &worker{of: a, memory: m.of(a.id), tail: a.tail()}
				w.recalled, w.upto, _ = m.recalled(w.memory, w.tail)
				w.stored = slices.Clone(a.from(w.upto))
				w.want = slices.Clone(a.from(a.first))
				working = append(working, w)
			},
			"end": func(t *rapid.T) {
				if len(working) == 0 {
					t.Skip("nobody works")
				}
				i := rapid.IntRange(0, len(working)-1).Draw(t, "worker")
				w := working[i]
				working = slices.Delete(working, i, i+1)
				got := m.keep(w.memory, w.recalled, w.upto, w.tail.Settled(), w.stored)
				if !reflect.DeepEqual(slices.Clip(got), w.want) && len(got)+len(w.want) > 0 {
					t.Fatalf("%s is given %d entries from %d on, and there are %d", w.of.id, len(got), w.tail.First, len(w.want))
				}
			},
			"tell": func(t *rapid.T) {
				m.tell(m.of(at(t).id), rapid.IntRange(0, 5_000).Draw(t, "bytes"))
			},
			"forget": func(t *rapid.T) {
				a := at(t)
				m.forget(a.id)
				if talks[string(a.id)] != a || m.kept[a.id] != nil {
					t.Fatal("it is still there")
				}
				delete(talks, string(a.id))
			},
			"reload": func(*rapid.T) { m.clear() },
			"": func(t *rapid.T) {
				sum := 0
				for id, c := range m.kept {
					own := emptyConversation + c.told
					for i := range c.entries {
						own += sizeOf(&c.entries[i])
					}
					for i := range c.fresh {
						own += sizeOf(&c.fresh[i])
					}
					if own != c.bytes || c.agent != id || c.place == nil {
						t.Fatalf("%s: %d bytes are counted, there are %d", id, c.bytes, own)
					}
					sum += own
				}
				if sum != m.bytes || m.bytes > m.most || m.order.Len() != len(m.kept) {
					t.Fatalf("%d bytes of at most %d, counted as %d", sum, m.most, m.bytes)
				}
			},
		})
	})
}

// The conversation that was not looked at for longest goes first, and one that is
// too large alone is not kept.
func TestTheMemoryKeepsToItsBound(t *testing.T) {
	t.Parallel()
	entry := conversation.Entry{Kind: conversation.Inbound, Text: strings.Repeat("x", 1_000)}
	m := newConversationCache(3 * (emptyConversation + sizeOf(&entry)))
	say := func(id society.AgentID, entries int) {
		c := m.of(id)
		_, from, _ := m.recalled(c, conversation.Tail{Next: 1 << 20})
		var read []conversation.Entry
		for i := range entries {
			e := entry
			e.Slot = from + uint64(i)
			read = append(read, e)
		}
		m.keep(c, nil, from, from+uint64(entries), read)
	}
	keeps := func(want string) {
		t.Helper()
		var got []string
		for _, id := range []society.AgentID{"a-1", "b-1", "c-1", "d-1"} {
			if c := m.kept[id]; c != nil && len(c.entries) > 0 {
				got = append(got, fmt.Sprintf("%s %d", id, len(c.entries)))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q are kept, not %q", got, want)
		}
	}
	say("a-1", 1)
	say("b-1", 1)
	say("c-1", 1)
	keeps("a-1 1, b-1 1, c-1 1")
	say("a-1", 0) // a look
	say("d-1", 1)
	keeps("a-1 1, c-1 1, d-1 1")
	say("c-1", 3)
	keeps("")
}
