//go:build unix

package handover

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// The descriptors of the child's pipes, behind its standard ones.
const (
	childReads  = 3
	childWrites = 4
)

// Launch starts this program with other arguments, in a session of its own, so that it
// outlives the terminal, and with the root as its folder. output, which may be nil, gets
// what it prints.
func Launch(args []string, output *os.File) (Process, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	hears, tells, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	listens, says, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, hears.Close(), tells.Close())
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.ExtraFiles = []*os.File{hears, says}
	if output != nil {
		cmd.Stdout, cmd.Stderr = output, output
	}
	err = cmd.Start()
	_, _ = hears.Close(), says.Close() // they are the child's
	if err != nil {
		return nil, errors.Join(err, tells.Close(), listens.Close())
	}
	p := &process{cmd: cmd, pipes: pipes{listens, tells}, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		_ = cmd.Wait() // how it ended is in its output
	}()
	return p, nil
}

// A process is a child of this program.
type process struct {
	pipes

	cmd   *exec.Cmd
	ended chan struct{}
}

func (p *process) PID() int               { return p.cmd.Process.Pid }
func (p *process) Kill()                  { _ = p.cmd.Process.Kill() } // it may have ended
func (p *process) Ended() <-chan struct{} { return p.ended }

// pipes are a pipe in each direction.
type pipes struct {
	io.ReadCloser

	out io.WriteCloser
}

func (p pipes) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p pipes) Close() error                { return errors.Join(p.ReadCloser.Close(), p.out.Close()) }

// Inherited returns the process that has started this one with Launch.
func Inherited() (*Parent, error) {
	var files [2]*os.File
	for i, fd := range []int{childReads, childWrites} {
		var stat syscall.Stat_t
		if err := syscall.Fstat(fd, &stat); err != nil || uint32(stat.Mode)&syscall.S_IFMT != syscall.S_IFIFO {
			return nil, &fs.PathError{Op: "inherit", Path: "pipe", Err: fs.ErrInvalid}
		}
		syscall.CloseOnExec(fd)
		files[i] = os.NewFile(uintptr(fd), "parent")
	}
	return &Parent{pipes{files[0], files[1]}}, nil
}
