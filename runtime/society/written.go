package society

import (
	"iter"
	"time"

	"society-tui/runtime/conversation"
)

// Writes is an event that adds entries to conversations.
type Writes interface {
	Event
	// Written yields the entries, each with the agent whose conversation it is in.
	// The text of a message is not in its entry: it stays where it arrived.
	Written() iter.Seq2[AgentID, conversation.Entry]
}

// Rewrites is an event that changes an entry that is in a conversation already.
type Rewrites interface {
	Event
	Rewritten() (agent AgentID, slot uint64)
}

// Spends is an event of model calls that used tokens.
type Spends interface {
	Event
	Spent() Spending
}

// A Spending is the usage of model calls.
type Spending struct {
	At      time.Time
	Agent   AgentID // "" if Task is known with the event
	Task    TaskID
	Model   string // "" if it did not say who it was
	Calls   int    // that were answered
	Retries int
	Took    time.Duration
	Usage   Usage
}

// EndsDraft is an event after which an unfinished answer is shown no more.
type EndsDraft interface {
	Event
	// EndedDraft returns the step that the answer was for, 0 for any.
	EndedDraft() (agent AgentID, step uint64)
}

func one(agent AgentID, e conversation.Entry) iter.Seq2[AgentID, conversation.Entry] {
	return func(yield func(AgentID, conversation.Entry) bool) { yield(agent, e) }
}

// answered returns the usage of one answered call.
func (u Usage) answered(e *conversation.Entry) Spending {
	return Spending{At: e.At, Task: TaskID(e.TaskID), Model: e.Model, Calls: 1, Took: e.Took, Usage: u}
}

// Written implements Writes.
func (e MailTaken) Written() iter.Seq2[AgentID, conversation.Entry] {
	return func(yield func(AgentID, conversation.Entry) bool) {
		for i := range e.Mails {
			if !yield(e.Agent, e.Entry(i)) {
				return
			}
		}
	}
}

// Written implements Writes.
func (e StopBegun) Written() iter.Seq2[AgentID, conversation.Entry] {
	return func(yield func(AgentID, conversation.Entry) bool) {
		for _, a := range e.Aborted {
			if !yield(a.Agent, a.Entry(e.At)) {
				return
			}
		}
		for _, u := range e.Unread {
			if !yield(u.Agent, u.Entry(e.At)) {
				return
			}
		}
	}
}

// Written implements Writes.
func (e AnswerKept) Written() iter.Seq2[AgentID, conversation.Entry] { return one(e.Agent, e.Entry) }

// Written implements Writes.
func (e AnswerDropped) Written() iter.Seq2[AgentID, conversation.Entry] { return one(e.Agent, e.Entry) }

// Written implements Writes.
func (e ToolResultKept) Written() iter.Seq2[AgentID, conversation.Entry] {
	return one(e.Agent, e.Entry)
}

// Written implements Writes.
func (e Noted) Written() iter.Seq2[AgentID, conversation.Entry] { return one(e.Agent, e.Entry) }

// Written implements Writes.
func (e BranchesMerged) Written() iter.Seq2[AgentID, conversation.Entry] {
	return one(e.Agent, e.Entry)
}

// Written implements Writes.
func (e Compacted) Written() iter.Seq2[AgentID, conversation.Entry] { return one(e.Agent, e.Entry) }

// Rewritten implements Rewrites.
func (e GroupDropped) Rewritten() (AgentID, uint64) { return e.Agent, e.Slot }

// Spent implements Spends.
func (e AnswerKept) Spent() Spending { return e.Usage.answered(&e.Entry) }

// Spent implements Spends.
func (e AnswerDropped) Spent() Spending { return e.Usage.answered(&e.Entry) }

// Spent implements Spends.
func (e Compacted) Spent() Spending {
	return Spending{At: e.Entry.At, Agent: e.Agent, Calls: 1, Took: e.Entry.Took, Usage: e.Usage}
}

// Spent implements Spends.
func (e GraphAdvanced) Spent() Spending {
	if e.Usage == (Usage{}) { // no model was asked
		return Spending{}
	}
	return Spending{At: e.At, Agent: e.Agent, Calls: 1, Usage: e.Usage}
}

// Spent implements Spends.
func (e RetrySet) Spent() Spending { return Spending{At: e.At, Agent: e.Agent, Retries: 1} }

// EndedDraft implements EndsDraft.
func (e AnswerKept) EndedDraft() (AgentID, uint64) { return e.Agent, e.Step }

// EndedDraft implements EndsDraft.
func (e AnswerDropped) EndedDraft() (AgentID, uint64) { return e.Agent, e.Step }

// EndedDraft implements EndsDraft.
func (e RetrySet) EndedDraft() (AgentID, uint64) { return e.Agent, e.Step }

// EndedDraft implements EndsDraft.
func (e CompressOpened) EndedDraft() (AgentID, uint64) { return e.Agent, 0 }

// EndedDraft implements EndsDraft.
func (e TurnFailed) EndedDraft() (AgentID, uint64) { return e.Agent, 0 }

// EndedDraft implements EndsDraft.
func (e MailTaken) EndedDraft() (AgentID, uint64) { return e.Agent, 0 }
