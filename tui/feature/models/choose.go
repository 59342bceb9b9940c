package models

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
	"society-tui/tui/symbols"
)

// A choice is the model or capability that a role asks for; the zero value is
// the default.
type choice struct{ model, capability string }

// id identifies the choice in the list.
func (c choice) id() string { return c.model + "\n" + c.capability }

// Open lists the choices for a role: the default, each model, and each
// capability, with the current one selected. Leaving the list calls back, or
// closes it if nil.
func (f *Feature) Open(r api.Role, back func() tea.Cmd) tea.Cmd {
	if back != nil || !f.choices.IsOpen() { // else it is reopened
		f.choices.Back = back
	}
	f.role = r
	now := choice{r.Model, r.Capability}
	f.choices.Show(f.Text(choiceTitle, sanitize.Line(r.Name, page.NameCells)), "", f.itemsOf(now))
	f.choices.Pick(now.id())
	return nil
}

func (f *Feature) itemsOf(now choice) []list.Item {
	items, known := []list.Item{}, map[choice]bool{}
	add := func(c choice, name, note, text string) {
		known[c] = true
		if c == now {
			note = strings.Join(slices.DeleteFunc([]string{f.Text(page.TextCurrent), note}, func(s string) bool { return s == "" }), f.Dot)
		}
		items = append(items, list.Item{ID: c.id(), Name: name, Note: note, Text: text})
	}
	add(choice{}, f.Text(byDefault), symbols.ModelName(f.Printer, f.Replica.Model()), f.Text(byDefaultSays))
	var capabilities []string
	first := map[string]string{} // first model by capability
	for _, m := range f.Society.Models() {
		name, size := symbols.ModelName(f.Printer, sanitize.Line(m.Name, page.NameCells)), ""
		if m.Window > 0 {
			size = f.Text(setupstep.ContextOf, symbols.Tokens(m.Window))
		}
		add(choice{model: m.Name}, name, size, f.Printer.List(m.Capabilities))
		for _, c := range m.Capabilities {
			if _, ok := first[c]; !ok {
				capabilities, first[c] = append(capabilities, c), name
			}
		}
	}
	for _, c := range capabilities {
		add(choice{capability: c}, f.Text(page.TextAnyModel, c), "", f.Text(anyModelNow, first[c]))
	}
	if !known[now] { // a missing one is listed, but cannot be chosen
		items = append(items, list.Item{
			ID: now.id(), Name: sanitize.Line(now.model+now.capability, page.NameCells), Bad: true,
			Note: f.Text(page.TextCurrent), Text: f.Text(page.TextNotSetUp),
		})
	}
	return items
}

// chooseMarked sets the role's model to the selected choice, and leaves the
// list.
func (f *Feature) chooseMarked() tea.Cmd {
	item, ok := f.choices.Picked()
	if !ok {
		return nil
	}
	r := f.role
	model, capability, _ := strings.Cut(item.ID, "\n")
	return page.Do(f.Deps, society.ChooseModel{Role: r.ID, Model: model, Capability: capability}, func(change society.RoleChange, err error) tea.Cmd {
		if err != nil {
			return f.Explain(err)
		}
		said := page.TextAlreadyUses
		if change.Changed {
			said = page.TextNowUses
		}
		return tea.Batch(f.Inform(f.Text(said, sanitize.Line(r.Name, page.NameCells), item.Name), ""), f.choices.Leave())
	})
}
