// Package roles lists, shows, creates and edits roles, and creates agents with
// them.
package roles

import (
	"strings"

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
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
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
	roles, spawn := agentcommand.Roles(), agentcommand.Spawn()
	roles.Keys, roles.Run = command.Keys(command.Global, "alt+r"), command.Run(func() tea.Cmd { return f.read("") })
	spawn.Args[0].Complete, spawn.Args[0].Load, spawn.Run = f.complete, f.load, f.spawn
	return command.Grouped(command.GroupRoles, []*command.Command{
		roles,
		{
			ID: "make_role", Title: i18n.Text{EN: "New role or session…", ZH: "新建角色或会话…"}, Also: i18n.Text{EN: "create add start", ZH: "创建 添加 新增"}, Keys: command.Keys(command.List, "n"), AnyPane: true, Changes: true,
			Run: command.Run(f.create),
		},
		{
			ID: "edit_role", Title: i18n.Text{EN: "Edit the role's prompt…", ZH: "编辑角色提示词…"}, Also: i18n.Text{EN: "change instructions rewrite", ZH: "修改 指令 改写"}, Keys: command.Keys(command.List, "e"), AnyPane: true, Changes: true, Blocked: f.NotYou,
			Run: command.Run(func() tea.Cmd { return f.WithRole(f.edit) }),
		},
		spawn,
	})
}

// read lists the roles and selects one; "" keeps the selection.
func (f *Feature) read(pick society.RoleID) tea.Cmd {
	return f.ReadRoles(func(m page.RolesRead) tea.Cmd {
		if m.Err != nil {
			return f.Explain(m.Err)
		}
		f.roles = m.Roles
		f.list.Show(f.Text(agentcommand.Roles().Title), "", f.items())
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
		items[i] = list.Item{ID: string(r.ID), Name: Name(r), Text: Purpose(r), Note: strings.Join(About(f.Actions, r), f.Dot)}
		if named[r.Name] > 1 { // else they look the same
			items[i].Name += "  " + string(r.ID)
		}
	}
	return items
}

// Name returns the name of a role, clean.
func Name(r *api.Role) string { return sanitize.Line(r.Name, page.NameCells) }

// Purpose returns the first line of the prompt.
func Purpose(r *api.Role) string {
	first, _, _ := strings.Cut(strings.TrimSpace(r.Prompt), "\n")
	return sanitize.Line(first, page.TextCells)
}

// About tells how many agents a role has, who made it, and the model and graph chosen for it.
func About(b *action.Builder, r *api.Role) []string {
	return append([]string{agentsOf(b.Printer, r), makerOf(b, r)}, choicesOf(b.Printer, r)...)
}

func agentsOf(p i18n.Printer, r *api.Role) string {
	if r.Agents == 0 {
		return p.T(noAgents)
	}
	return p.N(page.TextAgents, r.Agents)
}

func makerOf(b *action.Builder, r *api.Role) string {
	switch {
	case r.ID == society.RootRole:
		return b.Printer.T(builtIn)
	case r.Template != "":
		return b.Printer.T(fromTemplate, sanitize.Line(r.Template, page.NameCells))
	case r.CreatedBy == society.User:
		return b.Printer.T(madeByYou)
	}
	return b.Printer.T(madeBy, b.Society.Name(r.CreatedBy))
}

// choicesOf returns the model and the graph of a role, if it has any.
func choicesOf(p i18n.Printer, r *api.Role) []string {
	var choices []string
	switch {
	case r.Model != "":
		choices = append(choices, p.T(hasModel, symbols.ModelName(p, sanitize.Line(r.Model, page.NameCells))))
	case r.Capability != "":
		choices = append(choices, p.T(hasModel, p.T(page.TextAnyModel, sanitize.Line(r.Capability, page.NameCells))))
	}
	if r.Effort != "" {
		choices = append(choices, p.T(hasEffort, sanitize.Line(r.Effort, page.NameCells)))
	}
	if r.Graph != nil {
		choices = append(choices, p.T(hasGraph, sanitize.Line(r.Graph.Name, page.NameCells)))
	}
	return choices
}
