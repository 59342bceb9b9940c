package society

import (
	"bytes"
	"encoding/json"
	"time"
)

// StepKind is the kind of a step.
type StepKind string

// The kinds of steps, as they are stored.
const (
	ThinkStep    StepKind = "think"
	ActStep      StepKind = "act"
	WaitStep     StepKind = "wait"
	CompressStep StepKind = "compress"
	JudgeStep    StepKind = "judge"
	JoinStep     StepKind = "join"
	PlanStep     StepKind = "plan"
	ApproveStep  StepKind = "approve" // no worker does it
)

// A WaitReason is what follows after a wait.
type WaitReason uint8

// What waits are for. All but those for a retry go on whatever becomes of the turn.
const (
	RetryThink    WaitReason = iota // a Think, Judge or Join is tried again
	RetryCompress                   // a Compress is
	RetryNode                       // a node of the graph is executed again
	NodeDeadline                    // the time of a node, or of the whole run, is up
	DrainDeadline                   // the bound of a drain
	MessageDue                      // the first message to be sent later is due
)

// A Step is a piece of work that is open: begun, or to be begun.
type Step struct {
	N    uint64
	Kind StepKind
	// Work is the step of the run of the graph that it serves, 0 in the plain one.
	Work    uint64
	Attempt int // retries made of it before

	// Of an Act: the id of the call that it runs, whether it is never run again in
	// silence, and whether it was opened by a program that was leaving: it has not
	// begun.
	// A Plan and an Approve have the Call too.
	Call     string
	Writes   bool
	NotBegun bool
	// Hashes are those of the plan that was allowed.
	Hashes *Hashes
	// Dir is the folder of the files of that plan, as in tool.Plan.
	Dir string
	// ByRule is set if a rule allowed the call of an Act.
	ByRule bool
	// Asked marks a Plan whose call waits for the user already: it was planned before a
	// restart.
	Asked bool
	// Of a Wait: until when, and what for.
	Until time.Time
	For   WaitReason
	// Waited is how long the piece of work has waited for its endpoint, which had refused
	// more requests; of a Wait for that, its own time counts.
	Waited time.Duration
	// WithoutModel marks a Compress, or the Wait before it, that makes no summary.
	// AfterCompression marks other work whose context was just compressed, and the Wait
	// before it.
	WithoutModel     bool
	AfterCompression bool
	// ByUser marks a Compress that the user wants, of an agent at rest; Keep is as in
	// CompressContext.
	ByUser bool
	Keep   int
}

// aside reports whether a step goes on whatever becomes of the agent's turn.
func (s Step) aside() bool { return s.For >= NodeDeadline || s.ByUser }

// Hashes are those of what a plan has read, by path.
type Hashes map[string]string

// ofCall reports whether it is for a call of a tool.
func (s *Step) ofCall() bool {
	return s.Kind == ActStep || s.Kind == PlanStep || s.Kind == ApproveStep
}

// waitsForUser reports whether it ends when the user has answered.
func (s *Step) waitsForUser() bool { return s.Kind == ApproveStep || s.Asked }

// waits reports whether it is the wait for something.
func (s Step) waits(what WaitReason) bool { return s.Kind == WaitStep && s.For == what }

// A storedStep is a step as it is stored: fields are added, never renamed or reused.
type storedStep struct {
	N        uint64        `json:"n"`
	Kind     StepKind      `json:"kind"`
	Call     string        `json:"call,omitempty"`
	Writes   bool          `json:"writes,omitempty"`
	Until    time.Time     `json:"until,omitzero"`
	Plain    bool          `json:"plain,omitempty"`    // WithoutModel
	Squeezes bool          `json:"squeezes,omitempty"` // RetryCompress
	Squeezed bool          `json:"squeezed,omitempty"` // AfterCompression
	Held     bool          `json:"held,omitempty"`     // NotBegun
	Drain    bool          `json:"drain,omitempty"`    // DrainDeadline
	Post     bool          `json:"post,omitempty"`     // DelayedMessage
	Run      bool          `json:"run,omitempty"`      // RetryNode
	Due      bool          `json:"due,omitempty"`      // NodeDeadline
	Work     uint64        `json:"work,omitempty"`
	Attempt  int           `json:"attempt,omitempty"`
	Waited   time.Duration `json:"waited,omitempty"` // nanoseconds

	Hashes *Hashes `json:"hashes,omitempty"`
	Dir    string  `json:"dir,omitempty"`
	Asked  bool    `json:"asked,omitempty"`
	ByRule bool    `json:"byRule,omitempty"`
	ByUser bool    `json:"byUser,omitempty"`
	Keep   int     `json:"keep,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (s Step) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the encoder of the agent escapes it
	err := e.Encode(storedStep{
		N: s.N, Kind: s.Kind, Call: s.Call, Writes: s.Writes, Until: s.Until,
		Plain: s.WithoutModel, Squeezes: s.waits(RetryCompress), Squeezed: s.AfterCompression, Held: s.NotBegun,
		Drain: s.waits(DrainDeadline), Post: s.waits(MessageDue), Run: s.waits(RetryNode), Due: s.waits(NodeDeadline),
		Work: s.Work, Attempt: s.Attempt, Waited: s.Waited, Hashes: s.Hashes, Dir: s.Dir, Asked: s.Asked, ByRule: s.ByRule,
		ByUser: s.ByUser, Keep: s.Keep,
	})
	return b.Bytes(), err
}

// CheckSteps returns an error if a step in an agent's record has a field that this
// program does not know: a decoder that refuses those does not look into steps.
func CheckSteps(agent []byte) error {
	var a struct {
		Open []json.RawMessage `json:"open"`
	}
	if err := json.Unmarshal(agent, &a); err != nil {
		return err
	}
	for _, step := range a.Open {
		d := json.NewDecoder(bytes.NewReader(step))
		d.DisallowUnknownFields()
		if err := d.Decode(new(storedStep)); err != nil {
			return err
		}
	}
	return nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Step) UnmarshalJSON(b []byte) error {
	var v storedStep
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*s = Step{
		N: v.N, Kind: v.Kind, Call: v.Call, Writes: v.Writes, Until: v.Until,
		WithoutModel: v.Plain, AfterCompression: v.Squeezed, NotBegun: v.Held, Work: v.Work, Attempt: v.Attempt, Waited: v.Waited,
		Hashes: v.Hashes, Dir: v.Dir, Asked: v.Asked, ByRule: v.ByRule,
		ByUser: v.ByUser, Keep: v.Keep,
	}
	switch {
	case v.Squeezes:
		s.For = RetryCompress
	case v.Run:
		s.For = RetryNode
	case v.Due:
		s.For = NodeDeadline
	case v.Drain:
		s.For = DrainDeadline
	case v.Post:
		s.For = MessageDue
	}
	return nil
}
