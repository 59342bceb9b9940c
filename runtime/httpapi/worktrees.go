package httpapi

import (
	"errors"
	"io"
	"net/http"
	"time"

	"society-tui/runtime/api"
)

// A Worktree is the git worktree of an agent.
type Worktree struct {
	Name       string    `json:"name"`
	AgentID    string    `json:"agentId,omitempty" jsonschema:"the agent may have ended"`
	Live       bool      `json:"live" jsonschema:"the agent has not ended"`
	Branch     string    `json:"branch,omitempty" jsonschema:"that is checked out in it"`
	Dir        string    `json:"dir" jsonschema:"on the machine of the society"`
	Repository string    `json:"repository" jsonschema:"the work tree that it was made of"`
	Made       time.Time `json:"made"`
	Commits    int       `json:"commits" jsonschema:"on the branch since it was made"`
	Files      int       `json:"files" jsonschema:"changed and not committed"`
	Ignored    int       `json:"ignored" jsonschema:"files in it that git ignores and no patch has"`
	Merge      string    `json:"merge,omitempty" jsonschema:"the commands that bring the changes into the repository"`
	Problem    string    `json:"problem,omitempty" jsonschema:"why git cannot tell what was changed"`
}

func (h *Handler) worktreeRoutes() []route {
	type list struct {
		Worktrees []Worktree `json:"worktrees" jsonschema:"the oldest first"`
	}
	type dropped struct {
		OK bool `json:"ok"`
	}
	type one struct {
		Name string `path:"name" json:"-" doc:"of the worktree"`
	}
	return []route{
		routeJSON(h, http.MethodGet, "/api/worktrees", http.StatusOK, "List the git worktrees of agents", func(c *call, _ nothing) (*list, error) {
			all, err := h.cfg.Society.Worktrees(c)
			l := list{Worktrees: []Worktree{}}
			for i := range all {
				w := &all[i]
				l.Worktrees = append(l.Worktrees, Worktree{
					w.Name, string(w.Agent), w.Live, w.Branch, w.Dir, w.Repository, w.Made, w.Commits, w.Files, w.Ignored, w.Merge, w.Problem,
				})
			}
			return &l, err
		}),
		// A browser that opens it must not run it.
		routeBytes(h, "/api/worktrees/{name}/patch", "application/octet-stream", "Read what was changed in a worktree, as git apply reads it", func(c *call, in one, w io.Writer) error {
			patch, err := h.cfg.Society.WorktreePatch(c, in.Name)
			if err != nil {
				return noWorktree(err)
			}
			_, err = w.Write(patch) // of an empty one too: it sets the type
			return err
		}),
		routeJSON(h, http.MethodDelete, "/api/worktrees/{name}", http.StatusOK, "Drop a worktree with all that was changed in it (over the socket only)", func(c *call, in one) (*dropped, error) {
			if !IsViaSocket(c) {
				return nil, &Error{Status: http.StatusForbidden, Code: CodeForbidden, Message: "worktrees are dropped on the screen or over the socket only"}
			}
			return &dropped{true}, noWorktree(h.cfg.Society.DropWorktree(c, in.Name))
		}),
	}
}

func noWorktree(err error) error {
	switch {
	case errors.Is(err, api.ErrNoWorktree):
		return &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: "there is no such worktree; GET /api/worktrees lists those there are"}
	case errors.Is(err, api.ErrWorktreeInUse):
		return &Error{Status: http.StatusConflict, Code: CodeInUse, Message: err.Error()}
	}
	return err
}
