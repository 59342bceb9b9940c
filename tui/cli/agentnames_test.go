package cli

import (
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/replica"
)

func TestANameOfSeveralAgentsIsRefusedWithTheirIDs(t *testing.T) {
	t.Parallel()
	now := replica.New("you")
	now.Apply(&api.Changes{All: true, Rows: []api.Row{
		{ID: society.Root, Parent: society.User, Role: "root"},
		{ID: "web-1", Parent: society.Root, Role: "web", Name: "Lead", Doing: "find books"},
		{ID: "web-2", Parent: society.Root, Role: "web", Name: "lead", Doing: "find maps"},
		{ID: "lead-1", Parent: society.Root, Role: "planner", Sole: true},
	}})
	c := &console{line: &commandLine{}}
	for name, want := range map[string]string{"web-2": "web-2", "@web-1": "web-1", "Planner": "lead-1", "lead (web-1)": "web-1", "root": "root"} {
		if id, err := c.agentNamed(now, name); id != want || err != nil {
			t.Errorf("%s is %q, %v, want %q", name, id, err, want)
		}
	}
	if id, err := c.agentNamed(now, "user"); err == nil {
		t.Errorf("the user is the agent %q", id)
	}
	_, err := c.agentNamed(now, "LEAD")
	if want := "several agents are named LEAD; name one by its id:\n   web-1  Lead (web-1) · find books\n   web-2  lead (web-2) · find maps"; err == nil || err.Error() != want {
		t.Errorf("it says %v, want %s", err, want)
	}
}
