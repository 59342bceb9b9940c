package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/charmbracelet/x/term"

	"society-tui/runtime"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/i18n"
	"society-tui/storage"
	"society-tui/tui"
	"society-tui/tui/handover"
	"society-tui/tui/process"
	"society-tui/tui/terminal"
)

// A Session is an open society with its screen.
type Session struct {
	Society *runtime.Runtime
	Store   storage.Store // closed when the society has ended
	// Tidy, if not nil, cleans up the store before that, and may close it. It
	// returns soon after ctx is done, with a notice for the user.
	Tidy func(ctx context.Context) string
	// Screen is the configuration of the screen; its Enter, Leave, Suspension,
	// Input and Output are set here.
	Screen tui.Config
	Log    *slog.Logger

	// API serves requests of other programs, Listen lets them in, and Quit is closed
	// when one of them ends the program. Without Listen nobody is let in.
	API    http.Handler
	Listen func() (*httpserver.Server, []*i18n.Message, error)
	Quit   <-chan struct{}
	// PortByDefault is set if nobody has asked for a port, so that nobody misses it.
	PortByDefault bool

	detachment detachment
	leaving    atomic.Bool // it ends, and lets no other screen in
}

// A Frontend shows sessions in one terminal, one after the other, until the
// user leaves. All fields but Open, Background and Outlives are required.
type Frontend struct {
	First *Session

	// Open opens the next session, while the current one still runs; nil if there
	// is none to go to.
	Open func(name string) (*Session, error)
	// Background starts a process that goes on with a session, and Return tells the user how
	// to come back to it, given its process. Background is nil if there are none.
	Background func(ctx context.Context, name string) (*handover.Child, error)
	Return     func(name string, pid int) string
	// OpensAgain tells how to open a session again that is not the one of the start.
	OpensAgain func(name string) string
	// Outlives is set if a session goes on without a screen when the terminal has hung up.
	Outlives bool
	// Plain selects plain mode.
	Plain bool

	Signals  <-chan os.Signal // from process.Listen
	In, Err  *os.File
	Terminal *terminal.Terminal
	// LeaveTerminal restores the line discipline.
	LeaveTerminal func()

	LogFile string // path of the log for messages
	// Say prints to the user, without keys and control characters.
	Say     func(w io.Writer, format string, args ...any)
	Printer i18n.Printer
}

// Run returns when the screen is closed and the society has shut down and
// closed its store, or when that was given up. It is called once.
func (f Frontend) Run() error {
	released, err := process.CatchStandardError()
	if err != nil {
		return err
	}
	var suspension terminal.Suspension
	if !f.Plain {
		stopping := process.Suspendable()
		defer stopping.Close()
		suspension = stopping
	}
	var last *sessionRun
	var reports []string
	for session, headless := f.First, false; session != nil; {
		session.Screen.Suspension, session.Screen.Input, session.Screen.Output = suspension, f.In, f.Terminal
		last = newSessionRun(&f, session)
		last.headless = headless
		session, err = last.run()
		headless = last.detachment.hasHungUp()
		select {
		case line := <-last.report:
			reports = append(reports, line)
		default:
		}
	}
	f.reportFault(last.Log, err, released())
	if sum := last.summary; sum != nil {
		out := f.lastWords()
		f.Say(out, "society-tui: %s\n", f.Printer.N(textLeft, int(sum.Processed), sum.Pending, f.LogFile))
		for _, line := range reports {
			f.Say(out, "society-tui: %s\n", line)
		}
		if pid, _ := last.detachment.outcome(); pid != 0 {
			f.Say(out, "society-tui: %s\n", f.Return(last.Screen.Session, pid))
		} else if last.Screen.Session != f.First.Screen.Session {
			f.Say(out, "society-tui: %s\n", f.OpensAgain(last.Screen.Session))
		}
		if sum.Unsaved != "" {
			err = errors.Join(err, errors.New(f.Printer.T(textLeftUnsaved, sum.Unsaved)))
		}
	}
	return err
}

// lastWords returns where the program says how a session was left: not where another program reads
// what agents say.
func (f *Frontend) lastWords() io.Writer {
	if term.IsTerminal(f.Terminal.Fd()) {
		return f.Terminal
	}
	return f.Err
}

// reportFault writes technical details to the log, or to a user who asked for
// them with SIGQUIT.
func (f *Frontend) reportFault(log *slog.Logger, err error, caught string) {
	panicked := logPanic(log, err)
	if caught != "" { // a panic of the screen is printed there
		log.Error("written to standard error", "stack", caught)
	}
	if panicked || caught != "" {
		f.Say(f.Terminal, "society-tui: %s\n", f.Printer.T(textBroke))
	}
	if dump, ok := errors.AsType[*process.Dump](err); ok {
		f.Say(f.Err, "%s\n", dump.Stacks)
	}
}

// logPanic writes a panic to the log, and reports whether there was one.
func logPanic(log *slog.Logger, err error) bool {
	fault, panicked := errors.AsType[*process.Panic](err)
	if panicked {
		log.Error("panic", "in", fault.In, "value", fmt.Sprint(fault.Value), "stack", fault.Stack)
	}
	return panicked
}
