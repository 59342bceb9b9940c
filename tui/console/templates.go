package console

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

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
			return UsageError{err, seeTemplates}
		}
		c.Say(c.Out, "%s", found.Text)
		return nil
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	var broken []error
	for _, e := range shelf.List(lang) {
		if e.Err != nil {
			broken = append(broken, e.Err)
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", e.Name, e.Description, cmp.Or(e.From, "built in"))
	}
	_ = table.Flush() // a strings.Builder takes everything
	c.Say(c.Out, "%s\nYour own belong in %s, one file each: NAME.toml\n", text.String(), s.Templates)
	return errors.Join(broken...)
}

// Plant reads the template of that name in each language, because which one is
// spoken in a society is known when that is open, and returns what it is called. It
// is planted once in a society. An error is a UsageError.
func Plant(s config.Settings, name string) (plant func(protocol.Lang) society.Plant, called string, err error) {
	plants := map[protocol.Lang]society.Plant{}
	for _, lang := range protocol.Langs() {
		t, err := setup.Shelf(s).Find(name, lang)
		if err != nil {
			return nil, "", UsageError{fmt.Errorf("--template %s: %w", name, err), seeTemplates}
		}
		t.Plant.Once = true
		plants[lang], called = t.Plant, t.Name
	}
	return func(lang protocol.Lang) society.Plant { return plants[lang] }, called, nil
}
