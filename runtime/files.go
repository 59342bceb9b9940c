package runtime

import (
	"context"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// FindFiles returns files of an agent's workspace. It may be called from any goroutine.
func (r *Runtime) FindFiles(ctx context.Context, agent society.AgentID, like string) ([]api.File, error) {
	task, worktree, err := r.placeOf(ctx, agent)
	if err != nil || r.cfg.Files == nil {
		return nil, err
	}
	return r.cfg.Files.Find(ctx, task, worktree, like, api.MostFiles)
}

// ReadFile returns the bytes of a file of an agent's workspace. It may be called from any
// goroutine.
func (r *Runtime) ReadFile(ctx context.Context, agent society.AgentID, path string) ([]byte, error) {
	task, worktree, err := r.placeOf(ctx, agent)
	if err != nil {
		return nil, err
	}
	if r.cfg.Files == nil {
		return nil, api.ErrNoFile
	}
	return r.cfg.Files.Read(ctx, task, worktree, path)
}

// placeOf returns the task to which the user's next message to an agent belongs, "" if it
// would begin one, and the agent's git worktree.
func (r *Runtime) placeOf(ctx context.Context, agent society.AgentID) (task society.TaskID, worktree string, err error) {
	err = r.inLoop(ctx, func(s *society.State) {
		if a := s.Agent(agent); a != nil {
			worktree = a.Worktree
			if task = a.Task; a.Turn != nil {
				task = a.Turn.Task
			}
		}
	})
	return task, worktree, err
}
