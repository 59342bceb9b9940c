package execute

import (
	"context"
	"fmt"
	"time"

	"society-tui/runtime/graph"
)

// A job is a piece of work that runs, and then the outcome.
type job struct {
	work   graph.Work
	state  graph.State // what the work is done on
	cancel context.CancelFunc
	// Set by the job's goroutine before it hands itself over.
	result graph.Result
	said   []graph.Message // what it adds to its branch; whole rounds
	calls  []ToolCall
}

// mind leads the run to its end. Alone of all goroutines it starts work and takes
// results in, so the checkpoint of a result is saved before what follows from it
// is begun. It ends when all work has.
func (x *Execution) mind() {
	defer close(x.done)
	defer x.cancel()
	defer x.mend()
	timer := time.NewTimer(0)
	defer timer.Stop()
	x.begin()
	for {
		x.publish()
		due, running, over := x.settle()
		if over && running == 0 {
			x.publish()
			return
		}
		timer.Stop()
		var alarm <-chan time.Time
		if !due.IsZero() {
			timer.Reset(time.Until(due))
			alarm = timer.C
		}
		away := x.ctx.Done()
		if over {
			away = nil // it has been told
		}
		select {
		case j := <-x.finished:
			x.take(j)
		case <-x.poke:
		case <-alarm:
			x.command(func(now time.Time) { x.run.Expire(now) })
		case <-away:
			x.command(func(now time.Time) {
				if x.run.Abort(now) == nil {
					x.err = context.Cause(x.outer)
				}
			})
		}
	}
}

// mend ends an execution that a panic of our own broke, when its jobs have ended.
func (x *Execution) mend() {
	p := recover()
	if p == nil {
		return
	}
	x.cancel()
	x.command(func(now time.Time) {
		_ = x.run.Abort(now) // it may be over
		x.err = fmt.Errorf("panic: %v", p)
	})
	for range x.jobs {
		<-x.finished
	}
}

func (x *Execution) command(f func(now time.Time)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f(time.Now())
	x.dirty = true
}

// begin starts the run, unless it was begun before a restart or is over already.
func (x *Execution) begin() {
	x.command(func(now time.Time) {
		if x.run.Status == graph.Pending {
			_ = x.run.Start(now) // it is pending
		}
	})
}

// settle cuts off what is not to run and starts what is. A branch has one job at
// a time, so that what a cut one still has to say comes before the next.
func (x *Execution) settle() (due time.Time, running int, over bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cutOff()
	for _, w := range x.run.Next() {
		if !x.busy(w.Branch) {
			x.launch(w)
		}
	}
	return x.run.Due(), len(x.jobs), x.run.Status.Over()
}

func (x *Execution) busy(branch int) bool {
	for _, j := range x.jobs {
		if j.work.Branch == branch {
			return true
		}
	}
	return false
}

// cutOff cancels the jobs whose results do not count any more. The caller holds
// mu.
func (x *Execution) cutOff() {
	for _, j := range x.jobs {
		if !x.run.Expects(j.work) {
			j.cancel()
		}
	}
}

// launch starts a job. The caller holds mu.
func (x *Execution) launch(w graph.Work) {
	at := x.context(w.Branch)
	if w.Branch == 0 && !x.run.Forked() {
		at.messages = append(at.messages, x.waiting...)
		x.waiting = nil
	}
	j := &job{work: w, state: graph.State{History: whole(x.history), Context: whole(at.messages)}}
	ctx, cancel := context.WithCancel(x.ctx)
	j.cancel = cancel
	x.jobs[w.Step] = j
	before, branches := x.branches(w)
	go func() {
		defer cancel()
		x.carryOut(ctx, j, before, branches)
		x.finished <- j
	}()
}

// whole returns s such that nobody who appends to it changes what others see.
func whole[T any](s []T) []T { return s[:len(s):len(s)] }

// context returns what was said in a branch, which at first is what was said
// where it was taken. The caller holds mu.
func (x *Execution) context(id int) *branch {
	if b := x.contexts[id]; b != nil {
		return b
	}
	parent, _ := x.run.Parent(id) // it is open
	said := x.context(parent).messages
	x.contexts[id] = &branch{messages: whole(said), before: len(said)}
	return x.contexts[id]
}

// branches returns what a Join has to merge. The caller holds mu.
func (x *Execution) branches(w graph.Work) (before []graph.Message, added [][]graph.Message) {
	for _, id := range w.Branches {
		b := x.context(id)
		added = append(added, whole(b.messages[b.before:]))
	}
	return whole(x.context(w.Branch).messages), added
}

// take handles the result of a job. An interrupted one keeps its rounds of calls, because
// tools have acted in them.
func (x *Execution) take(j *job) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.jobs, j.work.Step)
	counts := x.run.Expects(j.work)
	if n := len(j.said); !counts && n > 0 && j.said[n-1].Role == graph.Assistant {
		j.said = j.said[:n-1]
	}
	if _, open := x.run.Parent(j.work.Branch); open || j.work.Branch == 0 {
		b := x.context(j.work.Branch)
		b.messages = append(b.messages, j.said...)
	}
	x.calls = append(x.calls, j.calls...)
	x.dirty = true
	if !counts {
		return
	}
	j.result.At = time.Now()
	_ = x.run.Done(j.work, j.result) // it is expected
	for id := range x.contexts {
		if _, open := x.run.Parent(id); id != 0 && !open {
			delete(x.contexts, id)
		}
	}
}

// publish tells the caller what happened and gives it the checkpoint.
func (x *Execution) publish() {
	x.mu.Lock()
	events, dirty := x.events, x.dirty
	x.events, x.dirty = nil, false
	var checkpoint []byte
	if dirty && x.config.Save != nil {
		checkpoint = x.checkpoint()
	}
	x.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			x.command(func(now time.Time) {
				_ = x.run.Abort(now) // it may be over
				x.err = fmt.Errorf("panic of who watches: %v", p)
			})
		}
	}()
	if checkpoint != nil {
		x.config.Save(checkpoint)
	}
	for _, e := range events {
		x.config.Watch(e)
	}
}
