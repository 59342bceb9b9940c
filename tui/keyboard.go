package tui

import (
	"strings"
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
	scopes []scope // from the top down

	armed   armedKey
	targets []society.AgentID // of the armed key
	disarms background.AlarmClock

	repeat repeatGuard
	target targetGuard
	paste  latePaste
}

// disarm ends the wait of a key, if it is that one which is armed.
func (k *keyboard) disarm(key armedKey) {
	if k.armed == key {
		k.armed = nothingArmed
		k.disarms.Off()
	}
}

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

// A latePaste is what comes right behind a paste. A pasted text may hold the mark that
// ends a paste, and then its rest comes as keys: an enter among them would send it, and
// whoever wrote the text would have typed (RELIABILITY.md, hostile input 40). Keys are
// held until it is known what they are. They are text when another mark of a paste comes
// behind them, or when they are too many to be typed.
type latePaste struct {
	pasting bool          // a paste has begun, and its end has not come
	from    time.Time     // when the last paste ended, or a piece of what comes behind it
	within  time.Duration // for how long more of it may come since
	last    time.Time     // when a key came last
	keys    []tea.KeyPressMsg
	text    strings.Builder
	over    background.AlarmClock
}
