package tree

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/replica"
)

// A naive tree: the folded agents and a filter. Its lines are listed anew each
// time, from the society.
type naive struct {
	society *replica.Society
	folded  map[society.AgentID]bool
	filter  replica.Filter
	next    uint64
}

func (m *naive) lines(siblings []*replica.Agent) []society.AgentID {
	var ids []society.AgentID
	for _, a := range siblings {
		if !m.filter.IsActive() {
			ids = append(ids, a.Row.ID)
			if !m.folded[a.Row.ID] {
				ids = append(ids, m.lines(a.Children)...)
			}
			continue
		}
		if below := m.lines(a.Children); len(below) > 0 || m.filter.Matches(a, noon) {
			ids = append(append(ids, a.Row.ID), below...)
		}
	}
	return ids
}

func (m *naive) any(t *rapid.T) society.AgentID {
	return rapid.SampledFrom(m.society.Subtree(society.Root)).Draw(t, "agent")
}

func anyState(t *rapid.T, row *api.Row) {
	row.State = rapid.SampledFrom([]society.Status{society.Idle, society.WaitingLLM, society.Processing, society.Stopped}).Draw(t, "state")
	row.Asks = rapid.Bool().Draw(t, "asks")
	row.Error = rapid.SampledFrom([]string{"", "broken"}).Draw(t, "error")
	row.Since = noon.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "since")) * time.Second)
	row.Usage = society.Usage{Input: rapid.IntRange(0, 100).Draw(t, "in"), Output: rapid.IntRange(0, 100).Draw(t, "out")}
}

func (m *naive) agrees(t *rapid.T, r *Model) {
	selected := r.Selected()
	m.society.Sort()
	if r.Selected() != selected {
		t.Fatalf("%s was selected before it was sorted, now %s is", selected, r.Selected())
	}
	got, want := ids(r), append([]society.AgentID{society.User}, m.lines(m.society.Roots())...)
	if !slices.Equal(got, want) {
		t.Fatalf("the lines are %v, want %v", got, want)
	}
	if at := got[r.cursor]; at != r.Selected() {
		t.Fatalf("the cursor is on %s, selected is %s", at, r.Selected())
	}
	for i, l := range r.lines {
		var parent, next *replica.Agent
		if l.agent != nil {
			parent = l.agent.Parent
		}
		if l.parent >= 0 != (parent != nil) || l.parent >= 0 && r.lines[l.parent].agent != parent {
			t.Fatalf("the parent of line %d is line %d, want that of %v", i, l.parent, parent)
		}
		for _, below := range r.lines[i+1:] {
			if below.parent == l.parent && next == nil {
				next = below.agent
			}
		}
		if l.agent != nil && l.last != (next == nil) {
			t.Fatalf("line %d of %s: last is %v", i, l.id(), l.last)
		}
	}
}

func TestTreeEqualsANaiveListingAfterAnyHistory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := english()
		m := &naive{society: r.society, folded: map[society.AgentID]bool{}}
		apply(r, api.Changes{All: true, Rows: []api.Row{{ID: society.Root, Parent: society.User, State: society.Idle}}})
		t.Repeat(map[string]func(*rapid.T){
			"spawn": func(t *rapid.T) {
				var c api.Changes
				for range rapid.IntRange(1, 3).Draw(t, "n") {
					m.next++
					row := api.Row{ID: society.AgentID(fmt.Sprintf("a-%d", m.next)), Parent: m.any(t), Order: m.next}
					anyState(t, &row)
					c.Rows = append(c.Rows, row)
				}
				// Children may arrive before their parents.
				slices.Reverse(c.Rows)
				apply(r, c)
			},
			"change": func(t *rapid.T) {
				row, _ := m.society.Row(m.any(t))
				anyState(t, &row)
				apply(r, api.Changes{Rows: []api.Row{row}})
			},
			"end": func(t *rapid.T) {
				id := m.any(t)
				if id == society.Root {
					return
				}
				gone, selected := m.society.Subtree(id), r.Selected()
				apply(r, api.Changes{Gone: gone})
				for _, id := range gone {
					delete(m.folded, id)
				}
				if m.society.Agent(selected) != nil && !m.filter.IsActive() && r.Selected() != selected {
					t.Fatalf("%s was selected and lives, now %s is", selected, r.Selected())
				}
			},
			"fold": func(t *rapid.T) {
				a := m.society.Agent(m.any(t))
				if !slices.Contains(ids(r), a.Row.ID) {
					m.filter = replica.Filter{} // Select clears a filter that hides the agent
				}
				r.Select(a.Row.ID)
				for p := a.Parent; p != nil; p = p.Parent {
					delete(m.folded, p.Row.ID) // Select unfolds it
				}
				switch {
				case m.filter.IsActive() || len(a.Children) == 0:
				case m.folded[a.Row.ID]:
					r.Right()
					delete(m.folded, a.Row.ID)
				default:
					r.Left()
					m.folded[a.Row.ID] = true
				}
			},
			"filter": func(t *rapid.T) {
				text := rapid.SampledFrom([]string{"", "a-1", "s:asks", "!broken <4s"}).Draw(t, "text")
				r.Filter(text)
				m.filter.Parse(text)
			},
			"order": func(*rapid.T) { m.society.CycleOrder() },
			"reload": func(*rapid.T) {
				c := api.Changes{All: true}
				for _, id := range m.society.Subtree(society.Root) {
					row, _ := m.society.Row(id)
					c.Rows = append(c.Rows, row)
				}
				apply(r, c)
			},
			"": func(t *rapid.T) {
				m.agrees(t, r)
				r.Tick(noon, 3)
				if rows := r.Rows(40, 9); len(rows) != 9 {
					t.Fatalf("%d rows, want 9", len(rows))
				}
			},
		})
	})
}
