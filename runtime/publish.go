package runtime

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"society-tui/llm"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/runtime/tool/todo"
)

// publish updates drafts, sums, log and watchers after a commit.
func (r *Runtime) publish(events []society.Event, changed society.Changed) {
	if len(events) == 0 && len(changed.Agents) == 0 {
		return
	}
	rewritten := map[society.AgentID]uint64{}
	wrote := func(id society.AgentID, slot uint64) {
		if old, ok := rewritten[id]; !ok || slot < old {
			rewritten[id] = slot
		}
	}
	for _, e := range events {
		r.followDraft(e)
		r.followBudget(e)
		r.account(e)
		r.followWorktrees(e)
		r.observeMessage(e)
		if _, ok := e.(society.ModeSet); ok { // it may be that of every agent
			defer r.publishAll()
		}
		r.note(e)
		if _, ok := e.(society.WindowsChanged); ok {
			r.tellWindows()
			defer r.publishAll()
		}
		if e, ok := e.(society.Writes); ok {
			for id, entry := range e.Written() {
				wrote(id, entry.Slot)
				if entry.Kind == conversation.Inbound {
					r.totals.summary.Processed++
					r.cfg.Observer.Messages("read", 1)
				}
			}
		}
		if e, ok := e.(society.Rewrites); ok {
			wrote(e.Rewritten())
		}
	}
	for _, id := range changed.Agents {
		a := r.state.Agent(id)
		if a == nil {
			r.forgetAgent(id)
		}
		r.outputs.settle(id, a)
	}
	r.showApprovals(events)
	r.show(changed.Agents, rewritten)
}

// followDraft lets a draft go after its row is on disk, so that nothing is
// missing or doubled on the screen.
func (r *Runtime) followDraft(e society.Event) {
	if e, ok := e.(society.EndsDraft); ok {
		agent, step := e.EndedDraft()
		r.drafts.finish(agent, step)
	}
}

// forgetAgent drops what is kept of an agent beside the state.
func (r *Runtime) forgetAgent(id society.AgentID) {
	r.drafts.forget(id)
	r.cache.forget(id)
	delete(r.workers.cancelledJobs, id)
	delete(r.totals.warned, id)
	r.overBudget.free(id)
	delete(r.workers.acted, id)
}

// account keeps the sums that would otherwise need a walk over all agents, and how
// the last call of each model went.
func (r *Runtime) account(e society.Event) {
	if e, ok := e.(society.Spends); ok {
		r.totals.usage = r.totals.usage.Plus(e.Spent().Usage)
	}
	if e, ok := e.(society.EndsCall); ok {
		switch end := e.CallEnded(); {
		case end.OK:
			r.wentBy(end.Model, "ok")
		case end.Class == "" || llm.Class(end.Class).Known(): // else it says nothing of the model
			r.wentBy(end.Model, clipped(end.Cause))
		}
	}
}

// wentBy keeps how a model's last call went. The map was handed to watchers, so
// another takes its place.
func (r *Runtime) wentBy(model, how string) {
	if model == "" || r.totals.health[model] == how {
		return
	}
	r.totals.health = maps.Clone(r.totals.health)
	r.totals.health[model] = how
}

func clipped(s string) string {
	const most = 200
	if len(s) > most {
		return s[:most]
	}
	return s
}

// row returns an agent's summary for clients; asked are the budgets about which the user is
// asked. Only the loop calls it.
func (r *Runtime) row(a *society.Agent, asked map[society.AgentID]*society.BudgetStatus) api.Row {
	tail := a.TailAt(a.AtHand())
	tokens, _ := tail.Size()
	row := api.Row{
		ID: a.ID, Parent: a.Parent, Name: a.Name, RoleID: a.Role, Role: r.state.RoleName(a.ID), Sole: r.state.IsSole(a.ID), Copied: a.Copied,
		Depth: a.Depth, Order: a.Order, Created: a.Created, State: a.Status, Since: a.Since,
		Paused: a.Paused, Draining: a.Drain != "", Task: a.Task, Doing: a.Doing, Error: a.Error, ErrorClass: a.ErrorClass, ErrorCode: a.ErrorCode,
		Report: a.Reported && a.Status == society.Idle, Unread: a.Unread, Waiting: len(a.Mailbox), Delayed: a.Delayed(),
		Messages: tail.Count, Tokens: tokens, Usage: a.Usage, Ended: a.Left(),
		Walk: r.walk(a), MaxRounds: r.state.Limits().ToolRounds, Next: a.Tail.Next, Settled: a.Tail.Settled(),
	}
	row.Effort, row.OwnModel = r.state.Effort(a), a.Model != ""
	if model, ok := r.modelOf(a, a.AtHand()); ok {
		model = r.insteadOf(a, model)
		row.Model, row.Window, row.WindowFrom = model.Name, model.Window, api.KnownFrom(model.Facts.Window.Source)
	} else {
		want, capability := r.state.Wants(a, a.AtHand())
		row.Model, row.Stranded = cmp.Or(want, capability), true
	}
	row.Compressing = a.Compresses()
	if a.Turn != nil {
		row.Round = a.Turn.CountedRounds()
		row.Retry = r.retryOf(a)
	}
	row.Done, row.Todo = todo.Count(a.Todo())
	if q := a.Asks; q != nil {
		row.Asks, row.Question, row.Replies = true, q.Line, slices.Clone(q.Replies) // clients own their rows
	}
	row.Budget = asked[a.ID]
	if a.Paused == society.OverBudget {
		by, _ := r.state.HeldBy(a.ID, time.Now())
		row.HeldBy = by.BudgetScope
	}
	row.Approvals, row.Mode = r.state.ApprovalsOf(a.ID), r.state.ModeOf(a.ID)
	for _, id := range a.Owes {
		row.Owes = row.Owes || id == society.User
	}
	if a.Status == society.Idle {
		for _, id := range a.Asked {
			if b := r.state.Agent(id); b != nil && !b.Status.Ended() {
				row.WaitsOn = append(row.WaitsOn, id)
			}
		}
	}
	for _, l := range a.Later {
		row.Later = append(row.Later, l.To)
	}
	for _, call := range r.state.Running(a) {
		if row.Running = append(row.Running, call.ID); row.Tool == "" && a.Status == society.Processing {
			row.Tool, row.Arguments = call.Name, conversation.Shorten(call.Arguments)
		}
	}
	row.Processes = r.processesOf(a.ID)
	r.watchers.mu.Lock()
	for _, step := range a.Open {
		if wait, waits := r.watchers.waitsForSlot[piece{a.ID, step.N}]; waits {
			row.Queued = true
			row.Retry = waitOf(wait, row.Model)
		}
	}
	r.watchers.mu.Unlock()
	return row
}

// addPartial sets in an interrupt and in a rewind how many bytes of the answer had arrived.
func (r *Runtime) addPartial(o *pendingCommand) {
	switch c := o.cmd.(type) {
	case society.Interrupt:
		c.Partial = r.drafts.size(c.Agent)
		o.cmd = c
	case society.Rewind:
		c.Partial = r.drafts.size(c.Agent)
		o.cmd = c
	}
}
