package console

import (
	"errors"
	"fmt"
	"io/fs"

	"society-tui/runtime/config"
)

type (
	settingsCommands struct {
		Show showSettings  `cmd:"" default:"1" help:"Print the settings in force and where each came from."`
		Init writeSettings `cmd:"" help:"Write a settings file with every setting, its meaning and its default."`
	}
	showSettings  struct{}
	writeSettings struct{}
)

// Run prints the settings, a line each.
func (showSettings) Run(c *Console) error {
	s, err := c.Settings()
	if err != nil {
		return err
	}
	c.Say(c.Out, "%s", s.Table())
	for _, warning := range s.Warnings {
		c.Say(c.Err, "society-tui: %s\n", warning)
	}
	if _, err := s.Endpoints(); err != nil {
		return UsageError{err, c.Words.SeeSettings}
	}
	return nil
}

// Run writes a settings file where none is.
func (writeSettings) Run(c *Console) error {
	// A file with mistakes in it is a file that is there, and no mistake of this call.
	_, _ = c.Settings()
	path := config.UserPlaces().File
	if c.Flags.File != nil {
		path = *c.Flags.File
	}
	err := config.Write(path, bindings())
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf(c.Words.There, path)
	}
	if err == nil {
		c.Say(c.Out, c.Words.SettingsIn+"\n", path)
	}
	return err
}
