// Package stage lets the screen and the society run side by side until both have
// ended, whoever ends them: the person, a signal, or a fault. Whatever happens,
// the terminal is given back, and the society gets its time to leave in order
// (spec/decisions.md 34).
package stage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

// How long things may take. The society's own shutdown keeps within orderly; the
// rest is for what hangs: a disk, a terminal that has stopped reading.
const (
	orderly = 30 * time.Second
	forced  = 2 * time.Second
	curtain = time.Second
	// silence is how long a shutdown may take before the person is told of it.
	silence = 500 * time.Millisecond
)

// ErrForced is returned when the society was made to leave before it was ready:
// by a second signal, or because its time was up.
var ErrForced = errors.New("left at once; calls in flight were cut short")

// ErrDumped is returned after SIGQUIT, with all goroutines in a *Dump.
var ErrDumped = errors.New("quit by a signal")

// A Dump is the stacks of all goroutines. It wraps ErrDumped.
type Dump struct{ Stacks string }

func (d *Dump) Error() string { return ErrDumped.Error() }

// Unwrap returns ErrDumped.
func (d *Dump) Unwrap() error { return ErrDumped }

// A Panic is a panic of the screen or of the society, caught.
type Panic struct {
	In    string // "the screen"
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprintf("a fault in %s: %v", p.In, p.Value) }

// A Stage is what runs, and what can be done to it. All of it is required.
type Stage struct {
	// Screen draws until the person leaves or its context is done.
	Screen func(context.Context) error
	// Society runs until its context is done, and then leaves in order.
	Society func(context.Context) error
	// Force makes Society return soon, whatever is in flight. It may be called
	// from any goroutine.
	Force func()
	// Restore gives the terminal back: its modes and its line discipline.
	Restore func()
	// HangUp says that the terminal is gone: nothing is to be written to it.
	HangUp func()
	// Waiting tells the person, whose screen is closed, that the society is not
	// ready to leave yet.
	Waiting func()
}

// Signals are those that Play wants to hear of, for signal.Notify.
func Signals() []os.Signal {
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
}

// Listen returns the program's signals. They are the program's own from then on:
// none of them ends it any more, until stop is called.
func Listen() (signals <-chan os.Signal, stop func()) {
	// Room for a second signal that comes while the first is being obeyed.
	c := make(chan os.Signal, 2)
	signal.Notify(c, Signals()...)
	return c, func() { signal.Stop(c) }
}

// Play runs both until both have ended, and returns how: nil if all was in
// order. When one ends, so does the other. The first signal ends both in order,
// the second at once. If something hangs, Play returns without it.
func (s Stage) Play(signals <-chan os.Signal) error {
	screenContext, closeScreen := context.WithCancel(context.Background())
	defer closeScreen()
	societyContext, endSociety := context.WithCancel(context.Background())
	defer endSociety()
	screen := start(screenContext, "the screen", s.Screen)
	society := start(societyContext, "the society", s.Society)

	var failure error
	var tell, over <-chan time.Time // when to speak of the wait; when it is over
	leaving, hurried := false, false
	leave := func() {
		if !leaving {
			leaving, over = true, time.After(orderly)
		}
		closeScreen()
		endSociety()
	}
	hurry := func() {
		hurried, over = true, time.After(forced)
		closeScreen()
		endSociety()
		s.Force()
	}
	for screen != nil || society != nil {
		select {
		case sig := <-signals:
			switch {
			case sig == syscall.SIGQUIT:
				s.restore()
				s.Force()
				return errors.Join(failure, &Dump{stacks()})
			case sig == syscall.SIGHUP:
				s.HangUp()
				fallthrough
			default:
				if leaving {
					hurry()
				} else {
					leave()
				}
			}
		case err := <-screen:
			screen, failure = nil, errors.Join(failure, err)
			s.restore()
			leave()
			tell = time.After(silence)
		case err := <-society:
			if !leaving && err == nil {
				err = errors.New("the society ended by itself")
			}
			society, failure = nil, errors.Join(failure, err)
			leave()
			over = time.After(forced) // all that is left is the screen
		case <-tell:
			s.Waiting()
		case <-over:
			if !hurried && society != nil {
				hurry()
				continue
			}
			s.restore()
			return errors.Join(failure, abandoned(screen, society))
		}
	}
	if hurried {
		failure = errors.Join(failure, ErrForced)
	}
	return failure
}

// abandoned names what did not end.
func abandoned(screen, society <-chan error) error {
	var all []error
	if society != nil {
		all = append(all, ErrForced)
	}
	if screen != nil {
		all = append(all, errors.New("the terminal does not react"))
	}
	return errors.Join(all...)
}

// start runs f and returns how it ended, a panic included. That the context was
// done is no failure.
func start(ctx context.Context, name string, f func(context.Context) error) <-chan error {
	ended := make(chan error, 1) // so that it can end when nobody waits any more
	go func() {
		err := guard(name, func() error { return f(ctx) })
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = nil
		}
		ended <- err
	}()
	return ended
}

func guard(name string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Panic{In: name, Value: r, Stack: string(debug.Stack())}
		}
	}()
	return f()
}

// restore gives the terminal back, if it takes it: a terminal that does not read
// would hold the program for ever, so it is given up after a while.
func (s Stage) restore() {
	restored := start(context.Background(), "the terminal", func(context.Context) error {
		s.Restore()
		return nil
	})
	select {
	case <-restored:
	case <-time.After(curtain):
		s.HangUp()
	}
}

func stacks() string {
	text := make([]byte, 1<<20)
	return string(text[:runtime.Stack(text, true)])
}
