package tui_test

import (
	"encoding/base64"
	"testing"

	"society-tui/runtime/api"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// reachable adds addresses to modelled, and the path of the settings.
func reachable(c *tui.Config) {
	modelled(c)
	c.Offline = false
	f := fakeOf(c)
	f.models[0].Host, f.models[1].Host, f.models[2].Host = "api.example.com", "127.0.0.1:11434", "evil\x1b[2J.example"
	f.models = append(f.models, api.Model{Name: "offline demo model"})
	c.Settings = []tui.Setting{{Key: "file", Value: "/etc/config.toml", From: "default"}}
}

// copied returns the texts in the clipboard.
func copied(t *testing.T, s *screentest.Screen) []string {
	t.Helper()
	var texts []string
	for _, c := range s.Copied() {
		text, err := base64.StdEncoding.DecodeString(c)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

func TestModelsAreListedWithHealthAndRoles(t *testing.T) {
	onScreenWith(t, 100, 30, reachable, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staffed(f)
		f.roles[1].Capability = "fast"
		s.Idle().Type("/models").Press("enter").Idle()
		s.Shows("┌ Models", "▸ demo", "the default · api.example.com · context of 128k tokens", "OK · reasoning · roles: planner, evil",
			"127.0.0.1:11434 · context of 16k tokens", "Not used yet · fast, cheap · roles: researcher", "built in", "no role uses it", "Set up another model", "/etc/config.toml")
		// The model of 批评者 is not set up, and no other model is listed for it.
		s.Hides("批评者")
		f.tell(func(c *api.Changes) { c.Health = map[string]string{"demo": "ok", "small": "auth (401)"} })
		s.Idle().Shows("✗ small", "Last call failed: auth (401) · fast, cheap")
		s.Press("enter").Shows("demo is already the default", "m in /roles gives one role another")
	})
}

func TestListExplainsHowToChangeTheDefaultModel(t *testing.T) {
	onScreenWith(t, 100, 30, reachable, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Idle().Type("/models").Press("enter").Idle().Press("down", "enter").Idle()
		s.Shows("Make small the default", "society-tui --model small", "SOCIETY_MODEL", "/etc/config.toml", `name = "small"`).Press("y").Idle()
		s.Press("enter").Idle().Press("f").Idle().Press("down", "down", "enter").Idle().Shows("only the offline model is used", "offline = true").Press("y").Idle()
		want := []string{"society-tui --model small\n", "[model]\nname = \"small\"\n", "society-tui --demo\n"}
		got := copied(t, s)
		if len(got) != len(want) {
			t.Fatalf("copied %q", got)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("copied %q, not %q", got[i], want[i])
			}
		}
	})
}

func TestListExplainsHowToSetUpARealModel(t *testing.T) {
	with := func(c *tui.Config) {
		fakeOf(c).models = []api.Model{{Name: "offline demo model"}}
		c.Settings = []tui.Setting{{Key: "file", Value: "/etc/config.toml", From: "default"}}
	}
	onScreenWith(t, 100, 30, with, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Idle().Shows("For a real model: /models").Type("/models").Press("enter").Idle()
		s.Shows("offline demo model", "the default · built in", "▸ Set up a real model", "/etc/config.toml")
		s.Press("enter").Idle().Shows("OPENAI_API_KEY", "OPENAI_BASE_URL", "SOCIETY_MODEL", "<key>", "[[models]]").Press("f").Idle()
		if got := copied(t, s); len(got) != 1 || got[0] != "[[models]]\nname = \"<model>\"\nbase_url = \"https://api.openai.com/v1\"\nkey_env = \"OPENAI_API_KEY\"\n" {
			t.Errorf("copied %q", got)
		}
	})
}
