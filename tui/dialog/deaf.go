package dialog

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Pause is how long a dialog ignores letters after text was typed into it that
// it has no use for: further letters belong to the same text.
const Pause = 600 * time.Millisecond

// Deaf reports whether the top dialog ignores letters now. It does until
// Listen.
func (s *Stack) Deaf() bool {
	d := s.top()
	return d != nil && d.deaf()
}

// IsAsked reports whether the user has opened the top dialog, and writes no text in it.
func (s *Stack) IsAsked() bool {
	d := s.top()
	return d != nil && !d.Unasked && d.Line == nil && d.Search == nil && d.Number == 0
}

// Takes reports whether a key takes a button of the top dialog or scrolls.
func (s *Stack) Takes(key string) bool { return s.HasButton(key) || scrolls(key) }

// TakesText reports whether letters are text while the top dialog is open, and not its keys.
func (s *Stack) TakesText() bool {
	d := s.top()
	return d != nil && (d.Line != nil || d.Search != nil) || s.LetsWrite()
}

// Hears reports whether a letter that the top dialog has no use for may be a key elsewhere: it is
// no text of a field, and of none that was meant for what was there before.
func (s *Stack) Hears(now time.Time) bool {
	s.Listen(now)
	d := s.top()
	return d != nil && !d.deaf() && d.Line == nil && d.Search == nil && (!d.Unasked || now.Sub(d.opened) >= grace)
}

// Listen ends the deafness of dialogs whose Pause is over.
func (s *Stack) Listen(now time.Time) {
	for _, d := range s.open {
		if !now.Before(d.hears) {
			d.hears = time.Time{}
		}
	}
}

func (d *asked) deaf() bool { return !d.hears.IsZero() }

// LetsWrite reports whether text is not for the top dialog: it has opened by itself, perhaps
// while the user wrote, and no letter answers it.
func (s *Stack) LetsWrite() bool {
	d := s.top()
	return d != nil && d.Unasked && d.Number == 0 && d.Line == nil && d.Search == nil && len(d.letters()) == 0
}

// deafens reports whether a key is text the dialog has no use for, and starts
// the pause. Digits count as use if a number is asked for.
func (d *asked) deafens(key tea.KeyPressMsg, now time.Time) bool {
	d.unused = ""
	if key.Text == "" || d.Line != nil || d.Search != nil || d.Number == 0 && len(d.letters()) == 0 {
		return false
	}
	k := key.String()
	switch {
	case d.Number != 0 && digit(k):
		return false
	case d.deaf(), d.buttonOf(k) >= 0 && now.Sub(d.scrolled) < Pause, d.tooEarly(k, now):
	case d.buttonOf(k) >= 0:
		return false
	case d.lines > d.height && scrolls(k):
		if d.Unasked { // it may begin a text, of which the next letter must not answer
			d.scrolled = now
		}
		return false
	case d.Number == 0: // else the row above says what to type
		d.unused = k
	}
	d.hears = now.Add(Pause)
	return true
}

// tooEarly reports whether a letter that loses something came too soon.
func (d *asked) tooEarly(key string, now time.Time) bool {
	return d.buttonOf(key) > 0 && now.Sub(d.opened) < d.Waits
}

// scrolls reports whether a key that is text scrolls the body.
func scrolls(key string) bool {
	switch key {
	case "k", "j", "b", "f", "space", "g", "G":
		return true
	}
	return false
}

func digit(key string) bool { return len(key) == 1 && key[0] >= '0' && key[0] <= '9' }

// letters returns the active keys of buttons.
func (d *asked) letters() []string {
	var keys []string
	for i, b := range d.Buttons {
		if len(b.Keys) > 0 && !d.off(i) {
			keys = append(keys, b.Keys[0])
		}
	}
	return keys
}

// pauseHint explains why letters are ignored.
func (s *Stack) pauseHint(d *asked) string {
	keys := d.letters()
	if !d.confirmed() {
		keys = append(keys, "0-9")
	}
	return s.text(textPause, strings.Join(keys, "/"))
}
