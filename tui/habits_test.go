package tui_test

import (
	"fmt"
	"testing"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// long gives root a conversation of a hundred lines, one a message.
func long(f *fakeSociety) {
	for i := range 100 {
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, From: "root", To: "user", Text: fmt.Sprintf("line-%03d", i)})
	}
}

// Keys do what users of other programs expect of them.
func TestC74KeysOfOtherProgramsWork(t *testing.T) {
	for name, try := range map[string]func(s *screentest.Screen, f *fakeSociety){
		"lazygit ? opens the help": func(s *screentest.Screen, _ *fakeSociety) {
			s.Press("alt+1", "?").Shows("Help", "(you are here)").Press("esc").Hides("(you are here)")
		},
		"lazygit / filters a list": func(s *screentest.Screen, _ *fakeSociety) { s.Press("alt+1", "/").Type("web").Shows("/web") },
		"lazygit j and k move": func(s *screentest.Screen, _ *fakeSociety) {
			s.Press("alt+1", "j", "j", "k", "enter").Shows("to: lead-1")
		},
		"lazygit q asks before it leaves": func(s *screentest.Screen, _ *fakeSociety) {
			s.Press("alt+1", "q").Shows("Quit?").Press("esc").Hides("Quit?")
		},
		"q closes the board": func(s *screentest.Screen, _ *fakeSociety) {
			s.Press("f2").Shows("Board").Press("q").Hides("Board", "Quit?")
		},
		"vim ctrl+d and ctrl+u in the tree": func(s *screentest.Screen, _ *fakeSociety) {
			s.Press("alt+1", "g", "ctrl+d", "enter").Hides("to: you", "to: root").Press("alt+1", "ctrl+u", "ctrl+u", "j", "enter").Shows("to: root")
		},
		"q asks in the conversation": func(s *screentest.Screen, _ *fakeSociety) { s.Press("alt+2", "q").Shows("Quit?") },
		"q is text in the composer":  func(s *screentest.Screen, _ *fakeSociety) { s.Type("q").Hides("Quit?").Shows("> q") },
		"vim gg and G": func(s *screentest.Screen, _ *fakeSociety) {
			s.Press("alt+2", "g", "g").Shows("line-000").Hides("line-099").Press("G").Shows("line-099")
		},
		"vim ctrl+u and ctrl+d": func(s *screentest.Screen, _ *fakeSociety) {
			s.Press("alt+2").Shows("line-099").Press("ctrl+u").Hides("line-099").Shows("line-090").Press("ctrl+d").Shows("line-099")
		},
		"Claude Code's /": func(s *screentest.Screen, _ *fakeSociety) { s.Type("/comp").Shows("/compress") },
		"Claude Code's /exit": func(s *screentest.Screen, _ *fakeSociety) {
			s.Type("/exit").Hides("/exit ").Press("enter").Shows("Quit?")
		},
		"Claude Code's /config": func(s *screentest.Screen, _ *fakeSociety) { s.Type("/config").Press("enter").Shows("┌ Settings") },
		"Claude Code's /cost":   func(s *screentest.Screen, _ *fakeSociety) { s.Type("/cost").Press("enter").Shows("┌ Statistics") },
		"Claude Code's /clear begins a task": func(s *screentest.Screen, f *fakeSociety) {
			s.Type("/clear plan a walk").Press("enter").Idle()
			asked(t, f, society.Send{To: society.Root, Text: "plan a walk", NewTask: true})
		},
		"Claude Code's /compact": func(s *screentest.Screen, f *fakeSociety) {
			s.Type("/compact").Press("enter").Idle()
			asked(t, f, society.CompressContext{Agent: society.Root})
		},
		"Claude Code's @": func(s *screentest.Screen, _ *fakeSociety) { s.Type("@web").Shows("@web-1", "@web-2") },
		"Claude Code's ctrl+r": func(s *screentest.Screen, _ *fakeSociety) {
			s.Type("an old one").Press("enter").Idle().Press("ctrl+r").Shows("an old one")
		},
		"Claude Code's esc esc interrupts": func(s *screentest.Screen, f *fakeSociety) {
			s.Press("esc").Shows("esc again").Press("esc").Idle()
			asked(t, f, society.Interrupt{Agent: society.Root})
		},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				long(f)
				s.Idle()
				try(s, f)
			})
		})
	}
}

func TestC74TheMouseOpensScrollsAndChooses(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		long(f)
		x, y := s.Idle().Find("web-1 ")
		s.Click(x, y).Shows("web-1")
		s.Double(x, y).Shows("to: web-1")
		s.Press("alt+1", "g", "j", "enter").Idle().Shows("to: root", "line-099")
		x, y = s.Find("line-099")
		for range 10 {
			s.Wheel(x, y, -1)
		}
		s.Hides("line-099").Press("alt+1", "q").Shows("Quit?")
		x, y = s.Find("Cancel")
		s.Click(x, y).Hides("Quit?")
	})
}

// A text that was meant for the composer does not end the program, also when nothing is at work.
func TestC74QAsksAlsoAtRest(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Press("alt+1").Type("q").Idle().Shows("Quit?").Press("esc").Hides("Quit?")
		s.Press("alt+1").Type("question").Idle().Shows("> question").Hides("Quit?")
	})
}

// tmux keeps its prefix to itself: a notice says how to choose another key.
func TestC74InTmuxTheKeyOfItsPrefixSaysHowToRebindIt(t *testing.T) {
	for name, c := range map[string]struct {
		environ []string
		key     string
		says    bool
	}{
		"in tmux": {[]string{"TMUX=/tmp/tmux-0/default,1,0"}, "ctrl+b", true}, "outside": {nil, "ctrl+b", false},
		"rebound": {[]string{"TMUX=/tmp/tmux-0/default,1,0"}, "alt+b", false},
	} {
		t.Run(name, func(t *testing.T) {
			onScreenWith(t, 160, 45, func(cfg *tui.Config) {
				cfg.Environ, cfg.Keys = c.environ, map[string][]string{"tree_on_off": {c.key}}
			}, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
				s.Press(c.key).Hides("@ you (inbox)")
				const says = `tmux may keep ctrl+b: press it twice`
				if c.says {
					s.Shows(says, "tree_on_off")
				} else {
					s.Hides(says)
				}
			})
		})
	}
}

// vim's keys for half a page hold in lists and long texts, too, as long as no search is typed.
func TestHalfPagesInListsAndTexts(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		for name, open := range map[string][]string{"palette": {"ctrl+p"}, "help": {"f1", "tab", "tab"}} {
			s.Press(open...)
			top := s.String()
			s.Press("ctrl+d")
			half := s.String()
			s.Press("ctrl+d")
			all := s.String()
			if half == top || all == half {
				t.Errorf("%s: ctrl+d does not move on\n%s", name, all)
			}
			if s.Press("ctrl+u"); s.String() == all {
				t.Errorf("%s: ctrl+u does not move back\n%s", name, s)
			}
			if s.Press("ctrl+u", "ctrl+u"); s.String() != top {
				t.Errorf("%s: ctrl+u leads to\n%s\nwant\n%s", name, s, top)
			}
			s.Press("home").Type("stop").Shows("› stop").Press("ctrl+u").Hides("› stop").Press("esc", "esc")
		}
	})
}
