package api

import (
	"context"
	"errors"

	"society-tui/runtime/society"
)

// ErrNoFile is returned for a file of a workspace that does not exist, or if there is no
// workspace.
var ErrNoFile = errors.New("there is no such file in the workspace")

// MostFiles bounds what FindFiles returns.
const MostFiles = 50

// A File is a file of a workspace, by its path from there with slashes.
type File struct {
	Path string `json:"path"`
	Size int64  `json:"size"` // in bytes
}

// Files are the workspaces as the user may read them. The task is that of the agent in whose
// workspace the user looks, and the worktree its own; "" for none.
type Files interface {
	Find(ctx context.Context, task society.TaskID, worktree, like string, most int) ([]File, error)
	Read(ctx context.Context, task society.TaskID, worktree, path string) ([]byte, error)
}
