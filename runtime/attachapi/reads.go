package attachapi

import (
	"context"
	"errors"
	"io"
	"net/http"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
)

// The parameters of reads.
type (
	agentPath struct {
		Agent society.AgentID `path:"agent"`
	}
	graphPath struct {
		Version graph.Version `path:"version"`
	}
	entriesOf struct {
		Agent society.AgentID `path:"agent"`
		From  uint64          `query:"from"`
		Upto  uint64          `query:"upto"`
	}
	inboxOf struct {
		From uint64         `query:"from"`
		Task society.TaskID `query:"task"`
		Most int            `query:"most" min:"0" max:"1000000000"`
	}
	keptOf struct {
		Name string `query:"name"`
	}
	logOf struct {
		All string `query:"all" enum:"true"`
	}
	exportOf struct {
		Agent society.AgentID `query:"agent"`
		Below string          `query:"below" enum:"true"`
		JSON  string          `query:"json" enum:"true"`
	}
	fileChangesOf struct {
		From  uint64          `query:"from"`
		Agent society.AgentID `query:"agent"`
		Task  society.TaskID  `query:"task"`
		Call  string          `query:"call"`
		Path  string          `query:"path"`
	}
	fileChangePath struct {
		N uint64 `path:"n"`
	}
	approvalPath struct {
		ID uint64 `path:"id"`
	}
	artifactsOf struct {
		Task society.TaskID `query:"task"`
	}
	artifactPath struct {
		ID society.ArtifactID `path:"id"`
	}
	findOf struct {
		Agent society.AgentID `path:"agent"`
		Like  string          `query:"like"`
	}
	fileOf struct {
		Agent society.AgentID `path:"agent"`
		Path  string          `query:"path"`
	}
	contentOf struct {
		ID      society.ArtifactID `path:"id"`
		Version int                `query:"version" min:"0" max:"1000000"`
	}
	worktreePath struct {
		Name string `path:"name"`
	}
	processPath struct {
		Agent society.AgentID `path:"agent"`
		ID    string          `path:"id"`
	}
	serverPath struct {
		Name string `path:"name"`
	}
	switchPath struct {
		Name   string           `path:"name"`
		Switch api.ServerSwitch `path:"switch"`
	}
	nothing struct{}
)

// A Page is a part of a conversation. Then is the slot from which it goes on, 0 if this is
// the end of what was asked for; only there it has what waits.
type Page struct {
	Entries api.Entries `json:"entries"`
	Then    uint64      `json:"then"`
}

// Quit asks for the end of the program.
type Quit struct {
	Pause bool `json:"pause,omitempty"` // all agents first
}

// read adds a route that reads something.
func read[In any](h *Handler, path string, f func(ctx context.Context, in In) (any, error)) {
	h.route("GET", path, func(r *http.Request) (any, error) {
		var in In
		if _, err := httpapi.Decode(r, &in); err != nil {
			return nil, err
		}
		return f(r.Context(), in)
	})
}

func (h *Handler) routeReads() {
	s := h.cfg.Society
	read(h, "greeting", func(context.Context, nothing) (any, error) {
		g := h.cfg.Greeting()
		g.Protocol = Protocol
		return g, nil
	})
	read(h, "now", func(ctx context.Context, _ nothing) (any, error) {
		w, end := h.cfg.Watch()
		defer end()
		return w.Next(ctx)
	})
	read(h, "entries/{agent}", func(ctx context.Context, in entriesOf) (any, error) { return page(ctx, s, in) })
	read(h, "graphs/{version}", func(ctx context.Context, in graphPath) (any, error) { return s.GraphDefinition(ctx, in.Version) })
	read(h, "profiles/{agent}", func(ctx context.Context, in agentPath) (any, error) { return s.Profile(ctx, in.Agent) })
	read(h, "roles", func(ctx context.Context, _ nothing) (any, error) { return s.Roles(ctx) })
	read(h, "approvals/{id}", func(ctx context.Context, in approvalPath) (any, error) { return s.Approval(ctx, in.ID) })
	read(h, "filechanges", func(ctx context.Context, in fileChangesOf) (any, error) {
		return s.FileChanges(ctx, api.FileChangesQuery{From: in.From, Agent: in.Agent, Task: in.Task, Call: in.Call, Path: in.Path, Most: PartRows})
	})
	read(h, "filechanges/{n}", func(ctx context.Context, in fileChangePath) (any, error) { return s.FileChange(ctx, in.N) })
	read(h, "policy", func(ctx context.Context, _ nothing) (any, error) { return s.Policy(ctx) })
	read(h, "artifacts", func(ctx context.Context, in artifactsOf) (any, error) { return s.Artifacts(ctx, in.Task) })
	read(h, "artifacts/{id}", func(ctx context.Context, in artifactPath) (any, error) { return s.Artifact(ctx, in.ID) })
	stream(h, "artifacts/{id}/content", func(ctx context.Context, w io.Writer, in contentOf) error {
		data, err := s.ArtifactContent(ctx, in.ID, in.Version)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
	read(h, "files/{agent}", func(ctx context.Context, in findOf) (any, error) { return s.FindFiles(ctx, in.Agent, in.Like) })
	stream(h, "files/{agent}/content", func(ctx context.Context, w io.Writer, in fileOf) error {
		data, err := s.ReadFile(ctx, in.Agent, in.Path)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
	read(h, "ended", func(ctx context.Context, _ nothing) (any, error) { return s.Ended(ctx) })
	read(h, "worktrees", func(ctx context.Context, _ nothing) (any, error) { return s.Worktrees(ctx) })
	stream(h, "worktrees/{name}/patch", func(ctx context.Context, w io.Writer, in worktreePath) error {
		patch, err := s.WorktreePatch(ctx, in.Name)
		if err == nil {
			_, err = w.Write(patch)
		}
		return err
	})
	read(h, "servers", func(ctx context.Context, _ nothing) (any, error) { return s.Servers(ctx) })
	read(h, "servers/{name}/output", func(ctx context.Context, in serverPath) (any, error) { return s.ServerOutput(ctx, in.Name) })
	read(h, "figures", func(ctx context.Context, _ nothing) (any, error) { return s.Figures(ctx) })
	read(h, "inbox", func(ctx context.Context, in inboxOf) (any, error) {
		return s.Inbox(ctx, api.InboxQuery{From: in.From, Task: in.Task, Most: in.Most, Bytes: PageBytes})
	})
	read(h, "kept", func(ctx context.Context, in keptOf) (any, error) { return s.Kept(ctx, in.Name) })
	read(h, "log", func(ctx context.Context, in logOf) (any, error) {
		if h.cfg.Log == nil {
			return nil, errors.ErrUnsupported
		}
		return h.cfg.Log(ctx, in.All != "")
	})
	read(h, "size", func(context.Context, nothing) (any, error) {
		if h.cfg.Size == nil {
			return nil, errors.ErrUnsupported
		}
		return h.cfg.Size()
	})
	stream(h, "export", func(ctx context.Context, w io.Writer, in exportOf) error {
		if h.cfg.Export == nil {
			return errors.ErrUnsupported
		}
		return h.cfg.Export(ctx, w, Export{Agent: in.Agent, Below: in.Below != "", JSON: in.JSON != ""})
	})
	stream(h, "backup", func(ctx context.Context, w io.Writer, _ nothing) error {
		if h.cfg.Backup == nil {
			return errors.ErrUnsupported
		}
		return h.cfg.Backup(ctx, w)
	})
}

// pageSlots is in how many slots the entries of a page are looked for, so that a page of a long
// part does not cost a pass over the rest of it.
const pageSlots = 2000

// page reads a part of a conversation of about PageBytes.
func page(ctx context.Context, s api.Society, in entriesOf) (Page, error) {
	upto := in.Upto
	if upto > in.From && upto-in.From > pageSlots {
		upto = in.From + pageSlots
	}
	e, err := s.Entries(ctx, in.Agent, in.From, upto)
	if err == nil && len(e.Entries) == 0 && upto != in.Upto { // no entries are that far apart
		upto = in.Upto
		e, err = s.Entries(ctx, in.Agent, in.From, upto)
	}
	if err != nil {
		return Page{}, err
	}
	size := 0
	for i := range e.Entries {
		if size += sizeOf(&e.Entries[i]); size > PageBytes && i > 0 {
			then := e.Entries[i].Slot
			e.Entries, e.Waiting = e.Entries[:i], nil
			return Page{e, then}, nil
		}
	}
	if upto != in.Upto {
		e.Waiting = nil
		return Page{e, upto}, nil
	}
	return Page{Entries: e}, nil
}

// sizeOf returns about how long an entry is.
func sizeOf(e *conversation.Entry) int {
	n := len(e.Text) + len(e.Body) + len(e.Reasoning) + len(e.Cause) + len(e.Extra)
	for i := range e.Calls {
		n += len(e.Calls[i].Arguments) + len(e.Calls[i].Extra)
	}
	return n + 200 // names and numbers
}

// stream adds a route whose reply is a stream of bytes. f writes nothing until it cannot be
// refused any more.
func stream[In any](h *Handler, path string, f func(ctx context.Context, w io.Writer, in In) error) {
	h.mux.HandleFunc("GET "+Root+path, func(w http.ResponseWriter, r *http.Request) {
		var in In
		_, err := httpapi.Decode(r, &in)
		if err == nil {
			out := &begun{Writer: w}
			if err = f(r.Context(), out, in); err == nil {
				return
			}
			if out.some {
				h.cfg.Logger.Warn("a reply was cut short", "part", "attach", "error", err.Error())
				panic(http.ErrAbortHandler) // so that the client sees that it is not whole
			}
		}
		h.fail(w, r, err)
	})
}

// begun remembers that something was written.
type begun struct {
	io.Writer
	some bool
}

func (b *begun) Write(p []byte) (int, error) {
	b.some = true
	return b.Writer.Write(p)
}
