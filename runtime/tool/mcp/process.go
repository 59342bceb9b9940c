package mcp

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A process is a server that runs as a child of the program, with all that it has started.
type process struct {
	stdin  io.WriteCloser
	stdout *os.File
	output *tail
	child  *exec.Cmd
	exited chan struct{} // closed when the child has ended
	status error         // how, set before exited is closed
}

// startProcess starts the program of a server in a process group of its own.
func startProcess(cfg Server, environ []string, dir string, output *tail) (*process, error) {
	path, err := lookPath(cfg.Command, environ)
	if err != nil {
		return nil, err
	}
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
	child := exec.Command(path, cfg.Args...)
	child.Args[0] = cfg.Command
	child.Env, child.Dir = environ, dir
	child.Stdin, child.Stdout, child.Stderr = in, out, output
	child.WaitDelay = stopBound // for a descendant that keeps standard error open
	p := &process{stdin: boundedWriter{stdin}, stdout: stdout, output: output, child: child, exited: make(chan struct{})}
	begun := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the kernel ends the child when the thread that started it ends
		err := startGroup(child)
		begun <- err
		if err == nil {
			p.status = child.Wait()
			close(p.exited)
		}
		runtime.UnlockOSThread()
	}()
	if err := <-begun; err != nil {
		stdin.Close()
		stdout.Close()
		return nil, fmt.Errorf("start %s: %w", cfg.Command, err)
	}
	return p, nil
}

// stop ends the process with all that it has started. It returns when they have ended.
func (p *process) stop() {
	p.stdin.Close()
	if !p.endsWithin(stopBound) {
		endGroup(p.child, false)
		p.endsWithin(stopBound)
	}
	endGroup(p.child, true) // also what the child has left behind
	<-p.exited
	p.stdout.Close() // whoever made a process group of its own may still hold the other end
}

func (p *process) endsWithin(bound time.Duration) bool {
	timer := time.NewTimer(bound)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// cause returns how the process ended, with the last line that it wrote to standard error.
func (p *process) cause() error {
	status := "it has closed its output"
	if p.endsWithin(stopBound) {
		status = "exit status 0"
		if p.status != nil {
			status = p.status.Error()
		}
	}
	if last := p.output.lastLine(); last != "" {
		status += ": " + last
	}
	return fmt.Errorf("%w: %s", errEnded, status)
}

// lookPath finds a program in PATH of an environment. Folders that are relative do not count:
// what is in them depends on where the program was started.
func lookPath(name string, environ []string) (string, error) {
	if filepath.IsAbs(name) || runtime.GOOS == "windows" {
		return exec.LookPath(name)
	}
	for _, dir := range filepath.SplitList(valueOf(environ, "PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
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

// valueOf returns the value of a variable; the last one counts.
func valueOf(environ []string, name string) (value string) {
	for _, v := range environ {
		if n, text, ok := strings.Cut(v, "="); ok && n == name {
			value = text
		}
	}
	return value
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
