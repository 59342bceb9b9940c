package runtime

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// A commit can be slow, for example while a full disk is opened again. Meanwhile the loop
// cannot decide commands, because the state is ahead of the disk and may have to be read
// back. But a stop, interrupt or terminate must take effect without the disk. So if a
// commit takes longer than commitGrace, another goroutine takes all new commands, in
// order, for the next batch. For a verb that ends something, it asks the rules what would
// end, which changes nothing, and cancels that work at once. A fast commit needs none of
// this.
//
// Cancelled work is still owed until the verb is decided, and is not begun again before
// that. If the verb is then refused or lost (the commit failed, or earlier commands
// filled the queue), the work begins again as after a restart: the model is asked anew, a
// wait goes on, and a tool is not run twice but answered as aborted.

// errStorePanicked is the outcome of a commit whose store panicked.
var errStorePanicked = errors.New("the store panicked; the log says where")

// commitGrace is how long a commit may take before other goroutines read the commands.
const commitGrace = time.Millisecond

// duringCommit runs f, which waits for the disk. Commands are read until it returns: at
// once if several clients write, else after commitGrace. The state does not change
// meanwhile, so f may read it.
func (r *Runtime) duringCommit(f func() error) error {
	listens := r.commits.writers > 1
	switch {
	case listens:
		r.goTracked(r.listen)
	case r.commits.listening == nil:
		r.commits.listening = time.AfterFunc(commitGrace, r.listen)
	default:
		r.commits.listening.Reset(commitGrace)
	}
	err := r.guardedStore(f)
	if listens || !r.commits.listening.Stop() { // it listens, or is about to
		r.commits.hushed <- struct{}{}
	}
	r.hearWaiting()
	return err
}

// listen reads commands until the loop does so again.
func (r *Runtime) listen() {
	orders := r.heardNow()
	for {
		select {
		case <-r.commits.hushed:
			return
		case o := <-orders:
			r.hear(o)
		}
	}
}

// hearWaiting hears the orders that have come by now.
func (r *Runtime) hearWaiting() {
	orders := r.heardNow()
	for {
		select {
		case o := <-orders:
			r.hear(o)
		default:
			return
		}
	}
}

// heardNow returns the queue of commands, nil once the program closes.
func (r *Runtime) heardNow() <-chan *pendingCommand {
	if r.shutdown.closing {
		return nil
	}
	return r.orders
}

// guardedStore makes a panic of the store an error.
func (r *Runtime) guardedStore(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("the store panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = errStorePanicked
		}
	}()
	return f()
}

// hear takes an order that comes during a commit, and cancels what it will end.
func (r *Runtime) hear(o *pendingCommand) {
	defer func() { r.queue.add(o) }()
	if _, ok := o.cmd.(society.Ends); !ok {
		return
	}
	if r.outage != nil && !ends(o.cmd) || r.shutdown.leaving && begins(o.cmd) {
		return // it will be refused
	}
	if o.key != nil && !ends(o.cmd) {
		return // it may repeat an interrupt, and what that one began is not cut short
	}
	o.ahead = r.wouldEnd(o.cmd)
	r.cancelJobs(o.ahead)
}

// wouldEnd returns the agents whose work a verb would end now: none if it would
// be refused.
func (r *Runtime) wouldEnd(verb society.Command) (ids []society.AgentID) {
	defer func() { _ = recover() }() // a broken rule is met again, and told, when the verb is decided
	d, err := r.state.Decide(time.Now(), verb)
	if err != nil {
		return nil
	}
	aborted, ended := cutBy(d.Events)
	return append(aborted, ended...)
}

// restore begins again what was cancelled for an order that was refused, or that repeats
// one and so does nothing.
func (r *Runtime) restore(o *pendingCommand) {
	if o.err == nil && !o.repeats {
		return
	}
	for _, id := range o.ahead {
		r.reconcileOne(id)
	}
}

// begunBefore reports whether this run of the program has begun the tool call, and
// answers it if so. The call was cancelled for a verb that was refused later, and its
// effect is unknown.
func (r *Runtime) begunBefore(w society.Work) bool {
	act, ok := w.(society.Act)
	if !ok {
		return false
	}
	if w := w.Item(); w.Step > r.workers.acted[w.Agent] {
		r.workers.acted[w.Agent] = w.Step
		return false
	}
	r.queue.add(&pendingCommand{done: make(chan struct{}), cmd: society.ToolDone{
		Work: act, Text: protocol.Sentence(r.state.Lang(), protocol.AbortedCall), Outcome: conversation.AbortedCall,
	}})
	return true
}
