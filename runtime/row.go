package runtime

import (
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// A Row is what the screen shows of one agent: a value, owned by who holds it.
// The loop copies the rows of changed agents between two batches.
type Row struct {
	ID      society.AgentID
	Parent  society.AgentID // society.User for root
	Name    string          // display name; empty: the id
	RoleID  society.RoleID
	Role    string // the role's name
	Depth   int    // root is 0
	Order   uint64 // spawn order
	Created time.Time
	State   society.Status
	Since   time.Time // when State, Retry or Tool last changed
	// Paused, while State is an active one, waits for the border at which the agent
	// comes to rest.
	Paused   society.Pause
	Draining bool

	Task  society.TaskID
	Doing string // the brief's objective, or the first line of what it works on
	Tool  string // the running tool's name, or ""
	// Running are the ids of the calls that are being run, or that wait for the end of
	// a child: in branches side by side there can be several, also while others think.
	Running []string
	Retry   *Retry // while waiting to try again
	Queued  bool   // waits for one of the limited model calls
	// Compressing is set while its full context is compressed by the runtime.
	Compressing bool
	WaitsOn     []society.AgentID // idle, and what it asked these is still open
	Error       string            // how its last turn failed, "" if it did not
	Asks        bool              // asks the person
	Question    string            // the first line of what it asks, short
	Replies     []string          // quick replies offered with the open question
	Owes        bool              // it owes the person an answer
	Report      bool              // its last report is unread by the person
	Unread      int

	Walk Walk

	Round, MaxRounds int
	Waiting          int // messages in its queue
	Delayed          int // messages to it whose time has not come
	// Later are those to whom it keeps such messages, once for each.
	Later    []society.AgentID
	Messages int // entries in the model's context
	Tokens   int // of the model's context: counted, or an estimate
	Window   int // tokens that the model's context has room for; 0 is unknown
	// Model is the name of the model that it thinks with; Stranded is set when that
	// is not set up, or none with the capability of this name.
	Model    string
	Stranded bool
	Usage    society.Usage
	Ended    society.Usage // of children that were terminated, with all theirs

	// The conversation's slots: it holds [First,Next); those from Settled on
	// may still be rewritten.
	Next, Settled uint64
}

// Retry says when a failed model call is tried again, and why it failed.
type Retry struct {
	Attempt, Most int // the coming retry, and how many there are at most
	At            time.Time
	Cause         string
}

// Changes is what happened since a Watcher last looked. All of it are values.
type Changes struct {
	// All is set when Rows holds every agent: at the first look, and after a
	// reload. What is not in it is gone.
	All  bool
	Rows []Row
	// Gone are the agents that left.
	Gone []society.AgentID
	// Rewritten names, for agents whose conversation grew or changed, the lowest
	// slot to read again.
	Rewritten map[society.AgentID]uint64
	// Streaming are the agents whose unfinished answer grew, began or went.
	Streaming []society.AgentID
	// Log are new lines for the notices and the timeline, oldest first; it is
	// bounded, and Missed counts those that did not fit.
	Log    []Event
	Missed int
	// Inbox counts the messages to the person that were not seen yet.
	Inbox int
	// Usage is that of all agents, gone ones too.
	Usage society.Usage
	// Streamed counts the bytes of answers that have come since the start; the
	// tokens of an answer are in Usage only when it has ended.
	Streamed int64
	// Unsaved says why nothing is being saved; empty when all is.
	Unsaved string
	// Leaving is set when the program is on its way out; Running counts the calls
	// that it still waits for.
	Leaving bool
	Running int
	// Model is the name of the default model. Health says of each model that was
	// asked, by its name, how its last call went: "ok", else a short reason.
	Model  string
	Health map[string]string
}

// Event is a line of the timeline: ids and kinds, never bodies.
type Event struct {
	Seq   uint64
	At    time.Time
	Agent society.AgentID
	Kind  string // spawned, interrupted, paused, resumed, stopped, draining, drained, terminated, failed, retry, compressed, dropped, undelivered, asks, told you
	Text  string // our own words
	// Before says that it was so before this start.
	Before bool
}

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
	// Last is when the last byte came, for "no data for N s".
	Last time.Time
	// Aborted is set when it was cut short; it stays until the agent's next turn.
	Aborted bool
}

// Page is a part of a conversation, in slot order, with what is waiting.
type Page struct {
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
}

// Profile is what an agent was given, for the inspector.
type Profile struct {
	Agent    society.AgentID
	System   string // the whole system prompt as it would be sent now
	Role     string
	Brief    *protocol.Brief
	Contacts []protocol.Contact
	Tools    []Tool // that it may call where it is now
	// Graph is that of the role, nil for the plain one, and Run the run of the
	// agent's turn through it, else the last that has ended, if any. Whoever holds
	// the Profile owns the Run; the Graph never changes.
	Graph *graph.Graph
	Run   *graph.Run
}

// A Tool is one that an agent may call.
type Tool struct {
	Name    string
	Purpose string // as models are told
	Writes  bool   // a call changes something
	Final   bool   // and nobody can undo it
}

// A Role is a role with how many agents have it.
type Role struct {
	society.Role
	Agents int
}

// InboxMessage is a message to the person.
type InboxMessage struct {
	Seq   uint64
	ID    society.MessageID
	From  society.AgentID
	Role  string
	Task  society.TaskID
	Type  protocol.MessageType
	Note  bool // a text of the turn, not an answer
	At    time.Time
	Body  string
	Quick []string
}
