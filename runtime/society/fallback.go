package society

import (
	"iter"
	"time"

	"society-tui/runtime/conversation"
)

// FallbackCause is the cause of the notice that another model is asked.
const FallbackCause = "fallback"

// FellBack reports that another model is asked in place of an agent's own, which cannot be.
// Its conversation says so, once in a turn for each model.
type FellBack struct {
	Of    WorkItem // the work for which it is asked
	Model string
	Text  string // what is asked in place of what, and why
}

func (c FellBack) decide(d *decision) (Reply, error) {
	a := d.s.agents[c.Of.Agent]
	if a == nil || a.Epoch != c.Of.Epoch || a.step(c.Of.Step) == nil || a.Turn != nil && a.Turn.Instead == c.Model {
		return Done{}, nil
	}
	d.add(ModelReplaced{Agent: a.ID, Model: c.Model, Entry: conversation.Entry{
		Slot: d.tail(a).Aside(), Kind: conversation.Notice, At: d.at, From: string(a.ID), Text: c.Text, Cause: FallbackCause, Model: c.Model,
	}})
	return Done{}, nil
}

// ModelReplaced is another model that answers in place of the agent's own.
type ModelReplaced struct {
	Agent AgentID
	Model string
	Entry conversation.Entry
}

func (e ModelReplaced) apply(s *State) {
	a := s.touch(e.Agent)
	a.Tail.Aside()
	if a.Turn != nil { // else its context is compressed for the user
		a.Turn.Instead = e.Model
	}
}

// Written implements Writes.
func (e ModelReplaced) Written() iter.Seq2[AgentID, conversation.Entry] { return one(e.Agent, e.Entry) }

// Logged implements Logs.
func (e ModelReplaced) Logged(*State) []LogLine {
	return []LogLine{{Warn: true, Text: "another model is asked", Attrs: []any{"agent", e.Agent, "model", e.Model}}}
}

// Lines implements Shows.
func (e ModelReplaced) Lines() []TimelineLine {
	return shown(e.Entry.At, e.Agent, "fallback", e.Entry.Text, "model", e.Model)
}

// retryWait returns the open wait before a call of a model is made again, nil for none.
func (a *Agent) retryWait() *Step {
	for i := range a.Open {
		if s := &a.Open[i]; s.waits(RetryThink) || s.waits(RetryCompress) {
			return s
		}
	}
	return nil
}

// RetriesFreely returns until when an agent waits for its endpoint, because that has refused
// more requests; ok is false if it does not.
func (a *Agent) RetriesFreely() (until time.Time, ok bool) {
	if a.Turn == nil || a.Turn.Retry == nil || !a.Turn.Retry.Free {
		return until, false
	}
	return a.Turn.Retry.At, true
}
