package tui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
)

// order runs an action for each of its agents, and reports the outcome.
func (a *app) order(o action.Action) tea.Cmd {
	ids := o.Agents
	a.tree.Unmark() // only now, because a cancelled question keeps the marks
	for _, id := range ids {
		a.running.verbs[order{o.Verb, id}] = true
	}
	cmds := []tea.Cmd{a.notifyOngoing(o.Progress)}
	var well, ill []action.Outcome
	for _, id := range ids {
		cmds = append(cmds, a.doOrder(o, id, func(done action.Outcome) tea.Cmd {
			delete(a.running.verbs, order{o.Verb, id})
			if done.Err != nil {
				ill = append(ill, done)
			} else {
				well = append(well, done)
			}
			if len(well)+len(ill) < len(ids) {
				return nil
			}
			if o.Verb != action.Terminate && !slices.ContainsFunc(ids, func(id society.AgentID) bool { return !a.running.terminating[id] }) {
				return nil // all were terminated since, which has an outcome of its own
			}
			var all action.Notice
			if len(well) > 0 {
				all = o.Summarize(well)
			}
			if all.Hint == a.text(action.TextHintUnsaved) {
				a.notices.unsavedAt = a.now()
			}
			return tea.Batch(a.notifyOutcome(all, o.Verb, ill), a.notifyWhile(o.Holds))
		}))
	}
	return tea.Batch(cmds...)
}

// doOrder runs an action for one agent; then runs in the event loop.
func (a *app) doOrder(o action.Action, id society.AgentID, then func(action.Outcome) tea.Cmd) tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		answered := o.Do(ctx, id)
		return outcome(func() tea.Cmd { return then(answered()) })
	})
}

// notifyOutcome reports the outcome of an action, and why agents refused it. If
// there is nothing to report, it only ends the progress notice.
func (a *app) notifyOutcome(all action.Notice, v action.Verb, ill []action.Outcome) tea.Cmd {
	for _, d := range ill {
		if v == action.Terminate {
			delete(a.running.terminating, d.Agent)
		}
		var refusal *society.Refusal
		if errors.As(d.Err, &refusal) && a.running.terminating[d.Agent] {
			continue // another command of the user came first, with an outcome of its own
		}
		all = all.And(a.actions.RefusedTo(v, d), a.dot())
	}
	if all.Empty() {
		a.frame.dirty = true
		a.statusLine.ShowNotice("", a.now())
	}
	return a.notify(all)
}

func (a *app) stop(ids []society.AgentID) tea.Cmd { return a.order(a.actions.Build(action.Stop, ids)) }

func (a *app) terminate(ids []society.AgentID) tea.Cmd {
	o := a.actions.Build(action.Terminate, ids)
	writing := false
	for _, id := range a.actions.Cost(o.Agents).Agents {
		a.running.terminating[id] = true
		writing = writing || id == a.recipient() && !a.composer.Empty()
	}
	came := o.Summarize
	o.Summarize = func(well []action.Outcome) action.Notice {
		all := came(well)
		if ended := slices.ContainsFunc(well, func(d action.Outcome) bool { return o.Ended(d.Agent) }); writing && ended && all.Hint == "" {
			all.Hint = a.text(textHintText)
		}
		return all
	}
	return a.order(o)
}
