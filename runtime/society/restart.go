package society

import (
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// restart repairs what a crash or leaving has interrupted (SPEC.md, decision 9).
func (d *decision) restart(c Restart) error {
	d.renewGraphs()
	if d.s.hasBudgets() || d.s.anyPaused(OverBudget) { // other limits may hold, or it is another day
		d.renewBudgets()
	}
	for _, id := range d.s.Agents() {
		a := d.s.agents[id]
		d.resetAlarm(a)
		switch {
		case d.s.drainAbove(a) != "": // the outermost drain takes all within along
			if a.Drained != nil && d.s.drainAbove(d.s.agents[a.Parent]) == "" {
				d.drainEnds(a, true)
			}
		case a.Status == Terminating:
			if p := d.s.agents[a.Parent]; p == nil || p.Status != Terminating {
				d.erase(id)
			}
		case a.Status == Stopping:
			d.add(StopEnded{Agents: []AgentID{id}, At: d.at})
		case a.busy() && a.Turn.isLost():
			d.runLost(a, graph.ErrChanged)
			if c.Paused {
				d.pause(a)
			}
		case c.Paused && a.busy() && !a.waitsForUser():
			d.unaged(a)
			d.pause(a)
		case c.Paused:
			d.unaged(a)
			d.pause(a)
			d.reopen(a)
		case a.asksModel() && d.held(a): // what was asked is not asked again
			d.unaged(a)
			d.hold(a, 0)
		default:
			d.unaged(a)
			d.reopen(a)
		}
	}
	return nil
}

// unaged gives a run back the time in which the program did not run: its deadline, and
// the timeout of an open node, count only time in which work was possible. After a crash
// the end of the program is unknown, so all time since the agent last began something is
// given back; that work begins again. A suspended turn gets its time back when it is
// resumed.
func (d *decision) unaged(a *Agent) {
	if !a.busy() || a.Turn.Run == nil {
		return
	}
	run := a.Turn.Run.Clone()
	run.Postpone(d.at.Sub(a.Since)) // which is less than nothing where the clock has gone back
	run.Bound(d.at)
	d.add(GraphAdvanced{Agent: a.ID, Run: run})
}

// pause applies "pause all" to one agent: running work is aborted and the turn stays
// open; a call that waits for the user goes on waiting. An agent that was paused in the middle of its turn keeps its reason.
func (d *decision) pause(a *Agent) {
	if a.busy() && !a.waitsForUser() {
		d.abort(a, 0)
		d.add(WorkAborted{Agent: a.ID, At: d.at})
	}
	if a.Paused == "" && !a.Status.Ended() {
		d.add(PausedNow{Agent: a.ID, Why: AskedToPause, At: d.at})
	}
}

// reopen raises the epoch of an agent for which something was to be running, and
// begins that again under new steps. A call that writes is not run again, unless
// it had not begun: it is answered "effect unknown". A retry waits no longer than it
// was to where the clock has gone back meanwhile.
func (d *decision) reopen(a *Agent) {
	if !a.busy() && len(a.Open) == 0 {
		return
	}
	e := EpochRaised{Agent: a.ID}
	if a.busy() {
		e.Since, e.Back = d.at, max(0, a.Since.Sub(d.at))
		if a.Turn.Run != nil {
			for _, t := range a.Turn.Run.Branches {
				if t.Step != 0 {
					e.Back = max(e.Back, t.Began.Sub(d.at))
				}
			}
		}
	}
	n := a.Step
	var unknown []conversation.Call
	for _, step := range a.Open {
		if step.Kind == ActStep && step.Writes && !step.NotBegun {
			for _, c := range a.Turn.Calls {
				if c.ID == step.Call {
					unknown = append(unknown, c)
					d.filesUnknown(a, c, step)
				}
			}
			continue
		}
		if by, held := d.s.heldBy(a, Usage{}, d.at); held && step.ByUser && !step.WithoutModel { // the user may ask again
			defer d.add(CompressEnded{Agent: a.ID, Step: step.N, At: d.at, Why: protocol.Because(protocol.BudgetSpent, by.BudgetScope).In(d.s.lang)})
			continue
		}
		n++
		step.N, step.NotBegun = n, false
		if step.Kind == ApproveStep { // what it would do is found out anew
			step.Kind, step.Asked = PlanStep, true
		}
		if step.Kind == WaitStep && !step.aside() {
			step.Until = step.Until.Add(-e.Back)
		}
		e.Steps = append(e.Steps, step)
	}
	d.add(e)
	for _, call := range unknown {
		d.answerCall(a, call, 0, d.say(protocol.UnknownEffect), conversation.Unknown, 0)
	}
}
