package graphs_test

import (
	"slices"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/society"
	"society-tui/tui/feature/graphs"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

func TestWrittenCommandChoosesTheGraphOfTheRecipientsRole(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Put(api.Row{ID: society.Root, RoleID: "role-researcher", Role: "researcher"})
		f.Holds.Roles = []api.Role{{Role: society.Role{ID: "role-researcher", Name: "researcher"}}}
		f.Holds.Graphs = []api.Graph{{Name: "draft-review"}, {Name: "sides", Description: "Three views, then one"}}
		f.Answer = func(society.Command) (society.Reply, error) { return society.RoleChange{Changed: true, Agents: 1}, nil }
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature { return graphs.New(d, func() tea.Cmd { return nil }) })
		s.Do("/graph nowhere").Shows("No graph named nowhere")
		s.Do("/graph sides").Shows("researcher now uses sides · turns in progress fail")
		s.Do("/graph none").Shows("now uses a single step")
		s.Do("/graph").Shows("Graph of researcher", "▸ a single step", "Three views, then one").Press("down", "enter").Shows("researcher now uses draft-review").Hides("Graph of")
		want := []society.Command{
			society.ChooseGraph{Role: "role-researcher", Graph: "sides"}, society.ChooseGraph{Role: "role-researcher"}, society.ChooseGraph{Role: "role-researcher", Graph: "draft-review"},
		}
		if !slices.Equal(f.Did, want) {
			t.Errorf("asked %+v, want %+v", f.Did, want)
		}
	})
}
