package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/background"
)

const (
	// armedFor is how long an armed key waits for the one that follows it.
	armedFor = 2 * time.Second
	// reaction is how long a key may still be meant for what was there before it.
	reaction = 400 * time.Millisecond
)

// An armedKey waits for the key that follows it.
type armedKey uint8

const (
	nothingArmed armedKey = iota
	prefixArmed           // ctrl+x: a verb for the targets follows
	escapeArmed           // esc: a second one interrupts the target
	quitArmed             // ctrl+c where the screen is too small for a question
)

// A keyboard holds what pressed keys have begun, and which keys must have no effect.
type keyboard struct {
	armed   armedKey
	targets []society.AgentID // of the armed key
	disarms background.AlarmClock

	repeat repeatGuard
	target targetGuard
	paste  latePaste
}

// arm lets a key wait for the next one, instead of the one that was armed.
func (a *app) arm(key armedKey, targets ...society.AgentID) tea.Cmd {
	a.keyboard.armed, a.keyboard.targets = key, targets
	return a.wake(&a.keyboard.disarms, armedFor, func() tea.Cmd {
		a.dirty = true
		a.keyboard.armed = nothingArmed
		return nil
	})
}

// disarm ends the wait of a key, if it is that one which is armed.
func (k *keyboard) disarm(key armedKey) {
	if k.armed == key {
		k.armed = nothingArmed
		k.disarms.Off()
	}
}

func (a *app) disarmEscape() { a.keyboard.disarm(escapeArmed) }

// escapeTarget returns the agent that a second esc interrupts, or "".
func (k *keyboard) escapeTarget() society.AgentID {
	if k.armed != escapeArmed {
		return ""
	}
	return k.targets[0]
}

// A repeatGuard drops a key that is pressed twice or held down a little too long, or
// that was meant for a question which closed by itself: the focus has moved since.
type repeatGuard struct {
	key   string // or clicked; "": any but esc and ctrl+c
	until time.Time
}

// guardRepeat drops a key that is pressed again within the time of reaction.
func (a *app) guardRepeat(key string) {
	a.keyboard.repeat = repeatGuard{key, a.now().Add(reaction)}
}

// blocks reports whether a key must have no effect now.
func (g *repeatGuard) blocks(key string, now time.Time) bool {
	switch {
	case now.After(g.until), key == "ctrl+c":
	case g.key == "" && key != "esc":
		return true
	case g.key == key:
		g.until = now.Add(reaction) // it is held down
		return true
	}
	*g = repeatGuard{}
	return false
}

// A targetGuard blocks verbs for a moment after the selected agent disappeared and the
// selection moved.
type targetGuard struct {
	removed society.AgentID
	until   time.Time
}

// blocks returns the agent that a verb was meant for, if that has just disappeared.
func (g *targetGuard) blocks(now time.Time) (removed society.AgentID, blocked bool) {
	return g.removed, g.removed != "" && now.Before(g.until)
}
