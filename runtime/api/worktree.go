package api

import (
	"context"
	"errors"
	"time"

	"society-tui/runtime/society"
)

var (
	// ErrNoWorktree is returned for a worktree that does not exist.
	ErrNoWorktree = errors.New("there is no such worktree")
	// ErrWorktreeInUse is returned to whoever wants to drop that of an agent that lives.
	ErrWorktreeInUse = errors.New("an agent works in this worktree: terminate the agent first")
)

// A Worktree is the git worktree of an agent: one that lives, or one that has ended and has
// changed something in it.
type Worktree struct {
	Name       string          `json:"name"`
	Agent      society.AgentID `json:"agent"`
	Live       bool            `json:"live"`       // the agent has not ended
	Branch     string          `json:"branch"`     // that is checked out in it, "" for none
	Dir        string          `json:"dir"`        // on the machine of the society
	Repository string          `json:"repository"` // the work tree that it was made of
	Made       time.Time       `json:"made"`
	Commits    int             `json:"commits"` // on the branch since it was made
	Files      int             `json:"files"`   // changed and not committed
	Ignored    int             `json:"ignored"` // files in it that git ignores and no patch has
	// Merge are the commands that bring the changes into the repository.
	Merge string `json:"merge"`
	// Problem is why git cannot tell what was changed, "" if it can.
	Problem string `json:"problem,omitempty"`
}

// Worktrees gives agents a git worktree each.
type Worktrees interface {
	// Make makes one whose name begins with like. If it cannot, nothing is left.
	Make(ctx context.Context, like string) (name string, err error)
	// Give records which agent has it.
	Give(ctx context.Context, name string, agent society.AgentID) error
	// Settle brings all in order at the start: live are those that agents have.
	Settle(ctx context.Context, live map[string]society.AgentID) error
	// End removes the worktree that no agent has any more unless something in it was changed.
	End(ctx context.Context, name string) (kept bool, err error)
	List(ctx context.Context, live map[string]society.AgentID) ([]Worktree, error)
	Patch(ctx context.Context, name string) ([]byte, error)
	Drop(ctx context.Context, name string) error
}
