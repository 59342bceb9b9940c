package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
)

// verb runs a verb for agents, after a question if something would be lost.
func (a *app) verb(v action.Verb, ids []society.AgentID) tea.Cmd {
	cmd, _ := a.tryVerb(v, ids)
	return cmd
}

// tryVerb is verb, and reports whether the verb was accepted: an impossible one
// is refused at once.
func (a *app) tryVerb(v action.Verb, ids []society.AgentID) (cmd tea.Cmd, taken bool) {
	if why := a.actions.Refused(v, ids); !why.Empty() {
		return a.notify(why), false
	}
	here := a.actions.Present(ids)
	// Agents with the same verb in progress are skipped, so that it has one effect.
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

// stopOrResume stops agents, or resumes them if all are stopped or paused.
func (a *app) stopOrResume(ids []society.AgentID) tea.Cmd {
	if a.allHalted(ids) {
		return a.verb(action.Resume, ids)
	}
	return a.verb(action.Stop, ids)
}

// allHalted reports whether there are such agents, and all of them are halted.
func (a *app) allHalted(ids []society.AgentID) bool {
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id society.AgentID) bool {
		row, ok := a.replica.Row(id)
		return !ok || !action.IsHalted(&row)
	})
}
