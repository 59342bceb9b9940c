package help_test

import (
	"testing"
	"testing/synctest"

	"society-tui/runtime/api/apitest"
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/feature/help"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

func TestHelpHasAPageForEachPartAndIsSearched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stop := &command.Command{ID: "stop", Slash: "/stop", Group: command.GroupAgents, Title: i18n.Text{EN: "Stop agent"}, Keys: command.Keys(command.Tree, "s")}
		order := &command.Command{ID: "order", Group: command.GroupAgents, Title: i18n.Text{EN: "Order them"}, Keys: command.Keys(command.Tree, "o")}
		var s *pagetest.Screen
		s = pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			return help.New(d, help.Config{
				Registry: func() *command.Registry { return s.Registry },
				Here:     func() (command.Scope, bool) { return command.Tree, false },
				Open:     func() (string, []dialog.Line) { return "", nil },
				Works:    func(b *command.Binding) bool { return b.ID != "order" },
			})
		}, stop, order)
		s.Do("/help").Shows("Write a request to root", "type to search").Press("f1").Hides("Write a request to root")
		s.Do("/help").Press("tab").Shows("Agents (you are here)", "Stop agent").Hides("Order them").Press("esc")
		s.Do("/help stop").Shows("› stop", "/stop").Type("x").Shows("No matches. esc clears the search.").Press("esc", "esc").Hides("type to search")
		s.Do("/keys").Shows("Anywhere", "F1").Press("tab", "tab").Shows("Stop agent", "Order them")
	})
}
