package cli

import (
	"errors"
	"os/exec"

	"github.com/charmbracelet/x/term"

	"society-tui/runtime/logfile"
	"society-tui/tui/terminal"
)

type (
	versionCommand struct{ listing }
	resetCommand   struct{}
)

// Run prints the version.
func (v versionCommand) Run(c *console) error {
	if v.Output == "json" {
		return c.printJSON(logfile.ThisBuild())
	}
	c.say(c.out, "%s\n", logfile.Version())
	return nil
}

// Run restores the terminal. stty, if there is one, restores the line
// discipline.
func (resetCommand) Run(c *console) error {
	if !term.IsTerminal(c.out.Fd()) {
		return errors.New(c.text(textNoTerminal))
	}
	if stty, err := exec.LookPath("stty"); err == nil {
		// "sane" alone is not the usual state: without iutf8 a backspace deletes half a
		// character. Some versions of stty lack some of these modes, so each is set by
		// itself.
		for _, mode := range []string{"sane", "iutf8", "-brkint", "-imaxbel"} {
			set := exec.Command(stty, mode)
			set.Stdin = c.in
			_ = set.Run() // without stty the rest is still restored
		}
	}
	return terminal.Reset(c.out)
}
