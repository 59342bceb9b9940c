package tui_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/cells"
	"society-tui/tui/screentest"
)

// signs are characters whose width terminals disagree about, and others.
var signs = []string{
	"👨\u200d👩\u200d👧\u200d👦", "🇨🇳", "👍🏽", "❤\ufe0f", "1\ufe0f\u20e3", "👩🏽\u200d🚀", "🏳\ufe0f\u200d🌈", "e\u0301", "你好", "각", "سلام", "עברית", "word",
}

// letters are as wide as each terminal likes, if it joins characters.
var letters = []string{"क्षि", "स्तेस्ते", "กำ"}

// onEveryKind runs a test on a screen of 160x45 in each kind of terminal, with
// a text of signs.
func onEveryKind(t *testing.T, script func(t *testing.T, s *screentest.Screen, f *fakeSociety, m cells.Measure, text string)) {
	t.Parallel()
	for name, kind := range map[string]screentest.Kind{"apart": screentest.Apart, "confirms": screentest.Confirms, "joins": screentest.Joins} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.spawn("web-1", society.Root, "web")
				cfg := config(f)
				still(&cfg)
				s := screentest.DriveOn(t, kind, 160, 45, cfg)
				m, from := cells.ByCodePoint, append(slices.Clone(signs), letters...)
				switch kind {
				case screentest.Confirms:
					m = cells.ByCluster
				case screentest.Joins:
					from = signs
				}
				texts := rapid.SliceOfN(rapid.SampledFrom(from), 1, 30)
				for i := range 15 {
					if !sampled(i) {
						continue
					}
					text := strings.Join(texts.Example(i), []string{" ", "", ", "}[i%3])
					t.Logf("%q", text)
					script(t, s, f, m, text)
				}
			})
		})
	}
}

// solid are the characters in the side of a box.
const solid = "│┃├┤┼"

// checkBoxes fails the test unless the sides of all boxes are straight.
func checkBoxes(t *testing.T, s *screentest.Screen) {
	t.Helper()
	grid := s.Inks()
	for y, row := range grid {
		for x := range row {
			checkSide(t, s, grid, x, y)
		}
	}
}

// checkSide fails the test if the cell is an upper corner without a straight
// side down to a lower one.
func checkSide(t *testing.T, s *screentest.Screen, grid [][]screentest.Ink, x, y int) {
	t.Helper()
	lower, isCorner := map[rune]rune{'┌': '└', '┐': '┘'}[grid[y][x].Char]
	if !isCorner {
		return
	}
	for at := y + 1; at < len(grid); at++ {
		switch char := grid[at][x].Char; {
		case char == lower:
			return
		case !strings.ContainsRune(solid, char) || char == 0:
			t.Fatalf("the side that begins at %d,%d is broken at %d,%d:\n%s", x, y, x, at, s)
		}
	}
	t.Fatalf("the side that begins at %d,%d does not end:\n%s", x, y, s)
}

// withoutBlanks removes white space.
func withoutBlanks(text string) string { return strings.Join(strings.Fields(text), "") }

// between returns the text between two words inside their box, without blanks.
func between(t *testing.T, s *screentest.Screen, first, last string) string {
	t.Helper()
	x, y := s.Find(first)
	left, right := x, x
	grid := s.Inks()
	for left > 0 && grid[y][left-1].Char != '│' {
		left--
	}
	for right < len(grid[y]) && grid[y][right].Char != '│' {
		right++
	}
	all := withoutBlanks(strings.Join(s.Columns(left, right), " "))
	all = strings.ReplaceAll(all, "│", "") // before rows of code
	_, all, _ = strings.Cut(all, first)
	all, _, found := strings.Cut(all, last)
	if !found {
		t.Fatalf("%q does not follow %q:\n%s", last, first, s)
	}
	return all
}

func TestMessageAndFramesAreAlignedInEveryKindOfTerminal(t *testing.T) {
	onEveryKind(t, func(t *testing.T, s *screentest.Screen, f *fakeSociety, m cells.Measure, text string) {
		n := len(f.Said[society.Root])
		begin, end, left, one, two := fmt.Sprintf("BEGIN%d:", n), fmt.Sprintf(":%dENDED", n), fmt.Sprintf("left%d", n), fmt.Sprintf("one%d", n), fmt.Sprintf("two%d", n)
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, To: "user", Text: begin + text + end})
		s.Idle()
		if got, want := between(t, s, begin, end), withoutBlanks(m.Portable(text)); got != want {
			t.Fatalf("%q is shown as %q:\n%s", want, got, s)
		}
		checkBoxes(t, s)

		table := fmt.Sprintf("| %s | %s |\n|---|---|\n| %s | x |\n| %s | %s |", left, text, one, two, text)
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, To: "user", Text: table + "\n\n```\nCODE" + begin + text + end + "\n```"})
		s.Idle()
		checkBoxes(t, s)
		if got, want := between(t, s, "CODE"+begin, end), withoutBlanks(m.Portable(text)); got != want {
			t.Fatalf("%q is shown as %q:\n%s", want, got, s)
		}
		grid := s.Inks()
		x, y := s.Find(one)
		for x++; grid[y][x].Char != '│'; x++ {
			continue
		}
		for _, name := range []string{left, two} {
			if _, y := s.Find(name); grid[y][x].Char != '│' {
				t.Fatalf("the column is broken at %q:\n%s", name, s)
			}
		}
	})
}

func TestCursorIsAlignedInEveryKindOfTerminal(t *testing.T) {
	const caret = "Ж"
	onEveryKind(t, func(t *testing.T, s *screentest.Screen, _ *fakeSociety, _ cells.Measure, text string) {
		at := func(behind int, when string) {
			t.Helper()
			x, y := s.Find(caret)
			if gotX, gotY, shown := s.Cursor(); gotX != x+behind || gotY != y || !shown {
				t.Fatalf("%s the cursor is at %d,%d, the caret at %d,%d:\n%s", when, gotX, gotY, x+behind, y, s)
			}
		}
		s.Paste(text + caret)
		at(1, "behind all")
		checkBoxes(t, s)
		s.Press("left")
		at(0, "before the last")
		s.Press("right", "backspace")
		for rest := text; rest != ""; {
			c, _ := ansi.FirstGraphemeCluster(rest, ansi.WcWidth)
			rest = rest[len(c):]
			s.Press("left")
		}
		s.Paste(caret)
		at(1, "behind the first")
		for range len(caret) / 2 {
			s.Press("backspace")
		}
		for rest := text; rest != ""; {
			c, _ := ansi.FirstGraphemeCluster(rest, ansi.WcWidth)
			rest = rest[len(c):]
			s.Press("delete")
		}
		s.Shows("Tell root what you want, for")
	})
}

func TestNamesTasksAndDialogsAreAlignedInEveryKindOfTerminal(t *testing.T) {
	onEveryKind(t, func(t *testing.T, s *screentest.Screen, f *fakeSociety, _ cells.Measure, text string) {
		f.set("web-1", func(r *api.Row) {
			r.Name, r.Doing, r.Model, r.State, r.Tool = text, text, text, society.Processing, text
		})
		s.Idle()
		checkBoxes(t, s)
		s.Press("alt+1", "end", "T")
		s.Shows("[ Cancel ]")
		checkBoxes(t, s)
		s.Press("esc", "alt+3")
		checkBoxes(t, s)
		s.Press("ctrl+n", "esc")
	})
}

// For another program the renderer resets the mode, so that the terminal
// measures as others do.
func TestLentTerminalMeasuresByClustersAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		cfg := config(f)
		var s *screentest.Screen
		lent := ""
		g := &gate{asked: make(chan os.Signal, 1), passed: func() { lent = s.Raw() }}
		cfg.Suspension = g
		s = screentest.DriveOn(t, screentest.Confirms, 100, 30, cfg)
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, To: "user", Text: "BEGIN 👨\u200d👩\u200d👧\u200d👦 ENDED"})
		g.asked <- os.Interrupt // any will do, and Windows lacks SIGTSTP
		s.Pass(2 * time.Second)
		s.Answer(ansi.ReportMode(ansi.ModeUnicodeCore, ansi.ModeReset)) // the previous reader takes the first
		if !strings.Contains(lent, ansi.ResetModeUnicodeCore) {
			t.Fatalf("lent behind %q", lent)
		}
		if again := s.Raw(); !strings.Contains(again, ansi.RequestModeUnicodeCore) || !strings.Contains(again, ansi.SetModeUnicodeCore) {
			t.Errorf("it is taken back with %q", again)
		}
		s.Shows("BEGIN 👨\u200d👩\u200d👧\u200d👦 ENDED")
		checkBoxes(t, s)
	})
}
