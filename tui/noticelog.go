package tui

import (
	"slices"
	"time"

	"society-tui/tui/action"
	"society-tui/tui/background"
)

// mostNotices is how many notices the log keeps.
const mostNotices = 50

// notices is what the user was told.
type notices struct {
	away        notifier // notifications outside the window
	lastWarning action.Notice
	holding     holdingNotice
	log         []loggedNotice        // oldest first
	unsavedAt   time.Time             // when a command's outcome last said that saving fails
	ends        background.AlarmClock // ends the notice on the screen
}

// A loggedNotice is a notice that was shown.
type loggedNotice struct {
	at      string
	text    string
	warned  bool
	times   int
	ongoing bool // progress, replaced by the next notice
}

// add appends a notice. A repeated one is kept once, with its last time, and
// progress is replaced by its outcome.
func (n *notices) add(text string, level action.Level, now time.Time) {
	last := loggedNotice{at: now.Local().Format("15:04:05"), text: text, warned: level == action.Warned || level == action.Cautioned, ongoing: level == action.Going, times: 1}
	n.log = slices.DeleteFunc(n.log, func(before loggedNotice) bool {
		same := before.text == last.text && before.warned == last.warned
		if same {
			last.times += before.times
		}
		return same || before.ongoing
	})
	n.log = append(n.log, last)
	n.log = slices.Delete(n.log, 0, max(len(n.log)-mostNotices, 0))
}

// A holdingNotice is about a state, and disappears when that ends.
type holdingNotice struct {
	holds func() (still bool, now action.Notice) // nil: the notice is not about a state
	told  bool                                   // a frame has shown the state
}
