package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
)

// arm lets a key wait for the next one, instead of the one that was armed.
func (a *app) arm(key armedKey, targets ...society.AgentID) tea.Cmd {
	a.keyboard.armed, a.keyboard.targets = key, targets
	return a.wake(&a.keyboard.disarms, armedFor, func() tea.Cmd {
		a.frame.dirty = true
		a.keyboard.armed = nothingArmed
		return nil
	})
}

func (a *app) disarmEscape() { a.keyboard.disarm(escapeArmed) }

// guardRepeat drops a key that is pressed again within the time of reaction.
func (a *app) guardRepeat(key string) {
	a.keyboard.repeat = repeatGuard{key, a.now().Add(reaction)}
}
