package cli

import (
	"path/filepath"
	"sync"

	"society-tui/runtime"
	"society-tui/runtime/config"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/session"
	"society-tui/runtime/tool/shell"
	"society-tui/runtime/workspace"
	"society-tui/runtime/worktree"
)

// machineSandbox is what the sandbox holds on this machine, found out when it is first needed.
var machineSandbox = sync.OnceValue(func() sandbox.State { return sandbox.State{} })

// addShell adds the tools that run commands.
func addShell(cfg *runtime.Config, s config.Settings, name string, workspaces *workspace.Set, trees *worktree.Folder) {
	commands := shell.New(shell.Config{
		Workspaces: workspaces, Repository: trees.Repository,
		Scratch: session.Scratch(s.Data, name), Aside: s.Data,
		Env: s.Shell.Env, AlsoRead: sync.OnceValue(func() []string { return s.ReadFolders(shell.Found) }),
		Hide:    []string{filepath.Dir(s.File), s.Logs},
		Sandbox: machineSandbox,
	})
	cfg.Tools = append(cfg.Tools, commands.Tools()...)
	cfg.Processes = commands
	cfg.Approvals.FreeInSandbox = s.Shell.FreeInSandbox && machineSandbox().Level == sandbox.Full
}
