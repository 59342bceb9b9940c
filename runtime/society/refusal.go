package society

import (
	"errors"
	"fmt"
)

// Code names why something was refused: a closed list (spec/decisions.md 37).
type Code string

// The codes.
const (
	InvalidTaskBrief     Code = "invalid_task_brief"
	InvalidMessageFormat Code = "invalid_message_format"
	InvalidArguments     Code = "invalid_arguments"
	InvalidRecipient     Code = "invalid_recipient"
	AgentNotFound        Code = "agent_not_found"
	AgentStopped         Code = "agent_stopped"
	NotYourChild         Code = "not_your_child"
	TaskNotFound         Code = "task_not_found"
	LimitReached         Code = "limit_reached"
	MailboxFull          Code = "mailbox_full"
	TooLarge             Code = "too_large"
	StoreUnavailable     Code = "store_unavailable"
)

// A Refusal says that a command leads to nothing, and what to do instead.
// Message is a whole sentence in our own words, in English; the screen has its
// own for each Code.
type Refusal struct {
	Code    Code
	Agent   AgentID // whom it is about, "" for nobody
	Message string
	// Err is what was found, nil if Message says all of it: a *protocol.BadName.
	Err error
}

func (r *Refusal) Error() string { return string(r.Code) + ": " + r.Message }

// Unwrap returns what was found.
func (r *Refusal) Unwrap() error { return r.Err }

// ErrStale is returned for a result that no longer counts: its epoch has passed
// or its step is closed. It is thrown away and logged, never shown as a failure.
var ErrStale = errors.New("the result no longer counts")

func refuse(code Code, agent AgentID, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Agent: agent, Message: fmt.Sprintf(format, args...)}
}

// refuseName refuses what would have a name that cannot be.
func refuseName(agent AgentID, bad error) *Refusal {
	return &Refusal{Code: InvalidArguments, Agent: agent, Message: bad.Error(), Err: bad}
}
