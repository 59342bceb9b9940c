package runtime

import (
	"context"
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"time"

	"society-tui/runtime/society"
	"society-tui/runtime/tool"
)

// A job is a piece of work that runs. The loop owns it; its goroutine ends when
// the work has ended or ctx is cancelled, and then closes done.
type job struct {
	work   society.Work
	item   society.WorkItem // of work
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	joined uint64     // the last join that had begun before it
	class  tool.Class // of the tool that it calls, "" for other work
}

// edits reports whether a job changes files.
func (j *job) edits() bool { return j.class == tool.ClassEdit }

// bound returns how long a stop waits for a job.
func (j *job) bound() time.Duration {
	if j.class == tool.ClassRun {
		return processBound
	}
	return joinBound
}

// reconcile starts what is owed by the changed agents and does not run, and
// cancels what runs and is not owed. While nothing is saved, and while leaving,
// nothing is started.
func (r *Runtime) reconcile(changed society.Changed) {
	for i, id := range changed.Agents {
		if i%giveWay == giveWay-1 {
			goruntime.Gosched()
		}
		r.reconcileOne(id)
	}
}

func (r *Runtime) reconcileAll() {
	for _, id := range r.state.Agents() {
		r.reconcileOne(id)
	}
	for id := range r.workers.jobs {
		if r.state.Agent(id) == nil {
			r.reconcileOne(id)
		}
	}
}

func (r *Runtime) reconcileOne(id society.AgentID) {
	owed := r.state.OwedBy(id)
	for _, j := range r.workers.jobs[id] {
		i := slices.IndexFunc(owed, func(w society.Work) bool { return w.Item().Step == j.item.Step })
		switch {
		case j.ended() && i >= 0 && r.queue.brings(owed[i].Item()):
			owed = slices.Delete(owed, i, i+1) // its result is carried out next
		case j.ended():
			r.forget(j)
		case i < 0 || owed[i].Item().Epoch != j.item.Epoch:
			j.cancel()
			r.detach(j)
		default:
			owed = slices.Delete(owed, i, i+1)
		}
	}
	if len(owed) == 0 || !r.started || r.shutdown.leaving || r.outage != nil || r.queue.ends(id) {
		return
	}
	for _, w := range owed {
		if !r.begunBefore(w) {
			r.start(w)
		}
	}
}

func (j *job) ended() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// forget takes a job out of the list, which whoever looks through it keeps as it was.
func (r *Runtime) forget(j *job) {
	left := slices.DeleteFunc(slices.Clone(r.workers.jobs[j.item.Agent]), func(one *job) bool { return one == j })
	if len(left) == 0 {
		delete(r.workers.jobs, j.item.Agent)
		return
	}
	r.workers.jobs[j.item.Agent] = left
}

// detach forgets a job that is being cancelled, but for those who must wait for
// its end.
func (r *Runtime) detach(j *job) {
	r.forget(j)
	id := j.item.Agent
	late := slices.DeleteFunc(append(r.workers.cancelledJobs[id], j), (*job).ended)
	if len(late) == 0 {
		delete(r.workers.cancelledJobs, id)
		return
	}
	r.workers.cancelledJobs[id] = late
}

// start begins a piece of work on a goroutine of its own.
func (r *Runtime) start(w society.Work) {
	ctx, cancel := context.WithCancel(context.Background())
	id := w.Item().Agent
	j := &job{work: w, item: w.Item(), ctx: ctx, cancel: cancel, done: make(chan struct{}), joined: r.workers.joined}
	if act, ok := w.(society.Act); ok {
		j.class = r.toolbox.classes[act.Call.Name]
	}
	r.workers.jobs[id], r.workers.begunAfter = append(slices.Clip(r.workers.jobs[id]), j), r.workers.joined
	r.drafts.expect(id, j.item.Epoch)
	run := r.doing(j)
	r.startWorker(func() {
		defer close(j.done)
		defer cancel()
		var result society.Command
		if ctx.Err() == nil {
			result = r.guarded(j, run)
		}
		switch {
		case result == nil:
		case ctx.Err() != nil: // it counts no more, and the loop need not refuse it
			r.discarded(w)
			if try, asked := society.TryOf(result); asked {
				r.post(try)
			}
			r.removeNow(ctx, worktreesFor(result))
			if keep, ok := society.FileChangesOf(result); ok { // what it has done stays done
				r.post(keep)
			}
		default:
			r.post(result)
		}
		if ctx.Err() != nil { // it may have begun to write after what has aborted it
			r.outputs.end(j.item)
		}
	})
}

// doing returns what a job does: which worker does which work is known here alone. It is
// called by the loop, so it may read the state; what it returns runs outside and must not.
func (r *Runtime) doing(j *job) func() society.Command {
	ctx := j.ctx
	switch w := j.work.(type) {
	case society.Think:
		t := r.modelCall(w, w.AfterCompression)
		return func() society.Command { return r.think(ctx, t, w) }
	case society.Act:
		t := r.toolCall(w)
		return func() society.Command { return r.act(ctx, t, w) }
	case society.Plan:
		t := &modelCall{work: w, item: w.Item(), lang: r.state.Lang(), worktree: r.state.Agent(w.Agent).Worktree, tools: r.toolbox.tools}
		was := r.state.PlannedHashes(w)
		return func() society.Command { return r.plan(ctx, t, w, was) }
	case society.Compress:
		t := r.modelCall(w, false)
		turn := r.state.Agent(w.Agent).Turn
		t.fits = w.ByUser && (turn == nil || !turn.Full)
		return func() society.Command { return r.compress(ctx, t, w) }
	case society.Judge:
		t := r.modelCall(w, w.AfterCompression)
		return func() society.Command { return r.judge(ctx, t, w) }
	case society.Join:
		t := r.modelCall(w, false)
		return func() society.Command { return r.join(t, w) }
	case society.Wait:
		return func() society.Command { return wait(ctx, w) }
	}
	panic(fmt.Sprintf("there is no worker for %T", j.work))
}

// guarded runs a job and makes a panic in it a failure of that job alone.
func (r *Runtime) guarded(j *job, run func() society.Command) (result society.Command) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("a worker panicked", "agent", j.item.Agent, "kind", j.work.Kind(), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			result = society.Panicked{Work: j.work, Text: "an internal error: see the log"}
		}
	}()
	return run()
}

// looksAt is how often a wait reads the wall clock, which may be set or have slept.
const looksAt = time.Minute

// wait ends at the work's point in time, or when so long has passed, whichever
// is first.
func wait(ctx context.Context, w society.Wait) society.Command {
	wall := w.Until.Round(0) // without the count of what has passed
	for {
		left := min(time.Until(w.Until), wall.Sub(time.Now().Round(0)))
		if left <= 0 && ctx.Err() == nil {
			return society.TimerFired{Work: w}
		}
		timer := time.NewTimer(min(left, looksAt))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil
		}
	}
}
