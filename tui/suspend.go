package tui

import (
	"context"
	"io"
	"os"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"society-tui/tui/terminal"
)

// A Suspension stops the program when its terminal has been given back.
type Suspension interface {
	// Asked receives when somebody else than the person asks for it.
	Asked() <-chan os.Signal
	// Stop returns when the program goes on.
	Stop()
	// Let lets the program be stopped without that, until again is called: while
	// another program has the terminal.
	Let() (again func())
}

// suspendAsked says that somebody else than the person asks the program to stop, and
// wentOn that it was stopped and goes on.
type (
	suspendAsked struct{}
	wentOn       struct{}
)

// suspend gives the terminal back and stops the program.
func (a *app) suspend() tea.Cmd {
	if a.cfg.Suspension == nil {
		return nil
	}
	return tea.Exec(&stoppage{Suspension: a.cfg.Suspension}, func(error) tea.Msg { return wentOn{} })
}

// goOn draws the screen anew, on which others have written.
func (a *app) goOn() tea.Cmd { return tea.Batch(a.redraw(), a.askTerminal(), a.askMeasure()) }

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

// watchSuspend waits until somebody else asks the program to stop.
func (a *app) watchSuspend() tea.Cmd {
	if a.cfg.Suspension == nil {
		return nil
	}
	return a.command(func(ctx context.Context) tea.Msg {
		select {
		case <-a.cfg.Suspension.Asked():
			return suspendAsked{}
		case <-ctx.Done():
			return nil
		}
	})
}

// A stoppage is what the terminal is given to while the program is stopped.
type stoppage struct {
	Suspension
	out io.Writer
}

// Run stops the program.
func (p *stoppage) Run() error {
	return lend(p.out, func() error {
		p.Stop()
		return nil
	})
}

// SetStdin does nothing: nothing is run.
func (*stoppage) SetStdin(io.Reader) {}

// SetStdout is where the terminal is given back.
func (p *stoppage) SetStdout(w io.Writer) { p.out = w }

// SetStderr does nothing.
func (*stoppage) SetStderr(io.Writer) {}

// A guest is another program that gets the terminal. It is stopped by the terminal's
// own key, and we with it.
type guest struct {
	*exec.Cmd
	host Suspension // nil if nothing stops us
	out  io.Writer
}

// Run runs it.
func (g *guest) Run() error {
	if g.host != nil {
		defer g.host.Let()()
	}
	return lend(g.out, g.Cmd.Run)
}

// SetStdin gives it the terminal to read: the file itself, so that it sees that it is one.
func (g *guest) SetStdin(r io.Reader) {
	if in, ok := r.(*terminal.Input); ok {
		r = in.File
	}
	g.Stdin = r
}

// SetStdout gives it the terminal to write to, the file itself too.
func (g *guest) SetStdout(w io.Writer) {
	g.out = w
	if t, ok := w.(*terminal.Terminal); ok {
		w = t.File
	}
	g.Stdout = w
}

// SetStderr gives it the terminal for its errors.
func (g *guest) SetStderr(w io.Writer) { g.Stderr = w }
