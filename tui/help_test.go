package tui_test

import (
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// Over a dialog or a list, the keys here are its own, under its title.
func TestKeysHereAreThoseOfWhatIsOpen(t *testing.T) {
	onScreen(t, 100, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle()
		asksToEdit(f, "web-1", 1, "src/a.go")
		s.Idle().Press("alt+a").Pass(time.Second).Press("f1", "right").Shows("web-1 asks to edit (request 1) (you are here)", "Allow once", "For this task", "Deny…", "Later").Hides("New line", "Next pane")
		s.Press("esc").Shows("[ Allow once ]").Press("esc")
		s.Type("/theme").Press("esc", "enter").Idle().Press("f1", "right").Shows("Themes (you are here)").Hides("Lists of roles")
	})
}

// In the composer a ? is text; once the screen says which key opens the help there.
func TestAQuestionMarkAloneTellsTheKeyOfTheHelp(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("?").Shows("F1 opens the help", "> ?").Type("no").Press("ctrl+c").Pass(10 * time.Second).Type("?").Hides("F1 opens")
	})
}

// The keys here begin with those of the focused scope.
func TestKeysHereBeginWithTheFocusedScope(t *testing.T) {
	for size, lang := range map[[2]int]protocol.Lang{{160, 45}: protocol.English, {60, 20}: protocol.Chinese} {
		here, headings := "(you are here)", []string{"Composer", "Agents", "Conversation", "Inspector", "Roles", "Command palette", "Slash commands"}
		if lang == protocol.Chinese {
			here, headings = "（你在这里）", []string{"输入框", "智能体", "对话", "详情", "角色", "命令面板", "斜杠命令"}
		}
		t.Run(string(lang), func(t *testing.T) {
			onScreenWith(t, size[0], size[1], func(c *tui.Config) { c.Lang = lang }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				for i, keys := range [][]string{{}, {"alt+1"}, {"alt+2"}, {"alt+3"}, {"alt+r"}, {"ctrl+p"}, {"/"}} {
					s.Press("esc", "esc").Idle().Press(keys...).Idle().Press("f1", "tab")
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
		s.Press("esc").Shows("(you are here)", "esc close").Type("nosuchword").Shows("No matches. esc clears the search.")
		s.Press("esc").Type("double").Shows("Mouse", "talk to the agent").Press("esc")
		s.Press("esc").Hides("(you are here)")
		asked(t, f)
	})
}

// The first tab fits 80x24 without scrolling, and the arrows lead through the keys by place
// to the symbols and the mouse, and around.
func TestTheHelpHasTabsByPlace(t *testing.T) {
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		t.Run(string(lang), func(t *testing.T) {
			onScreenWith(t, 80, 24, func(c *tui.Config) { c.Lang = lang }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				first := []string{"Write a request to root", "ctrl+p", "esc esc", "ctrl+c", "Start", "Here", "Anywhere", "Composer"}
				parts := []string{"you are here", "Next pane", "Older text", "Mark the agent", "Search the conversation", "Open, add, or choose", "/to [agent]", "thinking", "Double click"}
				if lang == protocol.Chinese {
					first = []string{"给 root 写下请求", "ctrl+p", "esc esc", "ctrl+c", "入门", "此处", "全局", "命令", "符号", "鼠标"}
					parts = []string{"你在这里", "下一个窗格", "较早的输入", "标记", "下一处（更早）", "打开", "/to", "思考", "双击"}
				}
				s.Press("f1").Shows(first...).Hides("┃")
				for _, shows := range parts {
					s.Press("right").Shows(shows).Hides(first[0])
				}
				s.Press("right").Shows(first[0]).Press("shift+tab").Shows(parts[len(parts)-1]).Press("f1").Hides(parts[len(parts)-1])
			})
		})
	}
}

// The first page tells what this is, how to talk, watch, stop, undo, find and leave, in 24 rows.
func TestC60TheFirstPageNamesWhatToDoFirst(t *testing.T) {
	for lang, wants := range map[protocol.Lang][]string{
		protocol.English: {"runs a team of AI agents", "Talk", "enter", "Watch an agent", "alt+1", "Stop, pause", "ctrl+x", "Undo", "/undo", "Find text here; ctrl+f then searches all conversations", "/find", "Leave", "ctrl+c"},
		protocol.Chinese: {"AI 智能体团队", "对话", "查看", "停止", "撤销", "/undo", "再按 ctrl+f 搜索所有对话", "/find", "退出", "ctrl+c"},
	} {
		t.Run(string(lang), func(t *testing.T) {
			onScreenWith(t, 80, 24, func(c *tui.Config) { c.Lang = lang }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				s.Press("f1").Shows(wants...).Hides("┃")
			})
		})
	}
}

// The help is searched by what one wants.
func TestC60TheHelpFindsWhatOneWants(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for wanted, found := range map[string][]string{
			"copy": {"Copy"}, "stop": {"Stop agent and subtree"}, "undo": {"Undo changes of files"}, "quit": {"quit"}, "search": {"/find"}, "board": {"Board of all agents"},
		} {
			s.Press("f1").Type(wanted).Shows(found...).Press("esc", "esc")
		}
	})
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
		s.Press("alt+t").Press("f1").Press("tab").Shows("Open, add, or choose", "Page up").Hides("Export artifact…")
		s.Press("esc", "esc").Type("/artifacts").Press("enter").Press("f1").Press("tab").Shows("Open an artifact in your pager or editor, or a request")
	})
}

func TestAQuestionMarkTellsTheKeysHere(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("f2", "?").Shows("(you are here)", "Sort by the next column").Press("?").Hides("(you are here)").Press("esc")
		s.Press("f1").Shows("Write a request to root")
	})
}
