package palette_test

import (
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api/apitest"
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
	"society-tui/tui/feature/palette"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

func TestPaletteRunsACommandAndExplainsABlockedOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ran, blocked := 0, "root cannot be"
		wave := &command.Command{
			ID: "wave", Group: command.GroupProgram, Title: i18n.Text{EN: "Wave"}, Also: i18n.Text{EN: "greet"}, Keys: command.Keys(command.Global, "alt+w"),
			Run: command.Do(func() { ran++ }),
		}
		end := &command.Command{Slash: "/end", Group: command.GroupAgents, Title: i18n.Text{EN: "End it"}, Blocked: func(int) string { return blocked }, Run: command.Do(func() {})}
		roles := &command.Command{ID: "roles", Group: command.GroupRoles, Title: i18n.Text{EN: "Roles"}, Keys: command.Keys(command.Global, "alt+r")}
		var s *pagetest.Screen
		s = pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			return palette.New(d, palette.Config{
				Used:     new([]string),
				Registry: func() *command.Registry { return s.Registry },
				Pane:     func() command.Scope { return command.Composer },
				Target:   func() string { return "root" },
				Do:       func(c *command.Command, in command.Input) tea.Cmd { return c.Run(in) },
				Run:      func(written string) tea.Cmd { return d.Inform("ran "+written, "") },
			})
		}, wave, end, roles)
		s.Do("palette").Shows("Command palette · root", "Wave", "alt+w", "End it", "root cannot be")
		if s.Type("greet").Hides("End it").Press("enter").Hides("Command palette"); ran != 1 {
			t.Errorf("it ran %d times, want once", ran)
		}
		s.Do("palette").Type("end it").Press("enter").Shows("End it: root cannot be", "Command palette").Press("esc", "esc")
		blocked = ""
		s.Do("palette").Type("end it").Press("enter").Shows("ran /end").Do("palette").Do("palette").Hides("Command palette")
	})
}

func TestPaletteListsWhatWasUsedLast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		all := []*command.Command{{ID: "roles", Group: command.GroupRoles, Title: i18n.Text{EN: "Roles"}, Keys: command.Keys(command.Global, "alt+r")}}
		for _, name := range []string{"/one", "/two", "/three"} {
			all = append(all, &command.Command{Slash: name, Group: command.GroupView, Title: i18n.Text{EN: "Do " + name[1:]}, Run: command.Do(func() {})})
		}
		var f *palette.Feature
		var s *pagetest.Screen
		s = pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			f = palette.New(d, palette.Config{
				Used:     new([]string),
				Registry: func() *command.Registry { return s.Registry }, Pane: func() command.Scope { return command.Composer },
				Target: func() string { return "root" }, Run: func(written string) tea.Cmd { return d.Inform("ran "+written, "") },
			})
			return f
		}, all...)
		s.Do("palette").Hides("Last used").Type("two").Press("enter").Do("palette").Type("three").Press("enter")
		items := f.Items()
		if items[0].Head != "Last used" || items[0].Name != "Do three" || items[0].Note != "/three" || items[1].Name != "Do two" || items[2].Head == "" {
			t.Errorf("the palette begins with %+v", items[:3])
		}
	})
}
