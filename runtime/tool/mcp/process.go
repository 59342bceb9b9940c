package mcp

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/sandbox"
)

// A process is a server that runs as a child of the program, with all that it has started.
type process struct {
	*sandbox.Process
	stdin  boundedWriter
	stdout *os.File
	output *tail
}

// errNoProgram is wrapped in the error of a program that is not there.
var errNoProgram error = textNoProgram.With()

// startProcess starts the program of a server. Nothing of it is left when it has ended or was
// stopped, or when this process is gone.
func startProcess(cfg Server, environ []string, dir string, output *tail) (*process, error) {
	in, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	stdout, out, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return nil, err
	}
	defer out.Close()
	started, err := sandbox.Start(context.Background(), sandbox.Command{
		Args: append([]string{cfg.Command}, cfg.Args...), Dir: dir, Env: environ, Stdin: in, Stdout: out,
		Output: func(piece []byte) { _, _ = output.Write(piece) }, // never fails
	})
	if err != nil {
		stdin.Close()
		stdout.Close()
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			return nil, textWhy.With(errNoProgram, err)
		}
		return nil, err
	}
	return &process{started, boundedWriter{stdin}, stdout, output}, nil
}

// stop ends the process with all that it has started. It returns when they have ended.
func (p *process) stop() {
	p.stdin.Close()
	if !p.endsWithin(stopBound) {
		p.Stop()
	}
	_, _ = p.Wait() // how it ended is told by cause
	p.stdout.Close()
}

func (p *process) endsWithin(bound time.Duration) bool {
	timer := time.NewTimer(bound)
	defer timer.Stop()
	select {
	case <-p.Done():
		return true
	case <-timer.C:
		return false
	}
}

// cause returns how the process ended, with the last line that it wrote to standard error.
func (p *process) cause() error {
	var status error = textClosed.With()
	if p.endsWithin(stopBound) {
		exit, err := p.Wait()
		if status = textStatus.With(exit.Code); err != nil {
			status = err
		}
	}
	if last := p.output.lastLine(); last != "" {
		status = textWhy.With(status, last)
	}
	return textWhy.With(errEnded, status)
}

// passedOn are the variables that programs need to find their files and their language. There
// is no key among them.
var passedOn = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TMPDIR", "TZ",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES",
	"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR",
}

// environment returns the variables that a server is given: those that programs need, and those
// that the settings name.
func environment(environ, named []string) []string {
	env := []string{"TERM=dumb"}
	for _, v := range environ {
		name, _, ok := strings.Cut(v, "=")
		known := name
		if runtime.GOOS == "windows" {
			known = strings.ToUpper(name)
		}
		if ok && name != "" && (slices.Contains(passedOn, known) || strings.HasPrefix(name, "LC_") || slices.Contains(named, name)) {
			env = append(env, v)
		}
	}
	return env
}

// writeBound is how long a server may let what it is sent stand in its input.
const writeBound = 10 * time.Second

// A boundedWriter fails when nobody reads: a call must not hang because its server does.
type boundedWriter struct{ *os.File }

func (w boundedWriter) Write(b []byte) (int, error) {
	if err := w.SetWriteDeadline(time.Now().Add(writeBound)); err != nil && !os.IsTimeout(err) {
		return w.File.Write(b) // no deadlines on this system
	}
	return w.File.Write(b)
}
