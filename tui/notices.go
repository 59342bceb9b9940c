package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/action"
)

// say shows a notice in place of the one before. The empty one changes nothing.
func (a *app) say(n action.Notice) tea.Cmd {
	if n.Empty() {
		return nil
	}
	a.note(a.sentence(n), n.Level)
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
	a.dirty, a.lasts = true, lasting{}
	text := a.sentence(n)
	if n.Level == action.Warned {
		a.bar.Say("", a.now()) // what was going on has ended
		a.bar.Complain(text)
		a.complaint = n
		return nil
	}
	a.bar.Say(text, a.now())
	until, ok := a.bar.Until()
	if !ok {
		return nil
	}
	return a.wake(&a.noteEnds, until.Sub(a.now()), func() tea.Cmd {
		a.dirty = true
		a.bar.Tick(a.now())
		return nil
	})
}

// What lasts is a notice of a state: it goes when that is over.
type lasting struct {
	holds func() (still bool, now action.Notice) // nil: it is of no state
	held  bool                                   // a frame has told of it
}

// sayWhile lets what was said last go when it holds no more.
func (a *app) sayWhile(holds func() (bool, action.Notice)) tea.Cmd {
	a.lasts = lasting{holds: holds}
	return a.lapse()
}

// lapse takes a notice away of a state that is over, and says what is instead. The
// answer to an order comes before the frame that tells of it: until then it waits.
func (a *app) lapse() tea.Cmd {
	if a.lasts.holds == nil {
		return nil
	}
	still, now := a.lasts.holds()
	switch {
	case still:
		a.lasts.held = true
		return nil
	case !a.lasts.held && now.Empty():
		return nil
	}
	a.lasts = lasting{}
	a.dirty = true
	a.bar.Say("", a.now())
	return a.say(now)
}

// sayError shows what went wrong, in words. An error that is nobody's concern
// only ends what was said to be going on.
func (a *app) sayError(err error) tea.Cmd {
	n := a.actions.NoticeFor(err)
	if n.Empty() {
		a.dirty = true
		a.bar.Say("", a.now())
	}
	return a.say(n)
}

func (a *app) warn(text, hint string) tea.Cmd {
	return a.say(action.Notice{Level: action.Warned, Text: text, Hint: hint})
}

// tellGoing says what goes on: what comes of it takes its place among the last notices.
func (a *app) tellGoing(text string) tea.Cmd {
	cmd := a.tell(text, "")
	a.spoken[len(a.spoken)-1].goesOn = true
	return cmd
}

func (a *app) tell(text, hint string) tea.Cmd { return a.say(action.Notice{Text: text, Hint: hint}) }
