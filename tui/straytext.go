package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/layout"
)

// A strayText is what was typed in a row into a pane whose letters are keys. Once a letter of
// it is no key, all of it was meant for the composer.
type strayText struct {
	text string
	none bool // a letter of it is no key
	last time.Time
}

// grows adds a key, and reports whether the text is one of the composer.
func (t *strayText) grows(key tea.KeyPressMsg, bound bool, now time.Time) bool {
	if now.Sub(t.last) > reaction || !command.IsASCII(key.Text) || key.Text == "" {
		*t = strayText{}
	}
	t.text += key.Text
	t.none = t.none || !bound && key.Text != ""
	t.last = now
	return t.none && len(t.text) > 1
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
