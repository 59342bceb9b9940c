package templates_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/runtime/tool"
	"society-tui/tui/action"
	"society-tui/tui/feature/templates"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// onPage runs a script with the feature. Its society adds a team of one agent.
func onPage(t *testing.T, source template.Source, script func(*testing.T, *pagetest.Screen)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f, before := apitest.New(), 0
		f.Put(api.Row{ID: society.Root, State: society.Idle})
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			if team, ok := cmd.(society.AddTeam); ok && team.Once && before > 0 {
				return society.AddTeamResult{Before: before}, nil
			}
			before++
			return society.AddTeamResult{Before: before - 1, Agents: []society.AgentID{"planner-1"}}, nil
		}
		script(t, pagetest.New(t, f, func(d *page.Deps) page.Feature {
			d.Actions.Workspace = action.Workspace{Dir: "/data/society.work", Own: true}
			return templates.New(d, templates.Config{Source: source, Lang: protocol.English})
		}))
	})
}

func TestTeamIsAddedAgainOnlyAfterAQuestion(t *testing.T) {
	t.Parallel()
	onPage(t, template.Source{}, func(_ *testing.T, s *pagetest.Screen) {
		s.Do("/template plan").Shows("Added plan: 1 agent")
		s.Do("/template plan").Shows("Add plan again?").Press("enter").Hides("Add plan again?")
		s.Do("/template plan").Press("y").Shows("Added plan: 1 agent")
		s.Do("/template nobody").Shows("nobody was not added", "Nothing of it was created")
	})
}

func TestEveryMistakeOfAFileIsShown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "name = \"mine\"\ntitle = \"x\"\n[[roles]]\nname = \"user\"\n"
	if err := os.WriteFile(filepath.Join(dir, "mine.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	onPage(t, template.Source{Dir: dir}, func(_ *testing.T, s *pagetest.Screen) {
		s.Do("/template").Shows("mine.toml", "✗ mine").Press("G", "enter")
		s.Shows("was not added", "mine.toml:2:1: title", "mine.toml:4:1", "mine.toml:3:3").Press("esc").Shows("Templates").Press("esc").Hides("Templates")
	})
}

// Whose agents work on files hears that they have none of the user's.
func TestATeamWithFilesHearsThatItsFolderIsEmpty(t *testing.T) {
	t.Parallel()
	onPage(t, template.Source{Groups: []tool.Group{"files", "shell", "artifacts", "todo", "web", "read"}}, func(_ *testing.T, s *pagetest.Screen) {
		s.Do("/template plan").Shows("Added plan").Hides("an empty folder")
		s.Do("/template review").Press("y").Shows("Added review", "They work in an empty folder of the session; start with --workspace PATH")
	})
}
