package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// helperName is the name that a process started as helper has as its argument 0, alone.
const helperName = "society-tui (sandbox helper)"

// An order is what the helper is to do. It comes as the first value on its control pipe; a byte
// after it asks to stop, and the end of the pipe means that the caller is gone.
type order struct {
	Args, Env, Write, Read, Hide []string
	Dir                          string
	Restricted                   bool
	Try                          *targets // instead of starting a program, try what is forbidden

	// What the system is to look as if it had not, in tests.
	NoLandlock, NoNamespaces bool
	AtMostABI                int

	Namespaces bool // the helper is in namespaces of its own
}

// A report is a message of the helper: first that the program started or why not, then how it ended.
type report struct {
	Confined    Confinement
	Error       string
	Errno       syscall.Errno // of Error, if there is one
	Unavailable bool          // Error is an ErrUnavailable
	Halfway     bool          // Error is an errHalfway
	Session     int           // of the program, which leads it
	Ended       bool
	Status      syscall.WaitStatus
	Blocked     []Act
	Done        []Act // what was tried, and succeeded
}

// err is the error of a report, with its errno to be found by errors.Is.
func (r report) err() error {
	switch {
	case r.Error == "":
		return nil
	case r.Unavailable:
		return unavailable(r.Error)
	case r.Errno == 0:
		return errors.New(r.Error)
	}
	return fmt.Errorf("%s: %w", r.Error, r.Errno)
}

// An unavailable is an ErrUnavailable of the helper with its reason.
type unavailable string

func (u unavailable) Error() string { return string(u) }
func (u unavailable) Unwrap() error { return ErrUnavailable }

// A helper is the caller's side of a process that was started as helper.
type helper struct {
	session int // of the program, if it is not in a PID namespace, which would end with the helper
	cmd     *exec.Cmd
	mu      sync.Mutex // guards what is directly below
	control *os.File
	overdue *time.Timer // kills the helper; nil before hangUp

	reports *json.Decoder
	pipe    *os.File
}

// launch starts a helper and waits until it has started the program.
func launch(ctx context.Context, c Command, output *os.File) (child, Confinement, error) {
	o := order{
		Args: c.Args, Env: c.Env, Dir: c.Dir, Restricted: c.Restricted, Write: c.Write, Read: c.Read, Hide: c.Hide,
		NoLandlock: c.without.landlock, NoNamespaces: c.without.namespaces, AtMostABI: c.without.abiAbove,
	}
	h, first, err := send(ctx, o, c.Stdin, cmp.Or(c.Stdout, output), output)
	if err != nil {
		return nil, Confinement{}, err
	}
	return h, first.Confined, nil
}

// send starts a helper, gives it an order and returns it with its first report.
func send(ctx context.Context, o order, stdin, stdout, stderr *os.File) (*helper, report, error) {
	h, err := startHelper(o, stdin, stdout, stderr)
	if err != nil {
		return nil, report{}, fmt.Errorf("start the helper: %w", err)
	}
	unwatch := context.AfterFunc(ctx, h.hangUp)
	var first report
	err = h.reports.Decode(&first)
	if !unwatch() {
		h.close()
		return nil, report{}, context.Cause(ctx)
	}
	if err != nil {
		h.close()
		return nil, report{}, ErrHelper
	}
	if err := first.err(); err != nil {
		h.close()
		if first.Halfway {
			o.NoNamespaces = true
			return send(ctx, o, stdin, stdout, stderr)
		}
		return nil, report{}, err
	}
	if !first.Confined.Processes {
		h.session = first.Session
	}
	return h, first, nil
}

// startHelper starts this executable as a helper, in namespaces of its own if it is to restrict
// and the system lets it, and hands it the order.
//
// PDEATHSIG does not serve here: it fires when the thread that forked ends, and Go ends threads.
// The end of the control pipe tells the helper as surely that this process is gone.
func startHelper(o order, stdin, stdout, stderr *os.File) (*helper, error) {
	control, orders, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer control.Close()
	reports, told, err := os.Pipe()
	if err != nil {
		orders.Close()
		return nil, err
	}
	defer told.Close()
	h := &helper{control: orders, pipe: reports, reports: json.NewDecoder(reports)}
	o.Namespaces = o.Restricted && !o.NoNamespaces
	start := func() error {
		attr := &syscall.SysProcAttr{Setsid: true}
		if o.Namespaces {
			inNamespaces(attr)
		}
		h.cmd = &exec.Cmd{
			Path: "/proc/self/exe", Args: []string{helperName}, Dir: "/",
			Env:    []string{"GOGC=off"}, // until it is the helper: a quarter of the time that starting takes
			Stdout: stdout, Stderr: stderr, ExtraFiles: []*os.File{control, told}, SysProcAttr: attr,
		}
		if stdin != nil { // a nil file would be one
			h.cmd.Stdin = stdin
		}
		return h.cmd.Start()
	}
	err = start()
	if err != nil && o.Namespaces {
		o.Namespaces = false // containers and some distributions forbid them
		err = start()
	}
	if err != nil {
		orders.Close()
		reports.Close()
		return nil, err
	}
	if err := json.NewEncoder(orders).Encode(o); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

func (h *helper) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.control.Write([]byte{'s'}) // fails only if the helper has ended, or was asked often before
}

func (h *helper) wait() (Exit, error) {
	var last report
	err := h.reports.Decode(&last)
	h.close()
	if err != nil || !last.Ended {
		if h.session != 0 {
			killSession(h.session)
		}
		return Exit{Code: -1}, ErrHelper
	}
	exit := Exit{Code: last.Status.ExitStatus(), Blocked: last.Blocked}
	if last.Status.Signaled() {
		exit.Signal = last.Status.Signal()
		exit.Code = 128 + int(exit.Signal)
	}
	return exit, nil
}

// hangUp lets go of the helper, which ends its processes then. One that has not ended long after
// that is killed.
func (h *helper) hangUp() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.control.Close()
	if h.overdue == nil {
		h.overdue = time.AfterFunc(5*grace, func() { h.cmd.Process.Kill() })
	}
}

// close lets go of the helper and waits for its end.
func (h *helper) close() {
	h.hangUp()
	io.Copy(io.Discard, h.pipe)
	h.cmd.Wait()
	h.overdue.Stop()
	h.pipe.Close()
}
