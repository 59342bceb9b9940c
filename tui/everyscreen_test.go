package tui_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// A setting is one way to draw the screen.
type setting struct {
	w, h            int
	lang            protocol.Lang
	theme           string
	ascii, noColour bool
	agents          int
}

func (v setting) String() string {
	return fmt.Sprintf("%dx%d-%s-%s-ascii=%v-nocolour=%v-%d", v.w, v.h, v.lang, v.theme, v.ascii, v.noColour, v.agents)
}

// settings returns all settings.
func settings() (all []setting) {
	for _, size := range [][2]int{{160, 45}, {120, 35}, {100, 30}, {80, 24}, {60, 20}} {
		for _, lang := range protocol.Langs() {
			for _, theme := range []string{"dark", "light", "lagoon"} {
				for _, ascii := range []bool{false, true} {
					for _, noColour := range []bool{false, true} {
						for _, agents := range []int{1, 4, 12, 60, 1204} {
							all = append(all, setting{size[0], size[1], lang, theme, ascii, noColour, agents})
						}
					}
				}
			}
		}
	}
	return all
}

// taskOf is what the i-th agent does.
func taskOf(i int) string {
	return fmt.Sprintf("chapter %d: check that each number stands in its source as well", i)
}

// crew makes root and others below it, up to n agents that all work.
func crew(f *fakeSociety, n int) {
	for i := range n {
		id := society.AgentID(fmt.Sprintf("web-%d", i))
		if i == 0 {
			id = society.Root
		} else {
			f.spawn(id, society.Root, "web")
		}
		f.set(id, func(r *api.Row) { r.State, r.Doing = society.WaitingLLM, taskOf(i) })
	}
}

// At every size, in every language and theme, and with any number of agents each row
// fits, the tasks can be read, and no dialog leaves halves of words beside it.
func TestEveryScreenIsDrawnExactly(t *testing.T) {
	all := settings()
	if os.Getenv("SOCIETY_LONG") == "" {
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:24]
	}
	for _, v := range all {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				crew(f, v.agents)
				cfg := config(f)
				cfg.Still, cfg.Lang, cfg.Theme, cfg.ASCII, cfg.Plain = true, v.lang, v.theme, v.ascii, v.noColour
				s := screentest.Drive(t, v.w, v.h, cfg)
				exact(t, s, v.w, v.h)
				tasksAreRead(t, s, v)
				for _, keys := range [][]string{{"f1"}, {"ctrl+p"}, {"alt+r"}} {
					before := s.Rows()
					s.Press(keys...)
					exact(t, s, v.w, v.h)
					wordsAreWhole(t, before, s)
					s.Press("esc", "esc").Pass(time.Second)
				}
			})
		})
	}
}

// exact checks that the rows fit, and that header, composer and hints are in their places.
func exact(t *testing.T, s *screentest.Screen, w, h int) {
	t.Helper()
	rows := s.Rows()
	if len(rows) != h {
		t.Fatalf("%d rows, want %d", len(rows), h)
	}
	for y, row := range rows {
		if n := ansi.StringWidthWc(row); n > w {
			t.Errorf("row %d has %d cells, want at most %d: %q", y, n, w, row)
		}
	}
	if strings.TrimSpace(rows[0]) == "" || strings.TrimSpace(rows[h-1]) == "" {
		t.Errorf("no header or no hints, so a row before has wrapped:\n%s", s)
	}
	if strings.Contains(s.String(), "%!") {
		t.Errorf("a text has lost its arguments:\n%s", s)
	}
}

// tasksAreRead checks that each task can be read while every agent has two rows.
func tasksAreRead(t *testing.T, s *screentest.Screen, v setting) {
	t.Helper()
	cells, fits := map[int]int{160: 40, 120: 30, 100: 24, 80: 24}[v.w], 1+2*v.agents <= v.h-6
	if cells == 0 || !fits {
		return
	}
	for i := range v.agents {
		if task := taskOf(i)[:cells]; !strings.Contains(s.String(), task) {
			t.Errorf("%q is not on the screen:\n%s", task, s)
		}
	}
}

// wordsAreWhole checks that what is left of the screen beside a dialog are words that
// stood in the same row before, and in no other colour than one.
func wordsAreWhole(t *testing.T, before []string, s *screentest.Screen) {
	t.Helper()
	left, top, right, bottom, ok := boxOf(s.Rows())
	if !ok {
		t.Fatalf("no box is on the screen:\n%s", s)
	}
	inks := s.Inks()
	for y := top; y <= bottom; y++ {
		words := strings.FieldsFunc(before[y], isApart)
		row := s.Rows()[y]
		beside := ansi.Cut(row, 0, left) + " " + ansi.Cut(row, right+1, len(inks[y]))
		for _, word := range strings.FieldsFunc(beside, isApart) {
			if !slices.Contains(words, word) {
				t.Errorf("row %d has %q beside the dialog:\n%s", y, word, s)
			}
		}
		shades := map[any]bool{}
		for x, ink := range inks[y] {
			if (x < left || x > right) && ink.Char != 0 {
				shades[ink.Fore] = true
			}
		}
		if len(shades) > 1 {
			t.Errorf("row %d is not dimmed beside the dialog: it has %d colours\n%s", y, len(shades), s)
		}
	}
}

// isApart reports whether a character is no part of a word.
func isApart(r rune) bool { return r == ' ' || r >= 0x2500 && r <= 0x259f }

// topOfBox is the upper border of a box with its title, in ASCII, too.
var topOfBox = regexp.MustCompile(`^(┌ .*─┐|- [^|]+? -{3,})`)

// boxOf returns the corners of the box on the screen.
func boxOf(rows []string) (left, top, right, bottom int, ok bool) {
	for y, row := range rows {
		for at := range row {
			border := topOfBox.FindString(row[at:])
			if border == "" {
				continue
			}
			left = ansi.StringWidthWc(row[:at])
			right = left + ansi.StringWidthWc(border) - 1
			if bottom, ok = endOfBox(rows, left, y, right); ok {
				return left, y, right, bottom, true
			}
		}
	}
	return 0, 0, 0, 0, false
}

// endOfBox returns the last row of the box with these upper corners, if it is one.
func endOfBox(rows []string, left, top, right int) (bottom int, ok bool) {
	for y := top + 1; y < len(rows); y++ {
		switch ansi.Cut(rows[y], left, left+1) + ansi.Cut(rows[y], right, right+1) {
		case "└┘", "--":
			return y, y > top+1
		case "││", "│┃", "||", "|#":
		default:
			return 0, false
		}
	}
	return 0, false
}

// Each agent's task can be read at a glance.
func TestC55TasksAreReadable(t *testing.T) {
	for _, tt := range []struct{ w, h, agents, cells int }{{160, 45, 8, 40}, {100, 30, 8, 24}, {80, 24, 6, 24}} {
		t.Run(fmt.Sprintf("%dx%d", tt.w, tt.h), func(t *testing.T) {
			onScreenWith(t, tt.w, tt.h, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				crew(f, tt.agents)
				// In any place of the tree, and while the user is needed.
				for i := 3; i < tt.agents; i++ {
					f.set(society.AgentID(fmt.Sprintf("web-%d", i)), func(r *api.Row) { r.Parent = society.AgentID(fmt.Sprintf("web-%d", i-1)) })
				}
				s.Idle()
				for i := range tt.agents {
					s.Shows(taskOf(i)[:tt.cells])
				}
			})
		})
	}
}

// Many agents have one row each, and one more below the fold moves none of them.
func TestC56ManyAgentsHaveOneRowAndStayInPlace(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		crew(f, 200)
		s.Idle()
		for i := 1; i < 30; i++ {
			_, y := s.Find(fmt.Sprintf("web-%d ", i))
			if _, next := s.Find(fmt.Sprintf("web-%d ", i+1)); next != y+1 {
				t.Fatalf("web-%d is in row %d, the next agent in row %d:\n%s", i, y, next, s)
			}
		}
		before := s.Columns(0, 50)[2:]
		f.spawn("one-more", society.Root, "web")
		if after := s.Idle().Columns(0, 50)[2:]; !slices.Equal(before, after) {
			t.Errorf("an agent below the fold moves rows:\n%s\nwas\n%s", s, strings.Join(before, "\n"))
		}
	})
}

// onScreenTwice runs a script on a screen and, after a restart, another one.
func onScreenTwice(t *testing.T, w, h int, first func(*screentest.Screen, *fakeSociety), second func(*screentest.Screen)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		cfg := config(f)
		cfg.Still = true
		ctx, cancel := context.WithCancel(t.Context())
		s := screentest.DriveContext(ctx, t, w, h, cfg)
		first(s, f)
		cancel()
		if _, err := s.Ended(); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		f.restart()
		second(screentest.Drive(t, w, h, cfg).Idle())
	})
}

// The user chooses how many rows an agent has, and that is kept.
func TestRowsOfAnAgentAreChosenAndKept(t *testing.T) {
	task := taskOf(3)[:20]
	onScreenTwice(t, 100, 30, func(s *screentest.Screen, f *fakeSociety) {
		crew(f, 4)
		s.Idle().Shows(task).Press("alt+1", "d").Shows("One row for each agent").Hides(task)
		s.Press("d").Shows("Two rows for each agent", task)
		s.Press("d").Shows("Two rows for each agent while all fit", task).Press("d", "esc").Hides(task)
	}, func(s *screentest.Screen) { s.Shows("web-3").Hides(task) })
}

// While all fit the agents have two rows; that changes only with some rows to spare.
func TestRowsOfAnAgentDoNotFlicker(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		crew(f, 11) // 23 of 24 rows
		tall := func() bool { return strings.Contains(s.Idle().String(), taskOf(2)[:20]) }
		spawn := func(id society.AgentID) { f.spawn(id, society.Root, "web") }
		if !tall() {
			t.Fatalf("the agents fit and have one row:\n%s", s)
		}
		s.Press("ctrl+j", "ctrl+j", "ctrl+j", "ctrl+j", "ctrl+j", "ctrl+j")
		if !tall() {
			t.Errorf("a text of several rows changes the tree")
		}
		s.Press("ctrl+c")
		for i := range 2 {
			if spawn(society.AgentID(fmt.Sprint("more-", i))); !tall() {
				t.Errorf("with %d agents more there is one row each", i+1)
			}
		}
		if spawn("more-2"); tall() {
			t.Errorf("five rows are missing, and there are two each:\n%s", s)
		}
		for _, id := range []society.AgentID{"more-2", "more-1", "more-0", "web-10"} {
			if f.end(t, id); tall() {
				t.Errorf("without %s there are two rows each again", id)
			}
		}
		if f.end(t, "web-9"); !tall() {
			t.Errorf("four rows are to spare, and there is one each:\n%s", s)
		}
	})
}

// The inspector opens beside the conversation, closes with the key that opened it, and
// is there again after a restart.
func TestInspectorIsOpenedClosedAndKept(t *testing.T) {
	onScreenTwice(t, 160, 45, func(s *screentest.Screen, _ *fakeSociety) {
		s.Hides("Inspector").Press("alt+2", "alt+3").Shows("▌Inspector · root", "root  ·  planner")
		s.Press("alt+3").Hides("Inspector").Shows("▌root  ·  planner")
		s.Press("alt+3", "esc").Shows(" Inspector · root", "▌ to: root")
	}, func(s *screentest.Screen) { s.Shows(" Inspector · root", "▌ to: root") })
}

// needing makes the first n agents ask.
func needing(f *fakeSociety, n int, asks bool) {
	for i := 1; i <= n; i++ {
		f.set(society.AgentID(fmt.Sprintf("web-%d", i)), func(r *api.Row) {
			r.State, r.Asks, r.Question = society.Idle, asks, fmt.Sprintf("which edition of book %d?", i)
		})
	}
}

func TestWhoNeedsTheUserStandsAboveTheTree(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		crew(f, 200)
		s.Idle().Press("alt+1").Hides("Needs you")
		for range 9 {
			s.Press("down")
		}
		s.Pass(3 * time.Second)
		line := func() int {
			_, y := s.Find("▌├── ")
			return y
		}
		at := line()
		needing(f, 12, true)
		s.Idle().Shows("Needs you", "? web-1  which edition of", "? web-3  which edition of", "+9 more").Hides("? web-4  which")
		if now := line(); now != at {
			t.Errorf("the cursor moved from row %d to %d:\n%s", at, now, s)
		}
		s.Press("left", "right") // the user is at the keys
		at = line()
		needing(f, 12, false)
		s.Pass(time.Second)
		if now := line(); now != at {
			t.Errorf("soon after a key the cursor moved from row %d to %d:\n%s", at, now, s)
		}
		s.Hides("which edition").Pass(3 * time.Second).Hides("Needs you")
		if row := s.Rows()[2]; !strings.Contains(row, "web-") && !strings.Contains(row, "@ you") {
			t.Errorf("the rows stay blank: %q", row)
		}
	})
}

func TestWhoNeedsTheUserStandsAboveTheConversationWithoutATree(t *testing.T) {
	onScreenWith(t, 60, 20, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		crew(f, 5)
		s.Idle()
		needing(f, 3, true)
		s.Idle()
		if row := s.Rows()[1]; !strings.Contains(row, "? web-1  which edition of book 1?") || !strings.Contains(row, "+2 more") {
			t.Errorf("the row is %q:\n%s", row, s)
		}
		s.Click(5, 1).Shows("to: web-1")
		needing(f, 3, false)
		s.Pass(3 * time.Second).Hides("which edition")
	})
}

// With two rows each, both are the agent's for the mouse, and the keys go from agent to agent.
func TestTwoRowsBelongToOneAgent(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		crew(f, 5)
		s.Idle()
		_, y := s.Find(taskOf(2)[:20])
		s.Click(12, y).Shows("to: web-2").Press("alt+1").Shows("▌├── ⠹ web-2")
		s.Pass(time.Second).Press("down").Shows("▌├── ⠹ web-3").Press("enter").Shows("to: web-3")
		s.Double(12, y).Shows("to: web-2")
		_, needs := s.Find("@ you")
		needing(f, 1, true)
		s.Idle().Pass(time.Second).Click(6, needs+1).Shows("to: web-1 (answers its question)")
		s.Press("alt+1", "/").Type("web-3").Shows(taskOf(3)[:20]).Hides(taskOf(2)[:20])
	})
}
