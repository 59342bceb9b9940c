package plain

import (
	"context"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/tui/command"
	"society-tui/tui/feature/templates"
	"society-tui/tui/symbols"
)

// template adds the team of a template below root, or lists the templates.
func (f *frontend) template(in command.Input) {
	if in.Text == "" {
		f.listTemplates()
		return
	}
	name := in.Text
	later(f, func(context.Context) (template.Template, error) {
		return f.cfg.Templates.Find(name, f.cfg.Spoken)
	}, func(t template.Template, err error) {
		if err != nil {
			f.sayMistakes(name, strings.Split(i18n.Error(f.printer.Lang, err), "\n"))
			return
		}
		f.addTeam(t, true)
	})
}

func (f *frontend) listTemplates() {
	later(f, func(context.Context) ([]template.Entry, error) { return f.cfg.Templates.List(f.cfg.Spoken), nil }, func(all []template.Entry, _ error) {
		if len(all) == 0 {
			f.say(f.sentence(f.printer.T(templates.TextNone)))
			return
		}
		for i := range all {
			name, from, about := templates.Shown(f.printer, &all[i])
			f.say(name + f.printer.T(symbols.TextColon) + from + f.printer.T(textSemicolon) + about)
		}
		f.say(f.printer.T(textTemplatesAdd))
	})
}

// addTeam adds a team, after a question if that was done before.
func (f *frontend) addTeam(t template.Template, once bool) {
	t.Team.Once = once
	do(f, t.Team, func(result society.AddTeamResult, err error) {
		if err == nil && once && result.Before > 0 {
			f.askAgain(t)
			return
		}
		f.sayTeam(&templates.Outcome{Template: t.Name, Files: t.UsesFiles(), Result: result, Err: err})
		f.awaitEffect(f.arePresent(result.Agents...))
	})
}

func (f *frontend) askAgain(t template.Template) {
	title, body := templates.Again(f.printer, t.Name)
	f.say(title + " " + body)
	f.say(f.printer.T(textYesOrNo))
	f.asks = &question{answer: func(line string) {
		if !among(yes, line) {
			f.declined(line)
			return
		}
		f.addTeam(t, false)
	}}
}

// sayTeam tells how adding a team ended.
func (f *frontend) sayTeam(o *templates.Outcome) {
	told, mistakes := o.Notice(f.actions)
	if mistakes != nil {
		f.sayMistakes(o.Template, mistakes)
		return
	}
	f.notify(told)
}

// sayMistakes prints the mistakes in a template.
func (f *frontend) sayMistakes(name string, mistakes []string) {
	title, shown := templates.Mistakes(f.printer, name, mistakes)
	f.sayUnder(title, strings.Join(shown, "\n"))
	f.say(f.printer.T(templates.TextNothingMade))
}
