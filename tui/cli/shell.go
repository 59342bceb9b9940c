package cli

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/config"
	"society-tui/runtime/httpserver"
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
		Hide:    ownFolders(s, name),
		Sandbox: machineSandbox,
	})
	cfg.Tools = append(cfg.Tools, commands.Tools()...)
	cfg.Processes, cfg.Sandbox = commands, func(context.Context) api.Sandbox { return sandboxOf(machineSandbox()) }
	cfg.Approvals.FreeInSandbox = s.Shell.FreeInSandbox
}

// ownFolders are those of the program itself: settings, sessions, logs, and sockets. What a command
// needs of them it is given by name.
func ownFolders(s config.Settings, name string) []string {
	folders := []string{filepath.Dir(s.File), s.Data, s.Logs}
	for _, socket := range httpserver.SocketPaths(s.Data, name) {
		if folder := filepath.Dir(socket); !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
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
	for _, why := range s.Missing {
		told.Reasons = append(told.Reasons, shell.Reason(why))
	}
	return told
}
