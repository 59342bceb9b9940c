package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// setUpList is the kind of the list of models that are set up.
const setUpList = "set up"

// setUpRow is the row of that list that says how to set up another: no model has this
// name.
const setUpRow = ""

// modelsRead are the roles, read for what they ask for.
type modelsRead struct {
	roles []api.Role
	err   error
}

// listModels reads what roles ask for, to list the models with it.
func (a *app) listModels() tea.Cmd {
	return later(a, func(ctx context.Context) modelsRead {
		roles, err := a.society.Roles(ctx)
		return modelsRead{roles, err}
	}, a.takeModels)
}

func (a *app) takeModels(m modelsRead) tea.Cmd {
	if m.err != nil {
		return a.sayError(m.err)
	}
	a.roles = m.roles
	a.openList(page.List{Kind: setUpList, Take: a.takeModel, Takes: a.words.keys.HintChoose}, a.words.models.Title, "", a.modelItems())
	if a.cfg.Offline {
		a.picks.Pick(setUpRow)
	}
	return nil
}

// renewModels shows in the list, if it is open, how calls have gone since.
func (a *app) renewModels() {
	if a.listing(setUpList) {
		a.picks.Renew(a.modelItems())
	}
}

func (a *app) modelItems() []list.Item {
	w := a.words.models
	asking := a.rolesByModel()
	var items []list.Item
	for i, m := range a.society.Models() {
		items = append(items, a.modelItem(m, i == 0, asking[m.Name]))
	}
	row := list.Item{ID: setUpRow, Name: w.SetUp, Text: fmt.Sprintf(w.SetUpSays, a.settingsFile())}
	if a.cfg.Offline {
		row.Name = w.SetUpReal
	}
	return append(items, row)
}

// modelItem says where a model is asked, how that went last, and who asks for it.
func (a *app) modelItem(m api.Model, first bool, roles []string) list.Item {
	w := a.words.models
	item := list.Item{ID: m.Name, Name: sanitize.Line(m.Name, nameCells)}
	var note []string
	if first {
		note = append(note, a.words.roles.DefaultModel)
	}
	if m.Host == "" {
		note = append(note, a.words.roles.BuiltIn)
	} else {
		note = append(note, sanitize.Line(m.Host, nameCells))
	}
	if m.Window > 0 {
		note = append(note, fmt.Sprintf(a.words.roles.Window, symbols.Tokens(m.Window)))
	}
	item.Note = strings.Join(note, a.dot())

	var text []string
	switch how := a.replica.Health(item.Name); how {
	case "":
		text = append(text, w.NotAsked)
	case "ok":
		text = append(text, w.Well)
	default:
		text, item.Bad = append(text, fmt.Sprintf(w.Failed, how)), true
	}
	if len(m.Capabilities) > 0 {
		text = append(text, strings.Join(m.Capabilities, a.words.app.Comma))
	}
	if len(roles) == 0 {
		text = append(text, w.NoRole)
	} else {
		text = append(text, fmt.Sprintf(w.AskedBy, strings.Join(roles, a.words.app.Comma)))
	}
	item.Text = strings.Join(text, a.dot())
	return item
}

// rolesByModel are the names of the roles that ask for each model: by its name, by a
// capability that it is the first to have, or for nothing and so for the default.
func (a *app) rolesByModel() map[string][]string {
	asking := make(map[string][]string)
	for i := range a.roles {
		r := &a.roles[i]
		at := slices.IndexFunc(a.society.Models(), func(m api.Model) bool {
			switch {
			case r.Model != "":
				return m.Name == r.Model
			case r.Capability != "":
				return slices.Contains(m.Capabilities, r.Capability)
			}
			return true
		})
		if at >= 0 {
			name := a.society.Models()[at].Name
			asking[name] = append(asking[name], sanitize.Line(r.Name, nameCells))
		}
	}
	return asking
}

// takeModel shows what makes the marked model the default, or how to set up another.
func (a *app) takeModel() tea.Cmd {
	item, ok := a.picks.Picked()
	switch {
	case !ok:
	case item.ID == setUpRow:
		a.showSetUp()
	case item.ID == a.society.Models()[0].Name:
		return a.tell(fmt.Sprintf(a.words.models.Default, item.Name), a.words.models.HintRole)
	default:
		at := slices.IndexFunc(a.society.Models(), func(m api.Model) bool { return m.Name == item.ID })
		a.showOther(item.Name, a.society.Models()[at].Host == "")
	}
	return nil
}
