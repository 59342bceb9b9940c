// Package show is the society on the screen, from the first frame to the summary:
// it draws one, runs the other, and ends both in order.
package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/charmbracelet/x/term"

	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/tui"
	"society-tui/tui/plain"
	"society-tui/tui/stage"
	"society-tui/tui/words"
)

// A Show is what is played. All of it is required.
type Show struct {
	Society *runtime.Runtime
	Store   storage.Store // closed when the society has ended
	// Screen is what is drawn; its Leave, Suspension, Input and Output are set
	// here.
	Screen tui.Config
	// Plain leads it in lines instead: nothing is drawn.
	Plain bool

	Signals  <-chan os.Signal // of stage.Listen
	In, Err  *os.File
	Terminal *tui.Terminal
	// LeaveTerminal gives the line discipline back.
	LeaveTerminal func()

	Log     *slog.Logger
	LogFile string // what the person is told of where the log is
	// Say writes to the person, without keys and without what a terminal obeys.
	Say   func(w io.Writer, format string, args ...any)
	Words words.Console
}

// Run returns when the screen is closed, the society has left in order and its
// store is closed, or when that was given up. It is called once.
func (s Show) Run() error {
	s.Screen.Input, s.Screen.Output = s.In, s.Terminal
	released, err := stage.CatchStandardError()
	if err != nil {
		return err
	}
	interrupts := make(chan struct{}, 1) // one that was not looked at yet is like two
	var interrupt func() bool
	if s.Plain {
		if term.IsTerminal(s.In.Fd()) {
			interrupt = func() bool { return offer(interrupts) }
		}
	} else {
		suspension := stage.Suspendable()
		defer suspension.Close()
		s.Screen.Suspension = suspension
	}
	ended := make(chan runtime.Summary, 1) // so that it can end when nobody waits any more
	err = stage.Stage{
		Screen: func(ctx context.Context, leave func(context.Context) error) error {
			return s.draw(ctx, leave, interrupts)
		},
		Society: func(ctx context.Context) error { return s.live(ctx, ended) },
		Force:   s.Society.Force,
		Restore: func() {
			if !s.Plain {
				_ = tui.Reset(s.Terminal) // a terminal that cannot be written to cannot be repaired
			}
			s.LeaveTerminal()
		},
		HangUp:    s.Terminal.Hush,
		Gone:      s.Terminal.Gone(),
		Interrupt: interrupt,
		Waiting: func() {
			s.Say(s.Terminal, "society-tui: %s\n", s.Words.Finishing)
		},
	}.Play(s.Signals)
	s.report(err, released())
	select {
	case sum := <-ended:
		s.Log.Info("left", "processed", sum.Processed, "pending", sum.Pending, "owed", sum.Owed, "err", err)
		s.Say(s.Terminal, "society-tui: "+s.Words.Left+"\n", sum.Processed, sum.Pending, s.LogFile)
	default: // it was left behind
	}
	return err
}

// offer hands an interrupt over, unless the one before was not taken yet.
func offer(interrupts chan<- struct{}) bool {
	select {
	case interrupts <- struct{}{}:
		return true
	default:
		return false
	}
}

// draw is the screen, or the lines. The person leaves through leave, which ends the
// society; pausing its agents must come before.
func (s Show) draw(ctx context.Context, leave func(context.Context) error, interrupts <-chan struct{}) error {
	s.Screen.Leave = func(ctx context.Context, pause bool) error {
		if pause {
			if _, err := s.Society.Do(ctx, society.PauseAll{}); err != nil {
				s.Log.Error("agents not paused", "err", err)
			}
		}
		return leave(ctx)
	}
	if s.Plain {
		_, err := plain.Run(ctx, s.Screen, interrupts)
		return err
	}
	result, err := tui.Run(ctx, s.Screen)
	if result.Force {
		s.Society.Force()
		err = errors.Join(err, stage.ErrForced)
	}
	return err
}

// live is the society, from its first step until its store is closed.
func (s Show) live(ctx context.Context, ended chan<- runtime.Summary) error {
	err := s.Society.Run(ctx)
	if errors.Is(err, runtime.ErrStuck) {
		return err // the store would not close either
	}
	ended <- s.Society.Summary()
	return errors.Join(err, s.Store.Close())
}

// report writes what only a maker of the program understands: into the log, or to
// the person who asked for it with SIGQUIT.
func (s Show) report(err error, caught string) {
	fault, panicked := errors.AsType[*stage.Panic](err)
	if panicked {
		s.Log.Error("panic", "in", fault.In, "value", fmt.Sprint(fault.Value), "stack", fault.Stack)
	}
	if caught != "" { // a panic of the screen is told there
		s.Log.Error("written to standard error", "stack", caught)
	}
	if panicked || caught != "" {
		s.Say(s.Terminal, "society-tui: %s\n", s.Words.Broke)
	}
	if dump, ok := errors.AsType[*stage.Dump](err); ok {
		s.Say(s.Err, "%s\n", dump.Stacks)
	}
}
