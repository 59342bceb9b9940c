package terminal

import (
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// A Suspension stops the program when its terminal has been given back.
type Suspension interface {
	// Asked receives when another process asks for it.
	Asked() <-chan os.Signal
	// Stop returns when the program goes on.
	Stop()
	// Let lets the program be stopped without that, until again is called: while
	// another program has the
	Let() (again func())
}

// settling is how long the library gets to stop its clock before it starts it again:
// it waits for no such end, and one that comes late stops the new clock, after which
// nothing is drawn any more (charmbracelet/bubbletea issue 1778).
const settling = 100 * time.Millisecond

// lend gives the terminal to others, as they expect it, until they return. The library
// has taken back what it set itself. What we set is taken back here and not by a message
// before: a message that sets it may stand behind that one.
func lend(out io.Writer, to func() error) error {
	defer time.Sleep(settling)
	// Others would take its reports for keys.
	if _, err := io.WriteString(out, ansi.ResetModeLightDark); err != nil {
		return err
	}
	return to()
}

// A Stoppage gets the terminal while the program is stopped, as a command of tea.Exec.
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

// SetStdout is where the terminal is given back.
func (p *Stoppage) SetStdout(w io.Writer) { p.out = w }

// SetStderr does nothing.
func (*Stoppage) SetStderr(io.Writer) {}

// A Guest is another program that gets the  It is stopped by the terminal's
// own key, and we with it.
type Guest struct {
	*exec.Cmd
	Host Suspension // nil if nothing stops us
	out  io.Writer
}

// Run runs the program until it ends.
func (g *Guest) Run() error {
	if g.Host != nil {
		defer g.Host.Let()()
	}
	return lend(g.out, g.Cmd.Run)
}

// SetStdin gives it the terminal to read: the file itself, so that it sees that it is one.
func (g *Guest) SetStdin(r io.Reader) {
	if in, ok := r.(*Input); ok {
		r = in.File
	}
	g.Stdin = r
}

// SetStdout gives it the terminal to write to, the file itself too.
func (g *Guest) SetStdout(w io.Writer) {
	g.out = w
	if t, ok := w.(*Terminal); ok {
		w = t.File
	}
	g.Stdout = w
}

// SetStderr gives it the terminal for its errors.
func (g *Guest) SetStderr(w io.Writer) { g.Stderr = w }
