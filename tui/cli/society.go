package cli

import (
	"context"
	"log/slog"
	"os"
	"slices"

	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/config"
	"society-tui/runtime/graph"
	"society-tui/runtime/logfile"
	"society-tui/runtime/protocol"
	"society-tui/runtime/session"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/tool/mcp"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/shell"
	"society-tui/runtime/tool/todo"
	"society-tui/runtime/tool/web"
	"society-tui/runtime/workspace"
	"society-tui/runtime/worktree"
	"society-tui/tui/action"
)

// societyConfig returns the configuration of a society without its store.
func societyConfig(s config.Settings, models *registry.Registry, log *slog.Logger) runtime.Config {
	limits := society.DefaultLimits()
	l := s.Limits
	limits.Agents, limits.Depth, limits.Children = l.Agents, l.Depth, l.Children
	limits.SpawnsPerMinute, limits.ToolRounds = l.SpawnsPerMinute, l.ToolRounds
	limits.RepeatsWarned, limits.RepeatsEnded = l.RepeatsWarned, l.RepeatsEnded
	limits.TaskMessages, limits.Queue = l.TaskMessages, l.Queue
	limits.ContextMessages, limits.KeepRecent = l.MaxContextMessages, l.KeepRecent
	limits.Task = society.Amount{Cost: society.MoneyOf(l.TaskCost), Tokens: l.TaskTokens}
	limits.Day = society.Amount{Cost: society.MoneyOf(l.DayCost), Tokens: l.DayTokens}
	limits.DrainTime, limits.DrainMessages = l.DrainTime.Duration, l.DrainMessages
	return runtime.Config{
		Models: models, Graphs: graphs(s), Lang: protocol.Lang(s.Language()), Limits: limits,
		Without: without(s),
		Approvals: society.ApprovalSettings{
			Mode: s.DefaultMode(), Rules: s.ApprovalRules(), Wait: l.ApprovalWait.Duration,
		},
		Mode:         s.ModeFlag(),
		ModeFrom:     s.ModeSource(),
		AskEndpoints: askEndpoints(s),
		Currency:     s.Currency,
		ModelCalls:   l.ModelCalls, IdleWarning: l.IdleWarning.Duration, Log: log, Addition: s.Prompts.Addition,
	}
}

// templates returns the sources of templates.
func templates(s config.Settings) template.Source {
	names := []string{} // not nil: without graphs none is known
	for _, d := range graphs(s)(protocol.English) {
		names = append(names, d.Name)
	}
	return template.Source{Dir: s.Templates, Groups: append(append(org.Groups(), tool.Read), append(offered(s), serverGroups(s)...)...), Graphs: names}
}

// offered returns the groups of tools that the settings offer beside those of the
// organisation.
func offered(s config.Settings) []tool.Group {
	groups := make([]tool.Group, len(s.Tools.Groups))
	for i, g := range s.Tools.Groups {
		groups[i] = tool.Group(g)
	}
	return groups
}

// without returns the groups of the runtime's own tools that the settings do not offer.
func without(s config.Settings) []tool.Group {
	return slices.DeleteFunc([]tool.Group{todo.Group, artifacts.Group}, func(g tool.Group) bool { return slices.Contains(offered(s), g) })
}

// serverGroups returns the groups of the tools of the MCP servers of the settings.
func serverGroups(s config.Settings) []tool.Group {
	groups := make([]tool.Group, len(s.Servers))
	for i, v := range s.Servers {
		groups[i] = mcp.Group(v.Name)
	}
	return groups
}

// addServers adds the MCP servers of the settings, which are started with the session. They
// run in the user's home folder, which is none that agents work in.
func addServers(cfg *runtime.Config, s config.Settings) {
	if len(s.Servers) == 0 {
		return
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		dir = s.Data
	}
	servers := make([]mcp.Server, len(s.Servers))
	for i, v := range s.Servers {
		servers[i] = mcp.Server{
			Name: v.Name, Command: v.Command, Args: v.Args, URL: v.URL, Env: v.Env, Token: v.Token.Reveal(), Trusted: v.Trusted,
		}
	}
	cfg.Servers = mcp.New(mcp.Config{Servers: servers, Dir: dir, Environ: os.Environ(), Version: logfile.Version(), Log: cfg.Log})
}

// workspaceOf returns where agents of a session work on files, the zero value without tools for
// files.
func workspaceOf(s config.Settings, name string) action.Workspace {
	switch {
	case !slices.Contains(offered(s), files.Group) && !slices.Contains(offered(s), shell.Group):
		return action.Workspace{}
	case s.Workspace == "":
		return action.Workspace{Dir: session.Work(s.Data, name), Own: true}
	}
	return action.Workspace{Dir: s.Workspace}
}

// addTools adds the tools of these groups for a session.
func addTools(cfg *runtime.Config, s config.Settings, name string) {
	addServers(cfg, s)
	hasFiles, hasShell := slices.Contains(offered(s), files.Group), slices.Contains(offered(s), shell.Group)
	if !hasFiles && !hasShell {
		return
	}
	workspaces := workspace.PerTask(session.Work(s.Data, name))
	if s.Workspace != "" {
		workspaces = workspace.Shared(s.Workspace)
	}
	trees := worktree.In(session.Worktrees(s.Data, name), name, s.Workspace)
	workspaces.WithWorktrees(trees.Dir)
	cfg.Worktrees, cfg.Isolate = agentTrees{trees, workspaces}, s.Isolate != ""
	cfg.Files = userFiles{workspaces}
	cfg.Undoer = &files.Undoer{Workspaces: workspaces, Lang: cfg.Lang}
	cfg.Instructions = func() runtime.Instructions { return runtime.Instructions(workspaces.Instructions()) }
	if hasFiles {
		cfg.Tools = append(cfg.Tools, files.Tools(workspaces)...)
		cfg.ReadFile = func(_ context.Context, by tool.Caller, path string) ([]byte, error) {
			folder, err := workspaces.Of(by.Task, by.Worktree)
			if err != nil {
				return nil, err
			}
			file, err := folder.Read(path)
			return file.Content, err
		}
	}
	if slices.Contains(offered(s), web.Group) {
		cfg.Tools = append(cfg.Tools, web.New(web.Config{}))
	}
	if hasShell {
		addShell(cfg, s, name, workspaces, trees)
	}
}

// agentTrees are the git worktrees of agents. Before one is removed, its folder is closed.
type agentTrees struct {
	*worktree.Folder
	open *workspace.Set
}

// End implements api.Worktrees.
func (t agentTrees) End(ctx context.Context, name string) (kept bool, err error) {
	t.open.Close(name)
	return t.Folder.End(ctx, name)
}

// Drop implements api.Worktrees.
func (t agentTrees) Drop(ctx context.Context, name string) error {
	t.open.Close(name)
	return t.Folder.Drop(ctx, name)
}

// graphs returns the graphs for roles: the built-in ones and those of the
// settings, which replace built-in ones of the same name.
func graphs(s config.Settings) func(protocol.Lang) []graph.Definition {
	return func(lang protocol.Lang) []graph.Definition {
		builtIn := slices.DeleteFunc(template.Graphs(lang), func(d graph.Definition) bool {
			return slices.ContainsFunc(s.Graphs, func(own graph.Definition) bool { return own.Name == d.Name })
		})
		return append(builtIn, s.Graphs...)
	}
}
