package runtime

import (
	"context"

	"society-tui/runtime/api"
)

// Servers returns the MCP servers of the settings. It may be called from any goroutine.
func (r *Runtime) Servers(context.Context) ([]api.Server, error) {
	if r.cfg.Servers == nil {
		return nil, nil
	}
	return r.cfg.Servers.List(), nil
}

// ServerOutput returns the end of what an MCP server has written to its standard error. It
// may be called from any goroutine.
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
