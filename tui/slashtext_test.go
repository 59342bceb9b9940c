package tui_test

import (
	"testing"

	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// A command typed after the / of a filter or search: matches come first, else
// the command is written into the composer, where one more enter runs it.
func TestSlashInTheFilterWritesACommand(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1").Type("/stat").Shows("No agent matches", "enter keep the filter").Type("s").Shows("enter write the command /stats", "esc show all")
		s.Press("enter").Shows("> /stats", "▸/stats", "enter choose", "Agents 4").Press("esc", "ctrl+c")
		s.Press("alt+1").Type("/stop web-1").Press("enter").Shows("> /stop web-1", "to: root")
		asked(t, f)
		s.Press("ctrl+c").Type("a draft").Press("alt+1").Type("//theme").Press("tab").Shows("> /theme", "ctrl+y restores it").Press("esc", "ctrl+c")
		f.spawn("stats-1", "lead-1", "stats")
		s.Idle().Press("alt+1").Type("/stats").Shows("enter keep the filter", "stats-1").Hides("write the command").Press("enter").Shows("stats-1")
		asked(t, f)
	})
}

func TestSlashInTheSearchOffersToWriteACommand(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+2").Type("/stats").Shows("enter search", "tab write the command /stats", "esc go back")
		s.Press("enter").Shows("Searching this conversation for stats", "write /stats in the composer").Press("esc")
		s.Press("alt+2").Type("/stats").Press("tab").Shows("> /stats", "▸/stats")
		asked(t, f)
	})
}

// A command is found by its title and by other words, in either language.
func TestSlashFindsACommandByAnotherWord(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for typed, want := range map[string]string{"/统计": "/stats", "/模型": "/models", "/设置": "/settings", "/预算": "/budget", "/statistics": "/stats"} {
			s.Type(typed).Shows("▸"+want).Press("esc", "ctrl+c")
			s.Type(typed).Press("esc", "enter").Shows("Unknown command "+typed, want).Press("esc", "ctrl+c")
		}
		asked(t, f)
		s.Type("/主题 深色").Shows("▸/theme 深色").Press("enter").Shows("> /theme 深色").Press("esc", "ctrl+c")
		s.Type("/找 云南").Shows("▸/find 云南").Press("esc", "enter").Shows("Unknown command /找", "/find 云南").Press("esc", "ctrl+c")
		s.Type("/预算 5元").Shows("▸/budget 5元").Press("esc", "ctrl+c")
		asked(t, f)
		for typed, want := range map[string]string{"/模板 辩论": "/template 辩论", "/模板 debate": "/template debate", "/导出 md": "/export md"} {
			s.Type(typed).Press("esc", "enter").Shows("Unknown command "+typed[:len("/模板")], want).Press("esc", "ctrl+c")
		}
		asked(t, f)
		s.Type("/home was said").Press("enter")
		asked(t, f, send("root", "/home was said"))
		s.Type("/label boss").Press("enter").Shows("Unknown command /label · did you mean /name boss? A space before the / sends it as text").Press("ctrl+c")
		s.Type("/dark mode").Press("enter").Shows("Unknown command /dark · did you mean").Press("ctrl+c")
		asked(t, f)
		for _, typed := range []string{"/rename boss", "/改名 boss"} { // one enter runs either
			s.Type(typed).Press("enter").Hides("> /")
			asked(t, f, society.Rename{Agent: "root", Name: "boss"})
		}
		s.Type("/设置 x").Shows("▸/settings x", " /setup x").Press("enter").Shows("> /settings x").Press("ctrl+c") // two are called so
	})
}

// One enter runs a command that needs no argument, whether it was found by the beginning of its
// name or by another word. One that takes an argument waits for it.
func TestEnterRunsACommandFoundByAnotherWord(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for _, typed := range []string{"/settin", "/设置", "/options"} {
			s.Type(typed).Shows("▸/settings", "enter choose").Press("enter").Shows("┌ Settings", "esc close").Hides("enter choose").Press("esc").Hides("┌ Settings", "> /")
		}
		for _, typed := range []string{"/stat", "/统计", "/statistics"} {
			s.Type(typed).Shows("▸/stats").Press("enter").Shows("┌ Statistics").Press("esc").Hides("┌ Statistics", "> /")
		}
		for typed, title := range map[string]string{"/the": "┌ Theme", "/artif": "┌ Artifacts", "/proces": "┌ Background processes", "/产出": "┌ Artifacts"} {
			s.Type(typed).Press("enter").Shows(title).Press("esc").Hides(title, "> /") // its argument is seldom given
		}
		s.Type("/mouse of").Shows("▸/mouse off").Press("enter").Shows("Mouse off").Hides("> /")
		s.Type("/mouse o").Shows("▸/mouse on", "/mouse off").Press("enter").Shows("> /mouse on").Press("ctrl+c")
		for _, typed := range []string{"/budg", "/预算"} {
			s.Type(typed).Press("enter").Shows("> /budget").Press("esc", "ctrl+c")
		}
		s.Type("/budget ").Shows("/budget task", "the task in work", "/budget day", "everything, each day").Press("esc", "ctrl+c")
		asked(t, f)
	})
}

// A command is written in full width, or with the mark of the key of / among Chinese punctuation,
// as well. A text that begins with that mark stays a text.
func TestACommandInFullWidth(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for typed, want := range map[string]string{"／": "▸/new", "／预算": "▸/budget", "／bud": "▸/budget", "、bud": "▸/budget", "、预": "▸/budget", "／ｂｕｄ": "▸/budget"} {
			s.Type(typed).Shows("> "+typed, want).Press("esc", "ctrl+c")
		}
		for _, typed := range []string{"／rename boss", "、rename boss", "／ｒｅｎａｍｅ　boss", "／改名 boss"} {
			s.Type(typed).Press("enter").Hides("> ／", "> 、")
			asked(t, f, society.Rename{Agent: "root", Name: "boss"})
		}
		for _, text := range []string{"、嗯", "、but no", "、", "／usr/bin 是什么", "／／ 注释"} {
			s.Type(text).Press("enter")
			asked(t, f, send("root", text))
		}
		s.Type("／nosuch").Press("enter").Shows("Unknown command /nosuch", "> /nosuch").Type("／stats").Hides("nosuch").Press("esc", "ctrl+c")
	})
}
