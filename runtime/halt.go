package runtime

import (
	"slices"
	"time"

	"society-tui/runtime/society"
)

// A waiter is a stop or termination that is answered when nothing of its agents
// runs any more.
type waiter struct {
	order     *order
	agents    []society.AgentID // those that have not ended yet
	abandoned []society.AgentID
}

// cancelAhead cancels, before the commit, what a stop, a termination or an
// interrupt ends.
func (r *Runtime) cancelAhead(events []society.Event) {
	var cut []society.AgentID
	ended := endedBy(events)
	for _, e := range events {
		if e, ok := e.(society.Cut); ok {
			cut = append(cut, e.Agent)
		}
	}
	for _, id := range append(slices.Clone(cut), ended...) {
		r.drafts.abort(id, r.state.Agent(id).Epoch)
	}
	r.cancelJobs(cut)
	r.halt(ended)
}

// endedBy returns the agents that events make stop or terminate.
func endedBy(events []society.Event) []society.AgentID {
	var ids []society.AgentID
	for _, e := range events {
		switch e := e.(type) {
		case society.StopBegun:
			ids = append(ids, e.Agents...)
		case society.TerminationBegun:
			ids = append(ids, e.Agents...)
		}
	}
	return ids
}

// cancelJobs cancels all that runs for these agents and returns the jobs, with
// those that were cancelled before and have not ended.
// Cancelling thousands of streams blocks for long, so it has a goroutine of its
// own.
func (r *Runtime) cancelJobs(ids []society.AgentID) []*job {
	var jobs, late []*job
	for _, id := range ids {
		late = append(late, r.dying[id]...)
		for _, j := range r.jobs[id] {
			jobs = append(jobs, j)
			r.dismiss(j)
		}
	}
	late = slices.DeleteFunc(late, (*job).ended)
	if len(jobs) == 0 {
		return late
	}
	r.aside(func() {
		for _, j := range jobs {
			j.cancel()
		}
	})
	return append(jobs, late...)
}

// halt joins the workers of agents that are ending, for at most two seconds, and
// then lets the rules know. The loop never waits for a worker.
func (r *Runtime) halt(ids []society.AgentID) {
	if len(ids) == 0 {
		return
	}
	for _, id := range ids {
		r.halting[id] = struct{}{}
	}
	// What an earlier stop or termination below is still waiting for is waited
	// for here too: it is erased along.
	below := slices.Clone(ids)
	for id := range r.halting {
		if !slices.Contains(below, id) && slices.ContainsFunc(ids, func(top society.AgentID) bool { return r.state.Below(id, top) }) {
			below = append(below, id)
		}
	}
	jobs := r.cancelJobs(below)
	if len(jobs) == 0 {
		r.internal = append(r.internal, &order{cmd: society.Halted{Agents: ids}, done: make(chan struct{})})
		return
	}
	r.aside(func() { r.post(society.Halted{Agents: ids, Abandoned: join(jobs)}) })
}

// join waits for jobs and returns the agents of those that did not end in time.
func join(jobs []*job) []society.AgentID {
	timer := time.NewTimer(joinBound)
	defer timer.Stop()
	var late []society.AgentID
	expired := false
	for _, j := range jobs {
		if !expired {
			select {
			case <-j.done:
				continue
			case <-timer.C:
				expired = true
			}
		}
		if !j.ended() {
			late = append(late, j.work.Agent)
		}
	}
	return late
}

// joins makes an order wait for the agents that it ends, or that an order before
// it is ending: concurrent stops wait for the same end. It says whether the order
// waits.
func (r *Runtime) joins(o *order) bool {
	var top society.AgentID
	switch c := o.cmd.(type) {
	case society.Stop:
		top = c.Agent
	case society.Terminate:
		top = c.Agent
	default:
		return false
	}
	w := &waiter{order: o, agents: endedBy(o.events)}
	for _, id := range r.state.Subtree(top) {
		if _, ending := r.halting[id]; ending && !slices.Contains(w.agents, id) {
			w.agents = append(w.agents, id)
		}
	}
	if len(w.agents) == 0 {
		return false
	}
	r.waiters = append(r.waiters, w)
	return true
}

// release answers the stops and terminations whose agents have all ended.
func (r *Runtime) release(c society.Halted) {
	if len(c.Abandoned) > 0 {
		r.log.Warn("work did not end in time; its answer can no longer count", "agents", c.Abandoned)
	}
	for id := range r.halting {
		if !r.ending(id) {
			delete(r.halting, id)
		}
	}
	r.waiters = slices.DeleteFunc(r.waiters, func(w *waiter) bool {
		for _, id := range c.Abandoned {
			if slices.Contains(w.agents, id) {
				w.abandoned = append(w.abandoned, id)
			}
		}
		w.agents = slices.DeleteFunc(w.agents, func(id society.AgentID) bool { return !r.ending(id) })
		if len(w.agents) > 0 {
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
	switch reply := w.order.reply.(type) {
	case society.StopResult:
		reply.Abandoned = w.abandoned
		w.order.reply = reply
	case society.TerminateResult:
		reply.Abandoned = w.abandoned
		w.order.reply = reply
	}
	w.order.answer()
}
