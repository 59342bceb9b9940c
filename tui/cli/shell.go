package cli

import (
	"context"
	"path/filepath"
	"sync"

	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/session"
	"society-tui/runtime/tool/shell"
	"society-tui/runtime/workspace"
	"society-tui/runtime/worktree"
)

// machineSandbox is what the sandbox holds on this machine, found out when it is first needed.
var machineSandbox = sync.OnceValue(func() sandbox.State { return sandbox.Probe(context.Background()) })

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
	cfg.Processes, cfg.Sandbox = commands, func(context.Context) api.Sandbox { return sandboxOf(machineSandbox()) }
	cfg.Approvals.FreeInSandbox = s.Shell.FreeInSandbox && machineSandbox().Level == sandbox.Full
}

// sandboxOf tells clients what the sandbox holds.
func sandboxOf(s sandbox.State) api.Sandbox {
	told := api.Sandbox{State: api.SandboxWhole, Network: api.NetworkBlocked}
	switch {
	case s.Level == sandbox.None:
		told = api.Sandbox{State: api.SandboxNone, Network: api.NetworkOpen}
	case s.Level == sandbox.Partial:
		told.State = api.SandboxPartial
	}
	if s.Confined.Loopback {
		told.Network = api.NetworkLoopback
	}
	for _, why := range s.Missing { // what the system says has no translation
		told.Reasons = append(told.Reasons, i18n.Text{EN: why, ZH: why})
	}
	return told
}
