package action

import (
	"context"
	"errors"
	"fmt"

	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/words"
)

// A Level says how much a notice is the person's concern.
type Level uint8

// The levels.
const (
	Told   Level = iota // what came of a command
	Warned              // refused, or failed: to be seen before it goes
)

// A Notice is what the person is told: a sentence, and what can be done. The empty
// one says nothing.
type Notice struct {
	Level Level
	Text  string
	Hint  string
}

// Empty says whether there is nothing to be told.
func (n Notice) Empty() bool { return n.Text == "" }

// And says another thing behind it, with dot between them. The first hint is kept.
func (n Notice) And(more Notice, dot string) Notice {
	switch {
	case n.Empty():
		return more
	case more.Empty():
		return n
	case n.Hint == "":
		n.Hint = more.Hint
	}
	return Notice{max(n.Level, more.Level), n.Text + dot + more.Text, n.Hint}
}

// Explain is the one place where errors become words for the person. An error
// that is nobody's concern gives the empty notice.
func Explain(err error, w words.Notices, name func(society.AgentID) string) Notice {
	var refusal *society.Refusal
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, society.ErrStale):
		return Notice{}
	case errors.As(err, &refusal):
		return refused(refusal, w, name)
	}
	return Notice{Warned, fmt.Sprintf(w.Failed, sanitize.Line(err.Error(), 300)), ""}
}

func refused(r *society.Refusal, w words.Notices, name func(society.AgentID) string) Notice {
	who := name(r.Agent)
	say := func(form string, hint string) Notice { return Notice{Warned, fmt.Sprintf(form, who), hint} }
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
		return Notice{Warned, w.StoreUnavailable, w.HintDisk}
	}
	who = sanitize.Line(r.Why.In(w.Lang), 300)
	switch r.Code {
	case society.LimitReached:
		return say(w.LimitReached, "")
	case society.TooLarge:
		return say(w.TooLarge, "")
	}
	return say(w.Refused, "")
}
