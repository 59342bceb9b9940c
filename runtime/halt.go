package runtime

import (
	"maps"
	goruntime "runtime"
	"slices"
	"time"

	"society-tui/runtime/society"
)

// A waiter is a stop or termination that is answered when nothing of its agents
// runs any more.
type waiter struct {
	command   *pendingCommand
	left      map[society.AgentID]struct{} // those that have not ended yet
	abandoned []society.AgentID
}

// cancelEarly cancels, before the commit, what a stop, a termination or an
// interrupt ends.
func (r *Runtime) cancelEarly(events []society.Event) {
	aborted, ended := cutBy(events)
	if len(aborted)+len(ended) == 0 {
		return
	}
	r.cancelJobs(aborted)
	r.halt(ended)
	var abortions []abortion
	for _, id := range slices.Concat(aborted, ended) {
		abortions = append(abortions, abortion{id, r.state.Agent(id).Epoch})
	}
	r.drafts.abort(abortions...)
	r.outputs.abort(abortions...)
	for _, e := range events {
		if e, ok := e.(society.Cuts); ok {
			r.drafts.weigh(e.Cut().Answers)
		}
	}
}

// cutBy returns the agents whose work events abort, and those that events make stop or
// terminate.
func cutBy(events []society.Event) (aborted, ended []society.AgentID) {
	for _, e := range events {
		e, ok := e.(society.Cuts)
		if !ok {
			continue
		}
		if cut := e.Cut(); cut.Ends {
			ended = append(ended, cut.Agents...)
		} else {
			aborted = append(aborted, cut.Agents...)
		}
	}
	return aborted, ended
}

// cancelledHere is how many jobs the loop cancels itself: cancelling thousands of streams
// would block it.
const cancelledHere = 8

// cancelJobs cancels all that runs for these agents and returns the jobs, with
// those that were cancelled before and have not ended. A few are cancelled when
// it returns, so that what an interrupt cuts short, and does not wait for, begins
// nothing after it; many have a goroutine of their own.
func (r *Runtime) cancelJobs(ids []society.AgentID) []*job {
	var jobs, late []*job
	for _, id := range ids {
		late = append(late, r.workers.cancelledJobs[id]...)
		for _, j := range r.workers.jobs[id] {
			jobs = append(jobs, j)
			r.detach(j)
		}
	}
	late = slices.DeleteFunc(late, (*job).ended)
	r.waitingFirst(jobs)
	cancel := func() {
		for _, j := range jobs {
			j.cancel()
			goruntime.Gosched() // or the goroutines that wake up delay the screen
		}
	}
	if len(jobs) > cancelledHere {
		r.goTracked(cancel)
	} else {
		cancel()
	}
	return append(jobs, late...)
}

// waitingFirst puts those in front that wait for one of the limited model calls:
// else they would get it from those that are cancelled before them, and begin.
func (r *Runtime) waitingFirst(jobs []*job) {
	r.watchers.mu.Lock()
	defer r.watchers.mu.Unlock()
	front := 0
	for i, j := range jobs {
		if _, waits := r.watchers.waitsForSlot[pieceOf(j.item)]; waits {
			jobs[front], jobs[i] = j, jobs[front]
			front++
		}
	}
}

// halt waits for the workers of agents that are ending as join does, and until their
// background processes are gone, and then reports their end to the rules. It does not block the loop.
func (r *Runtime) halt(ids []society.AgentID) {
	if len(ids) == 0 {
		return
	}
	all := append(r.haltingBelow(ids), ids...)
	jobs := r.cancelJobs(all)
	for _, id := range ids {
		r.workers.halting[id] = struct{}{}
	}
	r.workers.joined++
	o := &pendingCommand{cmd: society.Halted{Agents: ids}, join: r.workers.joined, done: make(chan struct{})}
	if len(jobs) == 0 && !r.haveProcesses(all) {
		r.queue.add(o)
		return
	}
	r.goTracked(func() {
		o.cmd = society.Halted{Agents: ids, Abandoned: r.joinAll(all, jobs)}
		r.hand(o)
	})
}

// joinAll waits for the jobs of agents and for their background processes, and returns the
// agents of what did not end in time, each once. A job may have started a process until it
// ended, so that the processes are ended once more behind the jobs.
func (r *Runtime) joinAll(ids []society.AgentID, jobs []*job) []society.AgentID {
	ended := make(chan []society.AgentID, 1)
	r.goTracked(func() {
		defer close(ended)
		ended <- r.endProcesses(ids)
	})
	late := join(jobs)
	left := <-ended
	if len(left) == 0 {
		left = r.endProcesses(ids)
	}
	late = append(late, left...)
	slices.Sort(late)
	return slices.Compact(late)
}

// haltAll starts a join for every ending agent that has none: those left by the last run
// or by an outage.
func (r *Runtime) haltAll() {
	var ending []society.AgentID
	for _, id := range r.state.Agents() {
		if _, known := r.workers.halting[id]; !known && r.ending(id) {
			ending = append(ending, id)
		}
	}
	r.halt(ending)
}

// endSingly decides the end of a join again, agent by agent, after a rule panicked on all
// of them together, so that one agent does not hold up the others. An agent whose end
// panics again stays as it is until the next start, and its waiters are released.
func (r *Runtime) endSingly(o *pendingCommand, c society.Halted) {
	if o.again {
		for _, id := range c.Agents {
			r.leaveEnding(id, o.err)
		}
		r.release(c)
		return
	}
	for _, id := range c.Agents {
		one := society.Halted{Agents: []society.AgentID{id}}
		if slices.Contains(c.Abandoned, id) {
			one.Abandoned = one.Agents
		}
		r.queue.add(&pendingCommand{cmd: one, join: o.join, again: true, done: make(chan struct{})})
	}
}

// leaveEnding tells the waiters of an agent why it cannot end.
func (r *Runtime) leaveEnding(id society.AgentID, why error) {
	ids := []society.AgentID{id}
	if a := r.state.Agent(id); a != nil && a.Status == society.Terminating {
		ids = r.state.Subtree(id) // it would be erased along
	}
	for _, id := range ids {
		delete(r.workers.halting, id)
		for _, w := range r.workers.waiters {
			if _, waits := w.left[id]; waits {
				delete(w.left, id)
				w.command.err = why
			}
		}
	}
}

// believe drops agents from a finished join if work was begun for them after it and still
// runs: they were ended again, and that end has a join of its own. An outage can make two
// joins of one stop, and the agents may have worked in between.
func (r *Runtime) believe(o *pendingCommand) {
	c, ok := o.cmd.(society.Halted)
	if !ok || o.join == 0 || r.workers.begunAfter < o.join { // mostly nothing was begun since, and thousands of agents need not be looked at
		return
	}
	stale := func(id society.AgentID) bool { return r.begunSince(o.join, id) }
	if slices.ContainsFunc(c.Agents, stale) {
		c.Agents = slices.DeleteFunc(slices.Clone(c.Agents), stale)
		c.Abandoned = slices.DeleteFunc(slices.Clone(c.Abandoned), stale)
		o.cmd = c
	}
}

// begunSince reports whether work of an agent runs that was begun after a join.
func (r *Runtime) begunSince(join uint64, id society.AgentID) bool {
	for _, j := range r.workers.jobs[id] {
		if j.joined >= join && !j.ended() {
			return true
		}
	}
	return slices.ContainsFunc(r.workers.cancelledJobs[id], func(j *job) bool { return j.joined >= join && !j.ended() })
}

// haltingBelow returns the agents below ids that an earlier stop or termination still
// waits for. They are erased too, so they must be waited for.
func (r *Runtime) haltingBelow(ids []society.AgentID) []society.AgentID {
	if len(r.workers.halting) == 0 {
		return nil
	}
	tops := setOf(ids)
	var below []society.AgentID
	for id := range r.workers.halting {
		if _, again := tops[id]; again {
			continue
		}
		for a := r.state.Agent(id); a != nil; a = r.state.Agent(a.Parent) {
			if _, ok := tops[a.Parent]; ok {
				below = append(below, id)
				break
			}
		}
	}
	return below
}

func setOf(ids []society.AgentID) map[society.AgentID]struct{} {
	set := make(map[society.AgentID]struct{}, len(ids))
	for _, id := range ids {
		set[id] = struct{}{}
	}
	return set
}

// join waits for jobs and returns the agents of those that did not end in time. A job that
// changes files is waited for however long it takes: it changes nothing once it is
// cancelled, but the step of the file system that it is in cannot be called back, and after
// a stop no file of the user's may change. One that runs a program ends it, which takes the
// time that the program is given to leave by itself.
func join(jobs []*job) (late []society.AgentID) {
	begun := time.Now()
	for _, j := range jobs {
		if j.edits() {
			<-j.done
		} else if !j.endsWithin(time.Until(begun.Add(j.bound()))) {
			late = append(late, j.item.Agent)
		}
	}
	return late
}

// endsWithin waits for a job, but no longer than that. It returns false if it goes on.
func (j *job) endsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-j.done:
		return true
	case <-timer.C:
		return j.ended()
	}
}

// joins makes an order wait for the agents that it ends, or that an order before it is
// ending: concurrent stops wait for the same end. It reports whether the order waits.
func (r *Runtime) joins(o *pendingCommand) bool {
	cmd, ok := o.cmd.(society.Ends)
	if !ok {
		return false
	}
	top, subtree := cmd.Ends()
	if !subtree {
		return false
	}
	_, ended := cutBy(o.events)
	w := &waiter{command: o, left: setOf(ended)}
	if len(r.workers.halting) > 0 {
		for _, id := range r.state.Subtree(top) {
			if _, ending := r.workers.halting[id]; ending {
				w.left[id] = struct{}{}
			}
		}
	}
	if len(w.left) == 0 {
		return false
	}
	r.workers.waiters = append(r.workers.waiters, w)
	return true
}

// release answers the stops and terminations whose agents have all ended.
func (r *Runtime) release(c society.Halted) {
	if len(c.Abandoned) > 0 {
		r.log.Warn("work did not end in time; its answer can no longer count", "agents", c.Abandoned)
	}
	for id := range r.workers.halting {
		if !r.ending(id) {
			delete(r.workers.halting, id)
		}
	}
	r.workers.waiters = slices.DeleteFunc(r.workers.waiters, func(w *waiter) bool {
		for _, id := range c.Abandoned {
			if _, waits := w.left[id]; waits {
				w.abandoned = append(w.abandoned, id)
			}
		}
		maps.DeleteFunc(w.left, func(id society.AgentID, _ struct{}) bool { return !r.ending(id) })
		if len(w.left) > 0 {
			return false
		}
		w.answer()
		return true
	})
}

func (r *Runtime) ending(id society.AgentID) bool {
	a := r.state.Agent(id)
	return a != nil && (a.Status == society.Stopping || a.Status == society.Terminating)
}

// answer hands over the reply, with who was left behind.
func (w *waiter) answer() {
	if reply, ok := w.command.reply.(society.TellsAbandoned); ok {
		w.command.reply = reply.WithAbandoned(w.abandoned)
	}
	w.command.answer()
}
