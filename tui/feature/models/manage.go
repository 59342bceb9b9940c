package models

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// manage offers what can be done with a model.
func (f *Feature) manage(item list.Item) tea.Cmd {
	name := item.ID
	setup := f.cfg.Setup
	first := f.Society.Models()[0].Name == name
	draft, table := setup.Draft(name)
	choices := []page.Choice{{Label: f.Text(page.TextClose), Keys: []string{"q"}}}
	if !first {
		choices = append(choices, page.Choice{Label: f.Text(makeDefault), Keys: []string{"d"}, Run: func() tea.Cmd {
			return f.change(func(ctx context.Context) (api.ModelSaved, error) { return setup.MakeDefault(ctx, name) }, f.Explain, func() string { return f.Text(isNowDefault, item.Name) })
		}})
	}
	choices = append(choices, page.Choice{Label: f.Text(forRole), Keys: []string{"r"}, Run: func() tea.Cmd { return f.chooseRole(name) }})
	if table {
		again := func(step func() tea.Cmd) func() tea.Cmd {
			return func() tea.Cmd {
				f.list.Close()
				f.flow = &flow{draft: draft, serial: f.nextSerial()}
				return step()
			}
		}
		choices = append(
			choices,
			page.Choice{Label: f.Text(testModel), Keys: []string{"t"}, Run: again(f.try)},
			page.Choice{Label: f.Text(editModel), Keys: []string{"e"}, Run: again(func() tea.Cmd { return f.askAddress(nil) })},
			page.Choice{Label: f.Text(forgetLearnt), Keys: []string{"f"}, Run: f.forget},
			page.Choice{Label: f.Text(removeModel), Keys: []string{"x"}, Grave: true, Run: func() tea.Cmd { return f.askRemove(item) }},
		)
	}
	return f.Screen.Ask(page.Question{
		Kind: "model", Title: item.Name, Report: true, Choices: choices,
		Body: []dialog.Line{{Tone: dialog.Quiet, Text: item.Note}, {Text: item.Text}},
	})
}

func (f *Feature) askRemove(item list.Item) tea.Cmd {
	return f.Screen.Ask(page.Question{
		Title: f.Text(removeTitle, item.Name), Body: dialog.Text(f.Text(removeSays)),
		Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: f.Text(removeModel), Keys: []string{"y"}, Grave: true, Run: func() tea.Cmd {
			return f.change(func(ctx context.Context) (api.ModelSaved, error) { return f.cfg.Setup.Remove(ctx, item.ID) }, f.Explain, func() string { return f.Text(removed, item.Name) })
		}}},
	})
}

func (f *Feature) forget() tea.Cmd {
	forget := func(ctx context.Context) error {
		if err := f.cfg.Setup.Forget(ctx); err != nil {
			return err
		}
		_, err := api.Do(ctx, f.Society, society.ForgetWindow{})
		return err
	}
	return page.Later(f.Screen, forget, func(err error) tea.Cmd {
		if err != nil {
			return f.Explain(err)
		}
		return f.Inform(f.Text(forgot), "")
	})
}

// everyRole is the id of the row for all roles.
const everyRole = ""

// chooseRole lists the roles that can have a model.
func (f *Feature) chooseRole(model string) tea.Cmd {
	f.assigned = model
	items := []list.Item{{ID: everyRole, Name: f.Text(allRoles), Text: f.Text(allRolesSays)}}
	for _, r := range f.roles {
		uses := f.Text(byDefault)
		if r.Model != "" {
			uses = sanitize.Line(r.Model, page.NameCells)
		} else if r.Capability != "" {
			uses = f.Text(page.TextAnyModel, r.Capability)
		}
		items = append(items, list.Item{ID: string(r.ID), Name: sanitize.Line(r.Name, page.NameCells), Note: uses})
	}
	f.assign.Show(f.Text(roleTitle, sanitize.Line(model, page.NameCells)), "", items)
	return nil
}

// takeRole gives the selected role, or all, the model.
func (f *Feature) takeRole() tea.Cmd {
	item, ok := f.assign.Picked()
	if !ok {
		return nil
	}
	model := f.assigned
	roles := slices.DeleteFunc(slices.Clone(f.roles), func(r api.Role) bool { return item.ID != everyRole && string(r.ID) != item.ID })
	f.assign.Close()
	return page.Later(f.Screen, func(ctx context.Context) error {
		for _, r := range roles {
			if _, err := api.Do(ctx, f.Society, society.ChooseModel{Role: r.ID, Model: model}); err != nil {
				return err
			}
		}
		return nil
	}, func(err error) tea.Cmd {
		if err != nil {
			return f.Explain(err)
		}
		return tea.Batch(f.Inform(f.Text(page.TextNowUses, item.Name, sanitize.Line(model, page.NameCells)), ""), f.open())
	})
}
