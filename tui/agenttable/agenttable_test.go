package agenttable

import (
	"slices"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/replica"
)

// sorted returns the ids of rows in an order.
func sorted(o Order, rows ...api.Row) []society.AgentID {
	s := replica.New("you")
	s.Apply(&api.Changes{All: true, Rows: rows})
	table := Table{Society: s, Printer: i18n.Printer{}}
	agents := slices.Collect(s.Agents())
	table.Sort(agents, o)
	ids := make([]society.AgentID, len(agents))
	for i, a := range agents {
		ids[i] = a.Row.ID
	}
	return ids
}

func TestNumbersInNamesAreSortedAsNumbers(t *testing.T) {
	t.Parallel()
	got := sorted(Order{By: Name}, api.Row{ID: "web-10"}, api.Row{ID: "web-9"}, api.Row{ID: "Web-1"}, api.Row{ID: "a-99999999999999999999"})
	if want := []society.AgentID{"a-99999999999999999999", "Web-1", "web-9", "web-10"}; !slices.Equal(got, want) {
		t.Errorf("sorted %v, want %v", got, want)
	}
}

func TestAgentsWithoutAValueAreLastInBothDirections(t *testing.T) {
	t.Parallel()
	rows := []api.Row{{ID: "none", Order: 1}, {ID: "a", Order: 2, Role: "x"}, {ID: "b", Order: 3, Role: "y"}, {ID: "c", Order: 4, Role: "y"}}
	for reversed, want := range map[bool][]society.AgentID{false: {"a", "b", "c", "none"}, true: {"b", "c", "a", "none"}} {
		if got := sorted(Order{By: Role, Reversed: reversed}, rows...); !slices.Equal(got, want) {
			t.Errorf("sorted %v with reversed %t, want %v", got, reversed, want)
		}
	}
}
