// Package shell has the tools with which agents run commands: bash, and bash_output and
// bash_kill for those that run in the background. A command runs in the sandbox of package
// sandbox, or outside of it after the user's yes; nothing of it is left when it ends, nor when
// its agent does. What it has changed in the workspace is listed after it, and what it has
// changed of git's hooks and configuration is put back.
package shell

import (
	"os/exec"
	"sync"

	"society-tui/runtime/sandbox"
	"society-tui/runtime/tool"
	"society-tui/runtime/workspace"
)

// Group is the group of these tools.
const Group tool.Group = "shell"

// The names of the tools.
const (
	Bash       = "bash"
	BashOutput = "bash_output"
	BashKill   = "bash_kill"
)

// A Config is what the commands of a society's agents are run with.
type Config struct {
	Workspaces *workspace.Set
	// Scratch is a folder of the commands' own, made when it is needed: their HOME, TMPDIR
	// and the caches of compilers. Aside is where folders are made for what was put back.
	Scratch, Aside string
	// Repository returns the folder that git keeps for all worktrees of the repository that a
	// worktree of an agent belongs to; nil if there are no worktrees.
	Repository func(worktree string) (string, error)
	// Env names variables of the environment that commands get too, and Hide folders that they
	// never see. AlsoRead returns folders that they may read too.
	Env, Hide []string
	AlsoRead  func() []string
	// Sandbox returns what holds in the sandbox. It may be called often, from any goroutine.
	Sandbox func() sandbox.State
}

// A Shell runs commands of agents. It is also their background processes, for the runtime.
type Shell struct {
	c    Config
	name string // bash or sh, "" if there is neither
	path string // of it

	prepare func() error // makes what commands need of Scratch, once
	guarded guard        // of all commands in the sandbox

	mu        sync.Mutex
	pictures  []*picture // of workspaces, the last used last
	processes map[string][]*process
	numbers   map[string]int // of processes, by agent
	notify    func(agent string)
}

// New returns the shell of a society.
func New(c Config) *Shell {
	s := &Shell{c: c, guarded: guard{aside: c.Aside}, processes: map[string][]*process{}, numbers: map[string]int{}, notify: func(string) {}}
	for _, name := range []string{"bash", "sh"} {
		if path, err := lookPath(name); err == nil {
			s.name, s.path = name, path
			break
		}
	}
	s.prepare = sync.OnceValue(s.makeScratch)
	return s
}

// lookPath finds a program where commands find it too.
func lookPath(name string) (string, error) {
	for _, dir := range systemFolders() {
		if path, err := exec.LookPath(dir + "/" + name); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(name)
}

// Tools returns the tools, none on a machine without a shell.
func (s *Shell) Tools() []tool.Tool {
	if s.path == "" {
		return nil
	}
	return []tool.Tool{bash{s}, outputTool{s}, killTool{s}}
}

// holds reports whether there is a sandbox.
func (s *Shell) holds() bool { return s.c.Sandbox().Level != sandbox.None }
