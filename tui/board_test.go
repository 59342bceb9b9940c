package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// staff are four agents below root that differ in every column of the board. Its rows
// are in no order.
func staff(f *fakeSociety) {
	for i, a := range []struct {
		id     society.AgentID
		role   string
		change func(*api.Row)
	}{
		{"web-10", "web", func(r *api.Row) {
			r.State, r.Tool, r.Doing, r.Model = society.Processing, "read_file", "check page 9", "b"
		}},
		{"web-2", "web", func(r *api.Row) { r.Asks, r.Question, r.Doing, r.Model = true, "which edition?", "write it", "d" }},
		{"bob", "archivist", func(r *api.Row) { r.Error, r.Doing, r.Model = "broken", "archive it", "c" }},
	} {
		f.spawn(a.id, society.Root, a.role)
		f.set(a.id, func(r *api.Row) {
			a.change(r)
			spent := []int{3000, 9000, 2000}[i]
			r.Usage = society.Usage{Input: spent, Priced: spent, Cost: society.Money(10_000-spent) * society.Currency / 1000}
		})
		f.set(a.id, func(r *api.Row) { r.Since = time.Now().Add(-time.Duration(i+1) * time.Minute) })
	}
	f.set(society.Root, func(r *api.Row) { r.Doing, r.Model, r.Since = "lead them", "a", time.Now() })
}

// listed returns the names on the board from top to bottom, and the selected one.
func listed(s *screentest.Screen, names ...string) (order []string, selected string) {
	for _, row := range s.Rows() {
		words := strings.Fields(strings.Trim(row, "│"))
		if len(words) < 2 || len([]rune(words[0])) > 2 || !slices.Contains(names, words[1]) { // mark and symbol precede a name
			continue
		}
		order = append(order, words[1])
		if strings.ContainsAny(words[0], "▌◉") {
			selected = words[1]
		}
	}
	return order, selected
}

func listsInOrder(t *testing.T, s *screentest.Screen, selected string, want ...string) {
	t.Helper()
	if got, at := listed(s, "root", "web-10", "web-2", "bob"); !slices.Equal(got, want) || at != selected {
		t.Errorf("the board lists %v with %s selected, want %v with %s\n%s", got, at, want, selected, s)
	}
}

func TestBoardSortsByEveryColumnAndKeepsItsCursor(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staff(f)
		s.Press("f2").Idle().Shows("Board 4", "o:state▼")
		s.Press("home", "down", "down")
		listsInOrder(t, s, "web-10", "web-2", "bob", "web-10", "root")
		for i, want := range [][]string{
			{"bob", "root", "web-2", "web-10"},
			{"bob", "root", "web-10", "web-2"},
			{"web-2", "bob", "web-10", "root"},
			{"bob", "web-10", "root", "web-2"},
			{"bob", "web-10", "web-2", "root"}, // root does nothing
			{"bob", "web-2", "web-10", "root"},
			{"web-2", "web-10", "bob", "root"},
			{"bob", "web-10", "web-2", "root"},
			{"root", "web-10", "bob", "web-2"},
		} {
			key := fmt.Sprint(i + 1)
			if i == 2 { // it is the present one
				key = "O"
				slices.Reverse(want)
				s.Press("1", "3").Press("3")
				listsInOrder(t, s, "web-10", want...)
				continue
			}
			s.Press(key)
			listsInOrder(t, s, "web-10", want...)
			back := slices.Clone(want)
			if last := len(back); i == 4 || i == 6 || i == 7 { // root has no value, and stays last
				slices.Reverse(back[:last-1])
			} else {
				slices.Reverse(back)
			}
			if i == 1 { // of one role, they stay in the order of their creation
				back = []string{"web-10", "web-2", "root", "bob"}
			}
			s.Press(key)
			listsInOrder(t, s, "web-10", back...)
		}
		s.Press("1", "o").Shows("Role▲", "o:role▲").Press("left", "left").Shows("Model▲").Press("O").Shows("Model▼")
		s.Press("right").Shows("Name▲").Press("esc").Hides("Board 4").Press("f2").Shows("Name▲").Press("f2").Hides("Board 4")
		s.Type("/board cost").Press("enter").Shows("Board 4", "Cost▼").Press("esc").Type("/board x").Press("enter").Shows("/board takes one of: name, role")
	})
}

// Rows that move with every frame could not be read: changed agents change places once a
// second, and the cursor goes along on its line.
func TestBoardMovesRowsOnceASecondAroundItsCursor(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staff(f)
		s.Press("f2", "7", "end", "up").Idle()
		listsInOrder(t, s, "bob", "web-2", "web-10", "bob", "root")
		s.Pass(2 * time.Second)
		spend := func(n int) { f.set("bob", func(r *api.Row) { r.Usage = society.Usage{Input: n} }) }
		spend(5000)
		s.Pass(100 * time.Millisecond)
		listsInOrder(t, s, "bob", "web-2", "bob", "web-10", "root")
		spend(50_000)
		s.Pass(100 * time.Millisecond).Shows("50k")
		listsInOrder(t, s, "bob", "web-2", "bob", "web-10", "root")
		s.Pass(time.Second)
		listsInOrder(t, s, "bob", "bob", "web-2", "web-10", "root")
		f.end(t, "bob") // others are there and gone at once, and the nearest is selected
		s.Pass(50 * time.Millisecond)
		listsInOrder(t, s, "web-2", "web-2", "web-10", "root")
	})
}

func TestBoardKeepsTheLineOfItsCursor(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for i := range 60 {
			f.spawn(society.AgentID(fmt.Sprintf("a-%d", i)), society.Root, "a")
		}
		s.Press("f2", "1", "home", "pgdown", "pgdown").Idle()
		_, y := s.Find("▌·")
		row := s.Rows()[y]
		for i := range 9 {
			f.spawn(society.AgentID(fmt.Sprintf("a%d", i)), society.Root, "a") // before it
		}
		s.Idle()
		if got := s.Rows()[y]; got != row {
			t.Errorf("line %d is %q, want %q\n%s", y, got, row, s)
		}
		s.Wheel(10, 10, -30)
		s.Shows("a-0").Hides("▌·").Press("down").Shows("▌·")
	})
}

// The board carries every verb of the tree, for its cursor or the tree's marks.
func TestBoardCarriesEveryVerb(t *testing.T) {
	for key, want := range map[string]society.Command{
		"i": society.Interrupt{Agent: "web-10"}, "s": society.Stop{Agent: "web-10"},
		"ctrl+x i": society.Interrupt{Agent: "web-10"}, "ctrl+x s": society.Stop{Agent: "web-10"}, "ctrl+x p": society.PauseAgent{Agent: "web-10"},
		"T y": society.Terminate{Agent: "web-10", By: society.User}, "ctrl+x t y": society.Terminate{Agent: "web-10", By: society.User},
	} {
		t.Run(key, func(t *testing.T) {
			onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				staff(f)
				s.Press("f2", "1", "end")
				for _, k := range strings.Fields(key) {
					s.Press(k)
					s.Pass(finalReaction)
				}
				asked(t, f, want)
			})
		})
	}
	t.Run("others", func(t *testing.T) {
		onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
			staff(f)
			f.set("web-2", func(r *api.Row) { r.State, r.Asks = society.Stopped, false })
			s.Press("f2", "1", "home", "R").Idle()
			asked(t, f, society.Resume{Agent: "bob", Now: true})
			s.Pass(time.Second).Press("down", "down", "s").Idle()
			asked(t, f, society.Resume{Agent: "web-2"})
			s.Press("p").Shows("web-2", "alt+4").Pass(time.Second).Press("c").Shows("Copied").Press("w").Shows("write it", "Board 4").Press("esc")
			s.Pass(time.Second).Press("e").Shows("Not available here")
			s.Press("ctrl+t").Shows("Timeline of web-2").Press("esc").Shows("Board 4")
			s.Press("ctrl+p").Shows("Command palette · web-2").Type("sort by: cost").Press("enter").Shows("Cost▼")
			s.Press("ctrl+p").Type("/pause").Press("enter").Pass(time.Second).Press("left").Shows("Tokens▼")
			if got := s.Copied(); len(got) != 1 || got[0] != "d2ViLTI=" {
				t.Errorf("copied %q, want web-2 in base64", got)
			}
			s.Press("f1").Shows("Anywhere").Press("esc").Press("1", "end", "enter").Hides("Board 4").Shows("to: web-10")
		})
	})
}

// One table of keys: each command of the tree for agents has the same keys on the board.
func TestBoardHasTheKeysOfTheTreeForAgents(t *testing.T) {
	keys := map[string][]string{}
	for _, b := range tui.Bindings(protocol.English) {
		keys[b.Name] = b.Keys
	}
	for name, want := range keys {
		own, tree := strings.CutPrefix(name, "tree.")
		if got := keys["board."+own]; tree && got != nil && !slices.Equal(got, want) {
			t.Errorf("%s is %v on the board and %v in the tree", own, got, want)
		}
	}
}

func TestMarksOfTheTreeAreThoseOfTheBoard(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staff(f)
		s.Press("alt+1", "home", "down", "down", "space", "f2").Shows("1 marked")
		s.Press("1", "end", "up", "space").Shows("2 marked", "●? web-2", "2 marked  f:all").Press("s").Shows("Stop 2 agents").Press("y").Idle()
		asked(t, f, society.Stop{Agent: "web-10"}, society.Stop{Agent: "web-2"})
		s.Shows("mark them, then ctrl+x r resumes") // not the selected one alone
		s.Press("space").Shows("1 marked").Press("esc").Hides("1 marked  f", "◉").Shows("Board 4")
		s.Press("up", "space", "alt+1").Hides("Board 4").Shows("1 marked")
	})
}

func TestBoardIsFilteredLikeTheTree(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staff(f)
		s.Press("f2", "1", "end").Type("/role:archivist").Shows("/role:archivist", "1/4")
		if x, y, shown := s.Cursor(); !shown || y != 1 || x != 1+len("/role:archivist") {
			t.Errorf("the cursor is at %d,%d", x, y)
		}
		listsInOrder(t, s, "bob", "bob")
		s.Press("enter", "i").Idle()
		asked(t, f, society.Interrupt{Agent: "bob"})
		s.Press("esc").Shows("Board 4")
		listsInOrder(t, s, "web-10", "bob", "root", "web-2", "web-10")
		s.Press("f").Shows("f:problems")
		listsInOrder(t, s, "web-2", "bob", "web-2")
		s.Press("f").Shows("f:running")
		listsInOrder(t, s, "web-10", "web-10")
		s.Press("f").Shows("f:all").Type("/zzz").Shows("No agent matches “zzz” · esc shows all").Press("enter", "s", "enter", "space")
		asked(t, f)
		s.Press("esc", "esc").Hides("Board")
	})
}

func TestMouseOnTheBoard(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staff(f)
		s.Press("f2")
		x, y := s.Find("Tokens")
		s.Click(x, y).Shows("Tokens▼").Click(s.Find("f:all")).Shows("f:problems").Click(s.Find("f:")).Click(s.Find("f:")).Shows("f:all")
		s.Click(s.Find("o:tokens")).Hides("o:tokens").Click(x, y).Shows("Tokens▼")
		x, y = s.Find("web-10")
		s.Click(x, y)
		listsInOrder(t, s, "web-10", "web-2", "web-10", "bob", "root")
		s.Pass(time.Second).Click(x, y).Shows("to: web-10").Hides("Board").Press("f2")
		x, y = s.Find("web-2 ")
		s.Pass(time.Second).Double(x, y).Shows("to: web-2").Hides("Board")
	})
}

// Narrower screens leave out columns; name, state and task stay.
func TestBoardFitsAnyWidth(t *testing.T) {
	for _, width := range []int{30, 38, 46, 60, 79, 80, 100, 120, 160, 300} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			onScreenWith(t, width, 24, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				staff(f)
				s.Press("f2", "end").Shows("Name", "State")
				if width >= 46 {
					s.Shows("Task", "lead them")
				}
				if width >= 60 {
					s.Press("9").Press("6").Shows("Age▼").Press("O").Shows("Age▲")
				}
				if width >= 80 {
					s.Press("9").Shows("Model▲")
				}
				for _, row := range s.Rows() {
					if got := ansi.StringWidth(row); got > width {
						t.Errorf("%q has %d cells", row, got)
					}
				}
			})
		})
	}
}

func TestBoardMatchesItsGoldens(t *testing.T) {
	for _, tt := range []struct {
		name string
		w, h int
		lang protocol.Lang
	}{{"board", 160, 45, protocol.English}, {"board", 100, 30, protocol.English}, {"board-zh", 60, 20, protocol.Chinese}} {
		t.Run(tt.name, func(t *testing.T) {
			onScreenWith(t, tt.w, tt.h, func(cfg *tui.Config) { cfg.Still, cfg.Lang = true, tt.lang }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				book(f)
				s.Idle() // else it keeps the cursor's line while agents arrive, in as many pieces as the machine is slow
				s.Press("f2", "space").Idle()
				golden(t, fmt.Sprintf("%s-%dx%d", tt.name, tt.w, tt.h), s.String())
			})
		})
	}
}

// The board tells ages, also while nobody works and no key is pressed.
func TestTheBoardTellsAgesAtRest(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("web-1", society.Root, "web")
		s.Press("f2")
		if row := s.Row("web-1"); !strings.Contains(row, "<1m") {
			t.Errorf("a new agent is told as %q", row)
		}
		s.Pass(3*time.Minute + time.Second)
		if row := s.Row("web-1"); !strings.Contains(row, " 3m ") {
			t.Errorf("after three minutes it is told as %q", row)
		}
	})
}

// What is typed or pasted over the board, or a click on the composer, which stands below it, goes
// to the composer: the board has no text but its filter.
func TestTextOverTheBoardGoesToTheComposer(t *testing.T) {
	write := map[string]func(s *screentest.Screen, text string){
		"typed": func(s *screentest.Screen, text string) {
			for _, c := range text {
				s.Type(string(c)).Pass(100 * time.Millisecond)
			}
		},
		"pasted": func(s *screentest.Screen, text string) { s.Paste(text) },
		"behind a click": func(s *screentest.Screen, text string) {
			_, y := s.Find("> Tell root")
			s.Click(5, y).Type(text)
		},
	}
	for name, write := range write {
		t.Run(name, func(t *testing.T) {
			onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				staff(f)
				for _, text := range []string{"A4 纸够吗", "请发给我", "and so on", "Type-C"} {
					s.Press("f2").Shows("Board 4").Pass(time.Second)
					write(s, text)
					s.Hides("Board 4").Shows("> "+text, "to: root").Press("ctrl+c")
				}
				if name != "behind a click" { // it is for the selected agent
					s.Press("f2")
					s.Click(s.Find("web-10"))
					write(s, "12 个人")
					s.Hides("Board 4").Shows("> 12 个人", "to: web-10")
				}
				asked(t, f)
			})
		})
	}
}
