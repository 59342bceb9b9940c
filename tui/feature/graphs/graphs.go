// Package graphs lists the graphs and sets the one of a role.
package graphs

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

type Feature struct {
	*page.Deps
	list    *page.List
	role    api.Role // whose graph is chosen
	changed func() tea.Cmd
}

// New returns the feature. Changed is told that a role was changed.
func New(deps *page.Deps, changed func() tea.Cmd) *Feature {
	f := &Feature{Deps: deps, changed: changed}
	f.list = deps.NewList(page.Choosing{Take: f.chooseMarked, Takes: page.HintChoose, Cancels: true})
	return f
}

// Commands returns the command that chooses a graph, for the selected role or
// the recipient's.
func (f *Feature) Commands() []*command.Command {
	graph := agentcommand.Graph()
	graph.Keys, graph.AnyPane, graph.Blocked = command.Keys(command.List, "w"), true, f.NotYou
	graph.Args = []command.Arg{command.Name(f.choices, f.about)}
	graph.Run = func(in command.Input) tea.Cmd {
		if in.Written {
			return f.run(in)
		}
		return f.openForRecipient()
	}
	return []*command.Command{graph}
}

func (f *Feature) openForRecipient() tea.Cmd {
	return f.WithRole(func(r api.Role) tea.Cmd { return f.Open(r, nil) })
}

// Open lists the graphs, after a single step, with that of the role selected.
// Leaving the list calls back, or closes it if nil.
func (f *Feature) Open(r api.Role, back func() tea.Cmd) tea.Cmd {
	if back != nil || !f.list.IsOpen() { // else it is reopened
		f.list.Back = back
	}
	f.role = r
	f.list.Show(f.Text(title, sanitize.Line(r.Name, page.NameCells)), "", f.items(graphOf(&r)))
	f.list.Pick(graphOf(&r))
	return nil
}

func (f *Feature) items(now string) []list.Item {
	note := func(name string) string {
		if name == now {
			return f.Text(page.TextCurrent)
		}
		return ""
	}
	items := []list.Item{{Name: f.Text(singleStep), Note: note(""), Text: f.Text(singleStepSays)}}
	known := now == ""
	for _, g := range f.Society.Graphs() {
		known = known || g.Name == now
		items = append(items, list.Item{
			ID: g.Name, Name: sanitize.Line(g.Name, page.NameCells), Note: note(g.Name), Text: sanitize.Line(g.Description, page.TextCells),
		})
	}
	if !known { // a graph that is no longer in the settings is listed, but cannot be chosen
		items = append(items, list.Item{ID: now, Name: sanitize.Line(now, page.NameCells), Bad: true, Note: f.Text(page.TextCurrent), Text: f.Text(page.TextNotSetUp)})
	}
	return items
}

// graphOf returns the name of the role's graph, or "".
func graphOf(r *api.Role) string {
	if r.Graph == nil {
		return ""
	}
	return r.Graph.Name
}

// chooseMarked sets the role's graph to the selected one, and leaves the list.
func (f *Feature) chooseMarked() tea.Cmd {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	return f.choose(f.role.ID, sanitize.Line(f.role.Name, page.NameCells), item.ID, f.list.Leave)
}

// choose sets the graph of a role, and reports the effect on turns in progress.
func (f *Feature) choose(role society.RoleID, name, graph string, then func() tea.Cmd) tea.Cmd {
	return page.Do(f.Deps, society.ChooseGraph{Role: role, Graph: graph}, func(change society.RoleChange, err error) tea.Cmd {
		if err != nil {
			return f.Explain(err)
		}
		return tea.Batch(f.Screen.Notify(Chosen(f.Printer, name, graph, change)), then(), f.changed())
	})
}

// Chosen tells that a role has a graph from now on, or had it before.
func Chosen(p i18n.Printer, role, graph string, change society.RoleChange) action.Notice {
	shown := sanitize.Line(graph, page.NameCells)
	if graph == "" {
		shown = p.T(singleStep)
	}
	told := action.Notice{Text: p.T(page.TextAlreadyUses, role, shown)}
	if change.Changed {
		told.Text = p.T(page.TextNowUses, role, shown)
		if change.Agents > 0 {
			told.Hint = p.T(hintChosen)
		}
	}
	return told
}

// Named returns the graph that the argument of the command names, "" for none.
func Named(all []api.Graph, name string) (graph string, ok bool) {
	known := slices.ContainsFunc(all, func(g api.Graph) bool { return g.Name == name })
	if name == agentcommand.NoGraph && !known {
		return "", true
	}
	return name, known
}

// choices returns the arguments that complete the command.
func (f *Feature) choices() []string {
	names := make([]string, len(f.Society.Graphs()))
	for i, g := range f.Society.Graphs() {
		names[i] = g.Name
	}
	if slices.Contains(names, agentcommand.NoGraph) {
		return names
	}
	return append([]string{agentcommand.NoGraph}, names...)
}

// about describes the purpose of a graph.
func (f *Feature) about(name string) string {
	i := slices.IndexFunc(f.Society.Graphs(), func(g api.Graph) bool { return g.Name == name })
	if i < 0 {
		return f.Text(singleStep)
	}
	return sanitize.Line(f.Society.Graphs()[i].Description, page.TextCells)
}

// run sets the graph of the recipient's role, or lists the graphs without an
// argument.
func (f *Feature) run(in command.Input) tea.Cmd {
	to := f.Screen.Recipient()
	row, present := f.Replica.Row(to)
	name, known := Named(f.Society.Graphs(), in.Text)
	switch {
	case !present:
		in.Refuse()
		return f.Warn(f.Text(page.TextGone, f.Replica.Name(to)), "")
	case in.Text == "":
		return f.openForRecipient()
	case !known:
		in.Refuse()
		return f.Warn(f.Text(unknown, sanitize.Line(in.Text, page.NameCells)), f.Text(hintGraphs))
	}
	return f.choose(row.RoleID, row.Role, name, func() tea.Cmd { return nil })
}
