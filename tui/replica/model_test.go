package replica

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

// A naive society: rows by id. Everything else is counted anew each time.
type naive struct {
	rows  map[society.AgentID]api.Row
	next  uint64
	order Order
}

func (m *naive) children(of society.AgentID) []api.Row {
	var children []api.Row
	for _, row := range m.rows {
		if row.Parent == of {
			children = append(children, row)
		}
	}
	slices.SortFunc(children, func(a, b api.Row) int {
		return cmp.Or(m.compare(a, b), cmp.Compare(a.Order, b.Order))
	})
	return children
}

// compare orders two siblings, except by creation.
func (m *naive) compare(a, b api.Row) int {
	tallyA, useA := m.sum(a)
	tallyB, useB := m.sum(b)
	switch m.order {
	case ByActivity:
		if busyA, busyB := tallyA.Busy() > 0, tallyB.Busy() > 0; busyA || busyB {
			return cmp.Compare(fmt.Sprint(busyB), fmt.Sprint(busyA)) // false before true
		}
		return m.lastRest(b).Compare(m.lastRest(a))
	case ByState:
		for _, kinds := range [][]symbols.Kind{
			{symbols.Asks},
			{symbols.Failed},
			{symbols.Stopped},
			{symbols.Thinking, symbols.Tool},
			{symbols.Idle},
		} {
			has := func(t symbols.Tally) bool {
				return slices.ContainsFunc(kinds, func(k symbols.Kind) bool { return t[k] > 0 })
			}
			if has(tallyA) || has(tallyB) {
				return cmp.Compare(fmt.Sprint(has(tallyB)), fmt.Sprint(has(tallyA)))
			}
		}
	case ByTokens:
		return cmp.Compare(useB.Input+useB.Output, useA.Input+useA.Output)
	}
	return 0
}

func (m *naive) lastRest(row api.Row) time.Time {
	last := row.Since
	for _, below := range m.rows {
		if below.Parent == row.ID && m.lastRest(below).After(last) {
			last = m.lastRest(below)
		}
	}
	return last
}

// below returns the descendants, parents before children.
func (m *naive) below(of society.AgentID) []society.AgentID {
	var ids []society.AgentID
	for _, child := range m.children(of) {
		ids = append(append(ids, child.ID), m.below(child.ID)...)
	}
	return ids
}

func (m *naive) sum(row api.Row) (symbols.Tally, society.Usage) {
	var t symbols.Tally
	t.Add(symbols.Of(&row), 1)
	use := row.Usage.Plus(row.Ended)
	for _, child := range m.rows {
		if child.Parent != row.ID {
			continue
		}
		below, used := m.sum(child)
		t.Plus(&below)
		use = use.Plus(used)
	}
	return t, use
}

func (m *naive) any(t *rapid.T) society.AgentID {
	ids := make([]society.AgentID, 0, len(m.rows))
	for id := range m.rows {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return rapid.SampledFrom(ids).Draw(t, "agent")
}

// end removes an agent and its descendants, as the runtime does: their usage
// moves to the parent.
func (m *naive) end(id society.AgentID) (gone []society.AgentID) {
	_, used := m.sum(m.rows[id])
	parent := m.rows[m.rows[id].Parent]
	parent.Ended = parent.Ended.Plus(used)
	m.rows[parent.ID] = parent
	var walk func(society.AgentID)
	walk = func(id society.AgentID) {
		for _, child := range m.children(id) {
			walk(child.ID)
		}
		gone = append(gone, id)
		delete(m.rows, id)
	}
	walk(id)
	return gone
}

func anyState(t *rapid.T, row *api.Row) {
	row.State = rapid.SampledFrom([]society.Status{society.Idle, society.WaitingLLM, society.Processing, society.Stopped}).Draw(t, "state")
	row.Asks = rapid.Bool().Draw(t, "asks")
	row.Error = rapid.SampledFrom([]string{"", "broken"}).Draw(t, "error")
	row.Since = noon.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "since")) * time.Second)
	row.Usage = society.Usage{Input: rapid.IntRange(0, 100).Draw(t, "in"), Output: rapid.IntRange(0, 100).Draw(t, "out")}
}

func (m *naive) agrees(t *rapid.T, s *Society) {
	s.Sort()
	if got, want := s.Subtree(society.Root), m.below(society.User); !slices.Equal(got, want) {
		t.Fatalf("Subtree(root) = %v, want %v", got, want)
	}
	var total society.Usage
	need := 0
	for id, row := range m.rows {
		tally, used := m.sum(row)
		a := s.Agent(id)
		if a.Sum != tally || a.Usage != used {
			t.Fatalf("%s sums to %v %v, want %v %v", id, a.Sum, a.Usage, tally, used)
		}
		if path := s.Path(id); path[len(path)-1] != id || len(path) > 1 && path[len(path)-2] != row.Parent {
			t.Fatalf("Path(%s) = %v, want it to end with %s, %s", id, path, row.Parent, id)
		}
		total = total.Plus(row.Usage.Plus(row.Ended))
		if symbols.Of(&row).NeedsYou() {
			need++
		}
	}
	if s.Use(society.Root) != total {
		t.Fatalf("root's use is %v, all together %v", s.Use(society.Root), total)
	}
	all := s.Total()
	if s.Len() != len(m.rows) || all.Sum() != len(m.rows) || len(s.NeedYou()) != need || all.NeedYou() != need {
		t.Fatalf("%d agents, %v, %d need the user; want %d and %d", s.Len(), all, len(s.NeedYou()), len(m.rows), need)
	}
}

func TestReplicaEqualsANaiveRecomputationAfterAnyHistory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &naive{rows: map[society.AgentID]api.Row{}}
		s := New("inbox")
		m.rows[society.Root] = api.Row{ID: society.Root, Parent: society.User, State: society.Idle}
		s.Apply(&api.Changes{All: true, Rows: []api.Row{m.rows[society.Root]}})
		t.Repeat(map[string]func(*rapid.T){
			"spawn": func(t *rapid.T) {
				var c api.Changes
				for range rapid.IntRange(1, 3).Draw(t, "n") {
					m.next++
					row := api.Row{ID: society.AgentID(fmt.Sprintf("a-%d", m.next)), Parent: m.any(t), Order: m.next}
					anyState(t, &row)
					m.rows[row.ID] = row
					c.Rows = append(c.Rows, row)
				}
				// Children may arrive before their parents.
				slices.Reverse(c.Rows)
				s.Apply(&c)
			},
			"change": func(t *rapid.T) {
				row := m.rows[m.any(t)]
				anyState(t, &row)
				m.rows[row.ID] = row
				s.Apply(&api.Changes{Rows: []api.Row{row}})
			},
			"end": func(t *rapid.T) {
				id := m.any(t)
				if id == society.Root {
					return
				}
				parent := m.rows[id].Parent
				gone := m.end(id)
				did := s.Apply(&api.Changes{Rows: []api.Row{m.rows[parent]}, Gone: gone})
				if !slices.Equal(did.Removed, gone) {
					t.Fatalf("Removed = %v, want %v", did.Removed, gone)
				}
			},
			"order": func(*rapid.T) {
				s.CycleOrder()
				m.order = s.Order()
			},
			"reload without some": func(t *rapid.T) {
				if id := m.any(t); id != society.Root && rapid.Bool().Draw(t, "less") {
					m.end(id)
				}
				c := api.Changes{All: true}
				for _, row := range m.rows {
					c.Rows = append(c.Rows, row)
				}
				s.Apply(&c)
			},
			"": func(t *rapid.T) { m.agrees(t, s) },
		})
	})
}
