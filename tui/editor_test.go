package tui_test

import (
	"testing"

	"society-tui/tui"
	"society-tui/tui/screentest"
)

func TestWithoutAnEditorTheScreenSaysSo(t *testing.T) {
	for name, environ := range map[string][]string{"unset": {}, "blank": {"VISUAL= ", "EDITOR=\t"}} {
		t.Run(name, func(t *testing.T) {
			onScreenWith(t, 100, 30, func(c *tui.Config) { c.Environ = environ }, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
				s.Type("a draft").Press("ctrl+g").Shows("Set $EDITOR first", "> a draft")
			})
		})
	}
}

func TestHistoryIsSearchedForTheText(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Press("ctrl+y").Shows("Nothing was cleared since the start · up brings earlier texts")
		s.Type("the red book").Press("enter").Type("/keys").Press("enter", "esc").Type("red")
		s.Press("ctrl+r").Shows("> the red book", "ctrl+r: an older one")
		s.Press("ctrl+c").Shows("Cleared · ctrl+y restores it", "> Write to root").Press("ctrl+y").Shows("> red").Press("ctrl+c").Type("green").Press("ctrl+r").Shows("No match in your history", "> green")
		s.Press("ctrl+c", "ctrl+r").Shows("> green", "Your last text ·", "typing searches your history").Hides("with this in it")
		s.Press("up", "up", "ctrl+u").Shows("> Write to root").Hides("No match in your history").Press("ctrl+r")
		s.Press("ctrl+r").Shows("> red", "An older text ·").Press("ctrl+c", "ctrl+r")
		s.Type("boo").Shows("> the red book", "searching your history: boo", "esc or end edits it · enter sends it").Press("ctrl+c")
		for _, end := range []string{"esc", "end", "left"} {
			s.Press("ctrl+r").Type("boo").Press(end).Shows("> the red book").Hides("searching your history", "edits it")
			s.Press("end").Type("let").Shows("> the red booklet").Hides("searching").Press("ctrl+c")
		}
		s.Type("red").Press("ctrl+r", "esc").Shows("> the red book").Hides("searching").Press("ctrl+c").Shows("> Write to root")
		s.Type("re").Press("ctrl+r").Type("d b").Shows("> the red book", "searching your history: red b").Press("backspace", "backspace").Shows("> the red book", "searching your history: red").Press("ctrl+c")
		s.Type("re").Press("ctrl+r").Type("dd").Shows("> redd", "No match in your history").Hides("searching your history", "an older one").Press("ctrl+c")
		s.Press("ctrl+x", "q").Shows("ctrl+x q is not a command")
	})
}
