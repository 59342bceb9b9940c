package runtime

import (
	"context"
	"errors"
	"time"

	"society-tui/llm"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
)

// An Observer measures. Its methods may be called from any goroutine and return at once.
type Observer interface {
	// ModelQueued and ModelRunning count calls that begin to wait for a slot of their
	// model, or to run (more is 1), and that end it (-1).
	ModelQueued(model string, more int)
	ModelRunning(model string, more int)
	ModelCalled(model string, c ModelCall)
	// ModelRetried counts failed calls that are tried again.
	ModelRetried(model string, class llm.Class)
	ToolCalled(tool string, outcome conversation.Outcome, took time.Duration)
	// Committed is called for each transaction, and Messages for what became of messages:
	// "accepted" into a queue, "read" by an agent, "told" to the user, or "refused".
	Committed(took time.Duration)
	Messages(outcome string, n int)
}

// A ModelCall is how a call went.
type ModelCall struct {
	Outcome string        // "ok", "cancelled", or the class of the failure
	Took    time.Duration // until its end
	First   time.Duration // until the first piece of the answer, 0 if none came
	Usage   society.Usage
}

// outcomeOf returns the outcome of a call with an error.
func outcomeOf(ctx context.Context, err error) string {
	switch {
	case err == nil:
		return "ok"
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return string(llm.AsError(err).Class)
}

// observeMessage counts the message of an event.
func (r *Runtime) observeMessage(e society.Event) {
	switch e.(type) {
	case society.MessageQueued:
		r.cfg.Observer.Messages("accepted", 1)
	case society.MessageToUser:
		r.cfg.Observer.Messages("told", 1)
	}
}

// unobserved is the Observer of a society without one.
type unobserved struct{}

func (unobserved) ModelQueued(string, int)                                {}
func (unobserved) ModelRunning(string, int)                               {}
func (unobserved) ModelCalled(string, ModelCall)                          {}
func (unobserved) ModelRetried(string, llm.Class)                         {}
func (unobserved) ToolCalled(string, conversation.Outcome, time.Duration) {}
func (unobserved) Committed(time.Duration)                                {}
func (unobserved) Messages(string, int)                                   {}
