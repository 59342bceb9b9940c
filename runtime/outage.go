package runtime

import (
	"context"
	"errors"
	"fmt"
	"time"

	"society-tui/runtime/society"
	"society-tui/storage"
)

// An outage is the time in which the store does not work. The society is
// unsaved: it starts nothing, refuses changes, holds finished results, and tries
// once a second. Verbs that end something still act, and are written first
// afterwards (spec/decisions.md 32).
type outage struct {
	why   error
	since time.Time
	verbs []*order // interrupt, stop, terminate: decided in memory only
	held  []*order // results of work
	again *time.Timer
}

// fallBack is what happens when a batch could not be saved: its callers get the
// error, and the state is what the store still holds.
func (r *Runtime) fallBack(batch []*order, err error) {
	r.log.Error("nothing is being saved", "error", err.Error())
	if r.outage == nil {
		r.outage = &outage{since: time.Now(), again: time.NewTimer(time.Second)}
	}
	r.outage.why = err
	if reopener, ok := r.cfg.Store.(interface{ Reopen() error }); ok {
		if err := reopener.Reopen(); err != nil {
			r.log.Error("the store cannot be opened again", "error", err.Error())
		}
	}
	if err := r.load(); err != nil {
		r.log.Error("the state cannot be read back", "error", err.Error())
	}
	r.state.TakeChanged()
	for _, o := range batch {
		switch o.cmd.(type) {
		case society.Interrupt, society.Stop, society.Terminate, society.Halted:
			r.unsavedVerb(o)
		default:
			if isResult(o.cmd) {
				r.outage.held = append(r.outage.held, o)
				continue
			}
			o.err = r.unsavedError()
			o.answer()
		}
	}
	r.publishAll()
}

func (r *Runtime) unsavedError() error {
	return &society.Refusal{Code: society.StoreUnavailable, Message: fmt.Sprintf("%v: %v", ErrUnsaved, r.outage.why)}
}

func isResult(cmd society.Command) bool {
	return cmd != nil && society.WorkOf(cmd).Agent != ""
}

// whileUnsaved sorts a batch that comes during an outage and returns what can be
// carried out all the same: looks at the state.
func (r *Runtime) whileUnsaved(batch []*order) []*order {
	for _, o := range batch {
		switch o.cmd.(type) {
		case society.Interrupt, society.Stop, society.Terminate, society.Halted:
			r.unsavedVerb(o)
		default:
			switch {
			case o.look != nil:
				o.look(r.state)
			case isResult(o.cmd):
				r.outage.held = append(r.outage.held, o)
				continue
			default:
				o.err = r.unsavedError()
			}
			o.answer()
		}
	}
	return nil
}

// unsavedVerb carries a verb out in memory, cancels what it ends, and keeps it to
// be written first when the store works again.
func (r *Runtime) unsavedVerb(o *order) {
	r.addPartial(o)
	var events []society.Event
	events, o.reply, o.err = r.state.Advance(time.Now(), o.cmd)
	if o.err != nil {
		o.answer()
		return
	}
	o.events = events
	r.cancelAhead(events)
	r.publish(events, r.state.TakeChanged())
	r.outage.verbs = append(r.outage.verbs, &order{cmd: o.cmd, done: make(chan struct{})})
	switch reply := o.reply.(type) {
	case society.StopResult:
		reply.Unsaved = true
		o.reply = reply
	case society.TerminateResult:
		reply.Unsaved = true
		o.reply = reply
	}
	if c, ok := o.cmd.(society.Halted); ok {
		r.release(c)
	}
	r.conclude(o)
}

// retryStore fires while an outage lasts.
func (r *Runtime) retryStore() <-chan time.Time {
	if r.outage == nil {
		return nil
	}
	return r.outage.again.C
}

// recover tries whether the store works again: the state is read back, the verbs
// are written first, then what was held.
func (r *Runtime) recover() {
	err := r.load()
	if err == nil {
		err = r.cfg.Store.Update(func(tx storage.Tx) error { return tx.Put("probe", []byte("probe"), []byte{1}) })
	}
	if err != nil {
		if reopener, ok := r.cfg.Store.(interface{ Reopen() error }); ok {
			err = errors.Join(err, reopener.Reopen())
		}
		r.outage.why = err
		r.outage.again.Reset(time.Second)
		return
	}
	o := r.outage
	r.outage = nil
	r.log.Info("saving works again", "after", time.Since(o.since).String())
	r.state.TakeChanged()
	for _, held := range append(o.verbs, o.held...) {
		r.carryOut([]*order{held})
	}
	r.publishAll()
	r.reconcileAll()
}

// leave ends the loop: no new work; calls in flight get up to 25 s, all together
// at most 30 s (S000 P14, spec/decisions.md 34). What waits stays on disk.
func (r *Runtime) leave() {
	r.leaving = true
	r.publishAll()
	for _, jobs := range r.jobs {
		for _, j := range jobs {
			if j.work.Kind == society.Wait {
				j.cancel() // the next start waits again
			}
		}
	}
	begun := time.Now()
	calls := time.NewTimer(leaveCalls)
	defer calls.Stop()
	all := time.NewTimer(leaveAll)
	defer all.Stop()
	forced := r.force
	for r.running() > 0 || len(r.internal) > 0 || len(r.waiters) > 0 {
		if len(r.internal) > 0 {
			batch := r.internal
			r.internal = nil
			r.carryOut(batch)
			continue
		}
		select {
		case o := <-r.orders:
			r.carryOut(r.gather(o))
		case a := <-r.asks:
			r.tell(a)
		case <-r.retryStore():
			r.recover()
		case <-r.finished():
		case <-forced:
			forced = nil
			r.cancelAll()
			all.Reset(joinBound)
		case <-calls.C:
			r.cancelAll()
		case <-all.C:
			r.close(begun)
			return
		}
	}
	r.close(begun)
}

// running counts the jobs that have not ended, and forgets those that have.
func (r *Runtime) running() int {
	n := 0
	for _, jobs := range r.jobs {
		for _, j := range jobs {
			if j.ended() {
				r.forget(j)
			} else {
				n++
			}
		}
	}
	return n
}

// finished returns the channel of one job that still runs.
func (r *Runtime) finished() <-chan struct{} {
	for _, jobs := range r.jobs {
		for _, j := range jobs {
			return j.done
		}
	}
	return nil
}

func (r *Runtime) cancelAll() {
	for _, jobs := range r.jobs {
		for _, j := range jobs {
			r.drafts.abort(j.work.Agent)
			j.cancel()
		}
	}
}

// close logs what was done and what is left.
func (r *Runtime) close(begun time.Time) {
	r.cancelAll()
	for _, id := range r.state.Agents() {
		r.summary.Pending += len(r.state.Agent(id).Mailbox)
	}
	r.summary.Owed = len(r.state.Owed())
	r.log.Info("society rests", "processed", r.summary.Processed, "pending", r.summary.Pending,
		"owed", r.summary.Owed, "took", time.Since(begun).String())
}

// Keep remembers something for the screen under a name of its own, durably.
func (r *Runtime) Keep(ctx context.Context, name string, value []byte) error {
	o := &order{keep: keeping(name, value), done: make(chan struct{})}
	if err := r.submit(ctx, o); err != nil {
		return err
	}
	return o.err
}
