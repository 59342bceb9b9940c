package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// While the terminal has the mouse, nothing takes it back, and late events have
// no effect: no wheel scrolls, no click selects, folds or answers.
func TestMouseStaysReleasedUntilRequested(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for i := range 60 {
			f.Say(society.Root, conversation.Entry{Kind: conversation.Inbound, From: "user", To: "root", Body: fmt.Sprintf("message %d", i)})
		}
		s.Type("sent before").Press("enter").Type("a draft").Press("alt+1").Press("m").Shows("Mouse off")
		for _, id := range []society.AgentID{society.Root, "lead-1", "web-1", "web-2"} {
			f.set(id, func(r *api.Row) { r.State = society.Idle }) // else ages change
		}
		s.Pass(10e9).Raw()
		f.forget()
		for _, way := range [][]string{{"esc"}, {"f1", "esc"}, {"ctrl+p", "alt+esc"}, {"alt+1", "z", "z"}, {"ctrl+l"}, {"alt+1"}} {
			s.Press(way...)
		}
		s.Resize(60, 20).Resize(100, 30).Focus(false).Focus(true).Pass(10e9)
		if raw := s.Raw(); strings.Contains(raw, "\x1b[?1002h") || strings.Contains(raw, "\x1b[?1003h") || strings.Contains(raw, "\x1b[?1000h") || strings.Contains(raw, "\x1b[?1007h") {
			t.Errorf("the mouse is taken back: %q", raw)
		}
		before := s.String()
		x, y := s.Find("web-1")
		_, draft := s.Find("> a draft")
		s.Wheel(60, 10, -5).Wheel(x, y, 3).Wheel(40, draft, -3).Double(x, y).Drag(50, 5, 70, 8).Click(60, 10).Pass(10e9)
		if after := s.String(); after != before {
			t.Errorf("a mouse that is off has changed\n%s\nto\n%s", before, after)
		}
		asked(t, f)
		if len(s.Copied()) > 0 {
			t.Errorf("copied is %q, want nothing", s.Copied())
		}
		s.Press("alt+1", "m").Shows("Mouse on").Wheel(60, 10, -5).Hides("message 59")
	})
}

// In GNU screen the byte of esc would only come with the next key while an
// application has the mouse.
func TestMouseIsOffInGNUScreenUntilRequested(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		open := func(env ...string) (s *screentest.Screen, leave func()) {
			f.restart()
			ctx, cancel := context.WithCancel(t.Context())
			cfg := config(f)
			cfg.Environ = append([]string{"TERM=screen-256color", "CLICOLOR_FORCE=1"}, env...)
			s = screentest.DriveContext(ctx, t, 100, 30, cfg)
			return s, func() {
				s.Pass(2 * time.Second)
				cancel()
				_, _ = s.Ended()
			}
		}
		takes := func(s *screentest.Screen) bool { return strings.Contains(s.Raw(), "\x1b[?1002h") }
		const sty = "STY=1234.pts-0.host"
		f.Values["view"] = []byte(`{"mouseOff":false,"theme":"ember"}`) // an older stored form

		s, leave := open(sty)
		if s.Shows("Mouse off: GNU screen", "/mouse on"); takes(s) {
			t.Errorf("the mouse is taken:\n%s", s)
		}
		leave()
		s, leave = open(sty)
		if s.Hides("GNU screen"); takes(s) {
			t.Errorf("the mouse is taken at the second start:\n%s", s)
		}
		if s.Type("/mouse on").Press("enter").Shows("Mouse on"); !takes(s) {
			t.Errorf("the mouse is not taken where it was asked for:\n%s", s)
		}
		leave()
		s, leave = open(sty)
		if s.Hides("GNU screen"); !takes(s) {
			t.Errorf("that it was asked for is forgotten:\n%s", s)
		}
		s.Press("alt+1", "m").Shows("Mouse off")
		leave()
		s, leave = open()
		if !takes(s) {
			t.Errorf("what was chosen in GNU screen holds elsewhere:\n%s", s)
		}
		leave()
	})
}
