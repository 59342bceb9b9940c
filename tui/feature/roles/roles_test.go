package roles_test

import (
	"slices"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/feature/roles"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// onPage runs a script with the feature. Its society has one role and accepts
// changes of it.
func onPage(t *testing.T, script func(*testing.T, *pagetest.Screen, *apitest.Society)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Put(api.Row{ID: society.Root, Role: "planner", RoleID: "role-root", State: society.Idle})
		f.Holds.Roles = []api.Role{{Role: society.Role{ID: "role-root", Name: "planner", Prompt: "You plan.", CreatedBy: society.User}, Agents: 1}}
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			switch cmd := cmd.(type) {
			case society.EditRole:
				return society.RoleChange{Role: cmd.Role, Changed: true, Agents: 1}, nil
			case society.Spawn:
				return society.Spawned{Agent: "made-1"}, nil
			}
			return nil, &society.Refusal{Code: society.InvalidArguments, Why: protocol.Because(protocol.UnknownRole, "such")}
		}
		nothing := func() tea.Cmd { return nil }
		leads := func(api.Role, func() tea.Cmd) tea.Cmd { return nil }
		script(t, pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return roles.New(d, roles.Config{Models: leads, Graphs: leads, Changed: nothing, OpenNew: func(id, _ society.AgentID) tea.Cmd { return d.Screen.OpenAgent(id, d.Now()) }})
		}), f)
	})
}

func TestPromptIsEditedInTheUsersEditor(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, f *apitest.Society) {
		s.Editor = func(text string) string { return text + " Well." }
		s.Do("/roles").Press("e").Shows("Saved the prompt of planner; its agent uses it from the next request")
		if want := []society.Command{society.EditRole{Role: "role-root", Prompt: "You plan. Well."}}; !slices.Equal(f.Did, want) {
			t.Errorf("asked %+v, want %+v", f.Did, want)
		}
	})
}

func TestRefusedRoleStaysInThePromptEditor(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, f *apitest.Society) {
		s.Do("/roles").Press("n").Shows("New role").Type("Reader").Press("ctrl+s").Shows("A role needs a prompt")
		s.Press("enter").Type("You read.").Press("ctrl+s").Shows("Not possible", "You read.")
		s.Press("esc").Shows("Discard changes?").Press("y").Hides("New role")
	})
}

func TestCreatedAgentIsOpened(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, f *apitest.Society) {
		if s.Do("/spawn planner the feast").Shows("Created planner-1 under root"); s.Opened != "made-1" {
			t.Errorf("%q is open, want made-1", s.Opened)
		}
		s.Do("/spawn nobody").Shows("No role named nobody")
	})
}

// Two templates may have roles of one name.
func TestRolesOfOneNameAndFromATemplateAreToldApart(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, f *apitest.Society) {
		f.Holds.Roles = []api.Role{
			{Role: society.Role{ID: "role-critic", Name: "Critic", Prompt: "You look for holes.", CreatedBy: society.User, Template: "plan", Interface: &protocol.InterfaceSpec{
				Services: "critique", InputFormat: "a plan", OutputFormat: "objections", Examples: []string{"this plan"},
			}}},
			{Role: society.Role{ID: "role-critic-2", Name: "Critic", Prompt: "You judge style.", CreatedBy: society.User}},
			{Role: society.Role{ID: society.RootRole, Name: "root", Prompt: "You organise.", CreatedBy: society.User}},
		}
		s.Do("/roles").Shows("built in", "Critic  role-critic ", "from template plan", "Critic  role-critic-2 ", "made by you")
		s.Press("enter").Shows("services: critique", "input: a plan", "output: objections", "for example: this plan")
	})
}
