package tui

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/text/width"

	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/layout"
)

const (
	// typingGap is the longest pause between the letters of a text that is typed in a row.
	typingGap = 300 * time.Millisecond
	// methodGap is the same before what an input method wrote.
	methodGap = 3 * time.Second
)

// movingLetters are keys that are pressed fast, one behind the other, without being a text.
const movingLetters = "hjklgGnN"

// A strayText is what was typed in a row where letters are keys, as if it were the composer.
type strayText struct {
	text string
	none bool // a letter of it is no key
	last time.Time
	to   society.AgentID // who was selected on a page when it began
}

// grows adds a key that is text, and reports whether all of it was meant for the composer: it is of
// an input method, a letter is no key, or more follow than one presses keys.
func (t *strayText) grows(key tea.KeyPressMsg, bound bool, now time.Time) bool {
	if key.Text == "/" || !t.goesOn(key, now) { // a text behind / has a field of its own
		*t = strayText{}
	}
	text := key.Text
	if wide := string(key.Code); width.Fold.String(wide) == text { // see command.Narrow
		text = wide
	}
	t.text += text
	t.none = t.none || !bound
	t.last = now
	return !command.IsASCII(key.Text) || t.none && utf8.RuneCountInString(t.text) > 1 || t.isWord()
}

// goesOn reports whether a key follows in a row.
func (t *strayText) goesOn(key tea.KeyPressMsg, now time.Time) bool {
	gap := typingGap
	if !command.IsASCII(key.Text) {
		gap = methodGap
	}
	return t.text != "" && now.Sub(t.last) <= gap
}

// isWord reports whether the text has three letters that do not move. A key that is held down
// counts once.
func (t *strayText) isWord() bool {
	letters, last := 0, rune(0)
	for _, c := range width.Fold.String(t.text) {
		if unicode.IsLetter(c) && c != last && !strings.ContainsRune(movingLetters, c) {
			letters++
		}
		last = c
	}
	return letters > 2
}

// straying moves to the composer with what was typed in a row, if it was meant for it.
func (a *app) straying(key tea.KeyPressMsg, bound bool) (cmd tea.Cmd, strays bool) {
	if key.Text == "" || !a.keyboard.stray.grows(key, bound, a.now()) {
		return nil, false
	}
	return a.composeStray(), true
}

func (a *app) composeStray() tea.Cmd {
	text := a.keyboard.stray.text
	a.keyboard.stray = strayText{}
	cmd := a.focus(layout.Composer)
	for _, c := range text {
		cmd = tea.Batch(cmd, a.write(tea.KeyPressMsg{Code: c, Text: string(c)}))
	}
	return cmd
}

// isDigit reports whether a key is a digit for the composer: the number of a quick reply, or the
// beginning of a text.
func isDigit(key tea.KeyPressMsg, b *command.Binding) bool {
	return len(key.Text) == 1 && key.Text >= "0" && key.Text <= "9" && (b == nil || b.ID == "quick_reply")
}
