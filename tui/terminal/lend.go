package terminal

import (
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// A Suspension stops the program after the terminal was given back.
type Suspension interface {
	// Asked receives when another process asks the program to stop.
	Asked() <-chan os.Signal
	// Stop returns when the program continues.
	Stop()
	// Let lets the program be stopped at once until again is called, while a child
	// process has the terminal.
	Let() (again func())
}

// settling is how long the library gets to stop its ticker before it starts it
// again: it does not wait, and a late stop ends the new ticker, after which
// nothing is drawn (charmbracelet/bubbletea issue 1778).
const settling = 100 * time.Millisecond

// lend gives the terminal to another program until it returns. The library has
// reset its own modes. Ours are reset here, not by a message before, because a
// message that sets them may be queued behind that one.
func lend(out io.Writer, to func() error) error {
	defer time.Sleep(settling)
	// Other programs would read its reports as keys.
	if _, err := io.WriteString(out, ansi.ResetModeLightDark); err != nil {
		return err
	}
	return to()
}

// A Stoppage has the terminal while the program is stopped, as a command of
// tea.Exec.
type Stoppage struct {
	Suspension
	out io.Writer
}

// Run stops the program.
func (p *Stoppage) Run() error {
	return lend(p.out, func() error {
		p.Stop()
		return nil
	})
}

// SetStdin does nothing: no program reads.
func (*Stoppage) SetStdin(io.Reader) {}

// SetStdout sets where the terminal is given back.
func (p *Stoppage) SetStdout(w io.Writer) { p.out = w }

// SetStderr does nothing.
func (*Stoppage) SetStderr(io.Writer) {}

// A Guest is another program that gets the terminal. The terminal's own key
// stops it, together with this program.
type Guest struct {
	*exec.Cmd
	Host Suspension // nil if this program cannot be stopped
	out  io.Writer
}

// Run runs the program until it ends.
func (g *Guest) Run() error {
	if g.Host != nil {
		defer g.Host.Let()()
	}
	return lend(g.out, g.Cmd.Run)
}

// SetStdin passes the file itself, so that the guest sees a terminal.
func (g *Guest) SetStdin(r io.Reader) {
	if in, ok := r.(*Input); ok {
		r = in.File
	}
	g.Stdin = r
}

// SetStdout passes the file itself, too.
func (g *Guest) SetStdout(w io.Writer) {
	g.out = w
	if t, ok := w.(*Terminal); ok {
		w = t.File
	}
	g.Stdout = w
}

// SetStderr passes the terminal for errors.
func (g *Guest) SetStderr(w io.Writer) { g.Stderr = w }
