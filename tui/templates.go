package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// shelfRead is what templates there are; show says that the person wants to see
// them.
type shelfRead struct {
	entries []template.Entry
	show    bool
}

// readShelf reads which templates there are: for their list, or for the names that
// complete /template.
func (a *app) readShelf(show bool) tea.Cmd {
	shelf, lang := a.cfg.Templates, a.cfg.Spoken
	return later(a, func(context.Context) shelfRead { return shelfRead{shelf.List(lang), show} }, a.takeShelf)
}

func (a *app) takeShelf(m shelfRead) tea.Cmd {
	a.shelf = m.entries
	if !m.show {
		return nil
	}
	w := a.words.roles
	items := make([]list.Item, len(m.entries))
	for i := range m.entries {
		e := &m.entries[i]
		items[i] = list.Item{ID: named(e), Name: sanitize.Line(e.Name, nameCells), Note: w.BuiltIn, Text: sanitize.Line(e.Description, 2*doingCells)}
		if e.From != "" {
			items[i].Note = sanitize.Line(e.From, nameCells)
		}
		if e.Err != nil {
			first, _, _ := strings.Cut(e.Err.Error(), "\n")
			items[i].Note, items[i].Text, items[i].Bad = w.Broken, sanitize.Line(first, doingCells), true
		}
	}
	a.openList(page.List{Kind: templateList, Take: a.plantPicked, Takes: a.words.keys.HintPlant}, w.Templates, w.NoTemplates, items)
	return nil
}

// named is how a template is asked for: a file by its path, since two may have one
// name.
func named(e *template.Entry) string {
	if e.From != "" {
		return e.From
	}
	return e.Name
}

// templateNames are the names that can follow /template.
func (a *app) templateNames() []string {
	var names []string
	for i := range a.shelf {
		if e := &a.shelf[i]; e.Err == nil {
			names = append(names, e.Name)
		}
	}
	return names
}

// runTemplate plants a template, or lists those there are.
func (a *app) runTemplate(in command.Input) tea.Cmd {
	if in.Text == "" {
		return a.readShelf(true)
	}
	return a.plant(in.Text, in.Refuse)
}

// plantPicked plants the template that is marked in the list. Of a file that is
// none it says why.
func (a *app) plantPicked() tea.Cmd {
	item, ok := a.picks.Picked()
	if !ok {
		return nil
	}
	return a.plant(item.ID, func() {})
}

// foundTemplate is a template that was read to be planted.
type foundTemplate struct {
	asked   string
	found   template.Template
	err     error
	refused func() // is called if it is not planted
}

// plant reads a template and plants it, once; whether twice the person is asked.
// If it is refused, refused is called.
func (a *app) plant(name string, refused func()) tea.Cmd {
	shelf, lang := a.cfg.Templates, a.cfg.Spoken
	return later(a, func(context.Context) foundTemplate {
		t, err := shelf.Find(name, lang)
		return foundTemplate{name, t, err, refused}
	}, a.takeFound)
}

func (a *app) takeFound(m foundTemplate) tea.Cmd {
	if m.err != nil {
		m.refused()
		a.sayMistakes(m.asked, strings.Split(m.err.Error(), "\n"))
		return nil
	}
	return a.plantNow(m.found, true, m.refused)
}

func (a *app) plantNow(t template.Template, once bool, refused func()) tea.Cmd {
	t.Team.Once = once
	w := a.words.roles
	return do(a, t.Team, func(planted society.AddTeamResult, err error) tea.Cmd {
		if err == nil && once && planted.Before > 0 {
			return a.ask(page.Question{
				Title: fmt.Sprintf(w.AgainTitle, t.Name), Body: dialog.Text(w.AgainBody),
				Choices: []page.Choice{{Label: w.AgainCancel}, {Label: w.Again, Key: "y", Run: func() tea.Cmd { return a.plantNow(t, false, refused) }}},
			})
		}
		if err == nil {
			a.picks.Close()
		} else {
			refused()
		}
		return a.sayPlanted(FirstTeam{Template: t.Name, Result: planted, Err: err}, action.Told)
	})
}

// sayPlanted says what came of a template.
func (a *app) sayPlanted(p FirstTeam, how action.Level) tea.Cmd {
	w := a.words.roles
	name := sanitize.Line(p.Template, nameCells)
	var refusal *society.Refusal
	switch {
	case errors.As(p.Err, &refusal) && len(refusal.Mistakes) > 0:
		var said []string
		for _, m := range refusal.Mistakes {
			said = append(said, m.String())
		}
		a.sayMistakes(name, said)
		return nil
	case p.Err != nil:
		return a.sayError(p.Err)
	case p.Result.Agents == nil && p.Result.Made == nil && p.Result.Reused == nil:
		return a.say(action.Notice{Level: how, Text: fmt.Sprintf(w.PlantedBefore, name), Hint: fmt.Sprintf(w.HintPlantAgain, name)})
	case p.Result.Agents == nil:
		return a.say(action.Notice{Level: how, Text: fmt.Sprintf(w.PlantedRoles, name), Hint: w.HintPlanted})
	}
	return a.say(action.Notice{Level: how, Text: fmt.Sprintf(w.Planted, name, a.names(p.Result.Agents)), Hint: w.HintPlanted})
}

// sayMistakes shows all that is wrong with a template.
func (a *app) sayMistakes(name string, mistakes []string) {
	w := a.words.roles
	a.showMistakes(templateKind, fmt.Sprintf(w.Refused, sanitize.Line(name, nameCells)), w.RefusedHint, mistakes)
}

// showMistakes shows all that is wrong with a file, a paragraph each.
func (a *app) showMistakes(kind, title, hint string, mistakes []string) {
	w := a.words.roles
	var body []dialog.Line
	for _, m := range mistakes {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: sanitize.Line(m, 4*doingCells)})
	}
	body = append(body, dialog.Line{}, dialog.Line{Tone: dialog.Quiet, Text: hint})
	a.dialogs.Open(dialog.Dialog{
		Kind: kind, Title: title, Body: body, Wide: true,
		Buttons: []dialog.Button{{Choice: w.Close, Label: w.Close, Keys: []string{"q"}}},
	}, a.now())
}
