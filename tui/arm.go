package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
)

// arm makes a key wait a moment for the next one, in place of the armed one.
func (a *app) arm(key armedKey, targets ...society.AgentID) tea.Cmd {
	a.keyboard.armed, a.keyboard.targets = key, targets
	return a.wake(&a.keyboard.disarms, armedFor, func() tea.Cmd {
		a.frame.dirty = true
		a.keyboard.armed = nothingArmed
		return nil
	})
}

func (a *app) disarmEscape() {
	a.keyboard.disarm(escapeArmed)
	a.keyboard.disarm(restArmed)
}

// guardRepeat ignores a key that is pressed again within the reaction time.
func (a *app) guardRepeat(key string) {
	a.keyboard.repeat = repeatGuard{key, a.now().Add(reaction)}
}
