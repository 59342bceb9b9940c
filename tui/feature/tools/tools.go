// Package tools shows which tools agents have and why they lack others, and the rules of
// their calls.
package tools

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// A Config has the MCP servers.
type Config struct {
	Servers func(context.Context) ([]list.Item, error)
	Open    func(server string) tea.Cmd // shows one
}

// A Feature is the list of roles with their groups of tools, of rules, and of MCP servers.
type Feature struct {
	*page.Deps
	cfg  Config
	list *page.List
	as   state // as last read
}

// state is what the list shows.
type state struct {
	roles   []api.Role
	policy  api.Policy
	profile api.Profile // of the agent at hand, empty without one
	servers []list.Item
	err     error
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature {
	f := &Feature{Deps: deps, cfg: cfg}
	f.list = deps.NewList(page.Choosing{
		Take: f.openMarked, Takes: page.TextOpenIt,
		Keys: map[string]func() tea.Cmd{"add_rule": f.askRule, "remove_rule": f.removeMarked},
		More: func() []statusline.Hint {
			return []statusline.Hint{f.Hint("add_rule", hintAdd), f.Hint("remove_rule", hintRemove)}
		},
	})
	return f
}

func (f *Feature) env() agentcommand.Env {
	return agentcommand.Env{Actions: f.Actions}
}

// Commands returns the commands of the feature.
func (f *Feature) Commands() []*command.Command {
	shows := f.env().Tools()
	shows.Run, shows.Keys = command.Run(f.show), command.Keys(command.Global, "alt+t")
	return append([]*command.Command{shows, f.env().Rule()}, command.Grouped(command.GroupAgents, []*command.Command{
		f.InList("add_rule", i18n.Text{EN: "Add a rule for calls…", ZH: "添加调用规则…"}, i18n.Text{EN: "allow deny permission", ZH: "允许 拒绝 权限"}, "a"),
		f.InList("remove_rule", i18n.Text{EN: "Remove rule…", ZH: "删除规则…"}, i18n.Text{EN: "delete drop permission", ZH: "移除 取消 权限"}, "d"),
	})...)
}

// show reads what there is and opens the list.
func (f *Feature) show() tea.Cmd {
	id := f.Screen.AtHand()
	return page.Later(f.Screen, func(ctx context.Context) (s state) {
		if s.roles, s.err = f.Society.Roles(ctx); s.err != nil {
			return s
		}
		if s.servers, s.err = f.cfg.Servers(ctx); s.err != nil {
			return s
		}
		if s.policy, s.err = f.Society.Policy(ctx); s.err == nil && id != society.User {
			s.profile, s.err = f.Society.Profile(ctx, id)
		}
		return s
	}, func(s state) tea.Cmd {
		if s.err != nil {
			return f.Explain(s.err)
		}
		f.as = s
		f.list.Show(f.Text(textTitle), "", f.items())
		return nil
	})
}

const (
	agentItem   = "agent"
	sandboxItem = "sandbox"
	ruleItem    = "rule "
	roleItem    = "role "
	mcpItem     = "mcp "
)

func (f *Feature) items() []list.Item {
	var items []list.Item
	add := func(head string, of ...list.Item) {
		if len(of) > 0 {
			of[0].Head = head
			items = append(items, of...)
		}
	}
	if f.as.profile.Agent != "" {
		add(f.Text(textOfAgent), f.agentItem())
	}
	add(f.Text(textCommands), f.sandboxItems()...)
	add(f.Text(textRules), f.ruleItems()...)
	roles := make([]list.Item, len(f.as.roles))
	for i := range f.as.roles {
		r := &f.as.roles[i]
		roles[i] = list.Item{ID: roleItem + string(r.ID), Name: sanitize.Line(r.Name, page.NameCells), Text: f.groups(r.Groups())}
	}
	add(f.Text(textRoles), roles...)
	servers := slices.Clone(f.as.servers)
	for i := range servers {
		servers[i].ID = mcpItem + servers[i].ID
	}
	add(f.Text(textServers), servers...)
	return items
}

// agentItem says which tools the agent at hand has, and which not.
func (f *Feature) agentItem() list.Item {
	p := &f.as.profile
	item := list.Item{ID: agentItem, Name: f.Replica.Name(p.Agent), Note: f.Printer.N(textTools, len(p.Tools)), Text: f.groups(groupsOf(p.Tools))}
	if n := len(p.NotOffered) + len(p.NoGroups); n > 0 {
		item.Note, item.Bad = item.Note+f.Dot+f.Printer.N(textMissing, n), true
	}
	return item
}

// sandboxItems says what holds in the commands of agents; nothing if they run none.
func (f *Feature) sandboxItems() []list.Item {
	said, why := f.Actions.AboutSandbox(f.as.policy.Sandbox)
	if said == "" {
		return nil
	}
	word, lacks := symbols.Sandbox(f.as.policy.Sandbox.State, f.Printer)
	return []list.Item{{ID: sandboxItem, Name: word, Text: strings.Join(append([]string{said}, why...), f.Dot), Bad: lacks}}
}

// sandboxLines says the same in full.
func (f *Feature) sandboxLines() []dialog.Line {
	said, why := f.Actions.AboutSandbox(f.as.policy.Sandbox)
	lines := []dialog.Line{{Text: said}}
	for _, reason := range why {
		lines = append(lines, dialog.Line{Text: "- " + reason})
	}
	return lines
}

func groupsOf(tools []api.Tool) (groups []tool.Group) {
	for _, t := range tools {
		if !slices.Contains(groups, t.Group) {
			groups = append(groups, t.Group)
		}
	}
	return groups
}

func (f *Feature) groups(groups []tool.Group) string {
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = sanitize.Line(string(g), page.NameCells)
	}
	return f.Text(textGroups, f.Printer.List(names))
}

func (f *Feature) ruleItems() []list.Item {
	items := []list.Item{}
	for i := range f.as.policy.Rules {
		r := f.as.policy.Rules[i]
		item := list.Item{ID: ruleItem + strconv.FormatUint(r.ID, 10), Name: f.Actions.RuleInWords(r), Note: f.Text(textNumber, r.ID)}
		if r.ID == 0 {
			item.Note = f.Text(textFromSettings, sanitize.Line(r.Origin, page.NameCells))
		}
		items = append(items, item)
	}
	if len(items) == 0 {
		items = append(items, list.Item{ID: ruleItem, Name: f.Text(textNoRules)})
	}
	return items
}

// openMarked shows the tools of the agent, or a role's, or an MCP server.
func (f *Feature) openMarked() tea.Cmd {
	item, ok := f.list.Picked()
	switch {
	case !ok:
		return nil
	case item.ID == agentItem:
		return f.Report(f.Text(textToolsOf, f.Replica.Name(f.as.profile.Agent)), f.toolLines())
	case item.ID == sandboxItem:
		return f.Report(item.Name, f.sandboxLines())
	case strings.HasPrefix(item.ID, mcpItem):
		return f.cfg.Open(strings.TrimPrefix(item.ID, mcpItem))
	case strings.HasPrefix(item.ID, ruleItem):
		return f.Inform(item.Name, f.Text(hintRules))
	}
	return f.Inform(item.Name+f.Dot+item.Text, f.Text(hintRoles))
}

// toolLines lists the agent's tools by group, and what it lacks with the reason.
func (f *Feature) toolLines() []dialog.Line {
	p := &f.as.profile
	var lines []dialog.Line
	head := func(text string) {
		if len(lines) > 0 {
			lines = append(lines, dialog.Line{})
		}
		lines = append(lines, dialog.Line{Tone: dialog.Strong, Text: text})
	}
	each := func(tools []api.Tool) {
		for _, t := range tools {
			purpose, _, _ := strings.Cut(t.Purpose, "\n")
			lines = append(lines, dialog.Line{Key: sanitize.Line(t.Name, page.NameCells), Text: sanitize.Line(purpose, page.TextCells)})
		}
	}
	for _, group := range groupsOf(p.Tools) {
		head(sanitize.Line(string(group), page.NameCells))
		each(slices.DeleteFunc(slices.Clone(p.Tools), func(t api.Tool) bool { return t.Group != group }))
	}
	if len(p.NotOffered) > 0 {
		head(f.Text(textNoRoom))
		each(p.NotOffered)
	}
	if len(p.NoGroups) > 0 {
		head(f.Text(textNotInSociety))
		lines = append(lines, dialog.Line{Text: f.groups(p.NoGroups)})
	}
	return lines
}

// askRule asks for a new rule.
func (f *Feature) askRule() tea.Cmd {
	const longest = 1000
	return f.Screen.Ask(page.Question{
		Kind: "rule", Title: f.Text(textAddTitle), Body: dialog.Text(f.Text(textAddBody), f.Text(textAddCommands), f.Text(textAddScope), f.Text(textAddWhy)), Wide: true,
		Line: &dialog.Field{Label: f.Text(textRule), Text: string(approval.Allow) + " ", Most: longest},
		Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: f.Text(textAdd), Write: func(written string) tea.Cmd {
			rule, wrong := f.Actions.ReadRule(written)
			if !wrong.Empty() {
				return f.Screen.Notify(wrong)
			}
			return f.Screen.Act(f.thenRenew(f.Actions.AddRule(rule)))
		}}},
	})
}

// thenRenew returns an action on rules after which the open list has those that there are then.
func (f *Feature) thenRenew(o action.Action) action.Action {
	do := o.Do
	if do == nil { // it was refused
		return o
	}
	o.Do = func(ctx context.Context, id society.AgentID) func() action.Outcome {
		answered := do(ctx, id)
		policy, err := f.Society.Policy(ctx)
		return func() action.Outcome {
			if err == nil && f.list.IsOpen() { // else they are read when it is opened again
				f.as.policy = policy
				f.list.Renew(f.items())
			}
			return answered()
		}
	}
	return o
}

// removeMarked asks whether to remove a rule of the society's.
func (f *Feature) removeMarked() tea.Cmd {
	item, ok := f.list.Picked()
	var id uint64
	if _, err := fmt.Sscanf(item.ID, ruleItem+"%d", &id); !ok || err != nil {
		return f.Warn(f.Text(textPickRule), "")
	}
	if id == 0 {
		return f.Warn(f.Text(textSettingsStay), item.Note)
	}
	return f.Screen.Ask(page.Question{
		Title: f.Text(textRemoveTitle, id), Body: dialog.Text(item.Name, f.Text(textRemoveBody)),
		Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: f.Text(textRemove), Keys: []string{"y"}, Grave: true, Run: func() tea.Cmd {
			return f.Screen.Act(f.thenRenew(f.Actions.RemoveRule(id)))
		}}},
	})
}
