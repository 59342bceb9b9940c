package tree

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// visible returns the agents that have a line, in the order of the tree.
func visible(r *Model) []society.AgentID {
	r.lay()
	var ids []society.AgentID
	for _, l := range r.flat {
		if l.node != nil {
			ids = append(ids, l.node.row.ID)
		}
	}
	return ids
}

// grandchildren gives root two children, each with a child that has a child.
func grandchildren() *Model {
	r := english()
	rows := []api.Row{{ID: society.Root, Order: 1}}
	for i, id := range []society.AgentID{"a", "b"} {
		n := uint64(10 * (i + 1))
		rows = append(rows,
			api.Row{ID: id, Parent: society.Root, Depth: 1, Order: n},
			api.Row{ID: id + "-kid", Parent: id, Depth: 2, Order: n + 1},
			api.Row{ID: id + "-grandkid", Parent: id + "-kid", Depth: 3, Order: n + 2})
	}
	r.Apply(api.Changes{All: true, Rows: rows})
	r.Rows(44, 20)
	return r
}

func TestExpandAllUnfoldsTheSelectedSubtreeAndNothingElse(t *testing.T) {
	t.Parallel()
	r := grandchildren()
	r.CollapseAll()
	if got, want := visible(r), []society.AgentID{"root", "a", "b"}; !slices.Equal(got, want) {
		t.Fatalf("after CollapseAll the tree shows %v, want %v", got, want)
	}
	r.Select("a")
	r.CollapseAll() // Select may unfold what hides an agent
	r.ExpandAll()
	if got, want := visible(r), []society.AgentID{"root", "a", "a-kid", "a-grandkid", "b"}; !slices.Equal(got, want) {
		t.Errorf("after ExpandAll on a the tree shows %v, want %v", got, want)
	}
}

func TestFiltersOfAgeExcludeTheExactAge(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		filter string
		age    time.Duration
		want   bool
	}{
		{">5m", 5*time.Minute + 1, true},
		{">5m", 5 * time.Minute, false},
		{">5m", 5*time.Minute - 1, false},
		{"<5m", 5*time.Minute - 1, true},
		{"<5m", 5 * time.Minute, false},
		{"<5m", 5*time.Minute + 1, false},
	} {
		t.Run(fmt.Sprint(c.filter, c.age), func(t *testing.T) {
			n := &node{row: api.Row{ID: "a", Since: now.Add(-c.age)}}
			if got := parse(c.filter)[0].test(n, now); got != c.want {
				t.Errorf("%s of an agent of %v = %t, want %t", c.filter, c.age, got, c.want)
			}
		})
	}
}
