package api

import (
	"time"

	"society-tui/runtime/approval"
	"society-tui/runtime/society"
)

// Changes holds what happened since the last call of Watcher.Next. The caller owns it.
type Changes struct {
	// All is set when Rows holds every agent: at the first look, and after a
	// reload. What is not in it is gone, and any kept value may have changed.
	All  bool
	Rows []Row
	// Gone are the agents that left.
	Gone []society.AgentID
	// Rewritten names, for agents whose conversation grew or changed, the lowest
	// slot to read again.
	Rewritten map[society.AgentID]uint64
	// Streaming are the agents whose unfinished answer, or the output of whose running calls,
	// grew, began or went.
	Streaming []society.AgentID
	// Log are new lines for the notices and the timeline, oldest first; it is
	// bounded, and Missed counts those that did not fit.
	Log    []TimelineEvent
	Missed int
	// Kept are the values of clients that changed, by name, with their revisions.
	Kept map[string]Revision
	// Approvals are the requests that began to wait or changed; with All those that wait.
	// Ended are those that were answered or withdrawn.
	Approvals []Approval
	Ended     []ApprovalEnd
	// Mode is the mode of the society.
	Mode approval.Mode
	// Sandbox is what holds in the commands of agents; zero if no tool runs any.
	Sandbox Sandbox
	// Inbox counts the messages to the user that were not seen yet.
	Inbox int
	// Usage is the sum over all agents, ended ones included.
	Usage society.Usage
	// Currency is the sign of the currency of all amounts, "" for none.
	Currency string
	// Budgets are those in force, with what is spent of them.
	Budgets []society.BudgetStatus
	// Streamed counts the bytes of answers that have come since the start; the
	// tokens of an answer are in Usage only when it has ended.
	Streamed int64
	// Unsaved explains why saving fails; empty while it works.
	Unsaved string
	// Leaving is set when the program is on its way out; Running counts the calls
	// that it still waits for.
	Leaving bool
	Running int
	// Model is the name of the default model. Health says of each model that was
	// asked, by its name, how its last call went: "ok", else a short reason.
	Model  string
	Health map[string]string
	// Servers grows whenever an MCP server has changed: what was read of them is then old.
	Servers int
	// Screens counts the screens that show the society, this one included.
	Screens int
	// Disconnected is set while the connection to the society is cut: everything is as of
	// then.
	Disconnected bool
}

// A TimelineEvent is a line of the timeline: ids and kinds, never bodies.
type TimelineEvent struct {
	Seq   uint64
	At    time.Time
	Agent society.AgentID
	Kind  string // spawned, interrupted, paused, resumed, stopped, draining, drained, terminated, failed, retry, compressed, dropped, undelivered, asks, told you, approval, allowed, denied, withdrawn, artifact
	Text  string // our own words
	// Before marks an event from before this start of the program.
	Before bool
}

// A StartReport counts the agents that a society had when it was opened again, by
// what becomes of them: those AtWork go on where they were.
type StartReport struct{ AtWork, Paused, Stopped int }
