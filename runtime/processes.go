package runtime

import (
	"context"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// mostShown is how much of the command of a background process a row has.
const mostShown = 1 << 10

// processesOf returns the background processes of an agent, for its row.
func (r *Runtime) processesOf(id society.AgentID) []api.Process {
	if r.cfg.Processes == nil {
		return nil
	}
	all := slices.Clone(r.cfg.Processes.Running(id))
	for i := range all {
		if c := all[i].Command; len(c) > mostShown {
			all[i].Command = strings.ToValidUTF8(c[:mostShown], "") + "…"
		}
	}
	return all
}

// EndProcess ends a background process of an agent and returns when it is gone. It may be
// called from any goroutine.
func (r *Runtime) EndProcess(ctx context.Context, agent society.AgentID, id string) error {
	if r.cfg.Processes == nil {
		return api.ErrNoProcess
	}
	return r.cfg.Processes.EndOne(ctx, agent, id)
}

// leaveProcesses ends all background processes. Run waits for their end as for all that it
// has begun. They outlive the calls that leaving waits for, which may need them.
func (r *Runtime) leaveProcesses() {
	if ids := r.state.Agents(); r.haveProcesses(ids) {
		r.goTracked(func() { r.endProcesses(ids) })
	}
}

// haveProcesses reports whether one of the agents has a background process.
func (r *Runtime) haveProcesses(ids []society.AgentID) bool {
	return r.cfg.Processes != nil && slices.ContainsFunc(ids, r.hasProcess)
}

func (r *Runtime) hasProcess(id society.AgentID) bool { return len(r.cfg.Processes.Running(id)) > 0 }

// endProcesses ends the background processes of agents, and returns those whose did not end
// in time. It may be called from any goroutine.
func (r *Runtime) endProcesses(ids []society.AgentID) []society.AgentID {
	if !r.haveProcesses(ids) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), processBound)
	defer cancel()
	err := r.cfg.Processes.End(ctx, ids...)
	if err == nil {
		return nil
	}
	left := slices.DeleteFunc(slices.Clone(ids), func(id society.AgentID) bool { return !r.hasProcess(id) })
	r.log.Warn("background processes did not end in time", "agents", left, "error", err.Error())
	return left
}
