package models

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
)

// backToModels returns from the step of the model.
func (f *Feature) backToModels() tea.Cmd { return f.back(modelStep, f.backToKey)() }

// findModels asks the endpoint for its models.
func (f *Feature) findModels() tea.Cmd {
	type found struct {
		list api.ModelList
		err  error
	}
	f.flow.enter(modelStep)
	d := f.flow.draft
	return asks(f, f.title(modelStep, stepModel), f.Text(setupstep.AsksList, sanitize.Line(d.URL, page.TextCells)), f.backToModels, func(ctx context.Context) found {
		all, err := f.cfg.Setup.List(ctx, d)
		return found{all, err}
	}, func(m found) tea.Cmd {
		f.flow.listed = m.list
		switch {
		case m.err != nil:
			return f.showUnlisted(m.err)
		case len(m.list.Models) == 0:
			return f.typeModel(f.Text(setupstep.NoList), nil)
		}
		return f.pickModel()
	})
}

// showUnlisted tells why there is no list, and what can be done.
func (f *Feature) showUnlisted(why error) tea.Cmd {
	class, says := f.flow.listed.Class, f.Text(unlistedSays)
	names := page.Choice{Label: f.Text(typeName), Keys: []string{"m"}, Run: func() tea.Cmd { return f.typeModel("", nil) }}
	if n := len(f.flow.listed.Models); n > 0 {
		says = f.Printer.N(setupstep.Known, n)
		names.Label, names.Run = f.Text(chooseName), f.pickModel
	}
	return f.askRemedy(class, page.Question{
		Kind: "model", Title: f.title(modelStep, stepModel),
		Body: []dialog.Line{{Tone: dialog.Warning, Text: f.inWords(why)}, {Text: f.Text(setupstep.Next(class))}, {}, {Tone: dialog.Quiet, Text: says}},
		Choices: []page.Choice{
			{Label: f.Text(goBack), Run: f.backToModels},
			f.remedy(setupstep.OtherKey, f.otherKey),
			f.remedy(setupstep.OtherAddress, f.otherAddress(func() tea.Cmd { return f.showUnlisted(why) })),
			f.remedy(setupstep.AskAgain, f.findModels),
			names,
		},
	})
}

func (f *Feature) pickModel() tea.Cmd {
	items := []list.Item{}
	for _, m := range f.flow.listed.Models {
		items = append(items, list.Item{ID: m.ID, Name: sanitize.Line(m.ID, page.NameCells), Note: strings.Join(setupstep.About(f.Printer, m), f.Dot)})
	}
	items = append(items, list.Item{ID: other, Name: f.Text(typeName), Text: f.Text(typeNameSays), Stays: true, Alone: f.Text(typeNameAlone)})
	f.listed.Show(f.title(modelStep, stepModel), "", items)
	if f.flow.draft.Model != "" {
		f.listed.Pick(f.flow.draft.Model)
	}
	return nil
}

func (f *Feature) takeListed() tea.Cmd {
	item, ok := f.listed.Picked()
	if !ok || f.flow == nil {
		return nil
	}
	typed := strings.TrimSpace(f.listed.Asked())
	f.listed.Close()
	if item.ID == other {
		if typed != "" {
			setupstep.Choose(&f.flow.draft, typed)
		}
		return f.typeModel("", nil)
	}
	return f.onModel(item.ID)
}

// typeModel asks for the name of a model that is in no list.
// typeModel asks for the name of the model; wrong is the mistake of the last answer, or nil.
func (f *Feature) typeModel(says string, wrong error) tea.Cmd {
	back := f.backToModels
	if len(f.flow.listed.Models) > 0 {
		back = f.pickModel
	}
	var body []dialog.Line
	if says != "" {
		body = dialog.Text(says)
	}
	return f.field(f.title(modelStep, stepModel), append(body, f.withMistake(f.Text(setupstep.TypeModel), wrong)...),
		dialog.Field{Label: f.Text(modelLabel), Text: f.flow.draft.Model, Most: mostAddress}, back, func(text string) tea.Cmd {
			if text == "" {
				return f.typeModel(says, setupstep.NeedsModel.With())
			}
			if wrong := setupstep.CheckModel(text, f.flow.listed.Models); wrong != nil {
				f.flow.draft.Model = text // to be mended
				return f.typeModel(says, wrong)
			}
			return f.onModel(text)
		})
}

// onModel tries the model.
func (f *Feature) onModel(name string) tea.Cmd {
	setupstep.Choose(&f.flow.draft, name)
	return f.try()
}

// backToModel returns to the choice of the model.
func (f *Feature) backToModel() tea.Cmd {
	if len(f.flow.listed.Models) > 0 {
		return f.pickModel()
	}
	return f.typeModel("", nil)
}
