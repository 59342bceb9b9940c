package tree

import (
	"slices"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// visible returns the agents with a line, in order.
func visible(r *Model) []society.AgentID {
	r.layout()
	var ids []society.AgentID
	for _, l := range r.lines {
		if l.agent != nil {
			ids = append(ids, l.agent.Row.ID)
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
	apply(r, api.Changes{All: true, Rows: rows})
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
	r.CollapseAll() // Select may unfold ancestors
	r.ExpandAll()
	if got, want := visible(r), []society.AgentID{"root", "a", "a-kid", "a-grandkid", "b"}; !slices.Equal(got, want) {
		t.Errorf("after ExpandAll on a the tree shows %v, want %v", got, want)
	}
}
