package graph

import (
	"fmt"
	"slices"
	"time"
)

// Done gives the run the result of a piece of work, and opens what follows. It returns
// ErrStale, and changes nothing, if the work's step is not open. A result after a
// deadline is too late, even if Expire was not called.
func (r *Run) Done(w Work, result Result) error {
	i := r.opened(w.Step)
	if i < 0 {
		return fmt.Errorf("result of step %d: %w", w.Step, ErrStale)
	}
	switch r.Branches[i].Phase {
	case ready:
		r.executed(i, &result)
	case again:
		r.record(&r.Branches[i], &Record{Ended: result.At, Outcome: OK})
		r.Branches[i].Phase, r.Branches[i].Step = ready, 0
	case gate, leaving:
		r.judged(i, &result)
	case joining:
		r.joined(i, &result)
	}
	r.goOn(result.At)
	return nil
}

// goOn opens all that can be worked on. A thread stands before those of its
// branches, so one by one means the first that is not at its end.
func (r *Run) goOn(at time.Time) {
	if r.Status == Running && late(at, r.Deadline) {
		r.end(at, Error, TimedOut, "")
	}
	for i := 0; i < len(r.Branches) && r.Status == Running && !r.Paused; {
		t := &r.Branches[i]
		switch {
		case t.Step != 0:
			if r.OneByOne {
				return
			}
			i++
		case t.Phase == forked || t.Phase == arrived || t.Phase == untaken:
			i++
		default:
			i = r.move(i, at)
		}
	}
}

// move opens the next work of a thread or takes it a step on without any, and
// returns the thread to look at next.
func (r *Run) move(i int, at time.Time) int {
	t := &r.Branches[i]
	p := &r.graph.nodes[t.At]
	switch t.Phase {
	case ready:
		if r.Iterations >= r.graph.MaxIterations() {
			r.end(at, Error, TooManySteps, fmt.Sprintf("%d nodes were executed", r.Iterations))
			return i
		}
		r.Iterations++
		t.Attempt++
		t.Until = time.Time{}
		if p.node.Timeout > 0 {
			t.Until = at.Add(time.Duration(p.node.Timeout))
		}
	case gate:
		if b := &r.graph.fans[t.Fan].branches[t.Index]; b.question == "" && b.name == "" {
			t.Phase = ready
			return i
		}
	case leaving:
		if t.Edge >= len(p.edges) {
			return r.leave(i, at)
		}
	}
	r.Step++
	t.Step, t.Began = r.Step, at
	if r.observe != nil {
		kind, node := r.kind(t)
		r.observe(Event{Kind: Opened, At: at, Work: kind, Step: t.Step, Branch: t.ID, Node: node})
	}
	return i
}

// leave goes on from a node none of whose conditions holds.
func (r *Run) leave(i int, at time.Time) int {
	p := &r.graph.nodes[r.Branches[i].At]
	switch {
	case p.fallback >= 0:
		return r.reach(i, p.fallback)
	case p.fan >= 0:
		r.fork(i, p.fan)
		return i
	}
	r.end(at, Error, NoRoute, fmt.Sprintf("no way leads on from %q", p.key))
	return i
}

// reach takes a thread to a node, which may be the join of its branch, and
// returns the thread to look at next.
func (r *Run) reach(i, to int) int {
	t := &r.Branches[i]
	if t.ID != 0 && r.graph.fans[t.Fan].join == to {
		return r.finish(i, arrived)
	}
	t.At, t.Phase, t.Edge, t.Attempt, t.Failures = to, ready, 0, 0, 0
	return i
}

// fork opens the branches of a fan-out directly after their trunk.
func (r *Run) fork(i, fan int) {
	ways, old := r.graph.fans[fan].branches, len(r.Branches)
	r.Branches = slices.Grow(r.Branches, len(ways))[:old+len(ways)]
	copy(r.Branches[i+1+len(ways):], r.Branches[i+1:old])
	for k, b := range ways {
		r.Branch++
		r.Branches[i+1+k] = Thread{ID: r.Branch, Parent: r.Branches[i].ID, Fan: fan, Index: k, At: b.to, Phase: gate}
	}
	r.Branches[i].Phase = forked
}

// finish ends a branch. After the last one of its fan-out the join fires: with the
// results of the branches, or at once if none was taken.
func (r *Run) finish(i int, how phase) int {
	r.Branches[i].Phase = how
	parent, taken := r.Branches[i].Parent, false
	for k := range r.Branches {
		b := &r.Branches[k]
		if b.ID == 0 || b.Parent != parent {
			continue
		}
		if b.Phase != arrived && b.Phase != untaken {
			return i + 1
		}
		taken = taken || b.Phase == arrived
	}
	trunk := r.find(parent)
	r.Branches[trunk].Phase = joining
	if !taken {
		r.rejoin(trunk)
	}
	return trunk
}

// rejoin takes the trunk of branches that have ended to their join.
func (r *Run) rejoin(i int) {
	parent, join := r.Branches[i].ID, r.graph.fans[r.graph.nodes[r.Branches[i].At].fan].join
	r.Branches = slices.DeleteFunc(r.Branches, func(t Thread) bool { return t.ID != 0 && t.Parent == parent })
	r.reach(i, join)
}

// executed handles the result of a node: the end of the run, the way on, or another
// attempt.
func (r *Run) executed(i int, result *Result) {
	t := &r.Branches[i]
	p := &r.graph.nodes[t.At]
	rec := Record{Ended: result.At, Outcome: OK, Why: result.Failed}
	switch {
	case late(result.At, t.Until):
		rec.Outcome, rec.Why = Late, ""
	case result.Failed != "":
		rec.Outcome = Failed
	}
	r.record(t, &rec)
	t.Step, t.Left = 0, 0
	switch {
	case rec.Outcome == OK && p.end:
		if !late(result.At, r.Deadline) {
			r.end(result.At, Completed, "", "")
		}
	case rec.Outcome == OK:
		t.Phase, t.Edge = leaving, 0
	case t.Failures < p.node.Retries && !(result.Final && rec.Outcome == Failed):
		t.Failures++
		t.Phase = again
		t.Until = result.At.Add(retryWait(p.node) << (t.Failures - 1))
	case late(result.At, r.Deadline): // goOn ends the run
	case rec.Outcome == Late:
		r.end(result.At, Error, NodeFailed, fmt.Sprintf("%q took longer than %s", p.key, time.Duration(p.node.Timeout)))
	default:
		r.end(result.At, Error, NodeFailed, fmt.Sprintf("%q: %s", p.key, result.Failed))
	}
}

func retryWait(n *Node) time.Duration {
	if n.RetryWait == 0 {
		return DefaultRetryWait
	}
	return time.Duration(n.RetryWait)
}

// judged decides on a verdict. First yes wins; no, neither and a failure go on to the
// next condition, the latter two with a warning (SPEC.md, decision 29).
func (r *Run) judged(i int, result *Result) {
	t := &r.Branches[i]
	p := &r.graph.nodes[t.At]
	rec := Record{Ended: result.At, Outcome: OK, Verdict: result.Verdict, Why: result.Why}
	yes, to := result.Verdict == Yes, -1
	switch {
	case t.Phase == gate:
		rec.To = p.key
	case p.choices == nil:
		to, rec.To = p.edges[t.Edge].to, p.edges[t.Edge].key
	default:
		if yes = yes && result.Choice >= 1 && result.Choice <= len(p.edges); yes {
			to, rec.To = p.edges[result.Choice-1].to, p.edges[result.Choice-1].key
		}
	}
	switch {
	case result.Failed != "":
		rec.Verdict, rec.Why, rec.Outcome, yes = Neither, result.Failed, Failed, false
	case !yes && result.Verdict != No:
		rec.Verdict, rec.Outcome = Neither, Unclear
	}
	r.record(t, &rec)
	t.Step = 0
	switch {
	case late(result.At, r.Deadline): // goOn ends the run
	case result.Failed != "" && result.Final:
		r.end(result.At, Error, ConditionFailed, fmt.Sprintf("%q: %s", p.key, result.Failed))
	case t.Phase == gate && yes:
		t.Phase = ready
	case t.Phase == gate:
		r.finish(i, untaken)
	case yes:
		r.reach(i, to)
	case p.choices != nil:
		t.Edge = len(p.edges)
	default:
		t.Edge++
	}
}

// joined takes the trunk on after its branches were merged.
func (r *Run) joined(i int, result *Result) {
	t := &r.Branches[i]
	rec := Record{Ended: result.At, Outcome: OK, Why: result.Failed}
	if result.Failed != "" {
		rec.Outcome = Failed
	}
	r.record(t, &rec)
	t.Step = 0
	if result.Failed == "" {
		r.rejoin(i)
	} else if !late(result.At, r.Deadline) {
		r.end(result.At, Error, MergeFailed, fmt.Sprintf("%q: %s", rec.Node, result.Failed))
	}
}
