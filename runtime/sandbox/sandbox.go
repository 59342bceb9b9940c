// Package sandbox runs a program so that nothing of it is left when it ends, and, on Linux,
// so that it reaches only what it was given.
//
// On Linux the program starts as a child of a helper: this very executable, started again (see
// Main). The helper adopts every descendant, also those that made a session of their own, and
// ends all of them when the program ends, when Stop is called, and when the caller's process is
// gone, killed or not.
//
// A restricted command is confined by the kernel before it executes: Landlock limits files,
// seccomp limits sockets and system calls, and namespaces, where they can be made, give it
// processes, a loopback network and a /proc of its own. If Landlock or seccomp cannot be applied,
// Start fails: nothing that should be restricted runs free.
package sandbox

import (
	"context"
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

// grace is how long processes have to end after they were asked to, and how long output is read
// after the last of them.
const grace = time.Second

// ErrUnavailable is returned by Start for a restricted command where the operating system has no
// means to restrict it.
var ErrUnavailable = errors.New("no sandbox on this system")

// ErrHelper is returned by Wait if the helper ended before the program did, because somebody killed
// it. How the program ended is not known. Its processes are killed then, but of a command without a
// PID namespace not those that made a session of their own.
var ErrHelper = errors.New("the helper of the command ended early")

// A Command is what Start starts.
type Command struct {
	Args []string // the program, an absolute path or found in PATH of Env, and its arguments
	Dir  string
	Env  []string // all of the environment

	// Output is called with each piece of standard output and error, as they were written, from
	// one goroutine. A piece is valid during the call. While Output blocks, so does the program.
	// If it panics the program is stopped, and Wait panics with the same.
	Output func(piece []byte)

	// Stdin is its standard input, nil for none. Stdout is its standard output if it is not to
	// go to Output. The caller closes them after Start.
	Stdin, Stdout *os.File

	Restricted bool     // confine it; all below counts only then
	Write      []string // files and folders that it may also change
	Read       []string // files and folders that it may also read and execute, besides the system's
	Hide       []string // folders it must never see, also inside those of Write and Read

	without without // tests only
}

// A without is what a system is to look as if it had not.
type without struct {
	landlock, namespaces bool
	abiAbove             int // no version of Landlock above it; 0: any
}

// An Exit is how a program ended.
type Exit struct {
	Code   int            // as a shell has it: 128 and the signal's number if a signal ended it
	Signal syscall.Signal // 0 if it ended by itself
	Took   time.Duration

	// Blocked names, without repetition, what a restricted command tried in vain, as far as the
	// kernel tells. It does not tell of files: those are refused with "Permission denied".
	Blocked []Act
}

// A Process is a started program with all its descendants.
type Process struct {
	child    child
	start    time.Time
	stop     sync.Once
	done     chan struct{}
	exit     Exit
	err      error
	panicked any         // what Output panicked with
	Confined Confinement // what holds for it
}

// A child is what an operating system's way of starting gives.
type child interface {
	stop() // asks all processes to end, and kills them after the grace; returns at once
	wait() (Exit, error)
}

// Start starts a program. It fails if the program cannot be executed or confined. When ctx is done
// the program is stopped, as Stop does.
func Start(ctx context.Context, c Command) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(c.Args) == 0 {
		return nil, errors.New("no program to start")
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &Process{start: time.Now(), done: make(chan struct{})}
	p.child, p.Confined, err = launch(ctx, c, write)
	write.Close()
	if err != nil {
		read.Close()
		return nil, err
	}
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		defer func() {
			if p.panicked = recover(); p.panicked != nil {
				p.Stop()
				copyOutput(read, nil)
			}
		}()
		copyOutput(read, c.Output)
	}()
	unwatch := context.AfterFunc(ctx, p.Stop)
	go func() {
		defer close(p.done)
		p.exit, p.err = p.child.wait()
		p.exit.Took = time.Since(p.start)
		unwatch()
		// Somebody who was out of reach may still hold the pipe.
		read.SetReadDeadline(time.Now().Add(grace))
		<-copied
		read.Close()
	}()
	return p, nil
}

// copyOutput hands over what is read until the end or the deadline.
func copyOutput(read *os.File, output func([]byte)) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := read.Read(buffer)
		if n > 0 && output != nil {
			output(buffer[:n])
		}
		if err != nil {
			return
		}
	}
}

// Wait waits until the program and all its descendants have ended and all output was handed over.
// When the program ends, what it left running is asked to end and killed a second later.
func (p *Process) Wait() (Exit, error) {
	<-p.done
	if p.panicked != nil {
		panic(p.panicked)
	}
	return p.exit, p.err
}

// Done is closed when Wait would return at once.
func (p *Process) Done() <-chan struct{} { return p.done }

// Stop asks the program and all its descendants to end, and kills after a second those that are
// left. It returns at once; Wait returns when none is left. It may be called again.
func (p *Process) Stop() { p.stop.Do(p.child.stop) }
