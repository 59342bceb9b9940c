package society

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// An agent's turn is the run of its role's graph: the run selects the next node, and the
// rules execute it like other work. A role without a graph has the plain one, a single
// node, whose run is not stored: its position follows from the turn.

// run returns the run of an agent's turn, for this decision to move on: the one
// that is kept, else a new one at the entry of the graph. It fails where the graph
// was changed in the middle of the run.
func (d *decision) run(a *Agent) (*graph.Run, error) {
	run, moved := d.runs[a.ID]
	if !moved && a.Turn.isLost() {
		return nil, fmt.Errorf("run of %s: %w", a.ID, graph.ErrChanged)
	}
	if !moved && a.Turn != nil && a.Turn.Run != nil {
		run = a.Turn.Run.Clone()
	}
	g := d.s.graphOf(a)
	if run == nil && !moved && a.Turn != nil && a.busy() {
		g = d.s.plain // the turn began before its role had a graph
	}
	if run != nil && !run.Status.Over() {
		d.runs[a.ID] = run
		if d.plain(run) {
			g = d.s.plain
		}
		return run, run.Attach(g)
	}
	run, err := graph.NewRun(g, "")
	if err != nil {
		return nil, err
	}
	run.OneByOne, run.Branch = !g.Parallel(), a.Branched
	if limit := g.Timeout(); limit > 0 {
		run.Deadline = d.at.Add(limit)
	}
	d.runs[a.ID] = run
	return run, run.Start(d.at)
}

// moved records how far a run has come; of the plain graph there is nothing to
// record.
func (d *decision) moved(a *Agent, run *graph.Run, closes uint64) {
	if !d.plain(run) {
		d.add(GraphAdvanced{Agent: a.ID, Run: run.Clone(), Closes: closes, At: d.at})
	}
}

func (d *decision) plain(run *graph.Run) bool { return run.Graph == d.s.plain.Fingerprint() }

// An opening selects how work of a turn is opened.
type opening struct {
	closes           uint64        // the step that has ended, which may serve the same work
	anew             bool          // nothing is open any more: it was cut short
	attempt          int           // retries made of that before
	waited           time.Duration // as in Step
	again            bool          // the user let a suspended turn go on
	afterCompression bool          // its context was just compressed
}

// goAhead opens what the run of the turn waits for and what is not open: the one
// place where an agent's own work begins.
func (d *decision) goAhead(a *Agent, o opening) {
	run, err := d.run(a)
	if err != nil {
		d.runLost(a, err)
		return
	}
	if t := a.Turn; o.again && t != nil && t.Suspended && !t.Rested.Before(run.Began) {
		run.Postpone(d.at.Sub(t.Rested))
	}
	run.Expire(d.at)
	if run.Status.Over() && o.again { // its time was up before the user let it go on
		d.moved(a, run, 0) // to be looked at
		if run, err = d.run(a); err != nil {
			d.runLost(a, err)
			return
		}
	}
	for _, w := range run.Next() {
		if o.anew || !a.serves(w.Step, o.closes) {
			run.Release(w.Step, d.at) // it waited for its turn when it was cut short
		}
	}
	if !run.Status.Over() && !o.anew && a.SideBySide() {
		d.endLate(a, run, o.closes)
	}
	d.moved(a, run, 0)
	if run.Status.Over() {
		d.runFailed(a, run)
		return
	}
	if d.held(a) {
		d.hold(a, o.closes)
		return
	}
	step := a.Step
	for _, w := range run.Next() {
		if !o.anew && a.serves(w.Step, o.closes) {
			continue
		}
		step++
		d.open(a, w, step, o)
	}
}

// serves reports whether an open step, but the one that closes, or an open answer serves
// that step of the run.
func (a *Agent) serves(work, closes uint64) bool {
	return slices.ContainsFunc(a.Open, func(s Step) bool { return s.Work == work && s.N != closes && !s.aside() }) ||
		a.SideBySide() && slices.ContainsFunc(a.openAnswers(), func(o openAnswer) bool { return o.at != nil && o.at.Step == work })
}

// unserved reports whether, of an agent with calls, all calls of an answer have their
// results and nothing else was begun.
func (a *Agent) unserved() bool {
	if !a.SideBySide() {
		return a.Tail.Group == nil
	}
	return slices.ContainsFunc(a.Turn.Run.Next(), func(w graph.Work) bool { return !a.serves(w.Step, 0) })
}

// open begins one piece of work of a run.
func (d *decision) open(a *Agent, w graph.Work, step uint64, o opening) {
	run := d.runs[a.ID]
	if d.plain(run) {
		w.Step = 0
	}
	asks := ThinkOpened{Agent: a.ID, Step: step, At: d.at, Again: o.again, Attempt: o.attempt, Waited: o.waited, Work: w.Step, AfterCompression: o.afterCompression}
	switch w.Kind {
	case graph.Execute:
		d.add(asks)
	case graph.Wait:
		d.add(RunWaits{Agent: a.ID, Step: step, At: d.at, Until: w.Until, Cause: lastFailure(run), Work: w.Step})
	case graph.Join:
		d.add(JudgeOpened{asks, JoinStep})
	default:
		d.add(JudgeOpened{asks, JudgeStep})
	}
}

func lastFailure(run *graph.Run) string {
	if n := len(run.Path); n > 0 {
		return run.Path[n-1].Why
	}
	return ""
}

// told gives the run of the turn the result of a step, 0 in the plain graph. It fails if
// the run cannot go on.
func (d *decision) told(a *Agent, step uint64, result graph.Result) (*graph.Run, error) {
	run, err := d.run(a)
	if err == nil {
		result.At = d.at
		err = run.Done(graph.Work{Step: stepOf(run, step)}, result)
	}
	return run, err
}

// tell calls told, and ends the turn if the run cannot go on; then it returns nil.
func (d *decision) tell(a *Agent, step uint64, result graph.Result) *graph.Run {
	run, err := d.told(a, step, result)
	if err != nil {
		d.runLost(a, err)
		return nil
	}
	return run
}

// stepOf is the step of a run that is meant: of the plain graph there is one.
func stepOf(run *graph.Run, step uint64) uint64 {
	if first, ok := run.First(); ok && step == 0 {
		return first.Step
	}
	return step
}

// onward goes on after a piece of work of the run has ended, and the run has not.
// Messages are taken between two nodes, and a pause waits for that border (SPEC.md,
// decisions 30, 31).
func (d *decision) onward(a *Agent, run *graph.Run, closes uint64) {
	if run.Status.Over() {
		d.runFailed(a, run)
		return
	}
	if a.beforeNodes(run, closes) {
		switch {
		case a.Paused != "":
			d.add(TurnHeld{Agent: a.ID, At: d.at})
			return
		case !run.Forked() && d.wakes(a):
			d.take(a)
		}
	}
	d.goAhead(a, opening{closes: closes})
}

// beforeNodes reports whether a run only waits to execute nodes, none of which has begun.
func (a *Agent) beforeNodes(run *graph.Run, closes uint64) bool {
	return !slices.ContainsFunc(run.Next(), func(w graph.Work) bool {
		return w.Kind != graph.Execute || a.serves(w.Step, closes)
	})
}

// runFailed ends a turn whose run has ended in an error.
func (d *decision) runFailed(a *Agent, run *graph.Run) {
	detail := run.Detail
	if run.Reason == graph.TimedOut {
		detail = fmt.Sprint(d.s.graphOf(a).Timeout())
	}
	d.fail(a, string(run.Reason), d.say(protocol.RunFailed, d.s.graphOf(a).Name(), run.Reason, detail))
}

// runLost ends a turn that cannot go on where it was: its graph is another by now.
func (d *decision) runLost(a *Agent, err error) {
	why := "graph_damaged"
	if errors.Is(err, graph.ErrChanged) {
		why = "graph_changed"
	}
	d.add(GraphAdvanced{Agent: a.ID})
	d.fail(a, why, d.say(protocol.RunLost, d.s.RoleName(a.ID)))
}

// judged goes on with what was judged of a condition. One that could not be judged counts
// as no, with a warning in the path (SPEC.md, decision 29).
func (d *decision) judged(a *Agent, c Judged) {
	d.used = c.Usage
	d.judgedAs(a, c.Work.Step, graph.Result{Verdict: c.Verdict, Choice: c.Choice, Why: c.Why, Failed: c.Failed}, c)
}

func (d *decision) judgedAs(a *Agent, step uint64, result graph.Result, by Judged) {
	spent := GraphAdvanced{Agent: a.ID, Closes: step, Usage: by.Usage, Task: a.Turn.Task, Model: by.Model, At: d.at}
	run, err := d.told(a, a.step(step).Work, result)
	if err != nil {
		d.add(spent) // all the same
		d.runLost(a, err)
		return
	}
	spent.Run = run.Clone()
	d.add(spent)
	d.onward(a, run, step)
}

// joined adds the merged branches to the trunk, where the join reads them.
func (d *decision) joined(a *Agent, c Joined) {
	step := a.step(c.Work.Step).Work
	entry := conversation.Entry{
		Slot: d.tail(a).Append(), Kind: conversation.Merged, At: d.at, From: string(Runtime), To: string(a.ID),
		Text: c.Text, Branch: a.branch(step),
	}
	d.add(BranchesMerged{Agent: a.ID, Entry: entry})
	run := d.tell(a, step, graph.Result{})
	if run == nil {
		return
	}
	d.moved(a, run, c.Work.Step)
	d.onward(a, run, c.Work.Step)
}

// nodeFails lets the run try the node at hand again, if that is left to it.
func (d *decision) nodeFails(a *Agent, step Step, text string) bool {
	if step.Kind != ThinkStep {
		return false
	}
	run, err := d.run(a)
	if err != nil || d.plain(run) {
		return false
	}
	tried := run.Clone()
	work := graph.Work{Step: step.Work}
	if tried.Done(work, graph.Result{At: d.at, Failed: text}) != nil || tried.Status.Over() {
		return false
	}
	d.runs[a.ID] = tried
	d.moved(a, tried, step.N)
	d.goAhead(a, opening{closes: step.N})
	return true
}
