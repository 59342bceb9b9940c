// Package models lists the models, explains how to set up more, and sets the
// model of a role.
package models

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// setUpRow is the id of the row that explains how to set up a model.
const setUpRow = ""

// A Config has where models are set up.
type Config struct {
	Offline bool          // only the built-in model is available
	File    func() string // the settings file, or ""
}

// A Feature lists models and sets those of roles.
type Feature struct {
	*page.Deps
	cfg     Config
	list    *page.List
	roles   []api.Role // as last read
	choices *page.List // the choices for a role
	role    api.Role   // whose model is chosen
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature {
	f := &Feature{Deps: deps, cfg: cfg}
	f.list = deps.NewList(page.Choosing{Take: f.takeMarked, Takes: page.HintChoose})
	f.choices = deps.NewList(page.Choosing{Take: f.chooseMarked, Takes: page.HintChoose, Cancels: true})
	return f
}

func (f *Feature) Commands() []*command.Command {
	return command.Grouped(command.GroupRoles, []*command.Command{
		{
			ID: "model", Title: i18n.Text{EN: "Choose the role's model…", ZH: "选择角色的模型…"}, Keys: command.Keys(command.List, "m"), AnyPane: true, Changes: true, Blocked: f.NotYou,
			Run: command.Run(f.openForRecipient),
		},
		{Slash: "/models", Title: title, Also: i18n.Text{EN: "provider key api endpoint openai llm", ZH: "提供商 密钥 接口"}, Run: command.Run(f.open)},
	})
}

func (f *Feature) openForRecipient() tea.Cmd {
	return f.WithRole(func(r api.Role) tea.Cmd { return f.Open(r, nil) })
}

// open lists the models with the roles that use them.
func (f *Feature) open() tea.Cmd {
	return f.ReadRoles(func(m page.RolesRead) tea.Cmd {
		if m.Err != nil {
			return f.Explain(m.Err)
		}
		f.roles = m.Roles
		f.list.Show(f.Text(title), "", f.items())
		if f.cfg.Offline {
			f.list.Pick(setUpRow)
		}
		return nil
	})
}

// Changed updates the open list with the health of models.
func (f *Feature) Changed(_ *api.Changes, did replica.Applied) {
	if did.Health && f.list.IsOpen() {
		f.list.Renew(f.items())
	}
}

func (f *Feature) items() []list.Item {
	asking := f.rolesByModel()
	var items []list.Item
	for i, m := range f.Society.Models() {
		items = append(items, f.item(m, i == 0, asking[m.Name]))
	}
	row := list.Item{ID: setUpRow, Name: f.Text(setUpAnother), Text: f.Text(setUpSays, f.cfg.File())}
	if f.cfg.Offline {
		row.Name = f.Text(setUpReal)
	}
	return append(items, row)
}

// item shows where a model is, its health, and who uses it.
func (f *Feature) item(m api.Model, first bool, roles []string) list.Item {
	item := list.Item{ID: m.Name, Name: sanitize.Line(m.Name, page.NameCells)}
	var note []string
	if first {
		note = append(note, f.Text(byDefault))
	}
	if m.Host == "" {
		note = append(note, f.Text(page.TextBuiltIn))
	} else {
		note = append(note, sanitize.Line(m.Host, page.NameCells))
	}
	if m.Window > 0 {
		note = append(note, f.Text(window, symbols.Tokens(m.Window)))
	}
	item.Note = strings.Join(note, f.Dot)

	var text []string
	switch health := f.Replica.Health(item.Name); health {
	case "":
		text = append(text, f.Text(notUsed))
	case "ok":
		text = append(text, f.Text(answered))
	default:
		text, item.Bad = append(text, f.Text(failed, health)), true
	}
	if len(m.Capabilities) > 0 {
		text = append(text, f.Printer.List(m.Capabilities))
	}
	if len(roles) == 0 {
		text = append(text, f.Text(noRoles))
	} else {
		text = append(text, f.Text(usedBy, f.Printer.List(roles)))
	}
	item.Text = strings.Join(text, f.Dot)
	return item
}

// rolesByModel returns the names of the roles that use each model: by name, by
// capability, or as the default.
func (f *Feature) rolesByModel() map[string][]string {
	asking := make(map[string][]string)
	for i := range f.roles {
		r := &f.roles[i]
		at := slices.IndexFunc(f.Society.Models(), func(m api.Model) bool {
			switch {
			case r.Model != "":
				return m.Name == r.Model
			case r.Capability != "":
				return slices.Contains(m.Capabilities, r.Capability)
			}
			return true
		})
		if at >= 0 {
			name := f.Society.Models()[at].Name
			asking[name] = append(asking[name], sanitize.Line(r.Name, page.NameCells))
		}
	}
	return asking
}

// takeMarked explains how to make the selected model the default, or how to set
// up another.
func (f *Feature) takeMarked() tea.Cmd {
	item, ok := f.list.Picked()
	switch {
	case !ok:
	case item.ID == setUpRow:
		return f.showSetUp()
	case item.ID == f.Society.Models()[0].Name:
		return f.Inform(f.Text(isDefault, item.Name), f.Text(hintRole))
	default:
		at := slices.IndexFunc(f.Society.Models(), func(m api.Model) bool { return m.Name == item.ID })
		return f.showDefault(item.Name, f.Society.Models()[at].Host == "")
	}
	return nil
}
