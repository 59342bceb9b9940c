package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/tree"
)

// needYou returns the agents that need the user. Those that only wait to make the same
// kind of call are a group.
func (a *app) needYou() (rows []api.Row, groups []tree.Group) {
	rows = a.replica.NeedYou()
	grouped := map[society.AgentID]bool{}
	for _, requests := range a.actions.RequestGroups() {
		var who []society.AgentID
		for i := range requests {
			if row, _ := a.replica.Row(requests[i].Agent); !row.Asks && row.Error == "" && !grouped[row.ID] && !slices.Contains(who, row.ID) {
				who = append(who, row.ID)
			}
		}
		if len(who) < 2 {
			continue // a row of its own says more
		}
		for _, id := range who {
			grouped[id] = true
		}
		groups = append(groups, tree.Group{Said: a.actions.Title(requests), First: who[0], Agents: len(who), Since: requests[0].At})
	}
	return slices.DeleteFunc(rows, func(r api.Row) bool { return grouped[r.ID] }), groups
}

// showNeeds shows which agents need the user, and ends the time in which their rows
// stay although there are less.
func (a *app) showNeeds() tea.Cmd {
	if !a.tree.KnowsNeeds() {
		rows, groups := a.needYou()
		a.tree.Needs(rows, groups)
		if needs := len(rows)+len(groups) > 0; needs != a.prefs.Needs {
			a.prefs.Needs = needs
			a.arrange()
		}
	}
	in := a.tree.ShrinksIn(a.now())
	if in == 0 || a.clock.calm.Pending() {
		return nil
	}
	return a.wake(&a.clock.calm, in, func() tea.Cmd {
		a.frame.dirty = true
		return nil
	})
}
