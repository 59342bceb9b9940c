// Package process runs the screen and the society side by side until both have
// ended, because of the user, a signal, or a panic. In every case the terminal
// is restored, and the society gets time to shut down in order.
//
// [Runner] runs them; [Enter] checks and saves the terminal first, [Listen]
// catches signals, [Suspension] handles ctrl+z, and [CatchStandardError] keeps
// output of libraries off the screen.
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

// Timeouts: together at most 30 s from the first signal to the end (S000 P14 in
// runtime/SPEC.md).
const (
	// orderlyTime is for the society, whose own shutdown reserves half a second
	// less for its store; forcedTime is for what hangs then, such as a disk or a
	// terminal that does not read.
	orderlyTime = 28 * time.Second
	forcedTime  = 2 * time.Second
	restoreTime = time.Second
	// handoverTime is how long the society waits for the screen to save the user's
	// last input when a signal ends both.
	handoverTime = time.Second
	// quietTime is how long a shutdown can take before the user is told.
	quietTime = 500 * time.Millisecond
	// afterTime is for After when the user has closed the screen: a child that opens the
	// store in time, or else is killed, and the store that is opened again.
	afterTime = 15 * time.Second
)

// ErrForced is returned when the society had to end before it was ready: after
// a second signal or a timeout.
var ErrForced = errors.New("left at once; calls in flight were cut short")

// A Dump is the error after SIGQUIT. It has the stacks of all goroutines.
type Dump struct{ Stacks string }

func (d *Dump) Error() string { return "quit by a signal" }

// A Panic is a recovered panic of the screen or the society.
type Panic struct {
	In    string // such as "the screen"
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprintf("a fault in %s: %v", p.In, p.Value) }

// A Runner has what to run, and how to control it. All fields but After, Gone,
// Outlives, Quit, Interrupt and Signalled are required.
type Runner struct {
	// Screen draws until the user leaves or ctx is done. Its leave ends the society
	// and waits until it has ended, so that the screen can show progress.
	Screen func(ctx context.Context, leave func(context.Context) error) error
	// Society runs until ctx is done, and then shuts down in order.
	Society func(context.Context) error
	// After runs when Society has ended without an error, before leave returns. It
	// hands on what the society has left, and may take its time until the user closes
	// the screen, or Force.
	After func() error
	// Force makes Society return soon, whatever is running. It may be called from
	// any goroutine.
	Force func()
	// Restore restores the modes and the line discipline of the terminal.
	Restore func()
	// HangUp stops the screen's writes to the terminal.
	HangUp func()
	// Gone is closed when the terminal has disappeared, which is handled like
	// SIGHUP, because not every process is sent that signal. It is nil if that is
	// not detected.
	Gone <-chan struct{}
	// Outlives reports whether the society goes on when the terminal has hung up: only
	// the screen ends then, and a further SIGHUP has no effect.
	Outlives func() bool
	// Quit is closed when another program ends this one, which is handled like
	// the first SIGTERM. It may be nil.
	Quit <-chan struct{}
	// Interrupt handles ctrl+c as a signal while the screen is open, and reports
	// whether it did. If nil, SIGINT ends the program.
	Interrupt func() bool
	// Signalled is told each signal before it has an effect. It may be nil.
	Signalled func(os.Signal)
	// Waiting tells the user, after the screen has closed, that the society is
	// still shutting down.
	Waiting func()
}

// Listen returns the program's signals. They no longer end the program by
// themselves until stop is called. SIGHUP stays ignored if nohup has started the
// program.
func Listen() (signals <-chan os.Signal, stop func()) {
	caught := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		caught = append(caught, syscall.SIGHUP)
	}
	// Space for a second signal while the first is handled.
	c := make(chan os.Signal, 2)
	signal.Notify(c, caught...)
	return c, func() { signal.Stop(c) }
}

// IgnoreHangUp makes the program and what it starts ignore SIGHUP, as nohup does. It is
// called before Listen.
func IgnoreHangUp() { signal.Ignore(syscall.SIGHUP) }

// OutliveReader keeps the program running when the reader of its output has
// left, as head does, so that it can clean up. Writes fail with EPIPE then.
// Child processes are still ended by SIGPIPE.
func OutliveReader() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// Begin calls open, and reports whether a signal came meanwhile, so that
// nothing should run. The first signal ends the context of open. After a second one Begin
// returns ErrForced without waiting for open, and the program must end.
func Begin(signals <-chan os.Signal, open func(context.Context) error) (asked bool, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opened := start(ctx, "the start", open)
	for {
		select {
		case err := <-opened:
			return asked, err
		case <-signals:
			if asked {
				return true, ErrForced
			}
			asked = true
			cancel()
		}
	}
}

// Run runs screen and society until both have ended, and returns an error
// unless both ended in order. When one ends, so does the other. The first
// signal ends both in order, the second at once; several signals of one hang-up
// count as one. If something hangs, Run returns without it.
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
			if p.Signalled != nil {
				p.Signalled(sig)
			}
			if sig == syscall.SIGQUIT {
				return errors.Join(p.failure, p.dump())
			}
			p.obey(sig)
		case <-p.Gone:
			p.gone()
		case <-p.Quit:
			p.Quit = nil
			if !p.leaving { // else it is what the user has begun
				p.screenFirst()
			}
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
			if p.hurried || p.society == nil || p.handsOn {
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

// A run is the state of Run. Everything but leave belongs to its goroutine.
type run struct {
	Runner
	screen, society         <-chan error // results; nil once received
	closeScreen, endSociety context.CancelFunc
	asked                   chan struct{} // capacity 1: the screen leaves once
	emptied                 chan struct{} // closed when the society has ended
	tell, over, screenLate  <-chan time.Time
	leaving, hurried        bool
	hungUp                  bool // told by the kernel, the shell, or a failed write
	outlives                bool // hung up, and only the screen ends
	handsOn                 bool // After runs as the society
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

// inOrder ends the society in order.
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
		if p.hangUp() {
			return
		}
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

// gone handles a terminal that has disappeared.
func (p *run) gone() {
	p.Gone = nil
	if !p.hangUp() {
		p.screenFirst()
	}
}

// hangUp silences the terminal, and reports whether the society goes on without it.
func (p *run) hangUp() bool {
	if p.hungUp {
		return p.outlives
	}
	p.hungUp = true
	p.HangUp()
	if p.Outlives != nil && p.Outlives() {
		p.outlives = true
		p.closeScreen()
	}
	return p.outlives
}

// screenFirst ends both, the society last, because the screen needs it to save
// the draft.
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
	select {
	case <-p.Gone: // it has ended for that
		p.gone()
	default:
	}
	p.restore()
	if p.outlives && !p.leaving {
		return
	}
	p.tell = time.After(quietTime)
	p.boundAfter()
	p.inOrder()
}

func (p *run) societyEnded(err error) {
	if !p.leaving {
		if err == nil {
			err = errors.New("the society ended by itself")
		}
		p.closeScreen()
	}
	if p.leaving && err == nil && p.After != nil && !p.handsOn {
		p.society = start(context.Background(), "the handover", func(context.Context) error { return p.After() })
		p.handsOn, p.over = true, nil
		p.boundAfter()
		return
	}
	p.society, p.failure = nil, errors.Join(p.failure, err)
	close(p.emptied)
	p.leaving, p.over = true, time.After(forcedTime) // only the screen is left
}

// boundAfter gives After a time limit when there is no screen on which the user could end
// it.
func (p *run) boundAfter() {
	if p.handsOn && p.screen == nil && !p.outlives && !p.hurried {
		p.over = time.After(afterTime)
	}
}

func (p *run) dump() *Dump {
	d := &Dump{stacks()}
	p.HangUp() // else the abandoned screen would draw over the stacks, or take modes again
	p.Runner.restore()
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

// start runs f in a goroutine and returns a channel with its result. A panic is
// an error; the end of ctx is not.
func start(ctx context.Context, name string, f func(context.Context) error) <-chan error {
	ended := make(chan error, 1) // buffered, so that it can end when nobody receives
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

// restore restores the terminal, but gives up after a while, because a terminal
// that does not read would block forever.
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
