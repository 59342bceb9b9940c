package tui

import (
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/layout"
)

// typingGap is the longest pause between the letters of a text that is typed in a row.
const typingGap = 300 * time.Millisecond

// movingLetters are keys that are pressed fast, one behind the other, without being a text.
const movingLetters = "hjklgGnN"

// A strayText is what was typed in a row into a pane whose letters are keys, as if it were the
// composer.
type strayText struct {
	text string
	none bool // a letter of it is no key
	last time.Time
}

// grows adds a key, and reports whether all of it was meant for the composer: a letter is no
// key, or more follow than one presses keys.
func (t *strayText) grows(key tea.KeyPressMsg, bound bool, now time.Time) bool {
	if key.Text == "" || !command.IsASCII(key.Text) || now.Sub(t.last) > typingGap {
		*t = strayText{}
	}
	t.text += key.Text
	t.none = t.none || !bound && key.Text != ""
	t.last = now
	return t.none && len(t.text) > 1 || t.isWord()
}

// isWord reports whether the text has three letters, two of which are different ones that do not
// move.
func (t *strayText) isWord() bool {
	letters, kinds := 0, 0
	for i, c := range t.text {
		if !unicode.IsLetter(c) {
			continue
		}
		letters++
		if !strings.ContainsRune(movingLetters, c) && !strings.ContainsRune(t.text[:i], c) {
			kinds++
		}
	}
	return letters > 2 && kinds > 1
}

// composeStray moves to the composer with what was typed.
func (a *app) composeStray() tea.Cmd {
	text := a.keyboard.stray.text
	a.keyboard.stray = strayText{}
	cmd := a.focus(layout.Composer)
	for _, c := range text {
		cmd = tea.Batch(cmd, a.write(tea.KeyPressMsg{Code: c, Text: string(c)}))
	}
	return cmd
}
