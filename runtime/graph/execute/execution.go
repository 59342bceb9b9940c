package execute

import (
	"context"
	"slices"
	"sync"
	"time"

	"society-tui/runtime/graph"
)

// An Execution is the handle of a run. Its methods may be called from any goroutine.
type Execution struct {
	graph  *graph.Graph
	config Config
	outer  context.Context // the caller's
	ctx    context.Context // under which all work runs
	cancel context.CancelFunc
	began  time.Time

	finished chan *job     // to mind
	poke     chan struct{} // tells mind that the run was changed; one is enough
	done     chan struct{} // closed by mind at the end

	sending sync.Mutex // held while the caller is handed a chunk

	mu       sync.Mutex // guards all beneath
	run      *graph.Run
	history  []graph.Message
	contexts map[int]*branch // by the number of the branch, 0 is the trunk
	waiting  []graph.Message // to be taken into the trunk
	calls    []ToolCall
	send     func(graph.Chunk)
	jobs     map[uint64]*job // that run, by their steps
	events   []graph.Event   // not told yet
	dirty    bool            // the checkpoint is not saved yet
	err      error           // why the execution ended by something outside the run
}

// A branch is what was said in a branch: first what had been said before it. It
// only grows.
type branch struct {
	messages []graph.Message
	before   int
}

// A ToolCall is a call that has ended.
type ToolCall struct {
	Node   string        `json:"node"`
	Branch int           `json:"branch,omitempty"`
	Call   graph.Call    `json:"call"`
	Result string        `json:"result"`
	Failed bool          `json:"failed,omitempty"`
	Took   time.Duration `json:"took"`
}

// Result is the outcome of an execution.
type Result struct {
	// FinalState has what was said up to the end, in a run that ended within
	// branches what was said before them.
	FinalState    graph.State
	ExecutionPath []graph.Record
	Success       bool
	FinalMessage  string // the last answer, if there was one
	Iterations    int
	Status        graph.Status
	Reason        graph.Reason
	// Detail describes what failed. Err is what ended the run from outside: the error of
	// the context, or a panic of Watch or Save.
	Detail string
	Err    error
}

// ID names the execution.
func (x *Execution) ID() string { return x.config.ID }

// StartTime is when it was begun.
func (x *Execution) StartTime() time.Time { return x.began }

// IterationCount counts the node executions that were begun.
func (x *Execution) IterationCount() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.run.Iterations
}

// Status is how far it is.
func (x *Execution) Status() graph.Status {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.run.Status
}

// Path is what has ended so far.
func (x *Execution) Path() []graph.Record {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.run.Path)
}

// ToolCalls are those that have ended, in that order.
func (x *Execution) ToolCalls() []ToolCall {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.calls)
}

// Pause lets what runs end and begins nothing more. The deadline stays.
func (x *Execution) Pause() error {
	return x.change(func(r *graph.Run, _ time.Time) error { return r.Pause() })
}

// Interrupt cuts off what runs and pauses; Resume begins it again. Tools that
// have acted are not called again: their results are kept.
func (x *Execution) Interrupt() error { return x.change((*graph.Run).Interrupt) }

// Resume goes on after Pause or Interrupt.
func (x *Execution) Resume() error { return x.change((*graph.Run).Resume) }

// Abort ends the run as cancelled. When it has returned no chunk is begun to be
// handed over any more, and what runs is being cut off: Wait waits for it.
func (x *Execution) Abort() error { return x.change((*graph.Run).Abort) }

// change changes the run by a command, cuts off at once what is not to run any
// more, and has mind do the rest.
func (x *Execution) change(command func(*graph.Run, time.Time) error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := command(x.run, time.Now()); err != nil {
		return err
	}
	x.cutOff()
	x.nudge()
	return nil
}

// nudge has mind look again, and save what has changed. The caller holds mu.
func (x *Execution) nudge() {
	x.dirty = true
	select {
	case x.poke <- struct{}{}:
	default:
	}
}

// AddMessage puts a message into the context of the trunk, before the next work
// that is begun there: while branches are open it waits for their join, and what
// comes after the last node is only in the final state.
func (x *Execution) AddMessage(m graph.Message) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.waiting = append(x.waiting, m)
	x.nudge()
}

// AddHistory adds a message of a round that was over before the run.
func (x *Execution) AddHistory(m graph.Message) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.history = append(x.history, m)
	x.nudge()
}

// Done is closed when the execution has ended and nothing of it runs.
func (x *Execution) Done() <-chan struct{} { return x.done }

// Wait waits until the execution has ended and none of its goroutines runs, and returns
// the result.
func (x *Execution) Wait() Result {
	<-x.done
	x.mu.Lock()
	defer x.mu.Unlock()
	state := graph.State{
		History: slices.Clone(x.history), SendChunk: x.send,
		Context: append(slices.Clone(x.contexts[0].messages), x.waiting...),
	}
	return Result{
		FinalState: state, ExecutionPath: slices.Clone(x.run.Path), FinalMessage: state.FinalMessage(),
		Success: x.run.Status == graph.Completed, Iterations: x.run.Iterations,
		Status: x.run.Status, Reason: x.run.Reason, Detail: x.run.Detail, Err: x.err,
	}
}
