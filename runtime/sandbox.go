package runtime

import (
	"context"

	"society-tui/runtime/api"
)

// trySandbox finds out what holds in the commands of agents, and tells the watchers.
func (r *Runtime) trySandbox(ctx context.Context) {
	found := r.cfg.Sandbox(ctx)
	r.watchers.mu.Lock()
	r.watchers.sandbox = found
	r.watchers.mu.Unlock()
	r.mark(nil, nil, false)
	r.log.Info("sandbox tried", "state", found.State, "network", found.Network, "reasons", len(found.Reasons))
}

// sandbox returns what holds in the commands of agents, as far as it is known.
func (r *Runtime) sandbox() api.Sandbox {
	r.watchers.mu.Lock()
	defer r.watchers.mu.Unlock()
	return r.watchers.sandbox
}
