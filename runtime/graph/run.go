package graph

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Status is the progress of a run.
type Status string

// The statuses.
const (
	Pending   Status = "pending"
	Running   Status = "running"
	Completed Status = "completed"
	Cancelled Status = "cancelled"
	Error     Status = "error"
)

// Over reports whether the run has ended.
func (s Status) Over() bool { return s != Pending && s != Running }

// Reason is why a run was cancelled or ended in an error. The list is closed.
type Reason string

// The reasons.
const (
	Aborted         Reason = "aborted"
	NoRoute         Reason = "no_route"
	TooManySteps    Reason = "max_iterations"
	TimedOut        Reason = "timeout"
	NodeFailed      Reason = "node_failed"
	ConditionFailed Reason = "condition_failed"
	MergeFailed     Reason = "merge_failed"
)

// The errors of a run. None of them has changed it.
var (
	ErrStale   = errors.New("the step is not open")
	ErrStatus  = errors.New("the run is not in a state for that")
	ErrEntry   = errors.New("no entry point of the graph")
	ErrChanged = errors.New("the graph is not the one that the run was begun on")
)

// A Run is one run through a graph, and its stored record: fields are added,
// never renamed or reused. Only its methods change it, but for Step and
// Deadline. It is not safe for use by several goroutines.
type Run struct {
	Graph  string `json:"graph"` // fingerprint
	Entry  string `json:"entry"`
	Status Status `json:"status"`
	// Paused lets work that is open end, and opens none.
	Paused bool   `json:"paused,omitempty"`
	Reason Reason `json:"reason,omitempty"`
	Detail string `json:"detail,omitempty"` // what failed, for people
	// OneByOne has work of one branch at a time: they run one after another.
	OneByOne bool      `json:"one,omitempty"`
	Began    time.Time `json:"began,omitzero"`
	Ended    time.Time `json:"ended,omitzero"`
	// Deadline ends the run as TimedOut; zero is none. A pause does not move it.
	// Its owner may, and does (Postpone) where the run could not go on: the turn of
	// an agent has as long as the program runs and the turn does not rest.
	Deadline time.Time `json:"deadline,omitzero"`
	// Iterations counts the node executions that were begun, retries included.
	Iterations int `json:"n,omitempty"`
	// Step is the number of the last work that was opened. Between two calls the
	// owner may raise it, to number other work in the same row; none is used
	// twice.
	Step uint64 `json:"step,omitempty"`
	// Branch is the number of the last branch; the trunk is 0.
	Branch   int      `json:"branch,omitempty"`
	Branches []Thread `json:"open,omitempty"` // that are open, each before those in it
	Path     []Record `json:"path,omitempty"` // what has ended, in that order

	graph   *Graph
	observe func(Event)
}

// A Thread is where the trunk or a branch of a run stands; part of a Run.
type Thread struct {
	ID     int `json:"id,omitempty"`
	Parent int `json:"of,omitempty"`  // the thread that it branched from
	Fan    int `json:"fan,omitempty"` // of its graph, for a branch
	Index  int `json:"i,omitempty"`   // among the branches of that
	// At is the node of the graph, in the order of its keys.
	At    int   `json:"at,omitempty"`
	Phase phase `json:"phase"`
	// Edge is the next condition to be put.
	Edge     int `json:"edge,omitempty"`
	Attempt  int `json:"try,omitempty"`    // of the node, from 1
	Failures int `json:"failed,omitempty"` // of those
	// Step numbers the work that is open, 0 without any.
	Step  uint64    `json:"step,omitempty"`
	Began time.Time `json:"began,omitzero"` // the open work
	// Until is when a wait ends, or an execution times out.
	Until time.Time `json:"until,omitzero"`
	// Left is the remaining time of an execution that is on Hold, else 0.
	Left time.Duration `json:"left,omitempty"`
}

// phase is what a thread does next or, while its Step is open, now.
type phase uint8

const (
	gate    phase = iota + 1 // is its branch taken?
	ready                    // execute the node
	again                    // wait before the next attempt
	leaving                  // find the way on from the node
	forked                   // its branches run
	joining                  // merge them
	arrived                  // at the join of its branch
	untaken                  // its branch
)

// NewRun returns a run of g that is pending, from that entry point, or from the
// first if it names none.
func NewRun(g *Graph, entry string) (*Run, error) {
	if entry == "" {
		entry = g.def.Entries[0]
	}
	if _, ok := g.entries[entry]; !ok {
		return nil, fmt.Errorf("%q: %w", entry, ErrEntry)
	}
	return &Run{Graph: g.fingerprint, Entry: entry, Status: Pending, graph: g}, nil
}

// Attach gives a run that was read from its record its graph back. It returns
// ErrChanged if the graph is another by now, or what is wrong with the record.
func (r *Run) Attach(g *Graph) error {
	if r.Graph != g.fingerprint {
		return fmt.Errorf("run of %s: %w", g.Name(), ErrChanged)
	}
	if err := r.check(g); err != nil {
		return err
	}
	r.graph = g
	return nil
}

// Clone returns a copy to try out a result on. The parts that both share never change.
// The copy has no observer.
func (r *Run) Clone() *Run {
	c := *r
	c.Branches = slices.Clone(r.Branches)
	c.Path = r.Path[:len(r.Path):len(r.Path)]
	c.observe = nil
	return &c
}

// Observe has f told of what happens in the run from now on, within the call
// that makes it happen; nil ends that. f must not call the run.
func (r *Run) Observe(f func(Event)) { r.observe = f }

// Start begins a run that is pending.
func (r *Run) Start(at time.Time) error {
	if r.Status != Pending {
		return fmt.Errorf("start: %w: it is %s", ErrStatus, r.Status)
	}
	r.Status, r.Began = Running, at
	r.Branches = []Thread{{At: r.graph.entries[r.Entry], Phase: ready}}
	r.goOn(at)
	return nil
}

// Pause lets what is open end and opens nothing more: the run stops at the next border of
// a node. The status stays (SPEC.md, decision 30).
func (r *Run) Pause() error {
	if r.Status.Over() {
		return fmt.Errorf("pause: %w: it is %s", ErrStatus, r.Status)
	}
	r.Paused = true
	return nil
}

// Interrupt pauses the run at once: work that is open is taken back, its result
// counts no more, and Resume opens it anew, under another step. That an
// execution was cut short is no failure of it.
func (r *Run) Interrupt(at time.Time) error {
	if err := r.Pause(); err != nil {
		return err
	}
	for i := range r.Branches {
		r.cut(&r.Branches[i], at)
	}
	return nil
}

// Resume takes the pause off.
func (r *Run) Resume(at time.Time) error {
	if r.Status.Over() {
		return fmt.Errorf("resume: %w: it is %s", ErrStatus, r.Status)
	}
	r.Paused = false
	r.goOn(at)
	return nil
}

// Abort ends the run as cancelled. Nothing is open after it.
func (r *Run) Abort(at time.Time) error {
	if r.Status.Over() {
		return fmt.Errorf("abort: %w: it is %s", ErrStatus, r.Status)
	}
	r.end(at, Cancelled, Aborted, "")
	return nil
}

// Due is the next moment at which Expire changes something, zero if none comes.
func (r *Run) Due() time.Time {
	if r.Status != Running {
		return time.Time{}
	}
	due := r.Deadline
	for i := range r.Branches {
		t := &r.Branches[i]
		if t.Step != 0 && t.Phase == ready && !t.Until.IsZero() && (due.IsZero() || t.Until.Before(due)) {
			due = t.Until
		}
	}
	return due
}

// IsDue reports whether Expire changes something at that moment.
func (r *Run) IsDue(at time.Time) bool { return late(at, r.Due()) }

// Expire applies the time: executions that timed out have failed, and past its deadline
// the run ends.
func (r *Run) Expire(at time.Time) {
	if r.Status != Running {
		return
	}
	for r.Status == Running && !late(at, r.Deadline) {
		i := slices.IndexFunc(r.Branches, func(t Thread) bool {
			return t.Step != 0 && t.Phase == ready && late(at, t.Until)
		})
		if i < 0 {
			break
		}
		r.executed(i, &Result{At: at})
	}
	r.goOn(at)
}

// late reports whether a deadline, if there is one, has come.
func late(at, deadline time.Time) bool { return !deadline.IsZero() && !at.Before(deadline) }

// Postpone moves all that bounds the run in time, for as long as its owner has let
// it rest; work that is open took that much less.
func (r *Run) Postpone(by time.Duration) {
	if !r.Deadline.IsZero() {
		r.Deadline = r.Deadline.Add(by)
	}
	for i := range r.Branches {
		t := &r.Branches[i]
		if t.Step == 0 {
			continue
		}
		t.Began = t.Began.Add(by)
		if t.Phase == ready && !t.Until.IsZero() {
			t.Until = t.Until.Add(by)
		}
	}
}

// Hold keeps the time of an execution from running: its owner lets it wait for another
// branch. It reports whether that changed anything.
func (r *Run) Hold(step uint64, at time.Time) bool {
	i := r.opened(step)
	if i < 0 || r.Branches[i].Phase != ready || !r.Branches[i].Until.After(at) {
		return false
	}
	t := &r.Branches[i]
	t.Left, t.Until = t.Until.Sub(at), time.Time{}
	return true
}

// Release ends a Hold. It reports whether there was one.
func (r *Run) Release(step uint64, at time.Time) bool {
	i := r.opened(step)
	if i < 0 || r.Branches[i].Left == 0 {
		return false
	}
	t := &r.Branches[i]
	t.Until, t.Left = at.Add(t.Left), 0
	return true
}

// Bound lets nothing end later than if it began at that moment: the clock may have gone
// back since it began.
func (r *Run) Bound(at time.Time) {
	earlier := func(due *time.Time, within time.Duration) {
		if latest := at.Add(within); within > 0 && due.After(latest) {
			*due = latest
		}
	}
	earlier(&r.Deadline, r.graph.Timeout())
	for i := range r.Branches {
		if t := &r.Branches[i]; t.Step != 0 && t.Phase == ready {
			within := time.Duration(r.graph.nodes[t.At].node.Timeout)
			earlier(&t.Until, within)
			t.Left = min(t.Left, within)
		}
	}
}

// Forked reports whether a branch is open: then no message may be taken into the trunk
// (SPEC.md, decision 31).
func (r *Run) Forked() bool { return len(r.Branches) > 1 }

// Parent returns the branch that a branch was taken from; ok is false if it is
// not open.
func (r *Run) Parent(branch int) (parent int, ok bool) {
	i := r.find(branch)
	if i < 0 {
		return 0, false
	}
	return r.Branches[i].Parent, true
}

func (r *Run) find(branch int) int {
	return slices.IndexFunc(r.Branches, func(t Thread) bool { return t.ID == branch })
}

// end closes all open work and sets how the run ended.
func (r *Run) end(at time.Time, s Status, why Reason, detail string) {
	for i := range r.Branches {
		r.cut(&r.Branches[i], at)
	}
	r.Branches, r.Paused = nil, false
	r.Status, r.Reason, r.Detail, r.Ended = s, why, short(detail), at
	if r.observe != nil {
		r.observe(Event{Kind: Over, At: at, Status: s, Reason: why})
	}
}

// cut takes back what is open in a thread.
func (r *Run) cut(t *Thread, at time.Time) {
	if t.Step == 0 {
		return
	}
	if t.Phase == ready {
		r.record(t, &Record{Ended: at, Outcome: CutShort})
	}
	t.Step, t.Left = 0, 0
}
