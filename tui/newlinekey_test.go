package tui_test

import (
	"testing"
	"testing/synctest"

	"society-tui/tui/screentest"
)

// If a terminal cannot tell shift+enter from enter, naming it would send half a
// message.
func TestNewlineHintNamesAKeyThatTheTerminalSends(t *testing.T) {
	t.Parallel()
	for name, learn := range map[string]func(*screentest.Screen){
		"it tells by kitty's protocol":   func(s *screentest.Screen) { s.Answer("\x1b[?1u") },
		"it tells of modifyOtherKeys":    func(s *screentest.Screen) { s.Answer("\x1b[>4;2m") },
		"it has sent it":                 func(s *screentest.Screen) { s.Type("a").Press("shift+enter").Type("b") },
		"it has sent it as xterm does":   func(s *screentest.Screen) { s.Type("a").Press("shift+enter/xterm").Type("b") },
		"it has sent it as Konsole does": func(s *screentest.Screen) { s.Type("a").Press("shift+enter/konsole").Type("b") },
		"it has sent it with the kitty":  func(s *screentest.Screen) { s.Answer("\x1b[13;2u") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := screentest.Drive(t, 100, 30, config(newFake()))
				s.Answer("\x1b[?0u").Answer("\x1b[>4;0m").Answer("\x1b[?62c")
				s.Shows("ctrl+j newline").Hides("shift+enter")
				s.Press("f1", "tab").Shows("ctrl+j alt+enter ").Hides("shift+enter").Press("esc")
				s.Press("ctrl+p").Type("new line").Shows("ctrl+j").Hides("shift+enter").Press("esc", "esc")
				learn(s)
				s.Shows("shift+enter newline")
				s.Press("f1", "tab").Shows("shift+enter ctrl+j alt+enter").Press("esc")
			})
		})
	}
}

// Konsole sends shift+enter as the keypad's enter.
func TestShiftEnterOfKonsoleIsANewLineAndTheKeypadsEnterSends(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		says, key string
		newLine   bool
	}{
		"Konsole":                   {"\x1b[?62c", "\x1bOM", true},
		"kitty's keyboard protocol": {"\x1b[?1u", "\x1b[57414u", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := screentest.Drive(t, 100, 30, config(newFake()))
				s.Answer(c.says).Type("one").Answer(c.key).Type("two")
				if c.newLine {
					s.Shows("> one", "  two")
				} else {
					s.Shows("> two").Hides("> one")
				}
			})
		})
	}
}

// The Linux console has its own sequence for F1.
func TestF1OfLinuxConsoleOpensTheHelp(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("a").Answer("\x1b[[A").Shows("Write a request to root").Press("esc").Shows("> a").Type("A").Shows("> aA")
	})
}
