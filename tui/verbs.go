package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
)

// An order is a verb for an agent that is being carried out. The same one is not
// given twice meanwhile: a key that was pressed twice has one effect.
type order struct {
	verb  action.Verb
	agent society.AgentID
}

// targets are the agents a verb is for: in the tree all marked ones, or the
// selected one; in the inspector whom it shows; elsewhere the recipient of what is
// written.
func (a *app) targets() []society.AgentID {
	switch a.wish.focus {
	case treePane:
		return a.tree.Targets()
	case inspectorPane:
		return []society.AgentID{a.subject()}
	}
	return []society.AgentID{a.open}
}

// desk is where orders are written.
func (a *app) desk() *action.Desk {
	return &action.Desk{Tree: a.replica, Notices: a.words.notices, App: a.words.app, Dot: a.dot(), Draft: a.society.Draft}
}

// name is what an agent is called on the screen.
func (a *app) name(id society.AgentID) string { return a.replica.Name(id) }

// verb gives an order for agents, after asking where something would be lost.
func (a *app) verb(v action.Verb, ids []society.AgentID) tea.Cmd {
	cmd, _ := a.tryVerb(v, ids)
	return cmd
}

// tryVerb is verb, and says whether the order was taken: what cannot be ordered
// at all is refused at once.
func (a *app) tryVerb(v action.Verb, ids []society.AgentID) (cmd tea.Cmd, taken bool) {
	n, desk := a.words.notices, a.desk()
	if why := desk.Refused(v, ids); !why.Empty() {
		return a.say(why), false
	}
	here := desk.Here(ids)
	// Those for which the same is being done are left alone: one effect each.
	free := slices.DeleteFunc(slices.Clone(here), func(id society.AgentID) bool { return a.orders[order{v, id}] })
	if len(free) == 0 {
		return a.warn(fmt.Sprintf(n.StillAtIt, desk.Names(here)), ""), false
	}
	switch v {
	case action.Stop:
		return a.askStop(free), true
	case action.Terminate:
		return a.askTerminate(free), true
	case action.Retry:
		free = desk.Tops(free)
		if none := desk.NothingToRetry(free); !none.Empty() {
			return a.say(none), true
		}
	}
	if !v.Alone() {
		free = desk.Tops(free)
	}
	return a.order(desk.Order(v, free)), true
}

// order gives an order to each of its agents, and says what came of all of them.
func (a *app) order(o action.Order) tea.Cmd {
	ids := o.Agents
	a.tree.Unmark() // only now: a question that is cancelled leaves the marks
	for _, id := range ids {
		a.orders[order{o.Verb, id}] = true
	}
	cmds := []tea.Cmd{a.tellGoing(o.Doing)}
	var well, ill []action.Done
	for _, id := range ids {
		cmds = append(cmds, a.doOrder(o, id, func(done action.Done) tea.Cmd {
			delete(a.orders, order{o.Verb, id})
			if done.Err != nil {
				ill = append(ill, done)
			} else {
				well = append(well, done)
			}
			if len(well)+len(ill) < len(ids) {
				return nil
			}
			if o.Verb != action.Terminate && !slices.ContainsFunc(ids, func(id society.AgentID) bool { return !a.ending[id] }) {
				return nil // all have been terminated since: that says what came of it
			}
			var all action.Notice
			if len(well) > 0 {
				all = o.Came(well)
			}
			if all.Hint == a.words.notices.HintUnsaved {
				a.toldUnsaved = a.now()
			}
			return tea.Batch(a.sayAll(all, o.Verb, ill), a.sayWhile(o.Holds))
		}))
	}
	return tea.Batch(cmds...)
}

// doOrder gives an order to one of its agents; then runs in the event loop.
func (a *app) doOrder(o action.Order, id society.AgentID, then func(action.Done) tea.Cmd) tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		answered := o.Do(ctx, a.society, id)
		return outcome(func() tea.Cmd { return then(answered()) })
	})
}

// sayAll says what came of an order, and of those that were refused it why. If
// nothing is anybody's concern, it only ends what was said to be going on.
func (a *app) sayAll(all action.Notice, v action.Verb, ill []action.Done) tea.Cmd {
	for _, d := range ill {
		if v == action.Terminate {
			delete(a.ending, d.Agent)
		}
		var refusal *society.Refusal
		if errors.As(d.Err, &refusal) && a.ending[d.Agent] {
			continue // another verb of the person was before it: that says what came of it
		}
		all = all.And(a.desk().RefusedTo(v, d), a.dot())
	}
	if all.Empty() {
		a.dirty = true
		a.bar.Say("", a.now())
	}
	return a.say(all)
}

func (a *app) names(ids []society.AgentID) string { return a.desk().Names(ids) }

func (a *app) stop(ids []society.AgentID) tea.Cmd { return a.order(a.desk().Order(action.Stop, ids)) }

func (a *app) terminate(ids []society.AgentID) tea.Cmd {
	o := a.desk().Order(action.Terminate, ids)
	writing := false
	for _, id := range a.desk().Toll(ids).Agents {
		a.ending[id] = true
		writing = writing || id == a.receiver() && !a.pad.Empty()
	}
	came := o.Came
	o.Came = func(well []action.Done) action.Notice {
		all := came(well)
		if ended := slices.ContainsFunc(well, func(d action.Done) bool { return o.Ended(d.Agent) }); writing && ended && all.Hint == "" {
			all.Hint = a.words.notices.HintText
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
		return !ok || !action.Halted(&row)
	})
}
