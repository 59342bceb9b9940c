package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/layout"
)

// tooSmall draws a notice that the screen is too small, the recipient, and the
// key to quit. The program continues.
func (a *app) tooSmall() []string {
	l := &a.layout
	can := a.text(textSmallKeys)
	switch {
	case a.exit.leaving:
		can = a.farewell()
	case a.keyboard.armed == quitArmed:
		can = a.text(textSmallQuit)
	}
	said := append([]string{a.text(textTooSmall, layout.MinWidth, layout.MinHeight), a.name(a.recipient())}, a.set.Wrap(can, max(l.W, 1))...)
	if l.H < len(said) { // the recipient is dropped first
		said = append(said[:1], said[2:]...)
	}
	rows := make([]string, l.H)
	for i := range rows {
		text := ""
		if i < len(said) {
			text = said[i]
		}
		rows[i] = a.set.Fit(text, l.W, a.set.Tail())
	}
	return rows
}

// pressInSmall handles keys while effects would be invisible: only the key to
// quit works, pressed twice.
func (a *app) pressInSmall(key string) tea.Cmd {
	switch {
	case key != "ctrl+c":
		return nil
	case a.exit.leaving:
		return a.force()
	case a.keyboard.armed == quitArmed:
		return a.leave(Leaving{})
	}
	return a.arm(quitArmed)
}
