package runtime

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"

	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// An outage is the time in which the store does not work. The society is unsaved: it
// starts nothing, refuses changes, holds finished results, and tries once a second. Verbs
// that end something still act, and are written first afterwards (SPEC.md, decision 32).
type outage struct {
	why   error
	since time.Time
	verbs []*pendingCommand // interrupt, stop, terminate: decided in memory only
	held  []*pendingCommand // results of work
	again *time.Timer
}

// cause explains to the user why saving fails. It leaves out file paths, which the log
// has.
func (o *outage) cause() string {
	if errno, ok := errors.AsType[syscall.Errno](o.why); ok {
		return errno.Error()
	}
	return o.why.Error()
}

// reloadState handles a batch that could not be saved: its callers get the error, and the
// state is read back from the store.
func (r *Runtime) reloadState(batch []*pendingCommand, err error) {
	r.log.Error("saving failed", "error", err.Error())
	if r.outage == nil {
		r.outage = &outage{since: time.Now(), again: time.NewTimer(time.Second)}
	}
	r.outage.why = err
	if err := r.reopen(); err != nil {
		r.log.Error("the store cannot be opened again", "error", err.Error())
	}
	if err := r.load(); err != nil {
		r.log.Error("the state cannot be read back", "error", err.Error())
	}
	r.state.TakeChanged()
	for _, o := range batch {
		switch {
		case ends(o.cmd):
			r.unsavedVerb(o)
		case isResult(o.cmd):
			o.events, o.err = nil, nil
			r.outage.held = append(r.outage.held, o)
		case o.look != nil: // it came with a command that could not be saved
			o.look(r.state)
			o.answer()
		default:
			o.err = r.unsavedError()
			r.removeUnused(o.cmd, nil)
			o.answer()
		}
	}
	r.publishAll()
}

// reopen lets a store that can be put in order be put in order.
func (r *Runtime) reopen() error {
	reopener, ok := r.cfg.Store.(interface{ Reopen() error })
	if !ok {
		return nil
	}
	return r.duringCommit(reopener.Reopen)
}

func (r *Runtime) unsavedError() error {
	return &society.Refusal{Code: society.StoreUnavailable, Why: protocol.Because(protocol.NothingIsSaved, r.outage.why)}
}

// ends reports whether a command only ends something, and so acts even while nothing can
// be saved. An interrupt with a text adds a message and is refused.
func ends(cmd society.Command) bool {
	if _, joined := cmd.(society.Halted); joined {
		return true
	}
	_, ok := cmd.(society.Ends)
	return ok && !begins(cmd)
}

// isResult reports whether a command tells what was done already.
func isResult(cmd society.Command) bool {
	_, files := cmd.(society.KeepFileChanges)
	return files || society.WorkOf(cmd) != nil
}

// whileUnsaved carries out of a batch that comes during an outage what only ends
// something or looks at the state, holds results, and refuses the rest.
func (r *Runtime) whileUnsaved(batch []*pendingCommand) {
	for _, o := range batch {
		switch {
		case ends(o.cmd):
			r.unsavedVerb(o)
		case isResult(o.cmd):
			r.outage.held = append(r.outage.held, o)
		case o.look != nil:
			o.look(r.state)
			o.answer()
		default:
			o.err = r.unsavedError()
			r.removeUnused(o.cmd, nil)
			o.answer()
		}
	}
}

// unsavedVerb carries a verb out in memory, cancels what it ends, and keeps it to
// be written first when the store works again.
func (r *Runtime) unsavedVerb(o *pendingCommand) {
	if _, panicked := r.decideAll([]*pendingCommand{o}, 0); panicked != nil {
		o.events, o.err = nil, panicked
		r.remember()
		r.refuseBroken(o)
		return
	}
	if o.err != nil {
		o.answer()
		return
	}
	r.publish(o.events, r.state.TakeChanged())
	if reply, ok := o.reply.(society.TellsUnsaved); ok && !o.repeats {
		o.reply = reply.NotSaved()
	}
	if !o.repeats {
		r.outage.verbs = append(r.outage.verbs, &pendingCommand{cmd: o.cmd, key: o.key, reply: o.reply, told: true, done: make(chan struct{})})
	}
	r.conclude(o)
}

// remember reads back the state that a broken rule has left in pieces, and ends
// again what the verbs of the outage have ended: only memory knew of it.
func (r *Runtime) remember() {
	if err := r.load(); err != nil {
		r.log.Error("the state cannot be read back", "error", err.Error())
		return
	}
	for _, v := range r.outage.verbs {
		r.decideAgain(v.cmd)
	}
	r.state.TakeChanged()
	r.publishAll()
}

// decideAgain decides what was decided before and is not in the state any more:
// what it ends is cancelled already, and joined.
func (r *Runtime) decideAgain(cmd society.Command) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("a rule panicked on a decided command", "command", fmt.Sprintf("%T", cmd), "panic", fmt.Sprint(p))
		}
	}()
	_, _, _ = r.advance(r.state, time.Now(), cmd) // it was not refused before
}

// retryStore fires while an outage lasts.
func (r *Runtime) retryStore() <-chan time.Time {
	if r.outage == nil {
		return nil
	}
	return r.outage.again.C
}

// probes is the bucket that holds something only while the store is tried.
const probes = "probe"

// probe writes as much as was to be written when that failed, and deletes it again. A
// disk with room for a little would else be told to work, and fail once more with what
// is held, or with the draft on the screen, every second.
func (r *Runtime) probe() error {
	err := r.cfg.Store.Update(func(tx storage.Tx) error {
		for n, left := uint64(0), max(r.commits.unwritten, 1); left > 0; n++ {
			part := min(left, storage.MaxValue)
			if err := tx.Put(probes, binary.BigEndian.AppendUint64(nil, n), make([]byte, part)); err != nil {
				return err
			}
			left -= part
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.cfg.Store.Update(func(tx storage.Tx) error {
		var keys [][]byte
		for key := range tx.Range(probes, nil, nil) {
			keys = append(keys, slices.Clone(key))
		}
		for _, key := range keys {
			if err := tx.Delete(probes, key); err != nil {
				return err
			}
		}
		return nil
	})
}

// A weighing transaction adds up how much room what is put may need.
type weighing struct {
	storage.Tx
	bytes *int
}

// aPage is what a record may need beside its bytes: a page of its own.
const aPage = 4 << 10

func (w weighing) Put(bucket string, key, value []byte) error {
	*w.bytes += len(key) + len(value) + aPage
	return w.Tx.Put(bucket, key, value)
}

func (w weighing) PutBlob(owner, data []byte) (storage.Blob, error) {
	*w.bytes += len(owner) + len(data) + aPage
	return w.Tx.PutBlob(owner, data)
}

// recover tries whether the store works again: the state is read back, the verbs
// are written first, then what was held.
func (r *Runtime) recover() {
	// The state is read back only when writing works: until then memory alone
	// knows what the verbs have ended.
	err := r.duringCommit(r.probe)
	if err == nil {
		err = r.load()
	}
	if err != nil {
		r.outage.why = errors.Join(err, r.reopen())
		r.outage.again.Reset(time.Second)
		return
	}
	o := r.outage
	r.outage = nil
	r.log.Info("saving works again", "after", time.Since(o.since).String())
	r.state.TakeChanged()
	// In one batch, so that no work is begun again whose result is held.
	if batch := append(o.verbs, o.held...); len(batch) > 0 {
		r.carryOut(batch)
	}
	if r.outage != nil { // it has failed again, and keeps them
		return
	}
	r.publishAll()
	r.reconcileAll()
	r.haltAll()
}
