package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Bounds of one run of git.
const (
	quick = 20 * time.Second
	slow  = 2 * time.Minute // fills a work tree
)

// passed are the variables of the environment that git gets: it finds programs and the
// user's configuration by them, and no repository but the one that it is told.
var passed = []string{
	"PATH", "HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "TMPDIR",
	"SYSTEMROOT", "SYSTEMDRIVE", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "PROGRAMDATA", "TEMP", "TMP", "PATHEXT", "COMSPEC",
}

// A run is a call of git.
type run struct {
	dir   string   // where, "" for anywhere
	env   []string // beside what is always there
	input string
	bound time.Duration // quick if 0
	args  []string
}

// git runs git and returns its output. It starts no hook, asks nothing and never talks to
// another computer.
func (r run) git(ctx context.Context) (string, error) {
	if r.bound == 0 {
		r.bound = quick
	}
	ctx, cancel := context.WithTimeoutCause(ctx, r.bound, fmt.Errorf("it took longer than %s", r.bound))
	defer cancel()
	args := append([]string{
		"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
		"-c", "submodule.recurse=false", "-c", "protocol.allow=never", "-c", "core.quotePath=false",
	}, r.args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.WaitDelay = r.dir, 2*time.Second
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(passed, strings.ToUpper(name)) {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_EDITOR=true", "GIT_PAGER=cat"), r.env...)
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(r.input), &out, &said
	err := cmd.Run()
	switch {
	case err == nil:
		return out.String(), nil
	case errors.Is(err, exec.ErrNotFound):
		return "", textNoGit.With()
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	}
	return "", &gitError{said: lastOf(said.String()), err: err}
}

// A gitError is what git says about its failure.
type gitError struct {
	said string
	err  error
}

func (e *gitError) Error() string {
	if e.said == "" {
		return e.err.Error()
	}
	return e.said
}

func (e *gitError) Unwrap() error { return e.err }

// exit returns the code with which git ended, 0 if it did not end by itself.
func exit(err error) int {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return e.ExitCode()
	}
	return 0
}

// lastOf returns the reason in what git wrote, short and on one line.
func lastOf(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	from := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "fatal:") || strings.HasPrefix(l, "error:") })
	lines = lines[max(0, from):]
	text := strings.Join(lines, " ")
	for _, prefix := range []string{"fatal: ", "error: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	const most = 400
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
