package tui_test

import (
	"testing"

	"society-tui/runtime/api"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// reachable adds addresses to modelled, and the path of the settings.
func reachable(c *tui.Config) {
	modelled(c)
	f := fakeOf(c)
	f.Holds.Models[0].Host, f.Holds.Models[1].Host, f.Holds.Models[2].Host = "api.example.com", "127.0.0.1:11434", "evil\x1b[2J.example"
	f.Holds.Models = append(f.Holds.Models, api.Model{Name: "offline demo model"})
	c.Settings = []tui.Setting{{Key: "file", Value: "/etc/config.toml", From: "default"}}
}

func TestModelsAreListedWithHealthAndRoles(t *testing.T) {
	onScreenWith(t, 100, 30, reachable, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staffed(f)
		f.Holds.Roles[1].Capability = "fast"
		s.Idle().Type("/models").Press("enter").Idle()
		s.Shows("┌ Models", "▸ demo", "the default · api.example.com", "OK · reasoning · roles: planner, evil · context of 128k tokens",
			"127.0.0.1:11434", "Not used since the start · fast, cheap · roles: researcher · context of 16k tokens", "built in", "nobody uses it", "Set up another model", "/etc/config.toml")
		// The model of 批评者 is not set up, and no other model is listed for it.
		s.Hides("批评者")
		f.Tell(func(c *api.Changes) { c.Health = map[string]string{"demo": "ok", "small": "auth (401)"} })
		s.Idle().Shows("✗ small", "Last call failed: auth (401) · fast, cheap")
		s.Press("enter").Shows("demo is already the default", "m in /roles gives one role another")
	})
}
