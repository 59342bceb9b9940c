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

// stopTime is how long a program that has asked to be stopped waits for it.
const stopTime = 500 * time.Millisecond

// A Suspension keeps SIGTSTP from stopping the program while the terminal is in the
// modes of the screen. Whoever draws the screen restores the terminal first.
type Suspension struct {
	signals chan os.Signal
	asked   chan os.Signal // capacity 1: one more says nothing new
	let     atomic.Int32   // how many let the program be stopped at once
	close   context.CancelFunc
	closed  <-chan error
}

// Suspendable catches SIGTSTP until Close. After that the signal does nothing: once it was
// caught, its default action does not come back.
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
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP) // one may do that to oneself
				continue
			}
			select {
			case s.asked <- sig:
			default:
			}
		}
	}
}

// Close ends it.
func (s *Suspension) Close() {
	signal.Stop(s.signals)
	s.close()
	<-s.closed
}

// Asked receives when somebody other than the user asks the program to stop.
func (s *Suspension) Asked() <-chan os.Signal { return s.asked }

// Let lets SIGTSTP stop the program, as all others of its job, until again is called:
// while another program of the job has the terminal.
func (s *Suspension) Let() (again func()) {
	s.let.Add(1)
	return func() { s.let.Add(-1) }
}

// Stop stops the program and all others of its job, as ctrl+z does, and returns when they
// continue. Where no shell could continue them nothing is stopped.
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

// orphaned reports whether the parent process is in another session, and so does not see
// the program stop.
func orphaned() bool {
	own, err := unix.Getsid(0)
	if err != nil {
		return true
	}
	above, err := unix.Getsid(os.Getppid())
	return err != nil || above != own
}
