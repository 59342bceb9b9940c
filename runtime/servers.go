package runtime

import (
	"context"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
)

// Servers are MCP servers: programs whose tools agents may call while they run.
type Servers interface {
	api.Servers
	// Run starts the servers and keeps them until ctx is done and all have ended. It calls
	// changed whenever Tools or List return something else.
	Run(ctx context.Context, changed func())
	// Tools returns the tools that there are now, always in the same order. It returns at once.
	Tools() []tool.Tool
	// Tool returns a tool by its name, nil if there is none. It waits for a server that is being
	// started, until ctx is done.
	Tool(ctx context.Context, name string) tool.Tool
	// Groups returns the groups of the tools of all servers, whether or not they run. It never
	// changes.
	Groups() []tool.Group
}

// keepServers runs the servers until the loop has ended. The loop applies their changes as
// often as it can.
func (r *Runtime) keepServers() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	changed := make(chan struct{}, 1) // capacity 1: two changes that nobody has seen are one
	r.goTracked(func() {
		for {
			select {
			case <-changed:
				_ = r.inLoop(ctx, func(*society.State) { r.takeTools() }) // it fails when the loop has ended
			case <-r.shutdown.done:
				cancel()
				return
			}
		}
	})
	r.cfg.Servers.Run(ctx, func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
}

// takeTools gives the rules and all agents the tools that the servers have now: an agent is
// offered them with its next request. Only the loop calls it.
func (r *Runtime) takeTools() {
	r.totals.servers++
	served := r.cfg.Servers.Tools()
	if slices.Equal(served, r.toolbox.served) {
		r.mark(nil, nil, false)
		return
	}
	r.toolbox.served = served
	r.describe()
	r.findMissing()
	r.publishAll()
}

// serverTool returns a tool of an MCP server that was not there when the work began: after a
// restart calls that wait are planned again while servers are being started. The rules know it
// when it is returned.
func (r *Runtime) serverTool(ctx context.Context, name string) (tool.Tool, bool) {
	if !r.ofServer(name) {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, planBound)
	defer cancel()
	found := r.cfg.Servers.Tool(ctx, name)
	if found == nil || r.inLoop(ctx, func(*society.State) { r.takeTools() }) != nil {
		return nil, false
	}
	return found, true
}

// serverGroups returns the groups of tools of all MCP servers.
func (r *Runtime) serverGroups() []tool.Group {
	if r.cfg.Servers == nil {
		return nil
	}
	return r.cfg.Servers.Groups()
}

// ofServer reports whether a tool is of an MCP server of the settings, which need not run.
func (r *Runtime) ofServer(name string) bool {
	return slices.ContainsFunc(r.serverGroups(), func(g tool.Group) bool { return strings.HasPrefix(name, string(g)+"_") })
}

// Servers returns the MCP servers of the settings, in their order. It may be called from any
// goroutine.
func (r *Runtime) Servers(ctx context.Context) ([]api.Server, error) {
	if r.cfg.Servers == nil {
		return nil, nil
	}
	all := r.cfg.Servers.List()
	err := r.inLoop(ctx, func(s *society.State) {
		for _, role := range s.Roles() {
			for i := range all {
				if slices.Contains(role.Tools, tool.Group(all[i].Group)) {
					all[i].Roles = append(all[i].Roles, role.Name)
				}
			}
		}
	})
	return all, err
}

// ServerOutput returns the end of what an MCP server has written to its standard error. It may
// be called from any goroutine.
func (r *Runtime) ServerOutput(_ context.Context, name string) (string, error) {
	if r.cfg.Servers == nil {
		return "", api.ErrNoServer
	}
	return r.cfg.Servers.Output(name)
}

// SwitchServer starts, stops or restarts an MCP server. It may be called from any goroutine.
func (r *Runtime) SwitchServer(ctx context.Context, name string, to api.ServerSwitch) error {
	if r.cfg.Servers == nil {
		return api.ErrNoServer
	}
	return r.cfg.Servers.Switch(ctx, name, to)
}
