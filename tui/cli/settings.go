package cli

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"society-tui/runtime/config"
	"society-tui/runtime/protocol"
	"society-tui/tui"
	"society-tui/tui/feature/settings"
)

type (
	settingsCommands struct {
		Show showSettings  `cmd:"" default:"withargs" help:"Print the settings in effect and where each comes from." zh:"显示当前设置及其来源。"`
		Init writeSettings `cmd:"" help:"Write a settings file with every setting, its meaning and its default." zh:"写出设置文件，含每项设置、其含义和默认值。"`
	}
	showSettings  struct{ listing }
	writeSettings struct{}
)

// Run prints the settings, a line each, or as JSON in English.
func (v showSettings) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	type setting struct {
		Key   string `json:"key"`
		Value string `json:"value"` // as the settings file has it
		From  string `json:"from"`
	}
	var all struct {
		Settings []setting `json:"settings"`
	}
	var rows [][]string
	for _, e := range s.Effective() {
		rows = append(rows, []string{e.Key, e.Value, e.From.In(c.printer.Lang)})
		all.Settings = append(all.Settings, setting{e.Key, e.Value, e.From.In(protocol.English)})
	}
	if err := v.print(c, all, rows); err != nil {
		return err
	}
	for _, warning := range s.Warnings {
		c.say(c.err, "society-tui: %s\n", c.inWords(warning))
	}
	if _, err := s.Endpoints(); err != nil {
		return c.wrongSettings(err)
	}
	return nil
}

// Run writes a settings file if there is none.
func (writeSettings) Run(c *console) error {
	// Mistakes in an existing file do not matter here.
	_, _ = c.settings()
	path := config.UserPlaces().File
	if c.line.File != nil {
		path = *c.line.File
	}
	err := config.Write(path, c.printer.Lang, bindings(c.printer.Lang))
	if errors.Is(err, fs.ErrExist) {
		return errors.New(c.text(textThere, path))
	}
	if err == nil {
		c.say(c.out, c.text(textSettingsIn)+"\n", path)
	}
	return err
}

// shownSettings returns the settings as the screen lists and changes them.
func (c *console) shownSettings(s config.Settings) []tui.Setting {
	var all []tui.Setting
	for _, e := range s.Effective() {
		all = append(all, tui.Setting{
			Key: e.Key, Value: c.redactor.Redact(e.Value), From: e.From.In(c.printer.Lang), About: e.About, OneOf: e.OneOf,
			Text: e.Text, Fixed: e.Fixed, Lines: e.Lines, InFile: s.InFile(e.Key),
		})
	}
	return all
}

// readsSettings returns what reads the settings anew, and lists all of them as shown does.
func (c *console) readsSettings(shown func(context.Context, config.Settings) []tui.Setting) func(context.Context) ([]tui.Setting, error) {
	return func(ctx context.Context) ([]tui.Setting, error) {
		s, err := config.Load(c.sources)
		if err != nil {
			return nil, err
		}
		return shown(ctx, s), nil
	}
}

// changesSettings returns what writes a setting into the settings file, unless it is that already,
// and lists all of them as shown does.
func (c *console) changesSettings(shown func(context.Context, config.Settings) []tui.Setting) func(context.Context, string, string) (settings.Changed, error) {
	return func(ctx context.Context, key, text string) (settings.Changed, error) {
		change, err := config.ChangeOf(key, text)
		if err != nil {
			return settings.Changed{}, err
		}
		if s, err := config.Load(c.sources); err == nil && isSet(&s, key, text) {
			return settings.Changed{Settings: shown(ctx, s), Same: true}, nil
		}
		s, err := config.Edit(ctx, c.sources, change)
		if w, ok := errors.AsType[*config.Unwritten](err); ok {
			if _, wrong := errors.AsType[*config.Problem](w.Why); wrong {
				return settings.Changed{}, w.Why
			}
			return settings.Changed{Unwritten: w, Lines: w.Lines}, nil
		}
		if err != nil {
			return settings.Changed{}, err
		}
		return settings.Changed{Settings: shown(ctx, s), Overridden: s.DecidedBy(key)}, nil
	}
}

// isSet reports whether a setting is text already, and stays so. A default that is none of a few
// words does not count, since it may depend on where the program runs.
func isSet(s *config.Settings, key, text string) bool {
	return s.DecidedBy(key) == "" && slices.ContainsFunc(s.Effective(), func(e config.Setting) bool {
		return e.Key == key && e.Text == text && (len(e.OneOf) > 0 || s.InFile(key))
	})
}
