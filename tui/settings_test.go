package tui_test

import (
	"testing"

	"society-tui/tui"
	"society-tui/tui/screentest"
)

func TestSettingsListSourcesAndOpenTheThemes(t *testing.T) {
	with := func(c *tui.Config) {
		c.Settings = []tui.Setting{
			{Key: "data", Value: "/data", From: "flag --data"},
			{Key: "theme", Value: `"dark"`, From: "/etc/config.toml:3"},
			{Key: "notify", Value: "\"auto\"\x1b[2J", From: "default"},
		}
	}
	onScreenWith(t, 100, 30, with, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Idle().Type("/settings").Press("enter").Idle()
		s.Shows("Settings in effect", "data = /data", "flag --data", `theme = "dark"`, "/etc/config.toml:3", "now dark; enter", `notify = "auto"`)
		s.Type("notify").Hides("data = /data").Press("enter").Shows("notify is read at the start · change it in the settings file")
		s.Press("ctrl+u").Type("theme").Press("enter").Idle().Shows("fjord", "heather").Hides("Settings in effect")
	})
}
