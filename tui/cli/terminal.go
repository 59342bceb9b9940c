package cli

import (
	"errors"
	"os/exec"

	"github.com/charmbracelet/x/term"

	"society-tui/runtime/logfile"
	"society-tui/tui/terminal"
)

type (
	versionCommand struct{}
	resetCommand   struct{}
)

// Run prints the version.
func (versionCommand) Run(c *console) error {
	c.say(c.out, "%s\n", logfile.Version())
	return nil
}

// Run writes what brings a terminal back. The line discipline is stty's, where
// there is one.
func (resetCommand) Run(c *console) error {
	if !term.IsTerminal(c.out.Fd()) {
		return errors.New(c.text(textNoTerminal))
	}
	if stty, err := exec.LookPath("stty"); err == nil {
		// What is sane to stty is not how terminals come up: without iutf8 a
		// backspace takes half a character. Not every stty knows all of these, so
		// each is asked for alone.
		for _, mode := range []string{"sane", "iutf8", "-brkint", "-imaxbel"} {
			set := exec.Command(stty, mode)
			set.Stdin = c.in
			_ = set.Run() // without it the rest is still worth repairing
		}
	}
	return terminal.Reset(c.out)
}
