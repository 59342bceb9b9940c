package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// graphList is the kind of the list of graphs that a role can have.
const graphList = "graphs"

// openGraphs lists what the turns of a role's agents can run through: a single
// step, and each graph. What they run through now is marked.
func (a *app) openGraphs(r api.Role) tea.Cmd {
	w := a.words.roles
	a.choosing = r
	now := graphName(&r)
	note := func(name string) string {
		if name == now {
			return w.AskedNow
		}
		return ""
	}
	items := []list.Item{{Name: w.NoGraph, Note: note(""), Text: w.NoGraphSays}}
	known := now == ""
	for _, g := range a.society.Graphs() {
		known = known || g.Name == now
		items = append(items, list.Item{
			ID: g.Name, Name: sanitize.Line(g.Name, nameCells), Note: note(g.Name), Text: sanitize.Line(g.Description, doingCells),
		})
	}
	if !known { // what the settings have lost stays to be seen, and can only be left
		items = append(items, list.Item{ID: now, Name: sanitize.Line(now, nameCells), Bad: true, Note: w.AskedNow, Text: a.words.app.NotSetUp})
	}
	a.openList(page.List{Kind: graphList, Take: a.chooseGraph, Takes: a.words.keys.HintChoose, Back: a.backToRoles(r), Cancels: true}, fmt.Sprintf(w.GraphOf, sanitize.Line(r.Name, nameCells)), "", items)
	a.picks.Pick(now)
	return nil
}

// graphName is the name of the graph that a role has, "" for none.
func graphName(r *api.Role) string {
	if r.Graph == nil {
		return ""
	}
	return r.Graph.Name
}

// graphOfRole says which graph a role has, if it has one.
func (a *app) graphOfRole(r *api.Role) []string {
	if r.Graph == nil {
		return nil
	}
	return []string{fmt.Sprintf(a.words.roles.Graph, sanitize.Line(r.Graph.Name, nameCells))}
}

// chooseGraph gives the role the graph that is marked, and goes back to the roles.
func (a *app) chooseGraph() tea.Cmd {
	item, ok := a.picks.Picked()
	if !ok {
		return nil
	}
	r := a.choosing
	return a.giveGraph(r.ID, sanitize.Line(r.Name, nameCells), item.ID, a.leaveList)
}

// giveGraph gives a role a graph, and says what becomes of turns in its midst.
func (a *app) giveGraph(role society.RoleID, name, graph string, then func() tea.Cmd) tea.Cmd {
	w := a.words.roles
	called := sanitize.Line(graph, nameCells)
	if graph == "" {
		called = w.NoGraph
	}
	return do(a, society.ChooseGraph{Role: role, Graph: graph}, func(change society.RoleChange, err error) tea.Cmd {
		if err != nil {
			return a.sayError(err)
		}
		said, hint := fmt.Sprintf(w.GraphKept, name, called), ""
		if change.Changed {
			said = fmt.Sprintf(w.GraphChosen, name, called)
			if change.Agents > 0 {
				hint = w.HintGraph
			}
		}
		a.detail.Outdated()
		return tea.Batch(a.tell(said, hint), then(), a.inspect())
	})
}

// graphNames are the names of the graphs that a role can have.
func (a *app) graphNames() []string {
	names := make([]string, len(a.society.Graphs()))
	for i, g := range a.society.Graphs() {
		names[i] = g.Name
	}
	return names
}

// noGraph is what is written behind /graph for a single step.
const noGraph = "none"

// graphChoices are the words that can follow /graph.
func (a *app) graphChoices(string) []string {
	names := a.graphNames()
	if slices.Contains(names, noGraph) {
		return names
	}
	return append([]string{noGraph}, names...)
}

// aboutGraph says what a graph is for.
func (a *app) aboutGraph(name string) string {
	i := slices.IndexFunc(a.society.Graphs(), func(g api.Graph) bool { return g.Name == name })
	if i < 0 {
		return a.words.roles.NoGraph
	}
	return sanitize.Line(a.society.Graphs()[i].Description, doingCells)
}

// runGraph gives the role of the recipient the named graph; without a name it
// lists those that there are.
func (a *app) runGraph(in command.Input) tea.Cmd {
	row, here := a.replica.Row(a.receiver())
	name := in.Text
	switch {
	case !here:
		in.Refuse()
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, a.name(a.receiver())), "")
	case name == "":
		return later(a, func(ctx context.Context) graphsAsked {
			roles, err := a.society.Roles(ctx)
			return graphsAsked{roles, row.RoleID, err}
		}, a.takeGraphsAsked)
	case name == noGraph && !slices.Contains(a.graphNames(), noGraph):
		name = ""
	case !slices.Contains(a.graphNames(), name):
		in.Refuse()
		return a.warn(fmt.Sprintf(a.words.roles.UnknownGraph, sanitize.Line(name, nameCells)), a.words.roles.HintGraphs)
	}
	return a.giveGraph(row.RoleID, row.Role, name, func() tea.Cmd { return nil })
}

// graphsAsked are the roles, read to list the graphs for one of them.
type graphsAsked struct {
	roles []api.Role
	role  society.RoleID
	err   error
}

func (a *app) takeGraphsAsked(m graphsAsked) tea.Cmd {
	if m.err != nil {
		return a.sayError(m.err)
	}
	for _, r := range m.roles {
		if r.ID == m.role {
			a.roles = m.roles
			a.openGraphs(r)
		}
	}
	return nil
}
