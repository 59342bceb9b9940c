package httpapi

import (
	"errors"
	"net/http"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// A FileChange is what a call of a tool, or an undo, did to a file of a workspace.
type FileChange struct {
	N       uint64    `json:"n" jsonschema:"grows in the order of changes"`
	At      time.Time `json:"at"`
	AgentID string    `json:"agentId" jsonschema:"user for an undo; the agent may have ended"`
	TaskID  string    `json:"taskId,omitempty"`
	CallID  string    `json:"callId,omitempty"`
	Tool    string    `json:"tool,omitempty"`
	Dir     string    `json:"dir,omitempty" jsonschema:"the workspace; that of the task without it"`
	Path    string    `json:"path" jsonschema:"in the workspace"`
	Before  string    `json:"before" jsonschema:"SHA-256 of the content before, empty for no file"`
	After   string    `json:"after" jsonschema:"SHA-256 of the content after, empty for no file"`
	Added   int       `json:"added" jsonschema:"lines"`
	Removed int       `json:"removed" jsonschema:"lines"`
	Diff    string    `json:"diff,omitempty" jsonschema:"of a single change only"`
	Kept    bool      `json:"kept,omitempty" jsonschema:"the content before it is kept"`
	Undone  uint64    `json:"undone,omitempty" jsonschema:"the change that has taken it back"`
	Undoes  []uint64  `json:"undoes,omitempty" jsonschema:"the changes that an undo has taken back"`
	Unknown bool      `json:"unknown,omitempty" jsonschema:"the program ended during the call: whether the file was changed is not known"`
}

func fileChangeOf(c *api.FileChange) FileChange {
	return FileChange{
		c.N, c.At, string(c.Agent), string(c.Task), c.Call, c.Tool, c.Dir, c.Path, c.Before, c.After, c.Added, c.Removed, c.Diff,
		c.Kept, c.Undone, c.Undoes, c.Unknown,
	}
}

// An UndoneFile is what an undo did, or would do, to a file.
type UndoneFile struct {
	Path    string   `json:"path"`
	TaskID  string   `json:"taskId,omitempty"`
	Changes []uint64 `json:"changes" jsonschema:"of the file, the newest first"`
	Outcome string   `json:"outcome" jsonschema:"restore, remove, or skip"`
	Why     string   `json:"why,omitempty" jsonschema:"it is skipped: changed_since, already_undone, as_before, not_kept, unknown_effect, elsewhere, unreadable, or with_source"`
	By      string   `json:"by,omitempty" jsonschema:"the agent that changed it since"`
	Detail  string   `json:"detail,omitempty"`
}

func (h *Handler) fileChangeRoutes() []route {
	type query struct {
		AgentID string `query:"agent" doc:"only those of this agent; user for undos"`
		TaskID  string `query:"task" doc:"only those of this task"`
		CallID  string `query:"call" doc:"only those of this call"`
		From    uint64 `query:"from" doc:"the first number"`
		Limit   int    `query:"limit" min:"1" max:"1000" doc:"how many; 200 without it"`
	}
	type list struct {
		Changes []FileChange `json:"changes" jsonschema:"the oldest first, without their diffs"`
	}
	type one struct {
		N uint64 `path:"id" json:"-" doc:"of the change"`
	}
	type undo struct {
		CallID  string `json:"callId,omitempty" jsonschema:"what this call changed"`
		AgentID string `json:"agentId,omitempty" jsonschema:"what this agent changed"`
		TaskID  string `json:"taskId,omitempty" jsonschema:"what was changed in this task"`
		List    bool   `json:"list,omitempty" jsonschema:"say what would be done, and do nothing"`
	}
	type undone struct {
		Files  []UndoneFile `json:"files"`
		CallID string       `json:"callId,omitempty" jsonschema:"of the changes that the undo has made"`
	}
	return []route{
		routeJSON(h, http.MethodGet, "/api/changes", http.StatusOK, "List which agent changed which file", func(c *call, in query) (*list, error) {
			const usual = 200
			if in.Limit == 0 {
				in.Limit = usual
			}
			all, err := h.cfg.Society.FileChanges(c, api.FileChangesQuery{
				From: in.From, Agent: society.AgentID(in.AgentID), Task: society.TaskID(in.TaskID), Call: in.CallID, Most: in.Limit,
			})
			l := list{Changes: []FileChange{}}
			for i := range all {
				l.Changes = append(l.Changes, fileChangeOf(&all[i]))
			}
			return &l, err
		}),
		routeJSON(h, http.MethodGet, "/api/changes/{id}", http.StatusOK, "Show a change of a file with its diff", func(c *call, in one) (*FileChange, error) {
			change, err := h.cfg.Society.FileChange(c, in.N)
			v := fileChangeOf(&change)
			return &v, noFileChange(err)
		}),
		routeJSON(h, http.MethodPost, "/api/undo", http.StatusOK, "Take changes of files back (over the socket only)", func(c *call, in undo) (*undone, error) {
			if !IsViaSocket(c) {
				return nil, &Error{Status: http.StatusForbidden, Code: CodeForbidden, Message: "changes are taken back on the screen or over the socket only"}
			}
			q := api.FileChangesQuery{Agent: society.AgentID(in.AgentID), Task: society.TaskID(in.TaskID), Call: in.CallID}
			if q == (api.FileChangesQuery{}) {
				return nil, &Error{Status: http.StatusBadRequest, Code: CodeInvalid, Message: "say what to take back: callId, agentId or taskId"}
			}
			all, err := h.cfg.Society.FileChanges(c, q)
			if err != nil {
				return nil, err
			}
			got, err := h.cfg.Society.Undo(c, api.UndoRequest{Changes: api.ToUndo(all), List: in.List})
			u := undone{Files: []UndoneFile{}, CallID: got.Call}
			for _, s := range got.Steps {
				u.Files = append(u.Files, UndoneFile{s.Path, string(s.Task), s.Changes, string(s.Outcome), string(s.Why), string(s.By), s.Detail})
			}
			return &u, noFileChange(err)
		}),
	}
}

func noFileChange(err error) error {
	if errors.Is(err, api.ErrNoFileChange) {
		return &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: "there is no such change; GET /api/changes lists those that are kept, for 30 days"}
	}
	return err
}
