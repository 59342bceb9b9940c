package action_test

import (
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/replica"
)

func TestWrittenAgentsAreThoseOfACommand(t *testing.T) {
	t.Parallel()
	now := replica.New("you")
	now.Apply(&api.Changes{All: true, Rows: []api.Row{
		{ID: society.Root, Parent: society.User, Role: "root"},
		{ID: "web-1", Parent: society.Root, Role: "web", Name: "Lead"},
		{ID: "web-2", Parent: "web-1", Role: "web", Name: "Two words"},
		{ID: "web-3", Parent: society.Root, Role: "web", Name: "lead"},
	}})
	b := action.Builder{Society: now}
	for want, ids := range map[string][]society.AgentID{
		"root":        {society.Root, "web-1", "web-2", "web-3"},
		"web-2":       {"web-2"},          // a blank would end it
		"web-1 web-3": {"web-1", "web-3"}, // one name for both
	} {
		if got := b.Written(ids); got != want {
			t.Errorf("%v are written %q, not %q", ids, got, want)
		}
	}
}
