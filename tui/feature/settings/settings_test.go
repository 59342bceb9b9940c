package settings_test

import (
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api/apitest"
	"society-tui/tui/feature/settings"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// dark is a theme that counts how often its list was opened.
type dark struct{ opened int }

func (*dark) Chosen() string { return "dark" }

func (d *dark) Open() tea.Cmd {
	d.opened++
	return nil
}

func TestSettingsListSourcesAndOpenTheThemes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var theme dark
		s := pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			return settings.New(d, []settings.Setting{
				{Key: "data", Value: "/data", From: "flag --data"},
				{Key: "theme", Value: `"dark"`, From: "/etc/config.toml:3"},
				{Key: "notify", Value: "\"auto\"\x1b[2J", From: "default"},
			}, &theme)
		})
		s.Do("/settings").Shows("Settings in effect", "data = /data", "flag --data", `theme = "dark"`, "/etc/config.toml:3", "now dark; enter", `notify = "auto"`)
		s.Type("notify").Hides("data = /data").Press("enter").Shows("notify is read at the start · change it in the settings file")
		s.Press("ctrl+u").Type("theme").Press("enter")
		if theme.opened != 1 {
			t.Errorf("the list of themes was opened %d times, want once", theme.opened)
		}
	})
}
