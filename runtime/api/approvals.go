package api

import (
	"errors"
	"time"

	"society-tui/runtime/approval"
	"society-tui/runtime/society"
)

// ErrNoApproval is returned for a request that does not wait any more.
var ErrNoApproval = errors.New("this request does not wait any more")

// An Approval is a call of a tool that waits for the user's answer. The command
// society.AnswerApproval answers it.
type Approval struct {
	ID    uint64 // grows in the order of asking
	Agent society.AgentID
	Task  society.TaskID
	Call  string // its id
	At    time.Time
	// Request is the call as rules see it: the tool, the paths, who calls.
	Request approval.Request
	Summary string // one line, of what it would do
	Why     string // the model's reason for it, "" if it gave none
	// Preview is what it would do, a diff or a text; Cut is set if it goes on, which
	// Society.Approval returns.
	Preview string
	Cut     bool
	// Mode, Rule and Protected are why it asks: the mode, a rule as a text, or a protected
	// path.
	Mode      approval.Mode
	Rule      string
	Protected bool
	// Given is set when the user has said yes and the agent's pause keeps the call from
	// beginning.
	Given bool
}

// An ApprovalEnd is a request that was answered or withdrawn. One with the ID 0 was never
// asked: there was nobody to answer it, or a mode or rule denied it at once.
type ApprovalEnd struct {
	ID      uint64
	Agent   society.AgentID
	Tool    string
	Summary string
	Outcome society.ApprovalOutcome
	Why     society.WithdrawReason // of one that was withdrawn
	Reason  string                 // of one that was denied
}

// A Policy is what agents may do without being asked about, beside what the classes of
// tools allow.
type Policy struct {
	Mode approval.Mode // of the society
	// From is where that mode comes from.
	From approval.Source
	// Modes are those that were set, the society's too.
	Modes []society.ScopedMode
	// Rules are those of the society, which have an ID, and those of the settings.
	Rules []approval.Rule
	// Sandbox is what holds in the commands of agents; zero if no tool runs any.
	Sandbox Sandbox
}
