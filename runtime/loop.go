package runtime

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// A pendingCommand is a command on its way through the loop, or something to be done
// between two batches. After done is closed its other fields are the caller's.
type pendingCommand struct {
	cmd society.Command
	// keep is written along with the batch; look reads the state after it.
	keep *keeping
	look func(*society.State)

	// key lets it take effect once; repeats is set when it did before.
	key     *api.RequestKey
	repeats bool

	reply society.Reply
	err   error
	done  chan struct{}

	events []society.Event
	told   bool   // the outcome was published when it could not be saved
	join   uint64 // the agent whose end it reports, 0 for none
	again  bool   // the end of a join that has broken a rule once
	// ahead are the agents whose work was cancelled before the command was decided.
	ahead []society.AgentID
}

func (o *pendingCommand) answer() { close(o.done) }

// Run lets the society live. It returns when ctx is done and what was in flight
// has ended, within 27.5 s, or a second and a half after Force at the latest: with ErrStuck if
// the loop could not end until then, because the store does not answer. It
// uses the store still in that case, and nothing is to be done with it any more.
func (r *Runtime) Run(ctx context.Context) error {
	r.started = true
	if r.cfg.Sandbox != nil {
		r.goTracked(func() { r.trySandbox(ctx) })
	}
	if r.cfg.AskEndpoints != nil {
		r.goTracked(func() { r.keepAsking(ctx) })
	}
	ended := make(chan any, 1) // what the loop panicked with, nil if it did not
	go func() {
		defer func() {
			p := recover()
			if p != nil {
				r.log.Error("the loop panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			}
			ended <- p
		}()
		r.loop(ctx)
	}()
	select {
	case p := <-ended:
		r.shutdown.last = r.totals.summary
		close(r.shutdown.done)
		if p != nil {
			panic(p) // for whoever gives the terminal back
		}
		r.await()
		r.endProcesses(r.state.Agents()) // a call that was cut short may have begun one late
		return nil
	case <-r.shutdown.overdue:
		close(r.shutdown.done)
		r.log.Error("the store does not answer; the program leaves without it")
		return ErrStuck
	}
}

// loop owns the state, from its first step until all is at rest.
func (r *Runtime) loop(ctx context.Context) {
	r.reconcileAll()
	r.haltAll()
	if r.cfg.Servers != nil {
		r.goTracked(r.keepServers)
	}
	r.log.Info("society started", "agents", len(r.state.Agents()), "owed", len(r.state.Owed()), "model", r.models.All()[0].Name)
	idle := time.NewTicker(time.Minute)
	defer idle.Stop()
	for {
		select {
		case <-r.ready(): // chosen at random among the others, so that it starves none
			r.carryOut(r.gather(r.taken()))
		case o := <-r.orders:
			r.carryOut(r.gather(append(r.taken(), o)))
		case a := <-r.asks:
			r.tell(a)
		case <-r.retryStore():
			r.recover()
		case <-r.overdue():
			r.denyOverdue()
		case <-r.renewal():
			r.renewBudgets()
		case <-idle.C:
			r.warnOfIdle(time.Now())
		case <-ctx.Done():
			r.leave()
			return
		case <-r.shutdown.force:
			r.leave()
			return
		}
	}
}

// taken hands over what the loop has ordered itself and what it took during a
// commit; it comes before what is still waiting.
func (r *Runtime) taken() []*pendingCommand { return r.queue.all() }

// ready can be received from while something was taken.
func (r *Runtime) ready() <-chan struct{} {
	if r.queue.empty() {
		return nil
	}
	return r.always
}

// goTracked runs f in a goroutine that Run waits for. A panic in f is logged and ends
// f only.
func (r *Runtime) goTracked(f func()) {
	r.workers.running.Add(1)
	go func() {
		defer r.workers.running.Done()
		defer func() {
			if p := recover(); p != nil {
				r.log.Error("a goroutine panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			}
		}()
		f()
	}()
}

// gather takes what else is waiting into the batch, and with several writers
// waits a little for more: no longer than until as many have come as are known to
// write.
func (r *Runtime) gather(batch []*pendingCommand) []*pendingCommand {
	var late <-chan time.Time
	gaveWay := false
	for len(batch) < batchMost {
		select {
		case o := <-r.orders:
			batch, gaveWay = append(batch, o), false
			continue
		default:
		}
		if len(batch) >= r.commits.writers {
			break
		}
		if !gaveWay { // those who were just answered come next, and to wait for each would cost more than to carry it out
			goruntime.Gosched()
			gaveWay = true
			continue
		}
		if len(batch) == 1 {
			break
		}
		if late == nil {
			timer := time.NewTimer(gatherFor)
			defer timer.Stop()
			late = timer.C
		}
		select {
		case o := <-r.orders:
			batch, gaveWay = append(batch, o), false
			continue
		case <-late:
		}
		break
	}
	return batch
}

// carryOut decides and applies a batch of commands and records their events in one
// transaction. Callers are answered after the commit, refusals included: a refusal may
// rest on a change that is then not saved.
func (r *Runtime) carryOut(batch []*pendingCommand) {
	switch {
	case len(batch) == 0:
		return
	case r.outage != nil:
		r.whileUnsaved(batch)
		return
	}
	commands, alone := len(batch), len(batch) == 1 && r.queue.empty()
	culprit, panicked := r.decideAll(batch, 0)
	if alone && panicked == nil {
		batch = append(batch, r.early(batch[0])...)
		culprit, panicked = r.decideAll(batch, commands)
	}
	if panicked != nil {
		r.carryOutSingly(batch, culprit, panicked)
		return
	}
	r.finish(batch, commands)
}

// finish records a decided batch and publishes it. Behind so many commands are those
// that they led to early.
func (r *Runtime) finish(batch []*pendingCommand, commands int) {
	var events, news []society.Event
	for _, o := range batch {
		events = append(events, o.events...)
		if !o.told {
			news = append(news, o.events...)
		}
	}
	changed := r.state.TakeChanged()
	r.endCompressions(events)
	if err := r.record(batch, events, news, changed); err != nil {
		r.reloadState(batch, err)
		return
	}
	if r.cfg.Check {
		if err := society.Check(r.state); err != nil {
			panic(err) // a test's state is not sound: nothing after it means anything
		}
	}
	r.learn(events)
	r.publish(news, changed)
	r.showKept(batch)
	r.reconcile(changed)
	r.commits.writers = commands + r.queue.len()
	for _, o := range batch {
		r.restore(o)
		if o.look != nil {
			o.look(r.state)
		}
		r.conclude(o)
	}
	r.answerCompressions()
}

// decideAll decides and applies the commands of a batch from one on, in their order;
// later ones see what earlier ones did. A panic in a rule leaves the state in pieces:
// it is returned with the order that caused it.
func (r *Runtime) decideAll(batch []*pendingCommand, from int) (culprit *pendingCommand, panicked error) {
	defer func() {
		if p := recover(); p != nil {
			// What it panicked with may hold a part of the command, and is for the log, which redacts keys.
			panicked = fmt.Errorf("a rule panicked on %T; the log says with what", culprit.cmd)
			r.log.Error("a rule panicked", "command", fmt.Sprintf("%T", culprit.cmd), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	now := time.Now()
	for _, o := range batch[from:] {
		culprit = o
		if o.cmd == nil {
			continue
		}
		if o.repeats = r.answeredBefore(o, batch); o.repeats || o.err != nil {
			continue
		}
		if r.shutdown.leaving && begins(o.cmd) {
			o.err = api.ErrLeaving
			continue
		}
		r.believe(o)
		r.addPartial(o)
		o.events, o.reply, o.err = r.advance(r.state, now, o.cmd)
		if o.err != nil {
			r.refusedOne(o)
			continue
		}
		r.fetchDropped(o)
		r.askNow(o)
		r.cancelEarly(o.events)
	}
	return nil, nil
}

// carryOutSingly loads the state again and decides the batch one by one, so that only the
// order that breaks a rule is refused (SPEC.md, decision 24). The agent it was for is
// paused.
func (r *Runtime) carryOutSingly(batch []*pendingCommand, culprit *pendingCommand, panicked error) {
	if err := r.load(); err != nil {
		r.reloadState(batch, err)
		return
	}
	for _, o := range batch {
		aborted, ended := cutBy(o.events)
		o.ahead = slices.Concat(o.ahead, aborted, ended)
		o.events, o.reply, o.err = nil, nil, nil
	}
	r.queue.putFirst(batch) // so that an earlier command does not start work that a later one ends
	for range batch {
		o := r.queue.next()
		if o == culprit && r.outage == nil {
			o.err = panicked
			r.refuseBroken(o)
			continue
		}
		r.carryOut([]*pendingCommand{o})
	}
	r.reconcileAll()
}

// refuseBroken answers an order that broke a rule.
func (r *Runtime) refuseBroken(o *pendingCommand) {
	if c, ok := o.cmd.(society.Halted); ok {
		r.endSingly(o, c)
		return
	}
	r.conclude(o)
	r.quarantine(o.cmd)
}

// quarantine pauses the agent whose result broke a rule: its work is still owed,
// and to begin it again would break the rule again, for ever.
func (r *Runtime) quarantine(cmd society.Command) {
	if w := society.WorkOf(cmd); w != nil {
		r.carryOut([]*pendingCommand{{cmd: society.Quarantine{Agent: w.Item().Agent}, done: make(chan struct{})}})
	}
}

// record commits a batch; a failure is tried once more (SPEC.md, decision 32).
func (r *Runtime) record(batch []*pendingCommand, events, news []society.Event, changed society.Changed) error {
	keeps := false
	for _, o := range batch {
		keeps = keeps || o.keep != nil || o.key != nil && !o.repeats
	}
	if len(events) == 0 && len(changed.Agents) == 0 && !keeps && !r.commits.sweeping {
		return nil
	}
	gone := func(id society.AgentID) bool { return r.state.Agent(id) == nil }
	sweeps := r.commits.sweeping || r.commits.unswept || slices.ContainsFunc(changed.Records, gone)
	lines := r.totals.timeline.unkept(linesOf(news))
	first, begun := r.commits.unswept, time.Now()
	write := func(tx storage.Tx) error { // perhaps twice
		if first {
			if err := tables.DropOldFileChanges(tx, begun); err != nil {
				return err
			}
		}
		for _, o := range batch {
			if o.keep != nil {
				if err := o.keep.write(tx); err != nil {
					return err
				}
			}
			if err := keepAnswer(tx, o); err != nil {
				return err
			}
		}
		for _, c := range r.workers.compressions {
			if c.ended {
				if err := keepAnswer(tx, c.command); err != nil {
					return err
				}
			}
		}
		if err := tables.Record(tx, r.state, events, changed); err != nil {
			return err
		}
		if err := tables.Note(tx, lines, ringSize); err != nil {
			return err
		}
		if !sweeps {
			return nil
		}
		left, err := tables.Sweep(tx, sweepRows)
		r.commits.sweeping, r.commits.unswept = left, false
		return err
	}
	defer func() { r.cfg.Observer.Committed(time.Since(begun)) }()
	err := r.duringCommit(func() error {
		err := r.cfg.Store.Update(write)
		if err != nil {
			r.log.Warn("commit failed, trying once more", "error", err.Error())
			r.commits.unwritten = 0
			err = r.cfg.Store.Update(func(tx storage.Tx) error { return write(weighing{tx, &r.commits.unwritten}) })
		}
		return err
	})
	if err == nil && len(lines) > 0 {
		r.totals.timeline.kept = lines[len(lines)-1].Seq
	}
	if err == nil && r.commits.sweeping {
		r.queue.add(&pendingCommand{done: make(chan struct{})})
	}
	return err
}

// conclude answers an order, unless it is a stop that waits for its workers.
func (r *Runtime) conclude(o *pendingCommand) {
	r.removeUnused(o.cmd, o.events)
	if c, ok := o.cmd.(society.Halted); ok {
		r.release(c)
	}
	if o.err == nil && r.joins(o) || r.compresses(o) {
		return
	}
	o.answer()
}

// refusedOne logs what was refused; a stale result is thrown away here.
func (r *Runtime) refusedOne(o *pendingCommand) {
	if o.err == society.ErrStale { //nolint:errorlint // Advance returns it bare
		w := society.WorkOf(o.cmd)
		r.discarded(w)
		r.drafts.drop(w.Item())
		if try, asked := society.TryOf(o.cmd); asked {
			r.queue.add(&pendingCommand{cmd: try, done: make(chan struct{})})
		}
		if keep, ok := society.FileChangesOf(o.cmd); ok { // what it has done stays done
			r.queue.add(&pendingCommand{cmd: keep, done: make(chan struct{})})
		}
		return
	}
	if _, ok := o.cmd.(society.Send); ok {
		r.cfg.Observer.Messages("refused", 1)
	}
	command := fmt.Sprintf("%T", o.cmd)
	refusal, ok := errors.AsType[*society.Refusal](o.err)
	if !ok {
		r.log.Info("refused", "command", command, "why", o.err.Error())
		return
	}
	line := []any{"command", command, "code", refusal.Code}
	if r.state.Agent(refusal.Agent) != nil { // else it is, like the reason, what somebody wrote
		line = append(line, "agent", refusal.Agent)
	}
	r.log.Info("refused", line...)
}

// discarded logs that a result was thrown away (S003 6.4).
func (r *Runtime) discarded(w society.Work) {
	item := w.Item()
	r.log.Info("answer discarded", "agent", item.Agent, "epoch", item.Epoch, "step", item.Step, "kind", w.Kind())
}

// begins reports whether a command begins something new.
func begins(cmd society.Command) bool {
	b, ok := cmd.(society.Begins)
	return ok && b.Begins()
}

// post hands a worker's result to the loop. It gives up when the loop has ended.
func (r *Runtime) post(cmd society.Command) {
	r.hand(&pendingCommand{cmd: cmd, done: make(chan struct{})})
}

func (r *Runtime) hand(o *pendingCommand) {
	select {
	case r.orders <- o:
	case <-r.shutdown.done:
	}
}

// inLoop calls f between two batches, with the state as it is on disk. After it has
// returned, f is not called any more, nor does it run.
func (r *Runtime) inLoop(ctx context.Context, f func(*society.State)) error {
	var looking sync.Mutex
	gone := false
	o := &pendingCommand{done: make(chan struct{}), look: func(s *society.State) {
		looking.Lock()
		defer looking.Unlock()
		if !gone {
			f(s)
		}
	}}
	if err := r.submit(ctx, o); err != nil {
		looking.Lock()
		defer looking.Unlock()
		gone = true
		return err
	}
	return o.err
}
