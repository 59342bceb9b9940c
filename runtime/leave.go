package runtime

import (
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// leave ends the loop: no new work; calls in flight get up to 25 s (S000 P14, SPEC.md,
// decision 34), and Run returns after leaveAll, so that of the 30 s some are left for
// closing the store, or for Force if the store hangs. What waits stays on disk.
func (r *Runtime) leave() {
	r.shutdown.leaving = true
	r.state.Leave()
	r.publishAll()
	for _, jobs := range r.workers.jobs {
		for _, j := range jobs {
			if j.work.Kind() == society.WaitStep {
				j.cancel() // the next start waits again
			}
		}
	}
	r.workers.limits.Close() // who waits for its endpoint does so again at the next start
	begun := time.Now()
	r.shutdown.leaveBy = begun.Add(leaveAll)
	calls := time.NewTimer(leaveCalls)
	defer calls.Stop()
	all := time.NewTimer(leaveCut)
	defer all.Stop()
	forced := r.shutdown.force
	// A drain can end agents that no client waits for: wait for them too.
	for r.running() > 0 || len(r.workers.waiters) > 0 || len(r.workers.halting) > 0 {
		select {
		case <-r.ready():
			r.carryOut(r.gather(r.taken()))
		case o := <-r.orders:
			r.carryOut(r.gather(append(r.taken(), o)))
		case a := <-r.asks:
			r.tell(a)
		case <-r.retryStore():
			r.recover()
		case <-r.finished():
		case <-forced:
			forced = nil
			r.cancelAll()
			r.leaveProcesses()
			all.Reset(forceJoin)
		case <-calls.C:
			r.cancelAll()
			r.leaveProcesses()
		case <-all.C:
			r.close(begun)
			return
		}
	}
	r.close(begun)
}

// await waits for all goroutines of the runtime, but no longer than a stop would,
// nor beyond the time for leaving, nor after Force: one that does not end must not
// keep the program.
func (r *Runtime) await() {
	ended := make(chan struct{})
	go func() {
		r.workers.running.Wait()
		close(ended)
	}()
	bound := joinBound
	if !r.shutdown.leaveBy.IsZero() {
		bound = min(bound, time.Until(r.shutdown.leaveBy))
	}
	timer := time.NewTimer(bound)
	defer timer.Stop()
	select {
	case <-ended:
	case <-r.shutdown.overdue:
		r.log.Warn("work did not end in time; the program leaves without it")
	case <-timer.C:
		r.log.Warn("work did not end in time; the program leaves without it")
	}
}

// running counts the jobs that have not ended, and forgets those that have.
func (r *Runtime) running() int {
	n := 0
	for _, jobs := range r.workers.jobs {
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
	for _, jobs := range r.workers.jobs {
		for _, j := range jobs {
			return j.done
		}
	}
	return nil
}

func (r *Runtime) cancelAll() {
	for _, jobs := range r.workers.jobs {
		for _, j := range jobs {
			r.drafts.abort(abortion{j.item.Agent, j.item.Epoch})
			j.cancel()
		}
	}
}

// close logs what was done and what is left. What was ended while nothing was
// being saved is tried to be written once more.
func (r *Runtime) close(begun time.Time) {
	r.cancelAll()
	r.leaveProcesses()
	r.shutdown.closing = true
	if r.outage != nil {
		r.recover()
	}
	for !r.queue.empty() {
		r.carryOut(r.taken())
	}
	if r.outage != nil {
		r.totals.summary.Unsaved = r.outage.cause()
		r.log.Error("the program leaves unsaved", "verbs", len(r.outage.verbs), "results", len(r.outage.held))
	}
	for _, w := range r.workers.waiters {
		w.command.err = api.ErrLeaving
		w.command.answer()
	}
	r.workers.waiters = nil
	for _, id := range r.state.Agents() {
		r.totals.summary.Pending += len(r.state.Agent(id).Mailbox)
	}
	r.totals.summary.Owed = len(r.state.Owed())
	r.log.Info("society stopped", "processed", r.totals.summary.Processed, "pending", r.totals.summary.Pending,
		"owed", r.totals.summary.Owed, "took", time.Since(begun).String())
}
