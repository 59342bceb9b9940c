package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/composer"
)

// act runs an action, after a question if something would be lost. One that is
// refused at once calls refuse.
func (a *app) act(o action.Action, refuse func()) tea.Cmd {
	if o.Refused.Empty() && o.For != nil {
		// Agents with the same verb in progress are skipped, so that it has one effect.
		free := slices.DeleteFunc(slices.Clone(o.Chosen), func(id society.AgentID) bool { return a.running.verbs[order{o.Verb, id}] })
		switch len(free) {
		case 0:
			o.Refused = action.Notice{Level: action.Warned, Text: a.text(textStillAtIt, a.actions.Names(o.Chosen))}
		case len(o.Chosen):
		default:
			o = o.For(free)
		}
	}
	if o.Refused.Empty() {
		o.Refused = a.actions.WhileCut()
	}
	switch {
	case o.Refused.Level == action.Warned:
		refuse()
		fallthrough
	case !o.Refused.Empty():
		return a.notify(o.Refused)
	case o.Asks():
		return a.askOf(o, func(o action.Action) tea.Cmd { return a.order(o, func() {}) })
	}
	return a.order(o, refuse)
}

// order runs an action for each of its agents, and reports the outcome. A
// failed one that is no verb calls refuse, unless it has a text, which is kept.
func (a *app) order(o action.Action, refuse func()) tea.Cmd {
	ids := o.Agents
	if o.For != nil {
		a.unmark() // only now, because a cancelled question keeps the marks
		for _, id := range ids {
			a.running.verbs[order{o.Verb, id}] = true
		}
	}
	if o.Verb == action.Terminate {
		a.trackTermination(&o)
	}
	if o.Text != "" {
		a.transcript.Follow()
	}
	var cmds []tea.Cmd
	if o.Progress != "" {
		cmds = append(cmds, a.notifyOngoing(o.Progress))
	}
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
			return a.onOutcomes(o, well, ill, refuse)
		}))
	}
	return tea.Batch(cmds...)
}

// doOrder runs an action for one agent; then runs in the event loop.
func (a *app) doOrder(o action.Action, id society.AgentID, then func(action.Outcome) tea.Cmd) tea.Cmd {
	if o.Verb == action.Compress { // a model is asked meanwhile, as the agent's state says
		return a.command(func(ctx context.Context) tea.Msg {
			answered := o.Do(ctx, id)
			return outcome(func() tea.Cmd { return then(answered()) })
		})
	}
	return tea.Batch(a.awaitReply(), a.command(func(ctx context.Context) tea.Msg {
		answered := o.Do(ctx, id)
		return outcome(func() tea.Cmd {
			a.onReply()
			return then(answered())
		})
	}))
}

// slowReply is how long a command may take before the screen says that it waits.
const slowReply = time.Second

// awaitReply notes that a command was given. If its reply takes long, because of a slow
// disk or a program elsewhere that hangs, a notice says so until it comes.
func (a *app) awaitReply() tea.Cmd {
	if a.running.unanswered++; a.running.unanswered > 1 {
		return nil
	}
	return a.wake(&a.running.slow, slowReply, a.tellNoReply)
}

// tellNoReply says that a reply is awaited, again each time before the notice disappears.
func (a *app) tellNoReply() tea.Cmd {
	return tea.Batch(a.notifyOngoing(a.text(textNoReplyYet)), a.wake(&a.running.slow, 2*slowReply, a.tellNoReply))
}

func (a *app) onReply() {
	if a.running.unanswered--; a.running.unanswered == 0 {
		a.running.slow.Off()
	}
}

// onOutcomes reports the outcome of an action for all of its agents.
func (a *app) onOutcomes(o action.Action, well, ill []action.Outcome, refuse func()) tea.Cmd {
	switch {
	case o.Text != "" && len(ill) > 0 && len(o.Agents) == 1:
		return a.notSent(composer.Submitted{To: ill[0].Agent, Text: o.Text}, ill[0].Err, false)
	case o.For == nil && len(ill) > 0 && len(well) == 0 && !o.Explain(ill[0]).Empty():
		refuse()
	case o.For != nil && o.Verb != action.Terminate && !slices.ContainsFunc(o.Agents, func(id society.AgentID) bool { return !a.running.terminating[id] }):
		return nil // all were terminated since, which has an outcome of its own
	}
	var all action.Notice
	if len(well) > 0 {
		all = o.Summarize(well)
	}
	if all.Hint == a.text(action.TextHintUnsaved) {
		a.notices.unsavedAt = a.now()
	}
	return tea.Batch(a.notifyOutcome(all, o, ill), a.notifyWhile(o.Holds))
}

// notifyOutcome reports the outcome of an action, and why agents refused it. If
// there is nothing to report, it only ends the progress notice.
func (a *app) notifyOutcome(all action.Notice, o action.Action, ill []action.Outcome) tea.Cmd {
	for _, d := range ill {
		if o.Verb == action.Terminate {
			delete(a.running.terminating, d.Agent)
		}
		var refusal *society.Refusal
		if errors.As(d.Err, &refusal) && a.running.terminating[d.Agent] {
			continue // another command of the user came first, with an outcome of its own
		}
		all = all.And(o.Explain(d), a.dot())
	}
	return a.conclude(all)
}

// trackTermination notes which agents are being terminated, and explains what
// happens to a text to one of them.
func (a *app) trackTermination(o *action.Action) {
	writing := false
	for _, id := range o.Cost.Agents {
		a.running.terminating[id] = true
		writing = writing || id == a.recipient() && !a.composer.Empty()
	}
	summarize, ended := o.Summarize, o.Ended
	o.Summarize = func(well []action.Outcome) action.Notice {
		all := summarize(well)
		if any := slices.ContainsFunc(well, func(d action.Outcome) bool { return ended(d.Agent) }); writing && any && all.Hint == "" {
			all.Hint = a.text(textHintText)
		}
		return all
	}
}
