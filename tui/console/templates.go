package console

import (
	"cmp"
	"errors"
	"fmt"

	"society-tui/runtime/config"
	"society-tui/runtime/protocol"
	"society-tui/runtime/setup"
	"society-tui/runtime/society"
)

type templatesCommand struct {
	Name string `arg:"" optional:"" help:"The template to print."`
}

// Run lists the templates, or prints one.
func (t templatesCommand) Run(c *Console) error {
	s, err := c.Settings()
	if err != nil {
		return err
	}
	lang, shelf := protocol.Lang(s.Language()), setup.Shelf(s)
	if t.Name != "" {
		found, err := shelf.Find(t.Name, lang)
		if err != nil {
			return UsageError{err, c.Words.SeeTemplates}
		}
		c.Say(c.Out, "%s", found.Text)
		return nil
	}
	var rows [][]string
	var broken []error
	for _, e := range shelf.List(lang) {
		if e.Err != nil {
			broken = append(broken, e.Err)
			continue
		}
		rows = append(rows, []string{e.Name, e.Description, cmp.Or(e.From, c.Words.BuiltIn)})
	}
	c.Say(c.Out, "%s\n"+c.Words.YourOwn+"\n", columns(rows), s.Templates)
	return errors.Join(broken...)
}

// Plant reads the template of that name in each language, because which one is
// spoken in a society is known when that is open, and returns what it is called. It
// is planted once in a society. An error is a UsageError.
func (c *Console) Plant(s config.Settings, name string) (plant func(protocol.Lang) society.Plant, called string, err error) {
	plants := map[protocol.Lang]society.Plant{}
	for _, lang := range protocol.Langs() {
		t, err := setup.Shelf(s).Find(name, lang)
		if err != nil {
			return nil, "", UsageError{fmt.Errorf("--template %s: %w", name, err), c.Words.SeeTemplates}
		}
		t.Plant.Once = true
		plants[lang], called = t.Plant, t.Name
	}
	return func(lang protocol.Lang) society.Plant { return plants[lang] }, called, nil
}
