//go:build unix

package process

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// stopTime is how long to wait for a requested stop.
const stopTime = 500 * time.Millisecond

// A Suspension keeps SIGTSTP from stopping the program while the terminal is in
// the screen's modes. The screen restores the terminal first, and then calls
// Stop.
type Suspension struct {
	signals chan os.Signal
	asked   chan os.Signal // capacity 1: more requests add nothing
	let     atomic.Int32   // number of active calls of Let
	close   context.CancelFunc
	closed  <-chan error
}

// Suspendable catches SIGTSTP until Close. After that the signal has no effect:
// once caught, its default action does not come back.
func Suspendable() *Suspension {
	s := &Suspension{signals: make(chan os.Signal, 1), asked: make(chan os.Signal, 1)}
	signal.Notify(s.signals, syscall.SIGTSTP)
	ctx, cancel := context.WithCancel(context.Background())
	s.close, s.closed = cancel, start(ctx, "the suspension", s.listen)
	return s
}

func (s *Suspension) listen(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case sig := <-s.signals:
			if s.let.Load() > 0 {
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP) // a process may signal itself
				continue
			}
			select {
			case s.asked <- sig:
			default:
			}
		}
	}
}

// Close stops catching.
func (s *Suspension) Close() {
	signal.Stop(s.signals)
	s.close()
	<-s.closed
}

// Asked receives when another process asks the program to stop.
func (s *Suspension) Asked() <-chan os.Signal { return s.asked }

// Let lets SIGTSTP stop the program at once until again is called, while a
// child process has the terminal.
func (s *Suspension) Let() (again func()) {
	s.let.Add(1)
	return func() { s.let.Add(-1) }
}

// Stop stops the program's process group, as ctrl+z does, and returns when it
// continues. Without a shell to continue it, it does nothing.
func (s *Suspension) Stop() {
	if orphaned() {
		return
	}
	defer s.Let()()
	on := make(chan os.Signal, 1)
	signal.Notify(on, syscall.SIGCONT)
	defer signal.Stop(on)
	if syscall.Kill(0, syscall.SIGTSTP) != nil {
		return
	}
	select {
	case <-on:
	case <-time.After(stopTime):
	}
}

// orphaned reports whether the parent process is in another session, and so
// cannot see the program stop.
func orphaned() bool {
	own, err := unix.Getsid(0)
	if err != nil {
		return true
	}
	above, err := unix.Getsid(os.Getppid())
	return err != nil || above != own
}
