package graph

import "time"

// WorkKind is the kind of a piece of work.
type WorkKind uint8

// The kinds of work.
const (
	Execute WorkKind = iota + 1 // a node
	Judge                       // one condition, a question or a Go function
	Choose                      // one of several conditions, or none
	Wait                        // for a point in time
	Join                        // merge the contexts of branches
)

// Work is what a run waits for. Its result counts while its step is open.
type Work struct {
	Step    uint64
	Kind    WorkKind
	Branch  int    // in whose context; 0 is the trunk
	Node    string // key of the node that is executed or left, or of the join
	Attempt int    // of an Execute, from 1
	// Until is when a Wait ends, or an Execute times out; zero for no limit of its own.
	Until time.Time
	// To is the node that a Judge leads to; Question or Func is its condition.
	To, Question, Func string
	// Choices are the options of a Choose.
	Choices []Choice
	// Merge is how a Join merges, Func its function, and Branches are the taken branches,
	// in order.
	Merge    Merge
	Branches []int
}

// Verdict is the result of judging a condition.
type Verdict uint8

// The verdicts. What is neither counts as no, with a warning in the path.
const (
	Neither Verdict = iota
	Yes
	No
)

// A Result is how a piece of work ended.
type Result struct {
	At time.Time
	// Failed is why the work failed, "" if it did not. A Judge or Choose that failed
	// counts as no.
	Failed string
	// Final marks a failure after which nothing is tried: no retry of an Execute,
	// no further condition after a Judge. The run ends.
	Final bool
	// Verdict is the result of a Judge. For a Choose it is Yes with the Choice, counted
	// from 1, or No if none holds.
	Verdict Verdict
	Choice  int
	// Why is the reason that was given with the verdict.
	Why string
}

// Next returns the work that the run waits for, all that is open: nodes to
// execute, conditions to judge, waits. It is empty when the run is over, and
// when it is paused and what was open has ended.
func (r *Run) Next() []Work {
	open := 0
	for i := range r.Branches {
		if r.Branches[i].Step != 0 {
			open++
		}
	}
	if open == 0 {
		return nil
	}
	work := make([]Work, 0, open)
	for i := range r.Branches {
		if r.Branches[i].Step != 0 {
			work = work[:len(work)+1]
			r.describe(&r.Branches[i], &work[len(work)-1])
		}
	}
	return work
}

// First returns the first piece of work that Next returns, without a list; ok is false if there
// is none.
func (r *Run) First() (w Work, ok bool) {
	for i := range r.Branches {
		if r.Branches[i].Step != 0 {
			r.describe(&r.Branches[i], &w)
			return w, true
		}
	}
	return w, false
}

// Expects reports whether a result of w still counts.
func (r *Run) Expects(w Work) bool { return r.opened(w.Step) >= 0 }

// opened returns the thread whose open work has that number, or -1.
func (r *Run) opened(step uint64) int {
	for i := range r.Branches {
		if step != 0 && r.Branches[i].Step == step {
			return i
		}
	}
	return -1
}

// kind returns the kind of a thread's open work, and its node.
func (r *Run) kind(t *Thread) (WorkKind, string) {
	p := &r.graph.nodes[t.At]
	switch t.Phase {
	case ready:
		return Execute, p.key
	case again:
		return Wait, p.key
	case gate: // at the node that is left, not at the one that may be entered
		return Judge, r.graph.nodes[r.Branches[r.find(t.Parent)].At].key
	case joining:
		return Join, r.graph.nodes[r.graph.fans[p.fan].join].key
	}
	if p.choices != nil {
		return Choose, p.key
	}
	return Judge, p.key
}

// describe sets w to the open work of a thread.
func (r *Run) describe(t *Thread, w *Work) {
	p := &r.graph.nodes[t.At]
	w.Step, w.Branch = t.Step, t.ID
	switch w.Kind, w.Node = r.kind(t); w.Kind {
	case Execute, Wait:
		w.Attempt, w.Until = t.Attempt, t.Until
	case Choose:
		w.Choices = p.choices
	case Judge:
		ways, n := p.edges, t.Edge
		if t.Phase == gate {
			ways, n = r.graph.fans[t.Fan].branches, t.Index
		}
		e := &ways[n]
		w.To, w.Question, w.Func = e.key, e.question, e.name
	case Join:
		f := &r.graph.fans[p.fan]
		w.Merge, w.Func = f.merge, f.name
		w.Branches = make([]int, 0, len(f.branches))
		for i := range r.Branches {
			if b := &r.Branches[i]; b.ID != 0 && b.Parent == t.ID && b.Phase == arrived {
				w.Branches = append(w.Branches, b.ID)
			}
		}
	}
}
