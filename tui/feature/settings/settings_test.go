package settings_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/feature/settings"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// dark is a theme that counts how often its list was opened.
type dark struct {
	opened int
	other  string // chosen in this session
}

func (d *dark) Chosen() string { return cmp.Or(d.other, "dark") }

func (d *dark) Open() tea.Cmd {
	d.opened++
	return nil
}

// shown returns settings of each kind.
func shown() []settings.Setting {
	return []settings.Setting{
		{Key: "data", Value: "/data", From: "flag --data", Fixed: true},
		{Key: "theme", Value: `"dark"`, From: "/etc/config.toml:3", InFile: true},
		{Key: "notify", Value: "\"away\"\x1b[2J", From: "default", OneOf: []string{"away", "off"}, Text: "away"},
		{Key: "lang", Value: `"auto"`, From: "default", OneOf: []string{"auto", "en", "zh-CN"}, Text: "auto"},
		{Key: "limits.agents", Value: "200", From: "default", Text: "200"},
		{Key: "model.name", Value: `""`, From: "default", Fixed: true},
		{Key: "limits.day_cost", Value: "0", From: "default", Text: "0", About: i18n.Text{EN: "Budget of the session", ZH: "预算：会话一天的费用上限"}},
		{Key: "mode", Value: `"ask"`, From: "default", Text: "ask", OneOf: []string{"auto", "read-only", "ask"}, About: i18n.Text{EN: "What agents may do.", ZH: "智能体可以做什么。"}},
	}
}

func TestSettingsListSourcesAndOpenTheThemes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var theme dark
		models := 0
		s := pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			return settings.New(d, settings.Config{Settings: shown(), Theme: &theme, Models: func() tea.Cmd {
				models++
				return nil
			}})
		})
		s.Do("/settings").Shows("Settings in effect", "data = /data", "flag --data", `theme = "dark"`, "/etc/config.toml:3", "now dark; enter", `notify = "away"`).Hides("restart", "of this session")
		s.Type("notify").Hides("data = /data").Press("enter").Shows("Notifications: read at the start · change it in the settings file")
		s.Press("ctrl+u").Type("budget").Shows("limits.day_cost = 0", "Budget of the session").Hides("limits.agents", "theme")
		s.Press("ctrl+u").Type("费用").Shows("limits.day_cost = 0").Hides("limits.agents", "theme")
		s.Press("ctrl+u").Type("theme").Press("enter", "esc", "esc")
		theme.other = "ember"
		s.Do("/settings").Shows("now ember; enter chooses another", "session, not of the file")
		s.Press("ctrl+u").Type("model.name").Press("enter")
		if theme.opened != 1 || models != 1 {
			t.Errorf("the list of themes was opened %d times, that of models %d times, want once", theme.opened, models)
		}
	})
}

// A setting is found and shown by its title; what the offline model leaves unused says so.
func TestSettingsHaveTitlesAndSayWhatIsNotInUse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		all := []settings.Setting{
			{Key: "theme", Value: `"auto"`, From: "default"},
			{Key: "lang", Value: `"auto"`, From: "default"},
			{Key: "model.name", Value: `"llama3"`, From: "/etc/config.toml:4"},
			{Key: "model.offline", Value: "true", From: "/etc/config.toml:5"},
		}
		s := pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			d.Printer.Lang = protocol.Chinese
			return settings.New(d, settings.Config{Settings: all, Theme: &dark{}})
		})
		s.Do("/settings").Shows(`主题  theme = "auto"`, "/theme 仅用于此会话", `语言  lang = "auto"`, `模型  model.name = "llama3"`, "未使用：由离线模型回答")
		s.Type("language").Shows("lang =").Hides("theme =")
	})
}

// The list is opened at the setting that is named by its key or title.
func TestTheListOpensAtASetting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			return settings.New(d, settings.Config{Settings: shown(), Theme: &dark{}})
		})
		for written, row := range map[string]string{"mode": "Approvals  mode", "limits.day_cost": "Budget of a day", "agents at most": "Agents at most", "语言": "Language"} {
			s.Do("/settings " + written).Shows("▸ " + row).Press("esc")
		}
		s.Do("/settings colour of money").Shows("No setting named colour of money").Hides("Settings in effect")
	})
}

// A budget is written as it is behind /budget.
func TestABudgetOfTheSettingsIsReadInTheirCurrency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wrote := ""
		change := func(_ context.Context, key, text string) (settings.Changed, error) {
			wrote = key + "=" + text
			return settings.Changed{Settings: shown()}, nil
		}
		f := apitest.New()
		f.Tell(func(c *api.Changes) { c.Currency = "¥" })
		f.Holds.Models = []api.Model{{Name: "listed", Price: &api.Price{Input: 1}, PriceFrom: api.Known{Source: api.KnownFromCatalogue}}}
		f.Put(api.Row{ID: society.Root, Model: "listed"})
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return settings.New(d, settings.Config{Settings: shown(), Change: change, Theme: &dark{}})
		})
		s.Hear()
		s.Do("/settings limits.day_cost ¥３").Shows("┌ Budget of a day", "¥３").Press("esc", "esc")
		s.Do("/settings limits.day_cost").Press("enter").Type("$2").Press("enter").Shows("┌ Budget of a day", "amounts are in ¥")
		if wrote != "" {
			t.Errorf("it wrote %s", wrote)
		}
		s.Press("ctrl+u").Type("20元").Press("enter").Shows("Budget of a day: 20 from the next start on", "no price for listed: not counted", "limit tokens: /settings limits.day_tokens")
		if wrote != "limits.day_cost=20" {
			t.Errorf("it wrote %q", wrote)
		}
	})
}

// The model set-up and other programs change the file, too.
func TestTheListShowsTheSettingsAsTheyAreNow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now, err := shown(), error(nil)
		s := pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			return settings.New(d, settings.Config{Settings: shown(), Theme: &dark{}, Read: func(context.Context) ([]settings.Setting, error) { return now, err }})
		})
		now[5].Value, now[5].From = `"glm"`, "/etc/config.toml:7"
		s.Do("/settings").Shows(`model.name = "glm"`, "/etc/config.toml:7").Press("esc")
		err = errors.New("line 3 is wrong")
		s.Do("/settings").Shows(`model.name = "glm"`, "line 3 is wrong")
	})
}

func TestSettingsAreChangedInTheFile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var wrote []string
		told, on := "", true
		wrong, overridden, same := error(nil), "", false
		unwritten := error(nil)
		change := func(_ context.Context, key, text string) (settings.Changed, error) {
			if wrong != nil || unwritten != nil {
				return settings.Changed{Unwritten: unwritten, Lines: "lang = \"en\"\n"}, wrong
			}
			wrote = append(wrote, key+"="+text)
			all := shown()
			at := slices.IndexFunc(all, func(s settings.Setting) bool { return s.Key == key })
			all[at].Value, all[at].Text, all[at].From = text, text, "/etc/config.toml:9"
			return settings.Changed{Settings: all, Overridden: overridden, Same: same}, nil
		}
		var f *settings.Feature
		s := pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			f = settings.New(d, settings.Config{
				Settings: shown(), Change: change, Theme: &dark{}, Now: map[string]func(string){"notify": func(text string) { told = text }},
				HasMouse: func() bool { return on }, SetMouse: func(now bool) tea.Cmd {
					on = now
					return nil
				},
			})
			return f
		})
		s.Do("/settings").Shows("mouse = on", "of this session, not of the file", "needs a restart · default")

		// One that takes effect at once, and one that waits.
		s.Type("notify").Hides("restart").Press("enter").Shows("away", "current", "off").Press("down", "enter").Shows("Notifications: now off", "/etc/config.toml:9")
		if told != "off" {
			t.Errorf("the notifications were told %q", told)
		}
		s.Type("lang").Press("enter").Shows("English", "中文", "┌ Language · ").Press("down", "enter").Shows("Language: en from the next start on")
		same = true
		s.Type("notify").Press("enter", "enter").Shows("Notifications: already away, nothing has changed")
		same, overridden = false, "--lang"
		s.Type("lang").Press("enter", "enter").Shows("at the next start --lang decides")
		s.Type("mouse").Press("enter").Shows("mouse = off")

		// A mode is said in the words of the question about a folder.
		s.Press("ctrl+u").Type("may do").Shows("Ask first (ask) · What agents may do.").Press("enter").Shows("auto", "Read only (read-only)", "agents change nothing").Press("esc")

		// A value that is written, wrong at first.
		s.Press("ctrl+u").Type("agents").Press("enter").Shows("┌ Agents at most · limits.agents", "needs a restart", "200")
		wrong = errors.New("must be from 1 to 10000")
		s.Type("2000").Press("backspace").Type("000").Press("enter").Shows("Value: 200000", "must be from 1 to 10000")
		wrong, overridden = nil, ""
		s.Press("backspace", "backspace", "backspace", "enter").Shows("Agents at most: 200 from the next start on")

		// A file that cannot be written.
		unwritten = errors.New("read-only file system")
		s.Press("ctrl+u").Type("lang").Press("enter", "enter").Shows("read-only file system", `lang = "en"`).Press("f")
		if want := []string{"notify=off", "lang=en", "notify=away", "lang=auto", "limits.agents=200"}; !slices.Equal(wrote, want) || !slices.Equal(s.Copied, []string{"lang = \"en\"\n"}) {
			t.Errorf("wrote %q, copied %q", wrote, s.Copied)
		}
		if _, kept := f.Keep("lang", "en", false); kept {
			t.Error("a setting is kept that is not in the file")
		}
		if _, kept := f.Keep("lang", "en", true); !kept {
			t.Error("a setting for all sessions is not kept")
		}
		if _, kept := f.Keep("theme", "light", false); !kept {
			t.Error("the theme of the file is not kept")
		}
	})
}
