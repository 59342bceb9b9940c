package tools_test

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/approval"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/tui/feature/tools"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// crew is a society whose coder has a tool and lacks others.
type crew struct{ *apitest.Society }

func (c crew) Profile(_ context.Context, id society.AgentID) (api.Profile, error) {
	return api.Profile{
		Agent: id, Tools: []api.Tool{{Name: "edit", Group: "files", Purpose: "Replace parts of a file.\nMore."}},
		NotOffered: []api.Tool{{Name: "huge", Group: "mcp"}}, NoGroups: []tool.Group{"shell"},
	}, nil
}

func onPage(t *testing.T, script func(*testing.T, *pagetest.Screen, *apitest.Society)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Put(api.Row{ID: society.Root, Role: "planner", RoleID: "r0"})
		f.Put(api.Row{ID: "coder-1", Parent: society.Root, Role: "coder", RoleID: "r1"})
		f.Holds.Roles = []api.Role{{Role: society.Role{ID: "r1", Name: "coder", Tools: []tool.Group{"files", "todo"}}}}
		f.Holds.Policy = api.Policy{Mode: approval.AskFirst, Rules: []approval.Rule{
			{ID: 7, Tool: "edit", Path: "src/**", Role: "r1", Do: approval.Allow}, {Origin: "settings", Tool: "delete", Do: approval.Deny, Why: "never\x1b[31m"},
		}}
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			switch cmd := cmd.(type) {
			case society.MakeRule:
				cmd.Rule.ID = 8
				f.Holds.Policy.Rules = append(slices.Clone(f.Holds.Policy.Rules), cmd.Rule)
				return society.ApprovalsAnswered{Rule: 8, Allowed: []uint64{1, 2}}, nil
			case society.RemoveRule:
				f.Holds.Policy.Rules = slices.DeleteFunc(slices.Clone(f.Holds.Policy.Rules), func(r approval.Rule) bool { return r.ID == cmd.ID })
			}
			return society.Done{}, nil
		}
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			d.Society = crew{f}
			return tools.New(d, tools.Config{
				Servers: func(context.Context) ([]list.Item, error) {
					return []list.Item{{ID: "docs", Name: "docs", Note: "ready"}}, nil
				},
				Open: func(server string) tea.Cmd { return d.Inform("opened "+server, "") },
			})
		})
		s.At = "coder-1"
		script(t, s, f)
	})
}

func TestToolsSayWhatTheSandboxIsWorth(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, f *apitest.Society) {
		s.Do("/tools").Hides("sandbox").Press("esc")
		f.Holds.Policy.Sandbox = api.Sandbox{State: api.SandboxPartial, Network: api.NetworkBlocked, Reasons: []i18n.Text{{EN: "this kernel is old\x1b[31m", ZH: "内核太旧"}}}
		s.Do("/tools").Shows("Commands", "partial sandbox", "not in everything", "no network").Hides("\x1b[31m")
		s.Press("down", "enter").Shows("- no network", "- this kernel is old")
	})
}

func TestToolsAreShownWithWhatIsNotOfferedAndWhy(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, _ *apitest.Society) {
		s.Do("/tools").Shows("coder-1", "1 tool", "2 not offered", "allow edit src/** role coder", "rule 7", "deny delete why never", "from settings", "groups: files, todo")
		s.Press("enter").Shows("Tools of coder-1", "Replace parts of a file.", "no room for their descriptions", "huge", "see tools.groups", "shell").Hides("More.")
		s.Press("esc").Shows("MCP servers", "docs", "ready").Press("end", "enter").Shows("opened docs")
	})
}

func TestRulesAreAddedAndRemoved(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, f *apitest.Society) {
		s.Do("/tools").Press("a").Shows("Add a rule", "allow bash go test").Press("ctrl+u").Type("deny edit *.md under coder-1 why use notes").Press("enter").Shows("deny edit *.md under coder-1", "rule 8", "Roles")
		s.Press("down", "d").Shows("Remove rule 7?").Press("y").Shows("Removed rule 7", "Roles").Hides("src/**").Press("esc")
		s.Do("/tools").Press("down", "d").Shows("stands in the settings")
		s.Do("/rule allow * docs/** role coder").Shows("always allow all that is asked about, docs/**, for role coder").Do("/rule remove 7").Do("/rule allow edit agent nobody").Shows("No agent named nobody")
		s.Do("/rule allow edit agent").Shows("Name the agent").Do("/rule allow edit role").Shows("Name the role")
		s.Do("/rule allow bash ls -la; pwd").Shows("one rule for each program").Do("/rule deny bash 'npm").Shows("not closed")
		s.Do("/rule allow").Shows("Write a rule").Do("/rule remove x").Shows("Name the rule by its number")
		want := []society.Command{
			society.MakeRule{Rule: approval.Rule{Tool: "edit", Path: "*.md", Under: "coder-1", Do: approval.Deny, Why: "use notes"}},
			society.RemoveRule{ID: 7},
			society.MakeRule{Rule: approval.Rule{Path: "docs/**", Role: "r1", Do: approval.Allow}},
			society.RemoveRule{ID: 7},
		}
		if !reflect.DeepEqual(f.Did, want) {
			t.Errorf("did %+v, want %+v", f.Did, want)
		}
	})
}
