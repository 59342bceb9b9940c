package tui_test

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// A gate is a suspension that everybody asks for at once, and after which the program
// goes on at once.
type gate struct {
	asked  chan os.Signal
	stops  int
	passed func()
}

func (g *gate) Asked() <-chan os.Signal { return g.asked }
func (g *gate) Stop()                   { g.stops++; g.passed() }
func (g *gate) Let() func()             { return func() {} }

// RELIABILITY.md, hostile input 42, where stops and what is asked of the terminal
// cross each other.
func TestHoweverOftenTheProgramIsStoppedItsTerminalTellsNothingAndIsDrawnAgain(t *testing.T) {
	times := 20
	if os.Getenv("SOCIETY_LONG") != "" {
		times = 200
	}
	g := &gate{passed: func() {}}
	var out strings.Builder
	onScreenWith(t, 100, 30, func(c *tui.Config) {
		g.asked = make(chan os.Signal, times)
		c.Suspension = g
	}, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		g.passed = func() {
			out.WriteString(s.Raw())
			if text := out.String(); !strings.HasSuffix(text, "\x1b[?2031l") {
				t.Fatalf("stopped for the %d. time behind %q", g.stops, text[max(0, len(text)-60):])
			}
		}
		for range times {
			g.asked <- syscall.SIGTSTP
		}
		s.Pass(2 * time.Duration(times) * time.Second)
		if text := out.String() + s.Raw(); g.stops != times || strings.LastIndex(text, "\x1b[?2031h") < strings.LastIndex(text, "\x1b[?2031l") {
			t.Errorf("stopped %d times of %d; asked to tell at the end: %v", g.stops, times, text[max(0, len(text)-60):])
		}
		f.spawn("web-1", society.Root, "researcher")
		s.Idle().Shows("web-1")
	})
}
