package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
)

// The kinds of lists, and of the dialogs over them.
const (
	roleList = "roles"
	roleKind = "role"
)

// rolesRead are the roles, read for their list.
type rolesRead struct {
	roles []api.Role
	pick  society.RoleID // the one to mark, "" for the one that is
	err   error
}

// openRoles shows the list of roles.
func (a *app) openRoles() tea.Cmd { return a.readRoles("") }

func (a *app) readRoles(pick society.RoleID) tea.Cmd {
	return later(a, func(ctx context.Context) rolesRead {
		roles, err := a.society.Roles(ctx)
		return rolesRead{roles, pick, err}
	}, a.takeRoles)
}

func (a *app) takeRoles(m rolesRead) tea.Cmd {
	if m.err != nil {
		return a.sayError(m.err)
	}
	a.roles = m.roles
	items := make([]list.Item, len(m.roles))
	called := make(map[string]int)
	for i := range m.roles {
		called[m.roles[i].Name]++
	}
	for i := range m.roles {
		r := &m.roles[i]
		first, _, _ := strings.Cut(strings.TrimSpace(r.Prompt), "\n")
		items[i] = list.Item{
			ID: string(r.ID), Name: sanitize.Line(r.Name, nameCells),
			Note: strings.Join(append([]string{a.agentsOf(r), a.makerOf(r)}, append(a.modelOfRole(r), a.graphOfRole(r)...)...), a.dot()), Text: sanitize.Line(first, doingCells),
		}
		if called[r.Name] > 1 { // else they could not be told apart
			items[i].Name += "  " + string(r.ID)
		}
	}
	a.openList(a.rolesPage(), a.words.roles.Title, "", items)
	if m.pick != "" {
		a.picks.Pick(string(m.pick))
	}
	return nil
}

func (a *app) rolesPage() page.List {
	w := a.words.keys
	marked := func(f func(api.Role) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			if r, ok := a.role(); ok {
				return f(r)
			}
			return nil
		}
	}
	return page.List{
		Kind: roleList, Take: marked(a.viewRole), Takes: w.HintView,
		Keys: map[string]func() tea.Cmd{"make_role": a.makeRole, "edit_role": marked(a.editRole), "model": marked(a.openModels), "graph": marked(a.openGraphs)},
		More: func() []statusline.Hint {
			return []statusline.Hint{
				a.listHint("make_role", w.HintMakeRole),
				a.listHint("edit_role", w.HintEditRole),
				a.listHint("model", w.HintChooseModel+a.dot()+a.registry.Key("list.graph")+" "+w.HintChooseGraph),
			}
		},
	}
}

// backToRoles is what leaving a list for a role does: it goes back to the roles, if it
// was opened there, and else only closes.
func (a *app) backToRoles(r api.Role) func() tea.Cmd {
	switch {
	case a.listing(roleList):
		return func() tea.Cmd { return a.readRoles(r.ID) }
	case a.listing(modelList), a.listing(graphList):
		return a.listed.Back // it was opened again
	}
	return nil
}

func (a *app) agentsOf(r *api.Role) string {
	w := a.words.roles
	switch r.Agents {
	case 0:
		return w.Nobody
	case 1:
		return w.One
	}
	return fmt.Sprintf(w.Agents, r.Agents)
}

func (a *app) makerOf(r *api.Role) string {
	if r.Template != "" {
		return fmt.Sprintf(a.words.roles.FromTemplate, sanitize.Line(r.Template, nameCells))
	}
	if r.CreatedBy == society.User {
		return a.words.roles.ByYou
	}
	return fmt.Sprintf(a.words.roles.MadeBy, a.name(r.CreatedBy))
}

// role is the role that is marked in the list.
func (a *app) role() (api.Role, bool) {
	item, ok := a.picks.Picked()
	for _, r := range a.roles {
		if ok && string(r.ID) == item.ID {
			return r, true
		}
	}
	return api.Role{}, false
}

// viewRole shows a role in full. This is where its texts enter the screen.
func (a *app) viewRole(r api.Role) tea.Cmd {
	w := a.words.roles
	about := append([]string{string(r.ID), a.agentsOf(&r), a.makerOf(&r), a.toolsOf(&r)}, append(a.modelOfRole(&r), a.graphOfRole(&r)...)...)
	if !r.EditedAt.IsZero() {
		about = append(about, fmt.Sprintf(w.EditedAt, r.EditedAt.Local().Format("2006-01-02 15:04")))
	}
	body := []dialog.Line{{Tone: dialog.Quiet, Text: strings.Join(about, a.dot())}, {}}
	body = append(body, dialog.Text(strings.Split(sanitize.Text(r.Prompt), "\n")...)...)
	if i := r.Interface; i != nil {
		body = append(body, dialog.Line{}, dialog.Line{Tone: dialog.Strong, Text: w.Interface})
		for _, part := range []struct{ label, text string }{
			{w.Services, i.Services},
			{w.InputFormat, i.InputFormat},
			{w.OutputFormat, i.OutputFormat},
			{w.InterfaceExamples, strings.Join(i.Examples, "\n")},
		} {
			if part.text != "" {
				body = append(body, dialog.Text(strings.Split(part.label+sanitize.Text(part.text), "\n")...)...)
			}
		}
	}
	to := &page.Answers{Run: map[string]func() tea.Cmd{
		w.Edit:        func() tea.Cmd { return a.editRole(r) },
		w.Choose:      func() tea.Cmd { return a.openModels(r) },
		w.ChooseGraph: func() tea.Cmd { return a.openGraphs(r) },
	}}
	a.dialogs.Open(dialog.Dialog{
		Kind: roleKind, Title: fmt.Sprintf(w.View, sanitize.Line(r.Name, nameCells)), Body: body, Wide: true, Payload: to,
		Buttons: []dialog.Button{{Choice: w.Close, Label: w.Close, Keys: []string{"q"}}, {Choice: w.Edit, Label: w.Edit, Keys: []string{"e"}}, {Choice: w.Choose, Label: w.Choose, Keys: []string{"m"}}, {Choice: w.ChooseGraph, Label: w.ChooseGraph, Keys: []string{"g"}}},
	}, a.now())
	return nil
}

// modelOfRole says what a role asks for, if it asks for anything.
func (a *app) modelOfRole(r *api.Role) []string {
	w := a.words.roles
	switch {
	case r.Model != "":
		return []string{fmt.Sprintf(w.Model, sanitize.Line(r.Model, nameCells))}
	case r.Capability != "":
		return []string{fmt.Sprintf(w.Model, fmt.Sprintf(w.AnyModel, sanitize.Line(r.Capability, nameCells)))}
	}
	return nil
}

func (a *app) toolsOf(r *api.Role) string {
	w := a.words.roles
	groups := r.Groups()
	if groups == nil {
		return w.AllTools
	}
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = string(g)
	}
	return fmt.Sprintf(w.Tools, strings.Join(names, a.words.app.Comma))
}

// editRole lets the person write another prompt. Its agents are told it from
// their next request on.
func (a *app) editRole(r api.Role) tea.Cmd {
	name := sanitize.Line(r.Name, nameCells)
	title := fmt.Sprintf(a.words.roles.Editing, name)
	var save func(text string) tea.Cmd
	save = func(text string) tea.Cmd {
		text = strings.TrimSpace(text)
		if text == "" {
			a.promptEditor.Retry(page.Prompt{Title: title, Text: text, Save: save})
			return a.warn(a.words.roles.NeedsPrompt, "")
		}
		return do(a, society.EditRole{Role: r.ID, Prompt: text}, func(change society.RoleChange, err error) tea.Cmd {
			if err != nil {
				a.promptEditor.Retry(page.Prompt{Title: title, Text: text, Save: save})
				return a.sayError(err)
			}
			a.promptEditor.Close()
			a.detail.Outdated()
			return tea.Batch(a.tell(a.editedRole(name, change), ""), a.refreshRoles(r.ID), a.inspect())
		})
	}
	return a.promptEditor.Open(page.Prompt{Title: title, Text: r.Prompt, Save: save})
}

// editedRole says what came of an edit.
func (a *app) editedRole(name string, change society.RoleChange) string {
	w := a.words.roles
	switch {
	case !change.Changed:
		return fmt.Sprintf(w.Unchanged, name)
	case change.Agents == 0:
		return fmt.Sprintf(w.EditedNone, name)
	case change.Agents == 1:
		return fmt.Sprintf(w.EditedOne, name)
	}
	return fmt.Sprintf(w.Edited, name, change.Agents)
}

// makeRole lets the person write a role: its name, and beneath it its prompt.
func (a *app) makeRole() tea.Cmd {
	w := a.words.roles
	var save func(text string) tea.Cmd
	save = func(text string) tea.Cmd {
		name, prompt, _ := strings.Cut(strings.TrimSpace(text), "\n")
		name, prompt = strings.TrimSpace(name), strings.TrimSpace(prompt)
		switch {
		case name == "":
			a.promptEditor.Retry(page.Prompt{Title: w.Making, Text: text, Save: save})
			return a.warn(w.NeedsName, "")
		case prompt == "":
			a.promptEditor.Retry(page.Prompt{Title: w.Making, Text: text, Save: save})
			return a.warn(w.NeedsPrompt, "")
		}
		return do(a, society.MakeRole{Name: name, Prompt: prompt}, func(change society.RoleChange, err error) tea.Cmd {
			if err != nil {
				a.promptEditor.Retry(page.Prompt{Title: w.Making, Text: text, Save: save})
				return a.sayError(err)
			}
			a.promptEditor.Close()
			return tea.Batch(a.tell(fmt.Sprintf(w.Made, sanitize.Line(name, nameCells)), w.HintMade), a.refreshRoles(change.Role))
		})
	}
	return a.promptEditor.Open(page.Prompt{Title: w.Making, Hint: w.ExampleName + "\n\n" + w.ExamplePrompt, Save: save})
}

// refreshRoles reads the roles again if their list is open.
func (a *app) refreshRoles(pick society.RoleID) tea.Cmd {
	if !a.listing(roleList) {
		return nil
	}
	return a.readRoles(pick)
}
