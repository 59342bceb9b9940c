package society

import (
	"time"

	"society-tui/runtime/approval"
	"society-tui/runtime/i18n"
	"society-tui/runtime/tool"
)

// Planned is the result of a Plan.
type Planned struct {
	Work Plan
	Plan tool.Plan
	// Failed is why there is no plan, and then the result of the call; "" if there is one.
	Failed string
	Took   time.Duration
}

// Of implements Result.
func (c Planned) Of() Work { return c.Work }

// An ApprovalAnswer is what the user says to requests.
type ApprovalAnswer string

// The answers.
const (
	AllowOnce    ApprovalAnswer = "once"
	AllowInTask  ApprovalAnswer = "task" // and the same call again in its task
	DenyCall     ApprovalAnswer = "deny"
	AnswerByRule ApprovalAnswer = "rule" // now and from now on
)

func (a ApprovalAnswer) known() bool {
	return a == AllowOnce || a == AllowInTask || a == DenyCall || a == AnswerByRule
}

// AnswerApproval answers requests of agents that wait. Those that wait no more are left out.
type AnswerApproval struct {
	IDs    []uint64
	Answer ApprovalAnswer
	// Reason is told to the models whose calls are denied.
	Reason string
	// Rule is made by AnswerByRule. It must cover all requests that are named, and answers
	// all others that wait and that it covers.
	Rule *approval.Rule
}

// ApprovalsAnswered is the reply to commands that answer requests: those that were answered,
// and those that waited no more.
type ApprovalsAnswered struct {
	Allowed, Denied, Gone []uint64
	Rule                  uint64 // that was made, 0 for none
}

// MakeRule adds a rule of the user's.
type MakeRule struct{ Rule approval.Rule }

// RemoveRule removes a rule of the user's.
type RemoveRule struct{ ID uint64 }

// SetMode sets the mode of the society, of a role, or of an agent with all below it; ""
// takes it away. It is carried out for calls that begin from now on, and for all that wait.
type SetMode struct {
	Of   ModeScope
	Mode approval.Mode
}

// DenyOverdue denies the requests that have waited too long.
type DenyOverdue struct{}

// Begins implements Begins: a call that is allowed begins.
func (c AnswerApproval) Begins() bool { return c.Answer != DenyCall }

// Begins implements Begins.
func (MakeRule) Begins() bool { return true }

// Begins implements Begins.
func (SetMode) Begins() bool { return true }

var textNoRule = i18n.Text{EN: "there is none", ZH: "没有规则"}
