package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/action"
	"society-tui/tui/background"
)

// mostNotices is how many notices the log keeps.
const mostNotices = 50

// notices is what the user was told.
type notices struct {
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

// notify shows a notice in place of the one before. The empty one changes nothing.
func (a *app) notify(n action.Notice) tea.Cmd {
	if n.Empty() {
		return nil
	}
	a.notices.add(a.sentence(n), n.Level, a.now())
	return a.mention(n)
}

// sentence is a notice as it stands in its row.
func (a *app) sentence(n action.Notice) string {
	if n.Hint == "" {
		return n.Text
	}
	return n.Text + a.dot() + n.Hint
}

// mention says what nobody looks up later: it is not among the last notices.
func (a *app) mention(n action.Notice) tea.Cmd {
	a.dirty, a.notices.holding = true, holdingNotice{}
	text := a.sentence(n)
	if n.Level == action.Warned {
		a.statusLine.Say("", a.now()) // what was going on has ended
		a.statusLine.Complain(text)
		a.notices.lastWarning = n
		return nil
	}
	a.statusLine.Say(text, a.now())
	until, ok := a.statusLine.Until()
	if !ok {
		return nil
	}
	return a.wake(&a.notices.ends, until.Sub(a.now()), func() tea.Cmd {
		a.dirty = true
		a.statusLine.Tick(a.now())
		return nil
	})
}

// A holdingNotice tells of a state, and goes when that is over.
type holdingNotice struct {
	holds func() (still bool, now action.Notice) // nil: the notice is of no state
	told  bool                                   // a frame has told of the state
}

// notifyWhile lets what was said last go when it holds no more.
func (a *app) notifyWhile(holds func() (bool, action.Notice)) tea.Cmd {
	a.notices.holding = holdingNotice{holds: holds}
	return a.clearStaleNotice()
}

// clearStaleNotice takes a notice away of a state that is over, and says what is instead. The
// answer to an order comes before the frame that tells of it: until then it waits.
func (a *app) clearStaleNotice() tea.Cmd {
	if a.notices.holding.holds == nil {
		return nil
	}
	still, now := a.notices.holding.holds()
	switch {
	case still:
		a.notices.holding.told = true
		return nil
	case !a.notices.holding.told && now.Empty():
		return nil
	}
	a.notices.holding = holdingNotice{}
	a.dirty = true
	a.statusLine.Say("", a.now())
	return a.notify(now)
}

// notifyError shows what went wrong, in words. An error that is nobody's concern
// only ends what was said to be going on.
func (a *app) notifyError(err error) tea.Cmd {
	n := a.actions.NoticeFor(err)
	if n.Empty() {
		a.dirty = true
		a.statusLine.Say("", a.now())
	}
	return a.notify(n)
}

func (a *app) warn(text, hint string) tea.Cmd {
	return a.notify(action.Notice{Level: action.Warned, Text: text, Hint: hint})
}

// notifyOngoing says what goes on: what comes of it takes its place among the last notices.
func (a *app) notifyOngoing(text string) tea.Cmd {
	cmd := a.inform(text, "")
	a.notices.log[len(a.notices.log)-1].ongoing = true
	return cmd
}

func (a *app) inform(text, hint string) tea.Cmd {
	return a.notify(action.Notice{Text: text, Hint: hint})
}
