package society

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/tool"
)

// Calls of tools that change something outside of the society are planned before they run
// (PlanStep): a worker finds out what the call would do. Then package approval decides: the
// call begins, is denied, or waits for the user (ApproveStep). What waits holds nothing: no
// worker, no goroutine, no slot. Its agent does nothing else, and all others go on.

// An Approval is a call that waits for the user's answer, and its stored record: fields are
// added, never renamed.
type Approval struct {
	ID     uint64     `json:"id"` // never used twice, in the order of asking
	Agent  AgentID    `json:"agent"`
	Task   TaskID     `json:"task,omitempty"`
	Call   string     `json:"call"` // its id
	Tool   string     `json:"tool"`
	Class  tool.Class `json:"class"`
	Branch int        `json:"branch,omitempty"` // of the graph in which it was called

	Paths   []tool.Path `json:"paths,omitempty"`
	Summary string      `json:"summary,omitempty"`
	Hashes  Hashes      `json:"hashes,omitempty"`
	Dir     string      `json:"dir,omitempty"` // as in tool.Plan
	At      time.Time   `json:"at"`            // when it was first asked
	// Mode, Rule and Protected are why it asks: the mode, a rule as a text, or a protected
	// path.
	Mode      approval.Mode `json:"mode,omitempty"`
	Rule      string        `json:"rule,omitempty"`
	Protected bool          `json:"protected,omitempty"`
	// Target is what the call acts on besides files, Why the model's reason for it.
	Target tool.Target `json:"target,omitzero"`
	Why    string      `json:"why,omitempty"`
	// Yes is set when the user has said yes, and the agent's pause has kept the call from
	// beginning. ByRule is set if it was a rule's.
	Yes    bool `json:"yes,omitempty"`
	ByRule bool `json:"byRule,omitempty"`
	// Key stands for the tool with its arguments.
	Key string `json:"key"`
	// Preview is the beginning of what would be done, at most PreviewBytes of it; Cut is set
	// if there is more, which only the store has.
	Preview string `json:"-"`
	Cut     bool   `json:"cut,omitempty"`
}

// PreviewBytes is how much of a preview is kept in memory and told to clients at once.
const PreviewBytes = 4 << 10

// Opening cuts a preview to PreviewBytes, between lines where it can.
func Opening(preview string) (text string, cut bool) {
	if len(preview) <= PreviewBytes {
		return preview, false
	}
	text = clip(preview, PreviewBytes)
	if i := strings.LastIndexByte(text, '\n'); i > PreviewBytes/2 {
		text = text[:i+1]
	}
	return text, true
}

// callKey stands for a call with its arguments, the tool that it reaches, and whether it leaves
// the sandbox. It cannot be forged: a yes to one call must not be one to another.
func callKey(c conversation.Call, of tool.Target) string {
	key := c.Name + "\x00" + c.Arguments
	if of.Identity != "" {
		key += "\x00" + of.Identity
	}
	if of.Outside {
		key += "\x00outside"
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// ApprovalSettings are what is set from outside for a run of the program.
type ApprovalSettings struct {
	// Mode is that of a society for which none was chosen.
	Mode approval.Mode
	// Rules hold beside those of the society. Their roles are named, their agents are not.
	Rules []approval.Rule
	// Nobody is set when there is nobody to ask: what would be asked is denied at once.
	Nobody bool
	// FreeInSandbox is as in approval.Policy. Of runtime.Config it holds only once the sandbox
	// was tried and is whole.
	FreeInSandbox bool
	// Wait is how long a request waits before it is denied; 0 for no end.
	Wait time.Duration
}

// ModeScope is what a mode is set for: a role, an agent with all below it, or, with neither,
// the society.
type ModeScope struct {
	Role  RoleID  `json:"role,omitempty"`
	Agent AgentID `json:"agent,omitempty"`
}

// A ScopedMode is a mode with what it is set for.
type ScopedMode struct {
	Of   ModeScope     `json:"of"`
	Mode approval.Mode `json:"mode"`
}

// String names what the mode is for: society, role/ID or agent/ID.
func (m ModeScope) String() string {
	switch {
	case m.Role != "":
		return "role/" + string(m.Role)
	case m.Agent != "":
		return "agent/" + string(m.Agent)
	}
	return "society"
}

// ParseModeScope reads what String returned.
func ParseModeScope(text string) (m ModeScope, ok bool) {
	kind, id, _ := strings.Cut(text, "/")
	switch {
	case kind == "role" && id != "":
		return ModeScope{Role: RoleID(id)}, true
	case kind == "agent" && id != "":
		return ModeScope{Agent: AgentID(id)}, true
	}
	return m, text == m.String()
}

// approvals is the part of a State that says what agents may do, and what waits.
type approvals struct {
	classes  map[string]tool.Class // of all tools
	settings ApprovalSettings
	modes    map[ModeScope]approval.Mode
	rules    []approval.Rule // by their ids
	waiting  map[uint64]*Approval
	of       map[AgentID][]*Approval // the same by their agents
	granted  bool                    // some task has calls that may be made again
	// doubtful are agents with requests that Apply changed since Advance last looked.
	doubtful map[AgentID]struct{}
}

func newApprovals() approvals {
	return approvals{
		modes: map[ModeScope]approval.Mode{}, waiting: map[uint64]*Approval{}, of: map[AgentID][]*Approval{},
		doubtful: map[AgentID]struct{}{},
	}
}

// SetClasses sets the classes of all tools. A tool without a class is never asked about.
func (s *State) SetClasses(classes map[string]tool.Class) { s.approvals.classes = classes }

// SetApprovals sets what is set from outside.
func (s *State) SetApprovals(settings ApprovalSettings) { s.approvals.settings = settings }

// asksFor reports whether calls of a tool may have to be asked for.
func (s *State) asksFor(name string) bool {
	class, ok := s.approvals.classes[name]
	return ok && approval.Asks(class)
}

// Approvals returns the requests that wait, the first asked first. The caller only reads
// them.
func (s *State) Approvals() []*Approval {
	return slices.SortedFunc(maps.Values(s.approvals.waiting), func(a, b *Approval) int { return cmp.Compare(a.ID, b.ID) })
}

// Approval returns a request that waits, nil if it does not. The caller only reads it.
func (s *State) Approval(id uint64) *Approval { return s.approvals.waiting[id] }

// ApprovalsOf returns how many calls of an agent wait for the user's answer.
func (s *State) ApprovalsOf(id AgentID) (n int) {
	for _, w := range s.approvals.of[id] {
		if !w.Yes {
			n++
		}
	}
	return n
}

// approvalOf returns the request for a call of an agent, nil for none.
func (s *State) approvalOf(id AgentID, call string) *Approval {
	for _, w := range s.approvals.of[id] {
		if w.Call == call {
			return w
		}
	}
	return nil
}

// PlannedHashes returns what an earlier plan of a call has read, nil for none: the call
// waits for the user, and is planned again after a restart.
func (s *State) PlannedHashes(w Plan) Hashes {
	if was := s.approvalOf(w.Agent, w.Call.ID); was != nil {
		return was.Hashes
	}
	return nil
}

// keepApproval adds a request, or replaces it.
func (s *State) keepApproval(w *Approval) {
	s.dropApproval(w.ID)
	s.approvals.waiting[w.ID] = w
	s.approvals.of[w.Agent] = append(s.approvals.of[w.Agent], w)
}

func (s *State) dropApproval(id uint64) {
	w := s.approvals.waiting[id]
	if w == nil {
		return
	}
	delete(s.approvals.waiting, id)
	left := slices.DeleteFunc(slices.Clone(s.approvals.of[w.Agent]), func(one *Approval) bool { return one.ID == id })
	if len(left) == 0 {
		delete(s.approvals.of, w.Agent)
		return
	}
	s.approvals.of[w.Agent] = left
}

// Mode returns the mode that was set for something, "" for none; of the society it is that
// of the settings then.
func (s *State) Mode(of ModeScope) approval.Mode { return s.orDefault(of, s.approvals.modes[of]) }

func (s *State) orDefault(of ModeScope, m approval.Mode) approval.Mode {
	if m == "" && of == (ModeScope{}) {
		return cmp.Or(s.approvals.settings.Mode, approval.AskFirst)
	}
	return m
}

// Modes returns all modes that were set, in a fixed order.
func (s *State) Modes() (modes []ScopedMode) {
	for of, m := range s.approvals.modes {
		modes = append(modes, ScopedMode{of, m})
	}
	slices.SortFunc(modes, func(a, b ScopedMode) int { return strings.Compare(a.Of.String(), b.Of.String()) })
	return modes
}

// Rules returns the rules that hold: those of the society in the order in which they were
// made, and those of the settings.
func (s *State) Rules() []approval.Rule {
	return slices.Concat(s.approvals.rules, s.approvals.settings.Rules)
}

// A policyChange is a change of what agents may do that is about to be made: a rule more, or
// another mode for something.
type policyChange struct {
	rule *approval.Rule
	of   ModeScope
	mode *approval.Mode
}

// modesOf are those that hold for an agent: of the society, of its role, of itself and of
// all above it.
func (s *State) modesOf(a *Agent, change policyChange) []approval.Mode {
	mode := func(of ModeScope) approval.Mode {
		if change.mode != nil && change.of == of {
			return s.orDefault(of, *change.mode)
		}
		return s.Mode(of)
	}
	modes := []approval.Mode{mode(ModeScope{}), mode(ModeScope{Role: a.Role})}
	for b := a; b != nil; b = b.parent {
		modes = append(modes, mode(ModeScope{Agent: b.ID}))
	}
	return modes
}

// ModeOf returns the mode that is in force for an agent: the strictest of those that hold.
func (s *State) ModeOf(id AgentID) approval.Mode {
	a := s.agents[id]
	if a == nil {
		return approval.ReadOnly
	}
	return approval.Strictest(s.modesOf(a, policyChange{})...)
}

// RequestOf is a request as the policy sees it.
func (s *State) RequestOf(w *Approval) approval.Request {
	q := approval.Request{Tool: w.Tool, Class: w.Class, Paths: w.Paths, Target: w.Target}
	a := s.agents[w.Agent]
	for b := a; b != nil; b = b.parent {
		q.Line = append(q.Line, string(b.ID))
	}
	if a != nil {
		q.Role = string(a.Role)
		if role := s.roles[a.Role]; role != nil && (role.CreatedBy == User || role.Template != "") {
			q.RoleName = role.Name
		}
	}
	return q
}

// decideOn decides on a call by what holds after a change.
func (s *State) decideOn(w *Approval, change policyChange) approval.Decision {
	p := approval.Policy{Rules: s.Rules(), FreeInSandbox: s.approvals.settings.FreeInSandbox}
	if change.rule != nil {
		p.Rules = append(p.Rules, *change.rule)
	}
	if a := s.agents[w.Agent]; a != nil {
		p.Modes = s.modesOf(a, change)
	}
	return approval.Decide(s.RequestOf(w), p)
}

// granted reports whether the user's earlier yes is one to this call as well: to the same
// call in this task, or to the same call with the same plan in this turn.
func (s *State) granted(a *Agent, w *Approval) bool {
	if t := s.tasks[w.Task]; t != nil && slices.Contains(t.Granted[w.Agent], w.Key) {
		return true
	}
	if a.Turn == nil {
		return false
	}
	hashes, ok := a.Turn.Allowed[w.Key]
	return ok && maps.Equal(hashes, w.Hashes)
}

// OverdueAt returns when the first request that waits is denied by itself; zero for never.
func (s *State) OverdueAt() (first time.Time) {
	wait := s.approvals.settings.Wait
	if wait <= 0 {
		return first
	}
	for _, w := range s.approvals.waiting {
		if at := w.At.Add(wait); !w.Yes && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// waitsForUser reports whether nothing of an agent's turn goes on before the user has
// answered.
func (a *Agent) waitsForUser() bool {
	own := 0
	for i := range a.Open {
		switch step := &a.Open[i]; {
		case step.aside():
		case !step.waitsForUser():
			return false
		default:
			own++
		}
	}
	if own > 0 && a.SideBySide() { // a branch may be at a call that a drain answers
		for _, o := range a.openAnswers() {
			if call, found, _ := o.next(); found && !a.runs(call.ID) && a.AtHand() != nil && a.AtHand().Branch == o.branch {
				return false
			}
		}
	}
	return own > 0
}

// withdrawn returns the ends of requests whose calls are not open any more: the agent was
// stopped, interrupted or terminated, its turn failed, or the user's message came first.
func (s *State) withdrawn(at time.Time) (events []Event) {
	if len(s.approvals.doubtful) == 0 {
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(s.approvals.doubtful)) {
		for _, w := range s.approvals.of[id] {
			if a := s.agents[id]; a == nil || !a.plansOrAsks(w.Call) {
				events = append(events, ApprovalEnded{Approval: *w, Outcome: Withdrawn, Why: s.withdrawnBecause(a), At: at})
			}
		}
	}
	clear(s.approvals.doubtful)
	return events
}

func (s *State) withdrawnBecause(a *Agent) WithdrawReason {
	switch {
	case a == nil || a.Status == Terminating:
		return ByTermination
	case a.Status.Ended():
		return ByStop
	case a.Error != "":
		return ByFailure
	case a.Status == Idle:
		return ByInterrupt
	}
	return ByMessage
}

// plansOrAsks reports whether a call is being planned, or waits for the user's answer.
func (a *Agent) plansOrAsks(call string) bool {
	return slices.ContainsFunc(a.Open, func(s Step) bool {
		return s.Call == call && (s.Kind == PlanStep || s.Kind == ApproveStep)
	})
}

func (s *State) withoutRules(goes func(approval.Rule) bool) {
	left := slices.DeleteFunc(slices.Clone(s.approvals.rules), goes)
	if len(left) == 0 {
		left = nil // as without any
	}
	s.approvals.rules = left
}

// askAgain drops what the user has allowed for a task.
func (s *State) askAgain(task TaskID) {
	if t := s.tasks[task]; t != nil && len(t.Granted) > 0 {
		t.Granted = nil
		s.tasked[task] = struct{}{}
	}
}

// forgetApprovals drops what was kept for an agent that is erased.
func (s *State) forgetApprovals(id AgentID) {
	for _, w := range s.approvals.of[id] {
		s.dropApproval(w.ID)
	}
	delete(s.approvals.modes, ModeScope{Agent: id})
	s.withoutRules(func(r approval.Rule) bool { return r.Binds(string(id)) })
	if !s.approvals.granted {
		return
	}
	for _, t := range s.tasks {
		if _, ok := t.Granted[id]; ok {
			granted := maps.Clone(t.Granted)
			delete(granted, id)
			t.Granted = granted
			s.tasked[t.ID] = struct{}{}
		}
	}
}

// replans reports whether a call that was asked for before a restart is planned anew.
func (a *Agent) replans(call string) bool {
	return slices.ContainsFunc(a.Open, func(s Step) bool { return s.Kind == PlanStep && s.Asked && s.Call == call })
}
