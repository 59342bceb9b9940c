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
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// An Outcome tells how adding a team ended.
type Outcome struct {
	Template string
	// Files is set if its roles have tools for files.
	Files  bool
	Result society.AddTeamResult
	Err    error
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
	f.list = deps.NewList(page.Choosing{Take: f.addMarked, Takes: takes, Looks: true})
	return f
}

func (f *Feature) Commands() []*command.Command {
	name := command.Name(f.names, f.titleOf)
	name.Load = f.load
	add := agentcommand.Template()
	add.Args, add.Run = []command.Arg{name}, f.run
	return []*command.Command{add}
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
	f.list.Show(f.Text(title), f.Text(TextNone), items)
	return nil
}

func (f *Feature) item(e *template.Entry) list.Item {
	name, from, about := Shown(f.Printer, e)
	return list.Item{ID: id(e), Name: name, Note: from, Text: about, Bad: e.Err != nil}
}

// Shown returns the name of a template, where it comes from, and what it is for, or its first
// mistake.
func Shown(p i18n.Printer, e *template.Entry) (name, from, about string) {
	name, from, about = sanitize.Line(e.Name, page.NameCells), p.T(page.TextBuiltIn), sanitize.Line(e.Description, 2*page.TextCells)
	if e.From != "" {
		from = sanitize.Line(e.From, page.NameCells)
	}
	if title, rest, cut := strings.Cut(about, "："); cut && e.From == "" { // built in, in Chinese: the title is a name, too
		name, about = title+p.T(symbols.TextAside, name), rest
	}
	if e.Err != nil {
		first, _, _ := strings.Cut(i18n.Error(p.Lang, e.Err), "\n")
		from, about = p.T(page.TextMistakes), sanitize.Line(first, page.TextCells)
	}
	return name, from, about
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

// titleOf returns the beginning of what is said of a template, which is its title: a name is a
// word to be typed, in English in either language.
func (f *Feature) titleOf(name string) string {
	for i := range f.templates {
		if e := &f.templates[i]; e.Name == name && e.Err == nil {
			said, _, _ := strings.Cut(sanitize.Line(e.Description, page.NameCells), symbols.TextColon.ZH)
			said, _, _ = strings.Cut(said, symbols.TextColon.EN)
			return said
		}
	}
	return ""
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
			title, body := Again(f.Printer, t.Name)
			return f.Screen.Ask(page.Question{
				Title: title, Body: dialog.Text(body),
				Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: f.Text(again), Keys: []string{"y"}, Run: func() tea.Cmd { return f.addNow(t, false, refused) }}},
			})
		default:
			f.list.Close()
		}
		return f.notify(Outcome{Template: t.Name, Files: t.UsesFiles(), Result: result, Err: err})
	})
}

// notify reports how adding a team ended.
func (f *Feature) notify(o Outcome) tea.Cmd {
	told, mistakes := o.Notice(f.Actions)
	if mistakes != nil {
		return f.showMistakes(o.Template, mistakes)
	}
	return f.Screen.Notify(told)
}

// Notice tells how adding a team ended, or returns the mistakes because of which it was not
// added.
func (o *Outcome) Notice(b *action.Builder) (told action.Notice, mistakes []string) {
	p, name := b.Printer, sanitize.Line(o.Template, page.NameCells)
	refusal, refused := errors.AsType[*society.Refusal](o.Err)
	switch {
	case refused && len(refusal.Mistakes) > 0:
		for _, m := range refusal.Mistakes {
			mistakes = append(mistakes, m.In(p.Lang))
		}
		return told, mistakes
	case o.Err != nil:
		return b.NoticeFor(o.Err), nil
	case o.Result.Agents == nil && o.Result.Made == nil && o.Result.Reused == nil:
		return action.Notice{Text: p.T(addedBefore, name), Hint: p.T(hintAgain, name)}, nil
	case o.Result.Agents == nil:
		return action.Notice{Text: p.T(addedRoles, name), Hint: p.T(hintAdded)}, nil
	}
	told = action.Notice{Text: p.N(added, len(o.Result.Agents), name), Hint: p.T(hintAdded)}
	if o.Files && b.Workspace.Own {
		told.Hint = p.T(hintOwnFolder)
	}
	return told, nil
}

// Mistakes returns the title for mistakes of a template, and each of them, clean.
func Mistakes(p i18n.Printer, name string, mistakes []string) (title string, shown []string) {
	for _, m := range mistakes {
		shown = append(shown, sanitize.Line(m, 4*page.TextCells))
	}
	return p.T(notAdded, sanitize.Line(name, page.NameCells)), shown
}

// Again returns the question whether to add a team once more.
func Again(p i18n.Printer, name string) (title, body string) {
	return p.T(againTitle, sanitize.Line(name, page.NameCells)), p.T(againBody)
}

// showMistakes shows the mistakes in a template.
func (f *Feature) showMistakes(name string, mistakes []string) tea.Cmd {
	title, shown := Mistakes(f.Printer, name, mistakes)
	return f.ReportMistakes(title, shown, f.Text(TextNothingMade))
}
