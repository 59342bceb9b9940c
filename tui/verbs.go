package tui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
)

// verb gives an order for agents, after asking where something would be lost.
func (a *app) verb(v action.Verb, ids []society.AgentID) tea.Cmd {
	cmd, _ := a.tryVerb(v, ids)
	return cmd
}

// tryVerb is verb, and says whether the order was taken: what cannot be ordered
// at all is refused at once.
func (a *app) tryVerb(v action.Verb, ids []society.AgentID) (cmd tea.Cmd, taken bool) {
	if why := a.actions.Refused(v, ids); !why.Empty() {
		return a.notify(why), false
	}
	here := a.actions.Present(ids)
	// Those for which the same is being done are left alone: one effect each.
	free := slices.DeleteFunc(slices.Clone(here), func(id society.AgentID) bool { return a.running.verbs[order{v, id}] })
	if len(free) == 0 {
		return a.warn(a.text(textStillAtIt, a.actions.Names(here)), ""), false
	}
	switch v {
	case action.Stop:
		return a.askStop(free), true
	case action.Terminate:
		return a.askTerminate(free), true
	case action.Retry:
		if none := a.actions.NothingToRetry(free); !none.Empty() {
			return a.notify(none), true
		}
	}
	return a.order(a.actions.Build(v, free)), true
}

// order gives an order to each of its agents, and says what came of all of them.
func (a *app) order(o action.Action) tea.Cmd {
	ids := o.Agents
	a.tree.Unmark() // only now: a question that is cancelled leaves the marks
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
				return nil // all have been terminated since: that says what came of it
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

// doOrder gives an order to one of its agents; then runs in the event loop.
func (a *app) doOrder(o action.Action, id society.AgentID, then func(action.Outcome) tea.Cmd) tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		answered := o.Do(ctx, id)
		return outcome(func() tea.Cmd { return then(answered()) })
	})
}

// notifyOutcome says what came of an order, and of those that were refused it why. If
// nothing is anybody's concern, it only ends what was said to be going on.
func (a *app) notifyOutcome(all action.Notice, v action.Verb, ill []action.Outcome) tea.Cmd {
	for _, d := range ill {
		if v == action.Terminate {
			delete(a.running.terminating, d.Agent)
		}
		var refusal *society.Refusal
		if errors.As(d.Err, &refusal) && a.running.terminating[d.Agent] {
			continue // another verb of the person was before it: that says what came of it
		}
		all = all.And(a.actions.RefusedTo(v, d), a.dot())
	}
	if all.Empty() {
		a.dirty = true
		a.statusLine.Say("", a.now())
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

// stopOrResume is one key in the tree: it resumes what is stopped or paused.
func (a *app) stopOrResume(ids []society.AgentID) tea.Cmd {
	if a.allHalted(ids) {
		return a.verb(action.Resume, ids)
	}
	return a.verb(action.Stop, ids)
}

// allHalted says whether there are such agents, and all of them are halted.
func (a *app) allHalted(ids []society.AgentID) bool {
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id society.AgentID) bool {
		row, ok := a.replica.Row(id)
		return !ok || !action.IsHalted(&row)
	})
}
