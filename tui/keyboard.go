package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/background"
)

const (
	// armedFor is how long an armed key other than ctrl+x waits for the next one.
	armedFor = 2 * time.Second
	// reaction is how long a key may still be meant for what was there before.
	reaction = 400 * time.Millisecond
	// finalReaction is the same before what cannot be undone, for one who types slowly.
	finalReaction = time.Second
)

// An armedKey waits for the key after it.
type armedKey uint8

const (
	nothingArmed armedKey = iota
	prefixArmed           // ctrl+x: a verb for the targets follows
	escapeArmed           // esc: a second one interrupts the target
	restArmed             // esc while the recipient is at rest: a second one says so
	quitArmed             // ctrl+c on a screen too small for a question
)

// A keyboard holds armed keys, and guards against misdirected ones.
type keyboard struct {
	scopes []scope // from the top down

	armed   armedKey
	targets []society.AgentID // of the armed key
	disarms background.AlarmClock

	repeat repeatGuard
	target targetGuard
	paste  latePaste
	stray  strayText
}

// disarm disarms a key if it is the armed one.
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

// clickKey is a click into a row of the screen, as a key of repeatGuard.
func clickKey(row int) string { return fmt.Sprintf("click %d", row) }

// A repeatGuard ignores a key that is held down or pressed twice, or that was
// meant for a question which closed by itself, because the focus has moved
// since.
type repeatGuard struct {
	key   string // a key or a click; "" for all keys except esc and ctrl+c
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

// A targetGuard blocks verbs for a moment after the selected agent disappeared
// and the selection moved.
type targetGuard struct {
	removed society.AgentID
	until   time.Time
}

// blocks returns the agent that a verb was meant for, if it has just
// disappeared.
func (g *targetGuard) blocks(now time.Time) (removed society.AgentID, blocked bool) {
	return g.removed, g.removed != "" && now.Before(g.until)
}

// A latePaste holds keys that arrive right after a paste. A pasted text may
// contain the marker that ends a paste; then its rest arrives as keys, and an
// enter among them would send it. The keys are text if another end marker
// follows, or if they are too many to be typed.
type latePaste struct {
	pasting bool          // a paste has begun and not ended
	from    time.Time     // the end of the last paste, or of a piece after it
	within  time.Duration // how long more of it may follow
	last    time.Time     // time of the last key
	keys    []tea.KeyPressMsg
	text    strings.Builder
	over    background.AlarmClock
}
