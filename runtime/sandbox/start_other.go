//go:build !linux

package sandbox

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Main does nothing: without Linux a command has no helper.
func Main() {}

// Probe returns the state of a system without a sandbox.
func Probe(context.Context) State { return State{Missing: []Reason{{Err: ErrUnavailable}}} }

// A group is a program and what the operating system knows to belong to it.
type group struct {
	cmd     *exec.Cmd
	members members
	mu      sync.Mutex // guards over, so that nobody who got the number of the group later is meant
	over    bool
}

// launch starts the program in a group of its own.
func launch(_ context.Context, c Command, output *os.File) (child, Confinement, error) {
	if c.Restricted {
		return nil, Confinement{}, ErrUnavailable
	}
	path, err := lookPath(c)
	if err != nil {
		return nil, Confinement{}, err
	}
	g := &group{}
	g.cmd = &exec.Cmd{Path: path, Args: c.Args, Env: c.Env, Dir: c.Dir, Stdout: cmp.Or(c.Stdout, output), Stderr: output, SysProcAttr: groupAttr()}
	if c.Stdin != nil { // a nil file would be one
		g.cmd.Stdin = c.Stdin
	}
	if g.cmd.Env == nil {
		g.cmd.Env = []string{}
	}
	if err := g.cmd.Start(); err != nil {
		return nil, Confinement{}, err
	}
	if g.members, err = membersOf(g.cmd.Process); err != nil {
		g.cmd.Process.Kill()
		g.cmd.Wait()
		return nil, Confinement{}, err
	}
	return g, Confinement{}, nil
}

func (g *group) stop() {
	g.unlessOver(g.members.end)
	time.AfterFunc(grace, func() { g.unlessOver(g.members.kill) })
}

func (g *group) unlessOver(act func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.over {
		act()
	}
}

func (g *group) wait() (Exit, error) {
	g.cmd.Wait() // how it ended is in its state
	g.members.end()
	for waited := time.Duration(0); waited < grace && g.members.any(); waited += 20 * time.Millisecond {
		time.Sleep(20 * time.Millisecond)
	}
	g.mu.Lock()
	g.members.kill()
	g.members.release()
	g.over = true
	g.mu.Unlock()
	exit := Exit{Code: g.cmd.ProcessState.ExitCode()}
	if status, ok := g.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		exit.Signal = status.Signal()
		exit.Code = 128 + int(exit.Signal)
	}
	return exit, nil
}

// lookPath finds the program as a shell with the command's own PATH would.
func lookPath(c Command) (string, error) {
	name := c.Args[0]
	if strings.ContainsAny(name, `/\`) {
		return name, nil
	}
	for _, entry := range c.Env {
		key, path, ok := strings.Cut(entry, "=")
		if !ok || !strings.EqualFold(key, "PATH") {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			if !filepath.IsAbs(dir) {
				continue
			}
			if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return found, nil
			}
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}
