package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/words"
)

// A level says how a notice is coloured and how long it stays.
type level uint8

// The levels.
const (
	told   level = iota // what came of a command: goes after some seconds
	warned              // refused, or failed: stays until a key
)

// A notice is what the message row says: a sentence, and what can be done.
type notice struct {
	level level
	text  string
	hint  string
}

func (n notice) empty() bool { return n.text == "" }

// and says another thing behind it. The first hint is kept.
func (n notice) and(more notice, dot string) notice {
	switch {
	case n.empty():
		return more
	case more.empty():
		return n
	case n.hint == "":
		n.hint = more.hint
	}
	return notice{max(n.level, more.level), n.text + dot + more.text, n.hint}
}

// explain is the one place where errors become words for the person. An error
// that is nobody's concern gives the empty notice.
func explain(err error, w words.Notices, name func(society.AgentID) string) notice {
	var refusal *society.Refusal
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, society.ErrStale):
		return notice{}
	case errors.As(err, &refusal):
		return refused(refusal, w, name)
	}
	return notice{warned, fmt.Sprintf(w.Failed, sanitize.Line(err.Error(), 300)), ""}
}

func refused(r *society.Refusal, w words.Notices, name func(society.AgentID) string) notice {
	who := name(r.Agent)
	say := func(form string, hint string) notice { return notice{warned, fmt.Sprintf(form, who), hint} }
	switch r.Code {
	case society.AgentNotFound:
		return say(w.AgentNotFound, "")
	case society.AgentStopped:
		return say(w.AgentStopped, w.HintResume)
	case society.InvalidRecipient:
		return say(w.InvalidRecipient, "")
	case society.TaskNotFound:
		return say(w.TaskNotFound, "")
	case society.MailboxFull:
		return say(w.MailboxFull, w.HintWait)
	case society.StoreUnavailable:
		return notice{warned, w.StoreUnavailable, w.HintDisk}
	}
	who = sanitize.Line(r.Message, 300)
	switch r.Code {
	case society.LimitReached:
		return say(w.LimitReached, "")
	case society.TooLarge:
		return say(w.TooLarge, "")
	}
	return say(w.Refused, "")
}

// say shows a notice in place of the one before. The empty one changes nothing.
func (a *app) say(n notice) tea.Cmd {
	if n.empty() {
		return nil
	}
	a.dirty = true
	text := n.text
	if n.hint != "" {
		text += a.dot() + n.hint
	}
	if n.level == warned {
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

// sayError shows what went wrong, in words. An error that is nobody's concern
// only ends what was said to be going on.
func (a *app) sayError(err error) tea.Cmd {
	n := explain(err, a.words.notices, a.name)
	if n.empty() {
		a.dirty = true
		a.bar.Say("", a.now())
	}
	return a.say(n)
}

func (a *app) warn(text, hint string) tea.Cmd { return a.say(notice{warned, text, hint}) }

func (a *app) tell(text, hint string) tea.Cmd { return a.say(notice{told, text, hint}) }
