package tree

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

// A naive tree: rows by id and what is folded. All else is counted anew each
// time.
type naive struct {
	rows   map[society.AgentID]api.Row
	folded map[society.AgentID]bool
	next   uint64
	order  Order
}

func (m *naive) kids(of society.AgentID) []api.Row {
	var kids []api.Row
	for _, row := range m.rows {
		if row.Parent == of {
			kids = append(kids, row)
		}
	}
	slices.SortFunc(kids, func(a, b api.Row) int {
		return cmp.Or(m.compare(a, b), cmp.Compare(a.Order, b.Order))
	})
	return kids
}

// compare says which of two siblings stands first, but for their spawning.
func (m *naive) compare(a, b api.Row) int {
	tallyA, useA := m.sum(a)
	tallyB, useB := m.sum(b)
	switch m.order {
	case ByActivity:
		if busyA, busyB := tallyA.Busy() > 0, tallyB.Busy() > 0; busyA || busyB {
			return cmp.Compare(fmt.Sprint(busyB), fmt.Sprint(busyA)) // true is behind false
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

func (m *naive) flat(of society.AgentID) []society.AgentID {
	var ids []society.AgentID
	for _, kid := range m.kids(of) {
		ids = append(ids, kid.ID)
		if !m.folded[kid.ID] {
			ids = append(ids, m.flat(kid.ID)...)
		}
	}
	return ids
}

func (m *naive) sum(row api.Row) (symbols.Tally, society.Usage) {
	var t symbols.Tally
	t.Add(symbols.Of(&row), 1)
	use := row.Usage.Plus(row.Ended)
	for _, kid := range m.rows {
		if kid.Parent != row.ID {
			continue
		}
		below, used := m.sum(kid)
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

// end takes an agent away with all below it, as the runtime does: what they
// spent is their parent's from then on.
func (m *naive) end(id society.AgentID) (gone []society.AgentID) {
	_, used := m.sum(m.rows[id])
	parent := m.rows[m.rows[id].Parent]
	parent.Ended = parent.Ended.Plus(used)
	m.rows[parent.ID] = parent
	var walk func(society.AgentID)
	walk = func(id society.AgentID) {
		for _, kid := range m.kids(id) {
			walk(kid.ID)
		}
		gone = append(gone, id)
		delete(m.rows, id)
		delete(m.folded, id)
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

func (m *naive) agrees(t *rapid.T, r *Model) {
	want := append([]society.AgentID{society.User}, m.flat(society.User)...)
	selected := r.Selected()
	r.Sort()
	r.lay()
	if r.Selected() != selected {
		t.Fatalf("%s was selected before it was sorted, now %s is", selected, r.Selected())
	}
	got := make([]society.AgentID, len(r.flat))
	for i, l := range r.flat {
		got[i] = l.id()
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the lines are %v, want %v", got, want)
	}
	var total society.Usage
	for id, row := range m.rows {
		tally, used := m.sum(row)
		n := r.nodes[id]
		if n.sum != tally || n.use != used {
			t.Fatalf("%s sums to %v %v, want %v %v", id, n.sum, n.use, tally, used)
		}
		total = total.Plus(row.Usage.Plus(row.Ended))
	}
	if r.Use(society.Root) != total {
		t.Fatalf("root's use is %v, all together %v", r.Use(society.Root), total)
	}
	all := r.Total()
	if r.Len() != len(m.rows) || all.Sum() != len(m.rows) || len(r.NeedYou()) != all.NeedYou() {
		t.Fatalf("%d agents, %v, %d need the person; want %d", r.Len(), all, len(r.NeedYou()), len(m.rows))
	}
	if at := r.flat[r.cursor].id(); at != r.Selected() {
		t.Fatalf("the cursor is on %s, selected is %s", at, r.Selected())
	}
}

func TestScreen11Screen14TreeEqualsANaiveRecomputationAfterAnyHistory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &naive{rows: map[society.AgentID]api.Row{}, folded: map[society.AgentID]bool{}}
		r := english()
		m.rows[society.Root] = api.Row{ID: society.Root, Parent: society.User, State: society.Idle}
		r.Apply(api.Changes{All: true, Rows: []api.Row{m.rows[society.Root]}})
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
				// Children may come before their parents.
				slices.Reverse(c.Rows)
				r.Apply(c)
			},
			"change": func(t *rapid.T) {
				row := m.rows[m.any(t)]
				anyState(t, &row)
				m.rows[row.ID] = row
				r.Apply(api.Changes{Rows: []api.Row{row}})
			},
			"end": func(t *rapid.T) {
				id := m.any(t)
				if id == society.Root {
					return
				}
				parent := m.rows[id].Parent
				gone := m.end(id)
				selected := r.Selected()
				r.Apply(api.Changes{Rows: []api.Row{m.rows[parent]}, Gone: gone})
				if _, lives := m.rows[selected]; lives && r.Selected() != selected {
					t.Fatalf("%s was selected and lives, now %s is", selected, r.Selected())
				}
			},
			"fold": func(t *rapid.T) {
				r.Select(m.any(t))
				id := r.Selected()
				for p := m.rows[id].Parent; p != society.User; p = m.rows[p].Parent {
					delete(m.folded, p) // it was unfolded to be selected
				}
				switch n := r.nodes[id]; {
				case n.folded && len(n.kids) > 0:
					r.Right()
					delete(m.folded, id)
				case len(n.kids) > 0:
					r.Left()
					m.folded[id] = true
				}
			},
			"order": func(*rapid.T) {
				r.CycleOrder()
				m.order = r.Order()
			},
			"reload": func(*rapid.T) {
				var c api.Changes
				for _, row := range m.rows {
					c.Rows = append(c.Rows, row)
				}
				c.All = true
				r.Apply(c)
			},
			"": func(t *rapid.T) {
				m.agrees(t, r)
				r.Tick(noon.Add(time.Minute), 3)
				if rows := r.Rows(40, 9); len(rows) != 9 {
					t.Fatalf("%d rows, want 9", len(rows))
				}
			},
		})
	})
}
