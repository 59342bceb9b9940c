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
	away        notifier // what the user is told outside the window
	lastWarning action.Notice
	holding     holdingNotice
	log         []loggedNotice        // oldest first
	unsavedAt   time.Time             // when a verb has told that nothing is saved
	ends        background.AlarmClock // of the notice on the screen
}

// A loggedNotice was shown in the row of notices.
type loggedNotice struct {
	at      string
	text    string
	warned  bool
	times   int
	ongoing bool // it tells what goes on, until something else is told
}

// add keeps a notice: one that was told several times once, with the last time, and what
// was going on no longer than until its outcome was told.
func (n *notices) add(text string, level action.Level, now time.Time) {
	last := loggedNotice{at: now.Local().Format("15:04:05"), text: text, warned: level == action.Warned, times: 1}
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

// A holdingNotice tells of a state, and goes when that is over.
type holdingNotice struct {
	holds func() (still bool, now action.Notice) // nil: the notice is of no state
	told  bool                                   // a frame has told of the state
}
