// Package show is a society on the screen, from the first frame to the summary: it
// draws one, runs the other, and ends both in order. A person who goes to another
// session sees one society after the other, in the same terminal.
package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"society-tui/runtime"
	"society-tui/storage"
	"society-tui/tui"
	"society-tui/tui/process"
	"society-tui/tui/terminal"
	"society-tui/tui/words"
)

// A Part is a society that is open, and how it is drawn.
type Part struct {
	Society *runtime.Runtime
	Store   storage.Store // closed when the society has ended
	// Tidy, if there is one, puts the store in order before that, and may close it. It
	// returns soon after ctx is done, with what the person is to be told.
	Tidy func(ctx context.Context) string
	// Screen is what is drawn; its Enter, Leave, Suspension, Input and Output are
	// set here.
	Screen tui.Config
	Log    *slog.Logger
}

// A Show is what is played. All of it but Open is required.
type Show struct {
	Part // that is played first

	// Open opens another session, to be played when the society before has left; nil
	// if there is none to go to. It is called while that one runs.
	Open func(name string) (*Part, error)
	// Plain leads it in lines instead: nothing is drawn.
	Plain bool

	Signals  <-chan os.Signal // of process.Listen
	In, Err  *os.File
	Terminal *terminal.Terminal
	// LeaveTerminal gives the line discipline back.
	LeaveTerminal func()

	LogFile string // what the person is told of where the log is
	// Say writes to the person, without keys and without what a terminal obeys.
	Say   func(w io.Writer, format string, args ...any)
	Words words.Console
}

// Run returns when the screen is closed, the society has left in order and its
// store is closed, or when that was given up. It is called once.
func (s Show) Run() error {
	released, err := process.CatchStandardError()
	if err != nil {
		return err
	}
	var suspension tui.Suspension
	if !s.Plain {
		stopping := process.Suspendable()
		defer stopping.Close()
		suspension = stopping
	}
	var last *act
	var told []string
	for part := &s.Part; part != nil; {
		part.Screen.Suspension, part.Screen.Input, part.Screen.Output = suspension, s.In, s.Terminal
		last = newAct(&s, part)
		part, err = last.play()
		select {
		case line := <-last.told:
			told = append(told, line)
		default:
		}
	}
	s.report(last.Log, err, released())
	if sum := last.summary; sum != nil {
		s.Say(s.Terminal, "society-tui: "+s.Words.Left+"\n", sum.Processed, sum.Pending, s.LogFile)
		for _, line := range told {
			s.Say(s.Terminal, "society-tui: %s\n", line)
		}
		if sum.Unsaved != "" {
			err = errors.Join(err, fmt.Errorf(s.Words.LeftUnsaved, sum.Unsaved))
		}
	}
	return err
}

// report writes what only a maker of the program understands: into the log, or to
// the person who asked for it with SIGQUIT.
func (s *Show) report(log *slog.Logger, err error, caught string) {
	fault, panicked := errors.AsType[*process.Panic](err)
	if panicked {
		log.Error("panic", "in", fault.In, "value", fmt.Sprint(fault.Value), "stack", fault.Stack)
	}
	if caught != "" { // a panic of the screen is told there
		log.Error("written to standard error", "stack", caught)
	}
	if panicked || caught != "" {
		s.Say(s.Terminal, "society-tui: %s\n", s.Words.Broke)
	}
	if dump, ok := errors.AsType[*process.Dump](err); ok {
		s.Say(s.Err, "%s\n", dump.Stacks)
	}
}
