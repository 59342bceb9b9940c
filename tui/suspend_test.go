package tui_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// A gate is a suspension that continues at once.
type gate struct {
	asked  chan os.Signal
	stops  int
	passed func()
}

func (g *gate) Asked() <-chan os.Signal { return g.asked }
func (g *gate) Stop()                   { g.stops++; g.passed() }
func (g *gate) Let() func()             { return func() {} }

// Stops overlap with queries of the terminal.
func TestRepeatedStopsRestoreTheTerminalAndRedraw(t *testing.T) {
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
			g.asked <- os.Interrupt // any will do, and Windows lacks SIGTSTP
		}
		s.Pass(2 * time.Duration(times) * time.Second)
		if text := out.String() + s.Raw(); g.stops != times || strings.LastIndex(text, "\x1b[?2031h") < strings.LastIndex(text, "\x1b[?2031l") {
			t.Errorf("stopped %d times of %d; asked to tell at the end: %v", g.stops, times, text[max(0, len(text)-60):])
		}
		f.spawn("web-1", society.Root, "web")
		s.Idle().Shows("web-1")
	})
}

// The key to suspend works anywhere, also in a text field.
func TestProgramIsSuspendedWhateverIsOpen(t *testing.T) {
	for name, open := range map[string]func(s *screentest.Screen){
		"the composer":   func(s *screentest.Screen) { s.Type("a draft") },
		"a search":       func(s *screentest.Screen) { s.Press("alt+2", "/").Type("word") },
		"a filter":       func(s *screentest.Screen) { s.Press("alt+1", "/").Type("word") },
		"the palette":    func(s *screentest.Screen) { s.Press("ctrl+p").Type("word") },
		"a list":         func(s *screentest.Screen) { s.Press("alt+r") },
		"the help":       func(s *screentest.Screen) { s.Press("f1") },
		"a question":     func(s *screentest.Screen) { s.Type("draft").Press("ctrl+p").Type("quit").Press("enter") },
		"a prompt":       func(s *screentest.Screen) { s.Press("alt+r", "n").Type("name") },
		"after a prefix": func(s *screentest.Screen) { s.Press("ctrl+x") },
	} {
		t.Run(name, func(t *testing.T) {
			g := &gate{passed: func() {}}
			onScreenWith(t, 100, 30, func(c *tui.Config) {
				g.asked = make(chan os.Signal)
				c.Suspension = g
			}, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				open(s)
				before := s.Idle().String()
				s.Press("ctrl+z").Pass(time.Second)
				if g.stops != 1 {
					t.Errorf("stopped %d times, want once", g.stops)
				}
				if after := s.String(); name != "after a prefix" && after != before {
					t.Errorf("the screen has changed from\n%s\nto\n%s", before, after)
				}
			})
		})
	}
}
