package models_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/society"
	"society-tui/tui/feature/models"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// onPage runs a script with the feature and models; the last one is built in.
func onPage(t *testing.T, script func(*testing.T, *pagetest.Screen), all ...api.Model) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Holds.Models = append(all, api.Model{Name: "offline demo model"})
		f.Holds.Roles = []api.Role{{Role: society.Role{ID: "role-root", Name: "planner"}}}
		script(t, pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return models.New(d, models.Config{File: func() string { return "/etc/config.toml" }})
		}))
	})
}

func TestListExplainsHowToChangeTheDefaultModel(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen) {
		s.Do("/models").Press("down", "enter").Shows("Make small the default", "society-tui --model small", "SOCIETY_MODEL", "/etc/config.toml", `name = "small"`).Press("y")
		s.Press("enter", "f", "down", "enter").Shows("only the offline model is used", "offline = true").Press("y")
		if want := []string{"society-tui --model small\n", "[model]\nname = \"small\"\n", "society-tui --demo\n"}; !slices.Equal(s.Copied, want) {
			t.Errorf("copied %q, want %q", s.Copied, want)
		}
	}, api.Model{Name: "demo", Host: "api.example.com"}, api.Model{Name: "small", Host: "127.0.0.1:11434"})
}

func TestListExplainsHowToSetUpARealModel(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen) {
		s.Do("/models").Shows("offline demo model", "the default · built in", "▸ Set up a real model", "/etc/config.toml", "roles: planner")
		s.Press("enter").Shows("OPENAI_API_KEY", "OPENAI_BASE_URL", "SOCIETY_MODEL", "<key>", "[[models]]").Press("f")
		if want := []string{"[[models]]\nname = \"<model>\"\nbase_url = \"https://api.openai.com/v1\"\nkey_env = \"OPENAI_API_KEY\"\n"}; !slices.Equal(s.Copied, want) {
			t.Errorf("copied %q, want %q", s.Copied, want)
		}
	})
}

// What is known of a model is whole on a narrow screen, where the note beside its name is not.
func TestWhatIsKnownOfAModelIsNotCut(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen) {
		s.Do("/models").Shows("the default · api.a-resource-with-a-long-name.example.com", "roles: planner · context of 200k tokens")
	}, api.Model{Name: "anthropic/claude-of-some-kind", Host: "api.a-resource-with-a-long-name.example.com", Window: 200_000})
}
