package society

import (
	"slices"

	"society-tui/runtime/graph"
)

// dueAt keeps the wait for the time of a node or of the whole run to be up. It reports
// whether there was something to do.
func (d *decision) dueAt(a *Agent) bool {
	if a.Turn == nil || a.Turn.Run == nil || !a.Status.Active() {
		return false
	}
	set := DeadlineSet{Agent: a.ID, Until: a.Turn.Run.Due()}
	for _, step := range a.Open {
		if !step.waits(NodeDeadline) {
			continue
		}
		if step.Until.Equal(set.Until) {
			return false
		}
		set.Closes = step.N
	}
	if !set.Until.IsZero() {
		set.Step = a.Step + 1
	}
	if set.Step == 0 && set.Closes == 0 {
		return false
	}
	d.add(set)
	return true
}

// timeIsUp ends what runs of a node, or of the run, whose time is up.
func (d *decision) timeIsUp(a *Agent, closes uint64) {
	d.add(DeadlineSet{Agent: a.ID, Closes: closes})
	run, err := d.run(a)
	if err != nil {
		d.runLost(a, err)
		return
	}
	before := len(run.Path)
	if run.Expire(d.at); len(run.Path) == before && !run.Status.Over() {
		return
	}
	if a.SideBySide() && !run.Status.Over() { // the other branches go on
		d.goAhead(a, opening{})
		return
	}
	d.abort(a, 0)
	d.add(WorkAborted{Agent: a.ID, At: d.at})
	d.moved(a, run, 0)
	if run.Status.Over() {
		d.runFailed(a, run)
		return
	}
	d.goAhead(a, opening{anew: true})
}

// endLate ends what runs in branches for nodes whose time is up, but the step that closes.
func (d *decision) endLate(a *Agent, run *graph.Run, closes uint64) {
	late := func(work uint64) bool {
		return !slices.ContainsFunc(run.Next(), func(w graph.Work) bool { return w.Step == work })
	}
	for _, o := range a.openAnswers() {
		if o.at != nil && late(o.at.Step) {
			d.answerAll(a, o, d.cutOff(a))
		}
	}
	for _, step := range a.Open {
		if step.Work != 0 && step.N != closes && !step.aside() && late(step.Work) {
			d.moved(a, run, step.N)
		}
	}
}
