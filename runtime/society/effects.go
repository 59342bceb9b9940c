package society

import (
	"iter"
	"time"

	"society-tui/runtime/conversation"
)

// What an event does beside changing the state, it says by the interfaces of this
// file. All are optional: the loop and the tables ask each event for them.

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
	// Rewrite changes the entry.
	Rewrite(e *conversation.Entry)
}

// Spends is an event of model calls that used tokens.
type Spends interface {
	Event
	Spent() Spending
}

// A Spending is the usage of model calls.
type Spending struct {
	At      time.Time
	Agent   AgentID
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

// Cuts is an event that ends running work before its time.
type Cuts interface {
	Event
	Cut() Cut
}

// A Cut names the agents whose work ends.
type Cut struct {
	Agents []AgentID
	// Ends is set if the agents themselves stop or terminate.
	Ends bool
	// Answers are those that are thrown away. How much of each had come the rules do
	// not know: the loop fills it in before the event is recorded.
	Answers []AbortedAnswer
}

// EndsCall is an event that says how a model call has gone.
type EndsCall interface {
	Event
	CallEnded() CallEnd
}

// A CallEnd is the outcome of a model call.
type CallEnd struct {
	Model        string // its name, "" if it says nothing of a model
	OK           bool
	Cause, Class string // of a failure, as in TurnFailed
}

// Shows is an event that the timeline shows, and the log.
type Shows interface {
	Event
	Lines() []TimelineLine
}

// A TimelineLine tells of an event by ids, kinds and counts.
type TimelineLine struct {
	At    time.Time
	Agent AgentID
	Kind  string
	Text  string
	// Quotes is set if Text has an endpoint's words, which may quote what was said.
	Quotes bool
	Attrs  []any // for the log, which has no Text
}

// Logs is an event with lines in the log alone. They have ids, kinds, codes, counts and
// refused briefs, but nothing of the conversations.
type Logs interface {
	Event
	// Logged returns the lines; s is the state after the event.
	Logged(s *State) []LogLine
}

// A LogLine is a line of the log.
type LogLine struct {
	Warn  bool
	Text  string
	Attrs []any
}

func shown(at time.Time, agent AgentID, kind, text string, attrs ...any) []TimelineLine {
	return []TimelineLine{{At: at, Agent: agent, Kind: kind, Text: text, Attrs: attrs}}
}

func logged(text string, attrs ...any) []LogLine { return []LogLine{{Text: text, Attrs: attrs}} }

func one(agent AgentID, e conversation.Entry) iter.Seq2[AgentID, conversation.Entry] {
	return func(yield func(AgentID, conversation.Entry) bool) { yield(agent, e) }
}
