// Package templates lists the templates and adds teams from them.
package templates

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// An Outcome tells how adding a team ended.
type Outcome struct {
	Template string
	Result   society.AddTeamResult
	Err      error
}

// A Config has the templates.
type Config struct {
	Source template.Source
	Lang   protocol.Lang // of briefs
	First  *Outcome      // of a team that was added before the screen opened, or nil
}

type Feature struct {
	*page.Deps
	cfg       Config
	list      *page.List
	templates []template.Entry // as last read
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature {
	f := &Feature{Deps: deps, cfg: cfg}
	f.list = deps.NewList(page.Choosing{Take: f.addMarked, Takes: takes})
	return f
}

func (f *Feature) Commands() []*command.Command {
	name := command.Name(f.names, nil)
	name.Load = f.load
	return []*command.Command{{
		Slash: "/template", Group: command.GroupTasks, Changes: true, Title: i18n.Text{EN: "Add a team from a template", ZH: "从模板添加团队"}, Also: i18n.Text{EN: "preset example", ZH: "示例"}, Run: f.run,
		Args: []command.Arg{name},
	}}
}

// Opened reports how the first team was added.
func (f *Feature) Opened() tea.Cmd {
	if f.cfg.First == nil {
		return nil
	}
	return f.notify(*f.cfg.First)
}

// load reads the templates for the completion of the command.
func (f *Feature) load() tea.Cmd { return f.read(func() tea.Cmd { return nil }) }

func (f *Feature) read(then func() tea.Cmd) tea.Cmd {
	return page.Later(f.Screen, func(context.Context) []template.Entry { return f.cfg.Source.List(f.cfg.Lang) }, func(entries []template.Entry) tea.Cmd {
		f.templates = entries
		return then()
	})
}

func (f *Feature) show() tea.Cmd {
	items := make([]list.Item, len(f.templates))
	for i := range f.templates {
		items[i] = f.item(&f.templates[i])
	}
	f.list.Show(f.Text(title), f.Text(none), items)
	return nil
}

// item formats a template. Text of its file is cleaned here.
func (f *Feature) item(e *template.Entry) list.Item {
	item := list.Item{ID: id(e), Name: sanitize.Line(e.Name, page.NameCells), Note: f.Text(page.TextBuiltIn), Text: sanitize.Line(e.Description, 2*page.TextCells)}
	if e.From != "" {
		item.Note = sanitize.Line(e.From, page.NameCells)
	}
	if e.Err != nil {
		first, _, _ := strings.Cut(i18n.Error(f.Printer.Lang, e.Err), "\n")
		item.Note, item.Text, item.Bad = f.Text(page.TextMistakes), sanitize.Line(first, page.TextCells), true
	}
	return item
}

// id identifies a template; for a file it is the path, because names may
// repeat.
func id(e *template.Entry) string {
	if e.From != "" {
		return e.From
	}
	return e.Name
}

// names returns the arguments that complete the command.
func (f *Feature) names() []string {
	var names []string
	for i := range f.templates {
		if e := &f.templates[i]; e.Err == nil {
			names = append(names, e.Name)
		}
	}
	return names
}

// run adds the named team, or lists the templates.
func (f *Feature) run(in command.Input) tea.Cmd {
	if in.Text == "" {
		return f.read(f.show)
	}
	return f.add(in.Text, in.Refuse)
}

// addMarked adds the selected team, or shows the mistakes in its file.
func (f *Feature) addMarked() tea.Cmd {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	return f.add(item.ID, func() {})
}

// found is a template that was read to add its team.
type found struct {
	template template.Template
	err      error
}

// add reads a template and adds its team, after a question if it was added
// before. If it is refused, it calls refused.
func (f *Feature) add(name string, refused func()) tea.Cmd {
	return page.Later(f.Screen, func(context.Context) found {
		t, err := f.cfg.Source.Find(name, f.cfg.Lang)
		return found{t, err}
	}, func(m found) tea.Cmd {
		if m.err != nil {
			refused()
			return f.showMistakes(name, strings.Split(i18n.Error(f.Printer.Lang, m.err), "\n"))
		}
		return f.addNow(m.template, true, refused)
	})
}

func (f *Feature) addNow(t template.Template, once bool, refused func()) tea.Cmd {
	t.Team.Once = once
	return page.Do(f.Deps, t.Team, func(result society.AddTeamResult, err error) tea.Cmd {
		switch {
		case err != nil:
			refused()
		case once && result.Before > 0:
			return f.Screen.Ask(page.Question{
				Title: f.Text(againTitle, t.Name), Body: dialog.Text(f.Text(againBody)),
				Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: f.Text(again), Keys: []string{"y"}, Run: func() tea.Cmd { return f.addNow(t, false, refused) }}},
			})
		default:
			f.list.Close()
		}
		return f.notify(Outcome{Template: t.Name, Result: result, Err: err})
	})
}

// notify reports how adding a team ended.
func (f *Feature) notify(o Outcome) tea.Cmd {
	name := sanitize.Line(o.Template, page.NameCells)
	var refusal *society.Refusal
	switch {
	case errors.As(o.Err, &refusal) && len(refusal.Mistakes) > 0:
		var mistakes []string
		for _, m := range refusal.Mistakes {
			mistakes = append(mistakes, m.In(f.Printer.Lang))
		}
		return f.showMistakes(name, mistakes)
	case o.Err != nil:
		return f.Explain(o.Err)
	case o.Result.Agents == nil && o.Result.Made == nil && o.Result.Reused == nil:
		return f.Inform(f.Text(addedBefore, name), f.Text(hintAgain, name))
	case o.Result.Agents == nil:
		return f.Inform(f.Text(addedRoles, name), f.Text(hintAdded))
	}
	return f.Inform(f.Text(added, name, f.Actions.Names(o.Result.Agents)), f.Text(hintAdded))
}

// showMistakes shows the mistakes in a template.
func (f *Feature) showMistakes(name string, mistakes []string) tea.Cmd {
	for i := range mistakes {
		mistakes[i] = sanitize.Line(mistakes[i], 4*page.TextCells)
	}
	return f.ReportMistakes(f.Text(notAdded, sanitize.Line(name, page.NameCells)), mistakes, f.Text(nothingMade))
}
