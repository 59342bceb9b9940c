package api

import (
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// A Draft is the answer of a model call in flight, as far as it has come.
type Draft struct {
	Agent   society.AgentID
	Epoch   uint64
	Step    uint64
	Attempt int
	Begun   time.Time
	Text    string
	Thought string
	Tool    string // the tool whose call is being written
	Node    string // of the agent's graph, its key; "" in the plain one
	// Bytes counts what has come, text and thought.
	Bytes int
	// Last is when the last byte arrived, for "no data for N s".
	Last time.Time
	// Aborted is set when it was cut short; it stays until the agent's next turn, or a rewind.
	Aborted bool
}

// Entries is a part of a conversation, in slot order, with what is waiting.
type Entries struct {
	Agent   society.AgentID
	Entries []conversation.Entry
	// First is the lowest slot there is; Entries may begin later.
	First uint64
	Next  uint64
	// Waiting are the messages that were accepted but not read yet, and behind them
	// those of other agents whose time has not come, the next one first.
	Waiting []Waiting
}

// Waiting is a message in an agent's queue, or one that comes into it when it is
// Due.
type Waiting struct {
	Seq  uint64
	From society.AgentID
	Role string
	Type protocol.MessageType
	At   time.Time
	Due  time.Time // zero in the queue
	Body string
	// Attached are the files that go with it.
	Attached []conversation.Attachment
}

// An InboxQuery selects messages to the user; the zero value selects all.
type InboxQuery struct {
	From uint64         // the lowest number
	Task society.TaskID // "" for those of all tasks
	Most int            // the first so many; 0 for all
	// Bytes ends the list with the message that makes the texts so long; 0 for no end.
	Bytes int
}

// InboxMessage is a message to the user.
type InboxMessage struct {
	Seq   uint64
	ID    society.MessageID
	From  society.AgentID
	Role  string
	Task  society.TaskID
	Also  []society.TaskID // the others in which the user waits for the sender's answer
	Type  protocol.MessageType
	Note  bool // a text of the turn, not an answer
	At    time.Time
	Body  string
	Quick []string
}

// AsksUser reports whether the message is a question.
func (m *InboxMessage) AsksUser() bool {
	return society.Mail{Type: m.Type, Quick: m.Quick}.AsksUser()
}

// In reports whether the message belongs to a task.
func (m *InboxMessage) In(task society.TaskID) bool {
	return m.Task == task || slices.Contains(m.Also, task)
}
