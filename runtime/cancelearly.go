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

// A commit may take long: a slow disk, a full one that is opened again. The loop cannot
// decide anything then, since the state is ahead of the disk and may have to be read
// back. But the user who stops, interrupts or terminates must not wait for the disk to
// see it end. So if the store works for longer than a moment, another goroutine takes
// what the loop is ordered: everything, so that the order in which it was said stays, to
// be carried out in the next batch. Of a verb that ends something it asks the rules what
// it would end, which changes nothing, and cancels that at once. A commit that is over at
// once costs no handing over.
//
// What was cancelled so is still owed until the verb is carried out, and is not
// begun again before that. If the verb comes to nothing then (the commit has
// failed and its text cannot be saved, or what was ordered before it has filled
// the queue), the work is begun again, as after a restart: the model is asked
// anew, a wait goes on, and a tool is not run twice but answered as aborted.

// errStorePanicked is what a commit comes to in which the store panicked.
var errStorePanicked = errors.New("the store panicked; the log says where")

// commitGrace is how long the loop lets orders wait for a commit before they are heard.
const commitGrace = time.Millisecond

// duringCommit runs f, which waits for the disk, and lets orders be heard until it has
// returned: at once where several are known to write, else if it takes longer than
// a moment. Nothing changes the state meanwhile, so f may read it.
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

// listen hears orders in the loop's place until that takes over again.
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

// heardNow is where orders come from; nothing does once the program closes.
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
	switch o.cmd.(type) {
	case society.Interrupt, society.Stop, society.Terminate:
	default:
		return
	}
	if r.outage != nil && !ends(o.cmd) || r.shutdown.leaving && fromOutside(o.cmd) {
		return // it will be refused
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
	return append(cutBy(d.Events), endedBy(d.Events)...)
}

// restore begins again what was cancelled for an order that was refused.
func (r *Runtime) restore(o *pendingCommand) {
	if o.err == nil {
		return
	}
	for _, id := range o.ahead {
		r.reconcileOne(id)
	}
}

// begunBefore reports whether a tool call was begun by this run of the program, and
// answers it then: it was cancelled for a verb that came to nothing, and what it has done
// until then is not known.
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
