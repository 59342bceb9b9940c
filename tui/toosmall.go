package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/layout"
)

// tooSmall says so, who would get what is written, and which key there is. The
// program goes on.
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
	if l.H < len(said) { // who it is goes first
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

// pressInSmall takes a key where what it does could not be seen: none does anything
// but the one that quits, and that only when it is pressed again.
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
