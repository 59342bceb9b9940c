package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/picture"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/read"
	"society-tui/storage"
)

// putArtifact prepares a call of artifact_put. What it puts is decided with its result by
// the rules, so the call can begin again after a crash.
func (r *Runtime) putArtifact(ctx context.Context, t *modelCall, w society.Act, begun time.Time) society.Command {
	done := society.ToolDone{Work: w, Outcome: conversation.OK}
	put, why := artifacts.ParsePut(t.lang, w.Call.Arguments)
	data := []byte(put.Content)
	if why == nil && put.Path != "" {
		data, why = r.fileOf(ctx, t, w, put.Path)
	}
	if done.Took = time.Since(begun); why != nil {
		done.Text, done.Outcome = errorResult(society.InvalidArguments, why.In(t.lang)), conversation.Failed
	} else {
		done.Artifact = &society.ArtifactPut{Name: put.Name, Type: typeOf(data), Data: data}
	}
	r.cfg.Observer.ToolCalled(w.Call.Name, done.Outcome, done.Took)
	r.log.Info("tool call", "agent", t.item.Agent, "tool", w.Call.Name, "outcome", done.Outcome, "took", done.Took.String())
	return done
}

// fileOf reads a file of the agent's workspace.
func (r *Runtime) fileOf(ctx context.Context, t *modelCall, w society.Act, path string) ([]byte, *protocol.Reason) {
	if r.cfg.ReadFile == nil || !t.readsMore { // its role has no tools for files
		return nil, protocol.Because(protocol.NoWorkspace, path)
	}
	data, err := r.cfg.ReadFile(ctx, tool.Caller{
		Agent: string(w.Agent), Task: string(w.Task), CallID: w.Call.ID, Worktree: t.worktree, Lang: t.lang,
	}, path)
	if err != nil {
		return nil, protocol.Because(protocol.FileUnread, path, err)
	}
	return data, nil
}

// typeOf finds the MIME type of bytes from the bytes alone.
func typeOf(data []byte) string { return mimetype.Detect(data).String() }

// readArtifact is the tool artifact_get, and read of an artifact's path.
func (r *Runtime) readArtifact(t *modelCall, want artifacts.GetRequest, limit int) tool.Result {
	path, text, instead := r.artifactText(t, want)
	if instead != nil {
		return *instead
	}
	return t.page(path, text, want.Offset, limit)
}

// artifactText returns the text of an artifact and the path of its version, or the result of
// a call that reads an image or nothing.
func (r *Runtime) artifactText(t *modelCall, want artifacts.GetRequest) (path, text string, instead *tool.Result) {
	what := want.Name
	if want.ID != "" {
		what = want.ID
	}
	var a society.Artifact
	var v tables.StoredVersion
	var data []byte
	found := false
	err := r.cfg.Store.View(func(tx storage.Tx) (err error) {
		var ok bool
		if a, ok, err = artifactFor(tx, t.item.Task, want); err != nil || !ok {
			return err
		}
		what = string(a.ID)
		if want.Version == 0 {
			want.Version = a.Version
		}
		v, data, found, err = tables.Content(tx, a.ID, want.Version)
		return err
	})
	switch {
	case errors.Is(err, storage.ErrLost):
		return "", "", &tool.Result{Text: errorResult(textNotFound, protocol.Sentence(t.lang, protocol.ResultLost)), Failed: true}
	case err != nil:
		return "", "", t.notRead(society.StoreUnavailable, protocol.Because(protocol.HistoryUnread, err))
	case !found:
		return "", "", t.notRead(textNotFound, protocol.Because(protocol.NoArtifact, what))
	case picture.Is(data):
		return "", "", &tool.Result{Image: &tool.Image{Name: a.Name, Data: data}}
	case !utf8.Valid(data):
		return "", "", t.notRead(society.InvalidArguments, protocol.Because(protocol.ArtifactBinary, what, v.Type, v.Size))
	}
	return read.Path(read.Artifact, fmt.Sprintf("%s@%d", what, v.N)), string(data), nil
}

// artifactFor returns the artifact of a task that is asked for.
func artifactFor(tx storage.Tx, task society.TaskID, want artifacts.GetRequest) (a society.Artifact, found bool, err error) {
	if want.ID != "" {
		a, found, err = tables.Artifact(tx, society.ArtifactID(want.ID))
		return a, found && a.Task == task, err
	}
	list, err := tables.Artifacts(tx)
	i := slices.IndexFunc(list, func(a society.Artifact) bool { return a.Task == task && a.Name == want.Name })
	if err != nil || i < 0 {
		return a, false, err
	}
	return list[i], true, nil
}

// artifactAt reads the id and the version of a path: "a7", or "a7@2".
func artifactAt(id string, offset int) artifacts.GetRequest {
	name, version, _ := strings.Cut(id, "@")
	n, _ := strconv.Atoi(version)
	return artifacts.GetRequest{ID: name, Version: max(n, 0), Offset: offset}
}

// getArtifact is the tool artifact_get.
func (r *Runtime) getArtifact(t *modelCall, w society.Act) tool.Result {
	want, why := artifacts.ParseGet(t.lang, w.Call.Arguments)
	if why != nil {
		return t.unread(society.InvalidArguments, why)
	}
	return r.readArtifact(t, want, read.DefaultLines)
}

// listArtifacts is the tool artifact_list.
func (r *Runtime) listArtifacts(t *modelCall) tool.Result {
	type line struct {
		ID      society.ArtifactID `json:"id"`
		Name    string             `json:"name"`
		Type    string             `json:"type"`
		Size    int                `json:"size"`
		Version int                `json:"version"`
		By      society.AgentID    `json:"by"`
		At      string             `json:"at"`
	}
	list := []line{}
	err := r.cfg.Store.View(func(tx storage.Tx) error {
		all, err := tables.Artifacts(tx)
		slices.SortFunc(all, func(a, b society.Artifact) int { return int(int64(a.N) - int64(b.N)) })
		for _, a := range all {
			if a.Task == t.item.Task {
				list = append(list, line{a.ID, a.Name, a.Type, a.Size, a.Version, a.By, a.At.UTC().Format(time.RFC3339)})
			}
		}
		return err
	})
	if err != nil {
		return t.unread(society.StoreUnavailable, protocol.Because(protocol.HistoryUnread, err))
	}
	raw, err := json.Marshal(map[string]any{"artifacts": list})
	if err != nil {
		return t.unread(society.StoreUnavailable, protocol.Because(protocol.HistoryUnread, err))
	}
	return tool.Result{Text: string(raw)}
}

// Artifacts returns the artifacts of a task, of all tasks if it is "", in the order in
// which they were first put. It may be called from any goroutine.
func (r *Runtime) Artifacts(ctx context.Context, task society.TaskID) (list []society.Artifact, err error) {
	err = r.inLoop(ctx, func(s *society.State) { list = s.Artifacts(task) })
	return list, err
}

// Artifact returns an artifact with its versions. The error is api.ErrNoArtifact if there is
// none. It may be called from any goroutine.
func (r *Runtime) Artifact(ctx context.Context, id society.ArtifactID) (api.Artifact, error) {
	var a api.Artifact
	if err := ctx.Err(); err != nil {
		return a, err
	}
	found := false
	err := r.view(func(tx storage.Tx) (err error) {
		if a.Artifact, found, err = tables.Artifact(tx, id); err != nil {
			return err
		}
		all, err := tables.Versions(tx, id)
		for _, v := range all {
			a.Versions = append(a.Versions, api.Version{N: int(v.N), Type: v.Type, Size: v.Size, By: v.By, At: v.At})
		}
		return err
	})
	if err == nil && !found {
		err = api.ErrNoArtifact
	}
	return a, err
}

// ArtifactContent returns the bytes of a version, 0 for the newest. The error is
// api.ErrNoArtifact if there is none, and wraps storage.ErrLost if they are lost. It may be
// called from any goroutine.
func (r *Runtime) ArtifactContent(ctx context.Context, id society.ArtifactID, version int) (data []byte, err error) {
	a, err := r.Artifact(ctx, id)
	if err != nil {
		return nil, err
	}
	if version == 0 {
		version = len(a.Versions)
	}
	found := false
	err = r.view(func(tx storage.Tx) (err error) {
		_, data, found, err = tables.Content(tx, id, version)
		return err
	})
	if err == nil && !found {
		err = api.ErrNoArtifact
	}
	return data, err
}
