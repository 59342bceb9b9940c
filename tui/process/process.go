// Package process runs the screen and the society side by side until both have ended,
// whoever ends them: the user, a signal, or a fault. Whatever happens, the terminal is
// restored, and the society gets its time to leave in order.
//
// A [Runner] is what runs; [Enter] checks and remembers the terminal before it, [Listen]
// takes the signals over, [Suspension] handles ctrl+z, and [CatchStandardError] keeps what
// libraries write there off the screen.
package process

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

// How long things may take: together at most 30 s from the first signal to the end (S000
// P14 in runtime/SPEC.md).
const (
	// orderlyTime is for the society, whose own shutdown keeps half a second below it for
	// its store; forcedTime for what then hangs: a disk, a terminal that does not read.
	orderlyTime = 28 * time.Second
	forcedTime  = 2 * time.Second
	restoreTime = time.Second
	// handoverTime is how long the society waits, when a signal ends both, for the screen
	// to hand over what the user did last.
	handoverTime = time.Second
	// quietTime is how long a shutdown may take before the user is told of it.
	quietTime = 500 * time.Millisecond
)

// ErrForced is returned when the society was made to leave before it was ready:
// by a second signal, or because its time was up.
var ErrForced = errors.New("left at once; calls in flight were cut short")

// A Dump is returned after SIGQUIT. It has the stacks of all goroutines.
type Dump struct{ Stacks string }

func (d *Dump) Error() string { return "quit by a signal" }

// A Panic is a panic of the screen or of the society, caught.
type Panic struct {
	In    string // "the screen"
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprintf("a fault in %s: %v", p.In, p.Value) }

// A Runner is what runs, and what can be done to it. All but Gone and Interrupt is
// required.
type Runner struct {
	// Screen draws until the user leaves or its context is done. With leave it
	// ends the society and waits until it has ended, so that it can show what is
	// waited for.
	Screen func(ctx context.Context, leave func(context.Context) error) error
	// Society runs until its context is done, and then leaves in order.
	Society func(context.Context) error
	// Force makes Society return soon, whatever is in flight. It may be called
	// from any goroutine.
	Force func()
	// Restore restores the terminal: its modes and its line discipline.
	Restore func()
	// HangUp keeps the screen from writing to the terminal from now on.
	HangUp func()
	// Gone is closed when the terminal has disappeared, which is handled like SIGHUP: not
	// every process is sent that signal. nil if that cannot be known.
	Gone <-chan struct{}
	// Interrupt handles ctrl+c where it is a signal and no key, while the screen is open and
	// nobody leaves, and reports whether it did. nil: it is a signal like others.
	Interrupt func() bool
	// Waiting tells the user, whose screen is closed, that the society is not
	// ready to leave yet.
	Waiting func()
}

// Listen returns the program's signals. None of them ends the program by itself any more,
// until stop is called.
func Listen() (signals <-chan os.Signal, stop func()) {
	// Room for a second signal that comes while the first is being obeyed.
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	return c, func() { signal.Stop(c) }
}

// OutliveReader keeps the program running when whoever read its output has left, as head
// does, so that it can restore what it changed. Writing fails then, with EPIPE. Programs
// that it starts are ended by that signal as usual.
func OutliveReader() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// Begin runs open, which makes what is to run, and reports whether a signal came
// meanwhile: then nothing is to run. A second signal does not wait for it;
// Begin returns ErrForced, and the program is to end.
func Begin(signals <-chan os.Signal, open func() error) (asked bool, err error) {
	opened := start(context.Background(), "the start", func(context.Context) error { return open() })
	for {
		select {
		case err := <-opened:
			return asked, err
		case <-signals:
			if asked {
				return true, ErrForced
			}
			asked = true
		}
	}
}

// Run runs screen and society until both have ended, and returns how: nil if all was in
// order. When one ends, so does the other. The first signal ends both in order, the second
// at once; several signals of one terminal that hangs up count as one. If something hangs,
// Run returns without it.
func (r Runner) Run(signals <-chan os.Signal) error {
	p := &run{Runner: r, asked: make(chan struct{}, 1), emptied: make(chan struct{})}
	screenContext, closeScreen := context.WithCancel(context.Background())
	defer closeScreen()
	societyContext, endSociety := context.WithCancel(context.Background())
	defer endSociety()
	p.closeScreen, p.endSociety = closeScreen, endSociety
	p.screen = start(screenContext, "the screen", func(ctx context.Context) error { return r.Screen(ctx, p.leave) })
	p.society = start(societyContext, "the society", r.Society)
	for p.screen != nil || p.society != nil {
		select {
		case sig := <-signals:
			if sig == syscall.SIGQUIT {
				return errors.Join(p.failure, p.dump())
			}
			p.obey(sig)
		case <-p.Gone:
			p.Gone, p.hungUp = nil, true
			p.HangUp()
			p.screenFirst()
		case <-p.screenLate:
			p.inOrder()
		case <-p.asked:
			p.inOrder()
		case err := <-p.screen:
			p.screenEnded(err)
		case err := <-p.society:
			p.societyEnded(err)
		case <-p.tell:
			r.Waiting()
		case <-p.over:
			if p.hurried || p.society == nil {
				r.restore()
				return errors.Join(p.failure, p.abandoned())
			}
			p.hurry()
		}
	}
	if p.hurried {
		p.failure = errors.Join(p.failure, ErrForced)
	}
	return p.failure
}

// A run is a Runner under way. All but leave belongs to Run's goroutine.
type run struct {
	Runner
	screen, society         <-chan error // how each ended; nil when that is known
	closeScreen, endSociety context.CancelFunc
	asked                   chan struct{} // capacity 1: the screen leaves once
	emptied                 chan struct{} // closed when the society has ended
	tell, over, screenLate  <-chan time.Time
	leaving, hurried        bool
	hungUp                  bool // which the kernel, a shell and a failed write tell
	failure                 error
}

// leave is called by the screen.
func (p *run) leave(ctx context.Context) error {
	select {
	case p.asked <- struct{}{}:
	default:
	}
	select {
	case <-p.emptied:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// inOrder ends the society, which gets its time.
func (p *run) inOrder() {
	if !p.leaving {
		p.leaving, p.over = true, time.After(orderlyTime)
	}
	p.endSociety()
}

// hurry ends everything at once.
func (p *run) hurry() {
	p.leaving, p.hurried, p.over = true, true, time.After(forcedTime)
	p.closeScreen()
	p.endSociety()
	p.Force()
}

func (p *run) obey(sig os.Signal) {
	if sig == syscall.SIGHUP {
		if p.hungUp {
			return
		}
		p.hungUp = true
		p.HangUp()
	}
	if p.leaving {
		p.hurry()
		return
	}
	if sig == os.Interrupt && p.screen != nil && p.Interrupt != nil && p.Interrupt() {
		return
	}
	p.screenFirst()
}

// screenFirst ends both, the society after the screen, which needs it to save the text
// that was being written.
func (p *run) screenFirst() {
	p.closeScreen()
	if p.screen == nil {
		p.inOrder()
		return
	}
	p.leaving, p.over, p.screenLate = true, time.After(orderlyTime), time.After(handoverTime)
}

func (p *run) screenEnded(err error) {
	p.screen, p.failure = nil, errors.Join(p.failure, err)
	p.restore()
	p.tell = time.After(quietTime)
	p.inOrder()
}

func (p *run) societyEnded(err error) {
	if !p.leaving {
		if err == nil {
			err = errors.New("the society ended by itself")
		}
		p.closeScreen()
	}
	p.society, p.failure = nil, errors.Join(p.failure, err)
	close(p.emptied)
	p.leaving, p.over = true, time.After(forcedTime) // all that is left is the screen
}

func (p *run) dump() *Dump {
	d := &Dump{stacks()}
	p.Runner.restore()
	p.HangUp() // else the screen, which nobody waits for, would draw over the stacks
	p.Force()
	return d
}

// abandoned names what did not end.
func (p *run) abandoned() error {
	var all []error
	if p.society != nil {
		all = append(all, ErrForced)
	}
	if p.screen != nil {
		all = append(all, errors.New("the terminal does not react"))
	}
	return errors.Join(all...)
}

// start runs f in a goroutine and returns how it ended, a panic included. The end of the
// context is no failure.
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
		if v := recover(); v != nil {
			err = &Panic{In: name, Value: v, Stack: string(debug.Stack())}
		}
	}()
	return f()
}

// restore restores the terminal, if it reacts: one that does not read would hold the
// program for ever, so it is given up after a while.
func (r Runner) restore() {
	restored := start(context.Background(), "the terminal", func(context.Context) error {
		r.Restore()
		return nil
	})
	select {
	case <-restored:
	case <-time.After(restoreTime):
		r.HangUp()
	}
}

func stacks() string {
	text := make([]byte, 1<<20)
	return string(text[:runtime.Stack(text, true)])
}
