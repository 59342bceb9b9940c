package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// modelList is the kind of the list of models that a role can ask for.
const modelList = "models"

// A wanted is what a role can ask for; the zero value is the default.
type wanted struct{ model, capability string }

// id is how the list knows it. No two have the same.
func (w wanted) id() string { return w.model + "\n" + w.capability }

// openModels lists what a role can ask for: the default, each model, and each
// capability that one has. What it asks for now is marked.
func (a *app) openModels(r api.Role) tea.Cmd {
	w := a.words.roles
	a.choosing = r
	now := wanted{r.Model, r.Capability}
	items, known := []list.Item{}, map[wanted]bool{}
	add := func(is wanted, name, note, text string) {
		known[is] = true
		if is == now {
			note = strings.Join(slices.DeleteFunc([]string{w.AskedNow, note}, func(s string) bool { return s == "" }), a.dot())
		}
		items = append(items, list.Item{ID: is.id(), Name: name, Note: note, Text: text})
	}
	add(wanted{}, w.DefaultModel, a.replica.Model(), w.DefaultSays)
	var capable []string
	able := map[string][]string{}
	for _, m := range a.society.Models() {
		name, size := sanitize.Line(m.Name, nameCells), ""
		if m.Window > 0 {
			size = fmt.Sprintf(w.Window, symbols.Tokens(m.Window))
		}
		add(wanted{model: m.Name}, name, size, strings.Join(m.Capabilities, a.words.app.Comma))
		for _, c := range m.Capabilities {
			if able[c] == nil {
				capable = append(capable, c)
			}
			able[c] = append(able[c], name)
		}
	}
	for _, c := range capable {
		add(wanted{capability: c}, fmt.Sprintf(w.AnyModel, c), "", fmt.Sprintf(w.AnySays, able[c][0]))
	}
	if !known[now] { // what has gone stays to be seen, and can only be left
		items = append(items, list.Item{
			ID: now.id(), Name: sanitize.Line(now.model+now.capability, nameCells), Bad: true,
			Note: w.AskedNow, Text: a.words.app.NotSetUp,
		})
	}
	a.openList(page.List{Kind: modelList, Take: a.choosePicked, Takes: a.words.keys.HintChoose, Back: a.backToRoles(r), Cancels: true}, fmt.Sprintf(w.ModelOf, sanitize.Line(r.Name, nameCells)), "", items)
	a.picks.Pick(now.id())
	return nil
}

// choosePicked lets the role ask for what is marked, and goes back to the roles.
func (a *app) choosePicked() tea.Cmd {
	item, ok := a.picks.Picked()
	if !ok {
		return nil
	}
	r := a.choosing
	model, capability, _ := strings.Cut(item.ID, "\n")
	return do(a, society.ChooseModel{Role: r.ID, Model: model, Capability: capability}, func(change society.RoleChange, err error) tea.Cmd {
		if err != nil {
			return a.sayError(err)
		}
		name, said := sanitize.Line(r.Name, nameCells), a.words.roles.ModelKept
		if change.Changed {
			said = a.words.roles.ModelChosen
		}
		return tea.Batch(a.tell(fmt.Sprintf(said, name, item.Name), ""), a.leaveList())
	})
}

// sayStranded says what roles and the nodes of graphs ask for and is not there.
func (a *app) sayStranded() tea.Cmd {
	if len(a.society.MissingModels()) == 0 {
		return nil
	}
	said := make([]string, len(a.society.MissingModels()))
	w, line := a.words.roles, func(name string) string { return sanitize.Line(name, nameCells) }
	model, graph := "", ""
	for i, want := range a.society.MissingModels() {
		switch {
		case want.Role != "" && want.Graph != "":
			graph = w.HintLostGraph
			said[i] = fmt.Sprintf(w.LostGraph, line(want.Role), line(want.Graph))
		case want.Role != "":
			model = w.HintStranded
			said[i] = fmt.Sprintf(w.Stranded, line(want.Role), line(want.Model))
		case want.Model != "":
			said[i] = fmt.Sprintf(w.StrandedNode, line(want.Node), line(want.Graph), line(want.Model))
		default:
			said[i] = fmt.Sprintf(w.MissingTool, line(want.Node), line(want.Graph), line(want.Tool))
		}
	}
	hints := slices.DeleteFunc([]string{model, graph}, func(hint string) bool { return hint == "" })
	return a.warn(strings.Join(said, a.words.app.Comma), strings.Join(hints, a.words.app.Comma))
}
