package tui_test

import (
	"strings"
	"testing"
	"time"

	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// A pasted text that contains paste markers.
func TestPasteContainingMarkersStaysText(t *testing.T) {
	const begin, end = "\x1b[200~", "\x1b[201~"
	for name, text := range map[string]string{
		"an end":             "first" + end + "second\r\x1bx\x03third",
		"two ends":           "first" + end + "second\r" + end + "\tthird",
		"an end and a begin": "first" + end + "second\r" + begin + "third",
		"an end at once":     end + "first\rsecond\rthird",
		"an end at the end":  "first\rsecond\rthird\r" + end,
		"an end, and much":   "first" + end + strings.Repeat("second\r", 20) + "third\x1b[201",
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				s.Answer(begin + text + end).Pass(time.Second).Shows("third")
				if got := f.commands(); len(got) > 0 {
					t.Errorf("%v was done", got)
				}
				s.Press("enter").Idle()
				sent := said(t, f, 1)
				for _, word := range []string{"first", "second", "third"} {
					if !strings.Contains(sent, word) {
						t.Errorf("%q was sent", sent)
					}
				}
				if strings.ContainsRune(sent, 0x1b) || strings.ContainsRune(sent, 3) {
					t.Errorf("%q was sent", sent)
				}
			})
		})
	}
}

// On a busy machine its rest arrives late, and in pieces.
func TestSlowPasteContainingItsEndMarkerStaysText(t *testing.T) {
	const begin, end = "\x1b[200~", "\x1b[201~"
	piece := strings.Repeat("second\r", 20)
	for name, c := range map[string]struct {
		pause  time.Duration
		pieces []string
	}{
		"late":               {80 * time.Millisecond, []string{begin + "first" + end, "second\rthird" + end}},
		"in pieces":          {time.Second, []string{begin + "first" + end + piece, piece, piece, "second\rthird" + end}},
		"late and in pieces": {80 * time.Millisecond, []string{begin + "first" + end, piece, piece, "third" + end}},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				s.Slowly(c.pause, c.pieces...).Pass(time.Second)
				if got := f.commands(); len(got) > 0 {
					t.Errorf("%v was done", got)
				}
				s.Press("!").Press("enter")
				if sent := said(t, f, 1); !strings.HasPrefix(sent, "first") || !strings.HasSuffix(sent, "third!") || strings.Count(sent, "second") != strings.Count(strings.Join(c.pieces, ""), "second") {
					t.Errorf("%q was sent", sent)
				}
			})
		})
	}
}

// A script types right after a paste.
func TestKeysRightAfterAPasteAreKeys(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Answer("\x1b[200~pasted\x1b[201~ and typed\r").Pass(time.Second)
		if got := said(t, f, 1); got != "pasted and typed" {
			t.Errorf("%q was sent", got)
		}
		s.Answer("\x1b[200~again\x1b[201~")
		s.Pass(time.Second).Press("!", "enter")
		if got := said(t, f, 2); got != "again!" {
			t.Errorf("%q was sent", got)
		}
	})
}

// said returns the n-th sent text, if there was no other command.
func said(t *testing.T, f *fakeSociety, n int) string {
	t.Helper()
	done := f.commands()
	if len(done) == n {
		if send, ok := done[n-1].(society.Send); ok {
			return send.Text
		}
	}
	t.Fatalf("%v was done", done)
	return ""
}
