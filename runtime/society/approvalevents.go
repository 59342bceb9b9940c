package society

import (
	"maps"
	"slices"
	"time"

	"society-tui/runtime/approval"
)

// PlanOpened begins to find out what a call would do.
type PlanOpened struct {
	Agent AgentID
	Step  uint64
	Call  string
	Tool  string
	At    time.Time
	Work  uint64 // as in ThinkOpened
}

func (e PlanOpened) apply(s *State) {
	a := s.touch(e.Agent)
	a.Step, a.Since = e.Step, e.At
	a.Open = append(a.Open, Step{N: e.Step, Kind: PlanStep, Call: e.Call, Work: e.Work})
	a.executes()
}

// PlanDropped ends the planning of a call that does not begin: a message comes first.
type PlanDropped struct {
	Agent AgentID
	Step  uint64
}

func (e PlanDropped) apply(s *State) { s.touch(e.Agent).close(e.Step) }

// ApprovalAsked lets a call wait for the user's answer. One that was asked for before a
// restart keeps its number.
type ApprovalAsked struct {
	Approval Approval
	Preview  string // the whole of it
	Closes   uint64 // the step of the plan
	Step     uint64
	Work     uint64 // as in ThinkOpened
	Again    bool   // it was asked for before
}

func (e ApprovalAsked) apply(s *State) {
	w := e.Approval
	a := s.touch(w.Agent)
	a.close(e.Closes)
	a.Step = e.Step
	if !e.Again {
		a.Since = w.At
	}
	a.Open = append(a.Open, Step{N: e.Step, Kind: ApproveStep, Call: w.Call, Work: e.Work})
	s.count().Approvals = max(s.counters.Approvals, w.ID)
	s.keepApproval(&w)
	a.executes()
}

// Lines implements Shows.
func (e ApprovalAsked) Lines() []TimelineLine {
	if e.Again {
		return nil
	}
	w := &e.Approval
	return shown(w.At, w.Agent, "approval", w.Tool, "tool", w.Tool, "call", w.Call, "approval", w.ID, "mode", w.Mode)
}

// ApprovalGiven is the user's yes to a call. The call begins when its agent may.
type ApprovalGiven struct {
	ID     uint64
	Agent  AgentID
	At     time.Time
	ByRule bool // a rule's, for one that waited
}

func (e ApprovalGiven) apply(s *State) {
	s.touch(e.Agent)
	w := *s.approvals.waiting[e.ID]
	w.Yes, w.ByRule = true, e.ByRule
	s.keepApproval(&w)
}

// An ApprovalOutcome is how a request ended.
type ApprovalOutcome string

// The outcomes.
const (
	Allowed   ApprovalOutcome = "allowed"
	Denied    ApprovalOutcome = "denied"
	Withdrawn ApprovalOutcome = "withdrawn" // the call is not made any more
)

// A WithdrawReason is why a request was withdrawn.
type WithdrawReason string

// The reasons.
const (
	ByStop        WithdrawReason = "stopped"
	ByTermination WithdrawReason = "terminated"
	ByInterrupt   WithdrawReason = "interrupted"
	ByFailure     WithdrawReason = "failed"  // its turn failed
	ByMessage     WithdrawReason = "message" // the user's message came first
)

// ApprovalEnded ends a request. A request that was denied because there was nobody to ask
// was never open.
type ApprovalEnded struct {
	Approval Approval
	Outcome  ApprovalOutcome
	Why      WithdrawReason // of one that was withdrawn
	// Reason is why it was denied, in the user's words or the rule's.
	Reason string
	At     time.Time
	// Closes is the step that waited, 0 if it is closed otherwise.
	Closes uint64
	// Holds is set when the call did not begin although the user said yes: the yes holds for
	// the same call in this turn.
	Holds bool
}

func (e ApprovalEnded) apply(s *State) {
	s.dropApproval(e.Approval.ID)
	if s.agents[e.Approval.Agent] == nil {
		return
	}
	a := s.touch(e.Approval.Agent)
	if e.Closes != 0 {
		a.close(e.Closes)
	}
	if e.Holds && a.Turn != nil {
		allowed := maps.Clone(a.Turn.Allowed)
		if allowed == nil {
			allowed = map[string]Hashes{}
		}
		allowed[e.Approval.Key] = e.Approval.Hashes
		a.Turn.Allowed = allowed
	}
}

// Lines implements Shows.
func (e ApprovalEnded) Lines() []TimelineLine {
	w := &e.Approval
	return shown(e.At, w.Agent, string(e.Outcome), w.Tool, "tool", w.Tool, "call", w.Call, "approval", w.ID, "why", e.Why)
}

// CallDenied counts a call that was denied. Three end the turn.
type CallDenied struct{ Agent AgentID }

func (e CallDenied) apply(s *State) {
	if a := s.touch(e.Agent); a.Turn != nil {
		a.Turn.Denied++
	}
}

// CallGranted lets an agent make the same call again in a task without being asked about.
type CallGranted struct {
	Task  TaskID
	Agent AgentID
	Key   string
}

func (e CallGranted) apply(s *State) {
	t := s.tasks[e.Task]
	if t == nil || slices.Contains(t.Granted[e.Agent], e.Key) {
		return
	}
	granted := maps.Clone(t.Granted)
	if granted == nil {
		granted = map[AgentID][]string{}
	}
	granted[e.Agent] = append(slices.Clip(granted[e.Agent]), e.Key)
	t.Granted, s.approvals.granted = granted, true
	s.tasked[e.Task] = struct{}{}
}

// ModeSet sets a mode, "" takes it away.
type ModeSet struct {
	Of   ModeScope
	Mode approval.Mode
	At   time.Time
}

func (e ModeSet) apply(s *State) {
	if e.Mode == "" {
		delete(s.approvals.modes, e.Of)
		return
	}
	s.approvals.modes[e.Of] = e.Mode
}

// Logged implements Logs.
func (e ModeSet) Logged(*State) []LogLine {
	return logged("mode set", "role", e.Of.Role, "agent", e.Of.Agent, "mode", e.Mode)
}

// RuleMade adds a rule.
type RuleMade struct{ Rule approval.Rule }

func (e RuleMade) apply(s *State) {
	c := s.count()
	c.Rules = max(c.Rules, e.Rule.ID)
	s.approvals.rules = append(slices.Clip(s.approvals.rules), e.Rule)
}

// Logged implements Logs.
func (e RuleMade) Logged(*State) []LogLine {
	return logged("rule made", "rule", e.Rule.ID, "tool", e.Rule.Tool, "do", e.Rule.Do, "role", e.Rule.Role, "agent", e.Rule.Agent, "under", e.Rule.Under)
}

// RulesRemoved removes rules.
type RulesRemoved struct{ IDs []uint64 }

func (e RulesRemoved) apply(s *State) {
	s.withoutRules(func(r approval.Rule) bool { return slices.Contains(e.IDs, r.ID) })
}

// Logged implements Logs.
func (e RulesRemoved) Logged(*State) []LogLine { return logged("rules removed", "rules", e.IDs) }
