package cli

import (
	"cmp"
	"errors"

	"society-tui/runtime"
	"society-tui/runtime/config"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
)

type templatesCommand struct {
	Name string `arg:"" optional:"" values:"templates" help:"The template to print." zh:"要显示的模板。"`
}

// Run lists the templates, or prints one.
func (t templatesCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	lang, shelf := protocol.Lang(s.Language()), templates(s)
	if t.Name != "" {
		found, err := shelf.Find(t.Name, lang)
		if err != nil {
			return usageError{err, c.text(textSeeTemplates)}
		}
		c.say(c.out, "%s", found.Text)
		return nil
	}
	var rows [][]string
	var broken []error
	for _, e := range shelf.List(lang) {
		if e.Err != nil {
			broken = append(broken, e.Err)
			continue
		}
		rows = append(rows, []string{e.Name, e.Description, cmp.Or(e.From, c.text(textBuiltIn))})
	}
	c.say(c.out, "%s\n"+c.text(textYourOwn)+"\n", columns(rows), s.Templates)
	return errors.Join(broken...)
}

// A firstTemplate is the template of the command line; the zero value is none.
type firstTemplate struct {
	name  string
	plant func(protocol.Lang) society.AddTeam
	files bool // its roles work on files
	// examples are requests for its team, in the language of the screen.
	examples []string
}

// firstTemplate reads the template of --template in each language, because the
// language of the society is only known once it is open. It is added once to a
// society. An error is a usageError.
func (c *console) firstTemplate(s config.Settings) (first firstTemplate, err error) {
	if c.line.Template == nil {
		return first, nil
	}
	plants := map[protocol.Lang]society.AddTeam{}
	for _, lang := range protocol.Langs() {
		t, err := templates(s).Find(*c.line.Template, lang)
		if err != nil {
			return first, usageError{textOfTemplate.With(*c.line.Template, err), c.text(textSeeTemplates)}
		}
		t.Team.Once = true
		plants[lang], first.name, first.files = t.Team, t.Name, t.UsesFiles()
		if roles := t.Team.Roles; lang == protocol.Lang(s.Language()) && len(roles) > 0 && roles[0].Interface != nil {
			first.examples = roles[0].Interface.Examples
		}
	}
	first.plant = func(lang protocol.Lang) society.AddTeam { return plants[lang] }
	return first, nil
}

// report returns whether the template was added when the society was opened, or
// why not; nil for none.
func (t firstTemplate) report(opened *runtime.Runtime) *tui.FirstTeam {
	if t.name == "" {
		return nil
	}
	result, err := opened.FirstTeam()
	return &tui.FirstTeam{Template: t.name, Files: t.files, Result: result, Err: err}
}
