// Package roles lists, shows, creates and edits roles, and creates agents with
// them.
package roles

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
)

// A Config has what the feature needs of others.
type Config struct {
	// Models and Graphs list the choices for a role. Leaving them calls back.
	Models, Graphs func(r api.Role, back func() tea.Cmd) tea.Cmd
	// Changed is told that a role was changed. OpenNew opens a created agent as soon
	// as its row arrives, if the recipient is still the same.
	Changed func() tea.Cmd
	OpenNew func(id, recipient society.AgentID) tea.Cmd
}

type Feature struct {
	*page.Deps
	cfg    Config
	list   *page.List
	editor *page.PromptEditor
	roles  []api.Role // as last read
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature {
	f := &Feature{Deps: deps, cfg: cfg, editor: deps.NewPromptEditor()}
	marked := func(does func(api.Role) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			if r, ok := f.marked(); ok {
				return does(r)
			}
			return nil
		}
	}
	f.list = deps.NewList(page.Choosing{
		Take: marked(f.view), Takes: hintView,
		Keys: map[string]func() tea.Cmd{"make_role": f.create, "edit_role": marked(f.edit), "model": marked(f.openModels), "graph": marked(f.openGraphs)},
		More: func() []statusline.Hint {
			return []statusline.Hint{f.Hint("make_role", hintNew), f.Hint("edit_role", hintEdit), f.Hint("model", hintModelAndGraph)}
		},
	})
	return f
}

func (f *Feature) Commands() []*command.Command {
	return command.Grouped(command.GroupRoles, []*command.Command{
		{ID: "roles", Title: title, Also: i18n.Text{EN: "prompts persona system", ZH: "提示词 人设"}, Keys: command.Keys(command.Global, "alt+r"), Slash: "/roles", Run: command.Run(func() tea.Cmd { return f.read("") })},
		{
			ID: "make_role", Title: i18n.Text{EN: "New role or session…", ZH: "新建角色或会话…"}, Keys: command.Keys(command.List, "n"), AnyPane: true, Changes: true,
			Run: command.Run(f.create),
		},
		{
			ID: "edit_role", Title: i18n.Text{EN: "Edit the role's prompt…", ZH: "编辑角色提示词…"}, Keys: command.Keys(command.List, "e"), AnyPane: true, Changes: true, Blocked: f.NotYou,
			Run: command.Run(func() tea.Cmd { return f.WithRole(f.edit) }),
		},
		{
			Slash: "/spawn", Group: command.GroupAgents, Title: i18n.Text{EN: "Create an agent below this one", ZH: "创建下级智能体"}, NeedsArgs: true, Changes: true, Run: f.spawn,
			Args: []command.Arg{{Label: i18n.Text{EN: "role [text]", ZH: "角色 [文字]"}, Complete: f.complete, Load: f.load}},
			Also: i18n.Text{EN: "add agent spawn", ZH: "新建 添加 派生"},
		},
	})
}

// read lists the roles and selects one; "" keeps the selection.
func (f *Feature) read(pick society.RoleID) tea.Cmd {
	return f.ReadRoles(func(m page.RolesRead) tea.Cmd {
		if m.Err != nil {
			return f.Explain(m.Err)
		}
		f.roles = m.Roles
		f.list.Show(f.Text(title), "", f.items())
		if pick != "" {
			f.list.Pick(string(pick))
		}
		return nil
	})
}

// refresh rereads the roles if their list is open.
func (f *Feature) refresh(pick society.RoleID) tea.Cmd {
	if !f.list.IsOpen() {
		return nil
	}
	return f.read(pick)
}

func (f *Feature) openModels(r api.Role) tea.Cmd { return f.cfg.Models(r, f.backTo(r)) }

func (f *Feature) openGraphs(r api.Role) tea.Cmd { return f.cfg.Graphs(r, f.backTo(r)) }

// backTo returns to the list of roles.
func (f *Feature) backTo(r api.Role) func() tea.Cmd {
	return func() tea.Cmd { return f.read(r.ID) }
}

// marked returns the selected role.
func (f *Feature) marked() (api.Role, bool) {
	item, ok := f.list.Picked()
	for _, r := range f.roles {
		if ok && string(r.ID) == item.ID {
			return r, true
		}
	}
	return api.Role{}, false
}

func (f *Feature) items() []list.Item {
	items := make([]list.Item, len(f.roles))
	named := make(map[string]int)
	for i := range f.roles {
		named[f.roles[i].Name]++
	}
	for i := range f.roles {
		r := &f.roles[i]
		first, _, _ := strings.Cut(strings.TrimSpace(r.Prompt), "\n")
		items[i] = list.Item{
			ID: string(r.ID), Name: name(r), Text: sanitize.Line(first, page.TextCells),
			Note: strings.Join(append([]string{f.agentsOf(r), f.makerOf(r)}, f.choicesOf(r)...), f.Dot),
		}
		if named[r.Name] > 1 { // else they look the same
			items[i].Name += "  " + string(r.ID)
		}
	}
	return items
}

func name(r *api.Role) string { return sanitize.Line(r.Name, page.NameCells) }

func (f *Feature) agentsOf(r *api.Role) string {
	if r.Agents == 0 {
		return f.Text(noAgents)
	}
	return f.Printer.N(page.TextAgents, r.Agents)
}

func (f *Feature) makerOf(r *api.Role) string {
	switch {
	case r.Template != "":
		return f.Text(fromTemplate, sanitize.Line(r.Template, page.NameCells))
	case r.CreatedBy == society.User:
		return f.Text(madeByYou)
	}
	return f.Text(madeBy, f.Replica.Name(r.CreatedBy))
}

// choicesOf returns the model and the graph of a role, if it has any.
func (f *Feature) choicesOf(r *api.Role) []string {
	var choices []string
	switch {
	case r.Model != "":
		choices = append(choices, f.Text(hasModel, sanitize.Line(r.Model, page.NameCells)))
	case r.Capability != "":
		choices = append(choices, f.Text(hasModel, f.Text(page.TextAnyModel, sanitize.Line(r.Capability, page.NameCells))))
	}
	if r.Effort != "" {
		choices = append(choices, f.Text(hasEffort, sanitize.Line(r.Effort, page.NameCells)))
	}
	if r.Graph != nil {
		choices = append(choices, f.Text(hasGraph, sanitize.Line(r.Graph.Name, page.NameCells)))
	}
	return choices
}
