package models

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
	"society-tui/tui/symbols"
)

// manage offers what can be done with a model. Enter takes what is likely wanted: to make it the
// default or, if it is, to test it or to give it to someone.
func (f *Feature) manage(item list.Item) tea.Cmd {
	name := item.ID
	setup := f.cfg.Setup
	first, used := f.Society.Models()[0].Name == name, f.isUsed(name)
	draft, table := setup.Draft(name)
	choices := []page.Choice{{Label: f.Text(page.TextClose), Keys: []string{"q"}}}
	if !first {
		choices = append(choices, page.Choice{Label: f.Text(makeDefault), Keys: []string{"d"}, Run: func() tea.Cmd {
			return f.change(func(ctx context.Context) (api.ModelSaved, error) { return setup.MakeDefault(ctx, name) }, f.Explain, f.failedOn(f.Society.Models()[0].Name), func() string { return f.Text(isNowDefault, item.Name) })
		}})
	}
	selected := len(choices) - 1 // a model is chosen to be the default, unless it is
	if first {
		selected++
	}
	if used {
		choices = append(choices, page.Choice{Label: f.Text(useFor), Keys: []string{"u"}, Run: func() tea.Cmd { return f.chooseUser(name) }})
	}
	if table && first {
		selected = len(choices)
	}
	if table {
		choices = append(
			choices,
			page.Choice{Label: f.Text(testModel), Keys: []string{"t"}, Run: func() tea.Cmd { return f.test(draft) }},
			page.Choice{Label: f.Text(editModel), Keys: []string{"e"}, Run: func() tea.Cmd { return f.edit(draft) }},
		)
		if used {
			choices = append(choices, page.Choice{Label: f.Text(forgetLearnt), Keys: []string{"f"}, Run: func() tea.Cmd { return f.forget(name) }})
		}
		choices = append(choices, page.Choice{Label: f.Text(removeModel), Keys: []string{"x"}, Grave: true, Run: func() tea.Cmd { return f.askRemove(item) }})
	}
	return f.Screen.Ask(page.Question{
		Kind: "model", Title: item.Name, Report: true, Choices: choices, Selected: selected,
		Body: []dialog.Line{{Tone: dialog.Quiet, Text: item.Note}, {Text: item.Text}},
	})
}

// isUsed reports whether a model is asked: one that is set up waits while the offline one is
// the default.
func (f *Feature) isUsed(name string) bool {
	return slices.ContainsFunc(f.Society.Models(), func(m api.Model) bool { return m.Name == name })
}

// edit changes a model of the settings, from its address on.
func (f *Feature) edit(d api.ModelDraft) tea.Cmd {
	f.list.Close()
	f.start(flow{Keys: f.keys(d), draft: d, first: addressStep})
	return f.askAddress(nil)
}

// keys returns what is known of the keys of a model of the settings, or of a new one.
func (f *Feature) keys(d api.ModelDraft) setupstep.Keys {
	return setupstep.Keys{Before: d, Others: setupstep.Drafts(f.Society.Models(), f.cfg.Setup.Draft)}
}

func (f *Feature) askRemove(item list.Item) tea.Cmd {
	return f.Screen.Ask(page.Question{
		Title: f.Text(removeTitle, item.Name), Body: dialog.Text(f.afterRemoval(item.ID)...),
		Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: f.Text(removeModel), Keys: []string{"y"}, Grave: true, Run: func() tea.Cmd {
			return f.change(func(ctx context.Context) (api.ModelSaved, error) { return f.cfg.Setup.Remove(ctx, item.ID) }, f.Explain, "", func() string { return f.Text(removed, item.Name) })
		}}},
	})
}

// afterRemoval tells what the removal of a model leads to.
func (f *Feature) afterRemoval(model string) []string {
	says := []string{f.Text(removeSays)}
	var roles []string
	for _, r := range f.roles {
		if r.Model == model {
			roles = append(roles, sanitize.Line(r.Name, page.NameCells))
		}
	}
	if len(roles) > 0 {
		says = append(says, f.Text(rolesThen, f.Printer.List(roles)))
	}
	if alone := f.having(model); len(alone) > 0 {
		says = append(says, f.Text(agentsThen, f.Printer.List(f.namesOf(alone))))
	}
	all := f.Society.Models()
	rest := slices.DeleteFunc(slices.Clone(all), func(m api.Model) bool { return m.Name == model })
	switch {
	case !f.isUsed(model):
	case api.IsOffline(rest):
		says = append(says, f.Text(offlineThen))
	case all[0].Name == model:
		says = append(says, f.Text(nextDefault, sanitize.Line(rest[0].Name, page.NameCells)))
	}
	return says
}

func (f *Feature) forget(name string) tea.Cmd {
	for _, m := range f.Society.Models() {
		if m.Name == name && len(m.Adapted) == 0 && m.WindowFrom.Source != api.KnownFromError && (m.Images == nil || *m.Images) {
			return f.Inform(f.Text(nothingLearnt, sanitize.Line(name, page.NameCells)), "")
		}
	}
	return f.Screen.Act(f.Actions.ForgetLearnt(name, f.cfg.Setup.Forget))
}

// Ids of rows of who can have a model: all, a role or an agent, whose id follows.
const (
	everybody   = ""
	roleBefore  = "role\n"
	aloneBefore = "agent\n"
)

// chooseUser lists who can have a model: all, each role, each agent.
func (f *Feature) chooseUser(model string) tea.Cmd {
	f.assigned = model
	now := func(is bool, note string) string {
		if is {
			note = strings.Trim(f.Text(page.TextCurrent)+f.Dot+note, f.Dot)
		}
		return note
	}
	byDefaultNow := f.Society.Models()[0].Name == model
	items := []list.Item{{ID: everybody, Name: f.Text(allAgents), Text: f.Text(allAgentsSay)}}
	for _, r := range f.roles {
		uses := f.Text(byDefault)
		if r.Model != "" {
			uses = symbols.ModelName(f.Printer, sanitize.Line(r.Model, page.NameCells))
		} else if r.Capability != "" {
			uses = f.Text(page.TextAnyModel, r.Capability)
		}
		items = append(items, list.Item{ID: roleBefore + string(r.ID), Name: f.Text(roleIs, sanitize.Line(r.Name, page.NameCells)), Note: now(r.Model == model || r.Model+r.Capability == "" && byDefaultNow, uses)})
	}
	for _, id := range f.Replica.Subtree(society.Root) {
		note := ""
		if row, _ := f.Replica.Row(id); row.OwnModel {
			note = now(row.Model == model, f.Text(itsOwn, symbols.ModelName(f.Printer, row.Model)))
		}
		items = append(items, list.Item{ID: aloneBefore + string(id), Name: f.Text(agentIs, f.Replica.Name(id)), Note: note})
	}
	f.assign.Show(f.Text(useForTitle, symbols.ModelName(f.Printer, sanitize.Line(model, page.NameCells))), "", items)
	return nil
}

// takeUser gives the selected role or agent, or all, the model.
func (f *Feature) takeUser() tea.Cmd {
	item, ok := f.assign.Picked()
	if !ok {
		return nil
	}
	f.assign.Close()
	if id, alone := strings.CutPrefix(item.ID, aloneBefore); alone {
		return tea.Batch(f.Screen.Act(f.Actions.AssignModel(society.AgentID(id), f.assigned)), f.open())
	}
	model := f.assigned
	var roles []society.RoleID
	for _, r := range f.roles {
		if item.ID == everybody || item.ID == roleBefore+string(r.ID) {
			roles = append(roles, r.ID)
		}
	}
	var own []society.AgentID // which all would not reach otherwise
	for _, id := range f.Replica.Subtree(society.Root) {
		if row, _ := f.Replica.Row(id); row.OwnModel && item.ID == everybody {
			own = append(own, id)
		}
	}
	return page.Later(f.Screen, func(ctx context.Context) error {
		for _, id := range roles {
			if _, err := api.Do(ctx, f.Society, society.ChooseModel{Role: id, Model: model}); err != nil {
				return err
			}
		}
		for _, id := range own {
			if _, err := api.Do(ctx, f.Society, society.AssignModel{Agent: id}); err != nil {
				return err
			}
		}
		return nil
	}, func(err error) tea.Cmd {
		if err != nil {
			return f.Explain(err)
		}
		said := f.Text(page.TextNowUses, item.Name, sanitize.Line(model, page.NameCells))
		if item.ID == everybody {
			said = f.Text(allNowUse, sanitize.Line(model, page.NameCells))
		}
		return tea.Batch(f.Inform(said, ""), f.open())
	})
}
