package dialog

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Pause is how long after text that was typed into a dialog without a line for it its
// letters are no keys: they are of words that were meant for what lies beneath.
const Pause = 600 * time.Millisecond

// Deaf reports whether the letters of the dialog on top are no keys, and so it is drawn
// until Listen.
func (s *Stack) Deaf() bool {
	d := s.top()
	return d != nil && d.deaf()
}

// Listen lets dialogs take letters again whose Pause is over.
func (s *Stack) Listen(now time.Time) {
	for _, d := range s.open {
		if !now.Before(d.hears) {
			d.hears = time.Time{}
		}
	}
}

func (d *asked) deaf() bool { return !d.hears.IsZero() }

// deafens takes a key that is only text here, and reports whether it was that. Digits are
// heard where a number is asked for.
func (d *asked) deafens(key tea.KeyPressMsg, now time.Time) bool {
	if key.Text == "" || d.Line != nil || d.Search != nil || d.Number == 0 && len(d.letters()) == 0 {
		return false
	}
	k := key.String()
	switch {
	case d.Number != 0 && digit(k):
		return false
	case d.deaf():
	case d.buttonOf(k) >= 0, d.lines > d.height && scrolls(k):
		return false
	}
	d.hears = now.Add(Pause)
	return true
}

// scrolls reports whether a key that is text goes through the body.
func scrolls(key string) bool {
	switch key {
	case "k", "j", "b", "f", "space", "g", "G":
		return true
	}
	return false
}

func digit(key string) bool { return len(key) == 1 && key[0] >= '0' && key[0] <= '9' }

// letters are the keys that take a button now.
func (d *asked) letters() []string {
	var keys []string
	for i, b := range d.Buttons {
		if len(b.Keys) > 0 && !d.off(i) {
			keys = append(keys, b.Keys[0])
		}
	}
	return keys
}

// pauseHint says why letters do nothing, and what to do.
func (s *Stack) pauseHint(d *asked) string {
	keys := d.letters()
	if !d.confirmed() {
		keys = append(keys, "0-9")
	}
	return s.text(textPause, strings.Join(keys, "/"))
}
