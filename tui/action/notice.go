package action

import (
	"context"
	"errors"
	"fmt"

	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// A Level is how urgent a notice is.
type Level uint8

// The levels.
const (
	Told   Level = iota // what came of a command
	Warned              // refused, or failed: it stays until it is seen
)

// A Notice is what the user is told: a sentence, and what can be done. Empty notices
// are not shown.
type Notice struct {
	Level Level
	Text  string
	Hint  string
}

// Empty reports whether there is nothing to be told.
func (n Notice) Empty() bool { return n.Text == "" }

// And returns both notices as one, with dot between them. The first hint is kept.
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

// NoticeFor returns the notice about an error. Here alone errors become words for the
// user. A wait that was given up, and an answer that came too late, give the empty one.
func (b *Builder) NoticeFor(err error) Notice {
	var refusal *society.Refusal
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, society.ErrStale):
		return Notice{}
	case errors.As(err, &refusal):
		return b.refused(refusal)
	}
	return Notice{Warned, fmt.Sprintf(b.Notices.Failed, sanitize.Line(err.Error(), 300)), ""}
}

func (b *Builder) refused(r *society.Refusal) Notice {
	w, who := b.Notices, b.Society.Name(r.Agent)
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
