package tui_test

import (
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// The keys here begin with those of the focused scope.
func TestKeysHereBeginWithTheFocusedScope(t *testing.T) {
	for size, lang := range map[[2]int]protocol.Lang{{160, 45}: protocol.English, {60, 20}: protocol.Chinese} {
		here, headings := "(you are here)", []string{"Composer", "Agents", "Conversation", "Inspector", "Lists of", "Lists of", "Slash commands"}
		if lang == protocol.Chinese {
			here, headings = "（你在这里）", []string{"输入框", "智能体", "对话", "详情", "角色", "角色", "斜杠命令"}
		}
		t.Run(string(lang), func(t *testing.T) {
			onScreenWith(t, size[0], size[1], func(c *tui.Config) { c.Lang = lang }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				for i, keys := range [][]string{{}, {"alt+1"}, {"alt+2"}, {"alt+3"}, {"alt+r"}, {"ctrl+p"}, {"/"}} {
					s.Press("esc", "esc").Idle().Press(keys...).Idle().Press("f1", "tab", "enter")
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
		s.Press("esc").Shows("Write a request to root", "esc close").Type("nosuchword").Shows("No matches. esc clears the search.")
		s.Press("esc").Type("double").Shows("Mouse and copying", "talk to the agent").Press("esc")
		s.Press("esc").Hides("Write a request")
		asked(t, f)
	})
}

// The first page fits 80x24 without scrolling, and leads to all parts and back.
func TestTheHelpOpensWithOnePage(t *testing.T) {
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		t.Run(string(lang), func(t *testing.T) {
			onScreenWith(t, 80, 24, func(c *tui.Config) { c.Lang = lang }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				first, parts := []string{"Write a request to root", "ctrl+p", "esc esc", "ctrl+c", "Keys here", "All keys", "Commands", "Symbols", "Mouse and copying"}, []string{"you are here", "Next pane", "/to [agent]", "thinking", "Double click"}
				if lang == protocol.Chinese {
					first, parts = []string{"给 root 写下请求", "ctrl+p", "esc esc", "ctrl+c", "此处按键", "所有按键", "命令", "符号", "鼠标与复制"}, []string{"你在这里", "下一个窗格", "/to", "思考", "双击"}
				}
				s.Press("f1").Shows(first...).Hides("┃")
				for i, shows := range parts {
					for range i + 1 {
						s.Press("tab")
					}
					s.Press("enter").Shows(shows).Hides(first[0]).Press("f1").Shows(first[0])
				}
				s.Press("f1").Hides(first[0])
			})
		})
	}
}

// The commands that open it: the first page, all keys, and a search.
func TestTheHelpIsACommand(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/help").Press("esc", "enter").Shows("Write a request to root").Press("esc")
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

// A key of another list does nothing here.
func TestKeysHereAreThoseOfTheOpenList(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Press("alt+a").Press("f1").Press("tab", "enter").Shows("Open, add, or choose", "Page up").Hides("Open in your pager or editor")
		s.Press("esc", "esc").Type("/artifacts").Press("enter").Press("f1").Press("tab", "enter").Shows("Open in your pager or editor")
	})
}
