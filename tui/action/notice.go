package action

import (
	"context"
	"errors"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A Level is how urgent a notice is.
type Level uint8

const (
	Told      Level = iota // the outcome of a command
	Warned                 // refused or failed: it stays until the user has seen it
	Going                  // in progress, until an outcome replaces it
	Cautioned              // something is missing and the rest works: it stays until the user has seen it
)

// A Notice is a sentence for the user with a hint. Empty notices are not shown.
type Notice struct {
	Level Level
	Text  string
	Hint  string
}

// Empty reports whether the notice has no text.
func (n Notice) Empty() bool { return n.Text == "" }

// And joins both notices with dot. The first hint is kept.
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

// NoticeFor returns the notice about an error. Only here do errors become words
// for the user. A cancelled wait and a stale answer give an empty notice.
func (b *Builder) NoticeFor(err error) Notice {
	var refusal *society.Refusal
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, society.ErrStale):
		return Notice{}
	case errors.Is(err, api.ErrDisconnected):
		return b.notConnected()
	case errors.As(err, &refusal):
		return b.refused(refusal)
	case errors.Is(err, api.ErrLookOnly):
		return Notice{Warned, b.text(textLookOnly), b.text(textHintLook)}
	case errors.Is(err, api.ErrNoWorktree):
		return Notice{Warned, b.text(textTreeGone), b.text(textHintWorktrees)}
	case errors.Is(err, api.ErrWorktreeInUse):
		return Notice{Warned, b.text(textWorksThere), b.text(textHintEndIt)}
	case errors.Is(err, api.ErrNoProcess):
		return Notice{Warned, b.text(textProcessGone), b.text(textHintProcesses)}
	case errors.Is(err, api.ErrNoServer):
		return Notice{Warned, b.text(textServerGone), b.text(textHintServers)}
	case errors.Is(err, api.ErrSocketOnly):
		return Notice{Warned, b.text(textSocketOnly), b.text(textHintSocket)}
	}
	return Notice{Warned, b.text(TextFailed, sanitize.Line(i18n.Error(b.Printer.Lang, err), 300)), ""}
}

func (b *Builder) refused(r *society.Refusal) Notice {
	who := b.Society.Name(r.Agent)
	say := func(form i18n.Text, hint string) Notice { return Notice{Warned, b.text(form, who), hint} }
	switch r.Code {
	case society.AgentNotFound:
		return say(textUnknownAgent, "")
	case society.AgentStopped:
		return say(TextAgentStopped, b.text(TextHintResume))
	case society.InvalidRecipient:
		return say(textInvalidRecipient, "")
	case society.TaskNotFound:
		return say(textTaskNotFound, "")
	case society.MailboxFull:
		return say(TextMailboxFull, b.text(textHintWait))
	case society.StoreUnavailable:
		return Notice{Warned, b.text(TextStoreUnavailable), b.text(TextHintDisk)}
	}
	if r.Why != nil && r.Why.Key == protocol.BudgetSpent { // its words begin with the id of a task
		return Notice{Warned, b.text(textBudgetHolds), b.text(textHintHeld, symbols.BudgetWord(b.heldBy(r.Agent)))}
	}
	who = sanitize.Line(r.Why.In(b.Printer.Lang), 300)
	switch r.Code {
	case society.LimitReached:
		return say(textLimitReached, "")
	case society.TooLarge:
		return say(textTooLarge, "")
	}
	return say(TextRefused, "")
}
