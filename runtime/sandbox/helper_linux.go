package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Main makes this process the helper of a command if it was started as one, and never returns
// then. A program that calls Start calls it first of all in main, and in TestMain.
func Main() {
	if len(os.Args) == 1 && os.Args[0] == helperName {
		assist(os.NewFile(3, "control"), os.NewFile(4, "reports"))
		syscall.Exit(0) // os.Exit waits for a second under the race detector
	}
}

// assist carries out the order that comes from control, and reports.
func assist(control, reports *os.File) {
	debug.SetGCPercent(100)
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) // what whoever started the program left open
	// Caught, not ignored: what is ignored stays so in the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPIPE)
	decoder := json.NewDecoder(control)
	var o order
	if decoder.Decode(&o) != nil {
		return // the caller is gone
	}
	tell := json.NewEncoder(reports)
	requests := make(chan request)
	begun := make(chan struct{})
	go listen(io.MultiReader(decoder.Buffered(), control), requests)
	go exitIfHeldUp(begun, requests)
	first, pid, watch := begin(o)
	first.Session = pid
	tell.Encode(first) // if the caller is gone, control has ended, too
	if pid == 0 {
		return
	}
	close(begun)
	s := supervisor{ownProcesses: o.Namespaces}
	status := s.supervise(pid, requests)
	tell.Encode(report{Ended: true, Status: status, Blocked: append(watch.blocked(), unreachable(first.Confined)...)})
}

// exitIfHeldUp ends this process if the caller is gone while the program still does not start, as it
// may be on a folder of a computer that does not answer.
func exitIfHeldUp(begun <-chan struct{}, requests chan request) {
	select {
	case <-begun:
	case r := <-requests:
		select {
		case <-begun:
			requests <- r // for who supervises now
		case <-time.After(grace):
			syscall.Exit(1)
		}
	}
}

// A request is what the caller wants of a running command.
type request int

const (
	end  request = iota // ask all to end, and kill after the grace
	kill                // the caller is gone
)

// listen turns what comes from the caller into requests.
func listen(control io.Reader, requests chan<- request) {
	piece := make([]byte, 16)
	for {
		n, err := control.Read(piece)
		if n > 0 && strings.ContainsRune(string(piece[:n]), 's') {
			requests <- end
		}
		if err != nil {
			requests <- kill
			return
		}
	}
}

// begin carries out an order on a thread of its own. A restricted thread ends with that: the
// helper's others are not restricted, so that the program has no power over the helper. One that is
// not restricted lives as long as the helper, because the program is killed when it ends.
func begin(o order) (first report, pid int, watch *watcher) {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		var err error
		if o.Restricted {
			watch, err = restrict(o, &first.Confined)
		}
		switch {
		case err != nil:
		case o.Try != nil:
			first.Done = o.Try.succeed(first.Confined)
		default:
			pid, err = execute(o)
		}
		done <- err
		if !o.Restricted {
			select {}
		}
	}()
	if err := <-done; err != nil {
		first.Error = err.Error()
		if errors.As(err, &first.Errno) {
			first.Error = strings.TrimSuffix(first.Error, ": "+first.Errno.Error())
		}
		first.Unavailable, first.Halfway = errors.Is(err, ErrUnavailable), errors.Is(err, errHalfway)
	}
	return first, pid, watch
}

// restrict confines this thread and all that it starts.
func restrict(o order, c *Confinement) (*watcher, error) {
	if o.Namespaces {
		if err := furnish(o, c); err != nil {
			return nil, err
		}
	}
	if hidden := exposed(o); len(hidden) > 0 && !c.Files {
		return nil, fmt.Errorf("%w: %s lies in a folder that the command may read, and cannot be hidden", ErrUnavailable, hidden[0])
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil { // closes /proc of the helper
		return nil, fmt.Errorf("dumpable: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return nil, fmt.Errorf("drop capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("no_new_privs: %w", err)
	}
	if err := restrictFiles(o, c); err != nil {
		return nil, err
	}
	return restrictCalls(c)
}

// execute starts the program. All descendants become children of this process when their parents
// end.
func execute(o order) (int, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	path, err := lookPath(o)
	if err != nil {
		return 0, err
	}
	attr := &syscall.SysProcAttr{Setsid: true}
	if !o.Restricted {
		attr.Pdeathsig = syscall.SIGKILL
	}
	// Standard input is the null device unless the command has another.
	pid, err := syscall.ForkExec(path, o.Args, &syscall.ProcAttr{Dir: o.Dir, Env: o.Env, Files: []uintptr{0, 1, 2}, Sys: attr})
	if err != nil {
		return 0, &os.PathError{Op: "start", Path: path, Err: err}
	}
	return pid, nil
}

// lookPath finds the program as a shell with the command's own PATH would.
func lookPath(o order) (string, error) {
	name := o.Args[0]
	if strings.Contains(name, "/") {
		return name, nil
	}
	for _, entry := range o.Env {
		path, ok := strings.CutPrefix(entry, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			if !filepath.IsAbs(dir) {
				continue // a program of the folder is not what a bare name means
			}
			candidate := filepath.Join(dir, name)
			if info, err := os.Stat(candidate); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
				return candidate, nil
			}
		}
	}
	return "", &exec.Error{Name: name, Err: syscall.ENOENT}
}

// A supervisor ends the descendants of this process.
type supervisor struct {
	ownProcesses bool // this is the first process of a namespace, and all others are descendants
}

// supervise waits for the program pid, ends all its descendants, and returns how it ended. When it
// returns no descendant is left.
func (s supervisor) supervise(pid int, requests <-chan request) syscall.WaitStatus {
	ended := make(chan syscall.WaitStatus, 1)
	none := make(chan struct{})
	go func() {
		defer close(none)
		reap(pid, ended)
	}()
	var status syscall.WaitStatus
	var timeout <-chan time.Time
	ask := func() {
		if timeout == nil {
			s.signalAll(syscall.SIGTERM)
			timeout = time.After(grace)
		}
	}
	for {
		select {
		case status = <-ended:
			ended = nil
			ask()
		case r := <-requests:
			if r == end {
				ask()
				continue
			}
			s.killAll(none)
		case <-timeout:
			s.killAll(none)
		case <-none:
			if ended != nil {
				status = <-ended
			}
			return status
		}
	}
}

// reap waits for children, own and adopted, until there are none. While there are none no
// descendants are left: whose parent ends becomes a child of this process.
func reap(pid int, ended chan<- syscall.WaitStatus) {
	for {
		var status syscall.WaitStatus
		child, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return
		case child == pid:
			ended <- status
		}
	}
}
