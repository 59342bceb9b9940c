package tui_test

import (
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// The help opens at the keys of what has them, and says so.
func TestScreen48TheHelpBeginsWithTheKeysOfThePlaceThatHasThem(t *testing.T) {
	for size, lang := range map[[2]int]protocol.Lang{{160, 45}: protocol.English, {60, 20}: protocol.Chinese} {
		here, headings := "(you are here)", []string{"Composer", "Agents", "Conversation", "Inspector", "Lists of", "Lists of", "Commands, written"}
		if lang == protocol.Chinese {
			here, headings = "（你在这里）", []string{"输入框", "智能体", "对话", "详情", "角色", "角色", "书写的命令"}
		}
		t.Run(string(lang), func(t *testing.T) {
			onScreenWith(t, size[0], size[1], func(c *tui.Config) { c.Lang = lang }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				for i, keys := range [][]string{{}, {"alt+1"}, {"alt+2"}, {"alt+3"}, {"alt+r"}, {"ctrl+p"}, {"/"}} {
					s.Press("esc", "esc").Idle().Press(keys...).Idle().Press("f1")
					if got := s.Row(here); !strings.Contains(got, headings[i]) {
						t.Errorf("after %v the help begins with %q", keys, got)
					}
					s.Press("esc")
				}
			})
		})
	}
}

func TestTheHelpIsSearched(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+2", "?").Shows("type to search", "esc close").Type("alt+5").Shows("Open a pinned agent", "esc show all").Hides("esc close", "Search the conversation")
		s.Press("esc").Shows("Conversation (you are here)", "esc close").Type("nosuchword").Shows("Nothing here holds that")
		s.Press("esc", "esc").Hides("Keys")
		asked(t, f)
	})
}

// The commands that open it: at the commands, at all keys, at what a word is about.
func TestTheHelpIsACommand(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/help").Press("esc", "enter").Shows("Commands, written", "/messages [agent]").Press("esc")
		s.Type("/keys").Press("esc", "enter").Shows("Anywhere", "Next pane").Press("esc")
		s.Type("/help pinned").Press("enter").Shows("› pinned", "Open a pinned agent").Hides("Next pane")
		s.Press("esc").Shows("type to search").Press("esc").Hides("type to search")
	})
}

func TestCommandsGoWhereTheirKeysDo(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-2", func(r *api.Row) { r.Asks = true })
		s.Idle().Type("/next").Press("esc", "enter").Idle().Shows("to: web-2")
		s.Type("/agents").Press("esc", "enter").Shows("enter talk").Press("esc")
		s.Type("/messages lead-1 20").Press("enter").Idle().Shows("space fold", "to: lead-1").Press("esc")
		s.Type("/messages 20").Press("enter").Shows("space fold", "to: lead-1").Press("esc")
		s.Type("/messages nobody").Press("enter").Shows("nobody", "/messages nobody").Hides("space fold")
	})
}
