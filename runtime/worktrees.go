package runtime

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// A worktree is made before the rules decide that an agent is spawned, under a name that the
// rules store with the agent. What no agent has after that is removed, at once or when the
// society is opened again.

// isolates reports whether agents get worktrees of their own.
func (r *Runtime) isolates() bool { return r.cfg.Worktrees != nil && r.cfg.Isolate }

// withWorktrees makes the worktrees of the agents that a command of the user's is to make.
func (r *Runtime) withWorktrees(ctx context.Context, cmd society.Command) (society.Command, error) {
	switch c := cmd.(type) {
	case society.Spawn:
		c.Worktree = "" // a client cannot choose it
		if !r.isolates() {
			return c, nil
		}
		made, err := r.makeWorktrees(ctx, c.Parent, string(c.Role))
		if err != nil {
			return nil, err
		}
		c.Worktree = made[0]
		return c, nil
	case society.Fork:
		c.Worktree = ""
		if !r.isolates() {
			return c, nil
		}
		made, err := r.makeWorktrees(ctx, c.Agent, string(c.Agent))
		if err != nil {
			return nil, err
		}
		c.Worktree = made[0]
		return c, nil
	case society.AddTeam:
		c.Worktrees = nil
		if !r.isolates() || len(c.Agents) > r.cfg.Limits.Agents { // the rules refuse so many
			return c, nil
		}
		roles := make([]string, len(c.Agents))
		for i, a := range c.Agents {
			roles[i] = a.Role
		}
		made, err := r.makeWorktrees(ctx, "", roles...)
		c.Worktrees = made
		return c, err
	}
	return cmd, nil
}

// makeWorktrees makes a worktree for an agent of each of the roles, or none.
func (r *Runtime) makeWorktrees(ctx context.Context, about society.AgentID, roles ...string) ([]string, error) {
	made := make([]string, 0, len(roles))
	for _, role := range roles {
		name, err := r.cfg.Worktrees.Make(ctx, protocol.Slug(strings.TrimPrefix(role, "role-")))
		if err != nil {
			r.removeNow(ctx, made)
			return nil, &society.Refusal{Code: society.NoWorktree, Agent: about, Why: protocol.Because(protocol.WorktreeFailed, err)}
		}
		made = append(made, name)
	}
	return made, nil
}

// spawn makes the worktree for a call of spawn_agent. The rules decide the call.
func (r *Runtime) spawn(ctx context.Context, t *modelCall, w society.Act) society.Command {
	begun := time.Now()
	done := society.ToolDone{Work: w, Outcome: conversation.OK, Spawns: true}
	if r.isolates() {
		made, err := r.makeWorktrees(ctx, "", protocol.ReadArguments(t.lang, w.Call.Arguments).Text("roleId"))
		switch {
		case ctx.Err() != nil:
			r.removeNow(ctx, made)
			return nil
		case err != nil:
			refusal, _ := errors.AsType[*society.Refusal](err)
			done.Spawns, done.Outcome, done.Text = false, conversation.Failed, errorResult(refusal.Code, refusal.Why.In(t.lang))
		default:
			done.Worktree = made[0]
		}
	}
	done.Took = time.Since(begun)
	r.cfg.Observer.ToolCalled(w.Call.Name, done.Outcome, done.Took)
	return done
}

// worktreesFor returns the worktrees that were made for a command.
func worktreesFor(cmd society.Command) []string {
	switch c := cmd.(type) {
	case society.Spawn:
		return notEmpty(c.Worktree)
	case society.ToolDone:
		return notEmpty(c.Worktree)
	case society.Fork:
		return notEmpty(c.Worktree)
	case society.AddTeam:
		return c.Worktrees
	}
	return nil
}

func notEmpty(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// removeUnused removes the worktrees that were made for a command and that no agent got by
// what the command has led to.
func (r *Runtime) removeUnused(cmd society.Command, events []society.Event) {
	names := worktreesFor(cmd)
	if len(names) == 0 {
		return
	}
	names = slices.Clone(names)
	for _, e := range events {
		if made, ok := e.(society.AgentMade); ok {
			names = slices.DeleteFunc(names, func(name string) bool { return name == made.Agent.Worktree })
		}
	}
	if len(names) > 0 {
		r.changeWorktrees(func(ctx context.Context) error { return r.drop(ctx, names) })
	}
}

// removeNow removes worktrees that no agent will get. It is called outside the loop.
func (r *Runtime) removeNow(ctx context.Context, names []string) {
	if err := r.drop(context.WithoutCancel(ctx), names); err != nil {
		r.log.Warn("a worktree is not in order; the next start tries again", "error", err.Error())
	}
}

func (r *Runtime) drop(ctx context.Context, names []string) error {
	var failed []error
	for _, name := range names {
		failed = append(failed, r.cfg.Worktrees.Drop(ctx, name))
	}
	return errors.Join(failed...)
}

// changeWorktrees runs git beside the loop, which does not wait for it. What leaving cuts
// short is done when the society is opened again.
func (r *Runtime) changeWorktrees(change func(context.Context) error) {
	r.goTracked(func() {
		if err := change(context.Background()); err != nil { // git has its own bounds
			r.log.Warn("a worktree is not in order; the next start tries again", "error", err.Error())
		}
	})
}

// followWorktrees gives worktrees to agents that were made, and ends those of agents that
// have ended.
func (r *Runtime) followWorktrees(e society.Event) {
	if r.cfg.Worktrees == nil {
		return
	}
	switch e := e.(type) {
	case society.AgentMade:
		if name := e.Agent.Worktree; name != "" {
			r.changeWorktrees(func(ctx context.Context) error { return r.cfg.Worktrees.Give(ctx, name, e.Agent.ID) })
		}
	case society.Erased:
		for _, tomb := range e.Tombs {
			if tomb.Worktree != "" {
				r.changeWorktrees(func(ctx context.Context) error {
					kept, err := r.cfg.Worktrees.End(ctx, tomb.Worktree)
					if kept && err == nil {
						r.log.Info("worktree kept", "agent", tomb.ID, "worktree", tomb.Worktree)
					}
					return err
				})
			}
		}
	}
}

// settleWorktrees brings in order what the last run has left.
func (r *Runtime) settleWorktrees() {
	if r.cfg.Worktrees == nil {
		return
	}
	if err := r.cfg.Worktrees.Settle(context.Background(), r.state.Worktrees()); err != nil {
		r.log.Warn("worktrees are not in order; the next start tries again", "error", err.Error())
	}
}

// Worktrees returns the git worktrees of agents: of those that live, and of those that have
// ended and changed something. It may be called from any goroutine.
func (r *Runtime) Worktrees(ctx context.Context) ([]api.Worktree, error) {
	if r.cfg.Worktrees == nil {
		return nil, nil
	}
	var live map[string]society.AgentID
	if err := r.inLoop(ctx, func(s *society.State) { live = s.Worktrees() }); err != nil {
		return nil, err
	}
	return r.cfg.Worktrees.List(ctx, live)
}

// WorktreePatch returns what was changed in a worktree, as git apply reads it. It may be
// called from any goroutine.
func (r *Runtime) WorktreePatch(ctx context.Context, name string) ([]byte, error) {
	if r.cfg.Worktrees == nil {
		return nil, api.ErrNoWorktree
	}
	return r.cfg.Worktrees.Patch(ctx, name)
}

// DropWorktree removes the worktree of an agent that has ended, with all that was changed in
// it. It may be called from any goroutine.
func (r *Runtime) DropWorktree(ctx context.Context, name string) error {
	if r.cfg.Worktrees == nil {
		return api.ErrNoWorktree
	}
	var live bool
	if err := r.inLoop(ctx, func(s *society.State) { _, live = s.Worktrees()[name] }); err != nil {
		return err
	}
	if live {
		return api.ErrWorktreeInUse
	}
	return r.cfg.Worktrees.Drop(ctx, name)
}
