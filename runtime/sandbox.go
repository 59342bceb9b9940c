package runtime

import (
	"context"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// trySandbox finds out what holds in the commands of agents, and tells the watchers.
func (r *Runtime) trySandbox(ctx context.Context) {
	found := r.cfg.Sandbox(ctx)
	r.watchers.mu.Lock()
	r.watchers.sandbox = found
	r.watchers.mu.Unlock()
	r.mark(nil, nil, false)
	// What waits stays asked for. It fails only when the society ends.
	_ = r.inLoop(ctx, func(s *society.State) { s.SetApprovals(r.approvals()) })
	r.log.Info("sandbox tried", "state", found.State, "network", found.Network, "reasons", len(found.Reasons))
}

// sandbox returns what holds in the commands of agents, as far as it is known.
func (r *Runtime) sandbox() api.Sandbox {
	r.watchers.mu.Lock()
	defer r.watchers.mu.Unlock()
	return r.watchers.sandbox
}

// approvals are the settings for approvals as they hold now: commands are free in the sandbox from
// when it is known to hold whole.
func (r *Runtime) approvals() society.ApprovalSettings {
	settings := r.cfg.Approvals
	settings.FreeInSandbox = settings.FreeInSandbox && r.sandbox().State == api.SandboxWhole
	return settings
}
