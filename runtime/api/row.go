package api

import (
	"time"

	"society-tui/runtime/approval"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
)

// A Row is an agent's summary: a value, owned by whoever holds it.
type Row struct {
	ID      society.AgentID
	Parent  society.AgentID // society.User for root
	Name    string          // display name; empty: the name of its role
	RoleID  society.RoleID
	Role    string // the role's name
	Sole    bool   // no other agent of the role was ever made, but for copies
	Copied  bool   // a fork of another agent
	Depth   int    // root is 0
	Order   uint64 // spawn order
	Created time.Time
	State   society.Status
	// Since is when State, Retry, Tool or Compressing last changed.
	Since time.Time
	// Paused, in an active State, is a pause that takes effect after the current step.
	Paused   society.Pause
	Draining bool

	Task  society.TaskID
	Doing string // the brief's objective, or the first line of what it works on
	Tool  string // the running tool's name, or ""
	// Arguments are those of the running tool, as conversation.Shorten leaves them.
	Arguments string
	// Done of Todo things are done, of the agent's own list of what is to be done; Todo is
	// 0 without one.
	Done, Todo int
	// Running are the ids of the calls that are being run, or that wait for the end of
	// a child: in branches side by side there can be several, also while others think.
	Running []string
	// Processes are its background processes, the oldest first. Their commands may be cut.
	Processes []Process
	Retry     *Retry // while waiting to try again
	Queued    bool   // waits for one of the limited model calls
	// Compressing is set while its full context is compressed by the runtime.
	Compressing bool
	WaitsOn     []society.AgentID // idle, and what it asked these is still open
	Error       string            // how its last turn failed, "" if it did not
	// ErrorClass is the class of Error: llm.Class, or a word of the rules. ErrorCode is what
	// the endpoint calls it. Both are "" where that is not known.
	ErrorClass, ErrorCode string
	Asks                  bool          // asks the user
	Question              string        // the first line of what it asks, short
	Replies               []string      // quick replies offered with the open question
	Approvals             int           // calls that wait for the user's yes
	Mode                  approval.Mode // what it may do without being asked about
	Owes                  bool          // it owes the user an answer
	Report                bool          // its last report is unread by the user
	Unread                int

	Walk Walk

	Round, MaxRounds int
	Waiting          int // messages in its queue
	Delayed          int // messages to it whose time has not come
	// Later are the recipients of delayed messages that it has sent, each once.
	Later    []society.AgentID
	Messages int // entries in the model's context
	Tokens   int // of the model's context: counted, or an estimate
	Window   int // tokens that the model's context has room for; 0 is unknown
	// WindowFrom is where the Window is known from, "" if it is not.
	WindowFrom KnownFrom
	// Model is the name of the model that it thinks with; Stranded is set when that
	// is not set up, or none with the capability of this name.
	Model    string
	Effort   string // how much that is to think, "" as its settings say
	Stranded bool
	OwnModel bool // it was chosen for this agent alone
	Usage    society.Usage
	Budget   *society.BudgetStatus // spent, and the user is asked with this row; nil for none
	// HeldBy is whose budget keeps it paused because it is spent; zero for none.
	HeldBy society.BudgetScope
	// Ended is that of children that were terminated, with all theirs; of root, also that of
	// tests of models.
	Ended society.Usage

	// The conversation's slots: it holds [First,Next); those from Settled on
	// may still be rewritten.
	Next, Settled uint64
}

// Retry is a model call that waits until it is made, again or for the first time.
type Retry struct {
	// Attempt is the coming retry, and Most how many there are at most. It is 0 for a wait
	// that costs no try: Model is what is waited for, and Cause one of the causes below.
	Attempt, Most int
	At            time.Time
	Cause         string
	Model         string
}

// What a call waits for without having failed.
const (
	WaitsForEndpoint = "rate" // its endpoint, which has refused more requests
	WaitsForOwnLimit = "own"  // the model's own limits per minute
)

// A Walk is where an agent's turn stands in the graph of its role.
type Walk struct {
	// Graph is the version of the role's graph, "" without one. Society.GraphDefinition
	// returns its definition, which never changes.
	Graph graph.Version
	// Node is the title of the current node, and Doing what is done there. Between
	// two turns there are neither.
	Node  string
	Doing graph.WorkKind
	// Beside counts the branches that are at work at the same time.
	Beside int
	// Iterations counts the node executions of the turn that were begun, of Most
	// that there may be.
	Iterations, Most int
	// Ended counts the pieces of work that have ended: it grows with each.
	Ended int
}
