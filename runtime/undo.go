package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/changes"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/workspace"
	"society-tui/storage"
)

// undoTool is what changes that an undo made have in place of a tool.
const undoTool = "undo"

// FileChanges returns changes of files, the oldest first, without their diffs. It may be
// called from any goroutine.
func (r *Runtime) FileChanges(ctx context.Context, q api.FileChangesQuery) ([]api.FileChange, error) {
	all, err := r.fileChanges(ctx)
	if err != nil {
		return nil, err
	}
	undone := changes.Undone(all)
	list := []api.FileChange{}
	for i := range all {
		c := &all[i]
		if c.N < q.From || q.Agent != "" && c.Agent != q.Agent || q.Task != "" && c.Task != q.Task || q.Call != "" && c.Call != q.Call || q.Path != "" && c.Path != q.Path {
			continue
		}
		list = append(list, api.FileChange{FileChange: c.FileChange, Kept: c.Kept, Undone: undone[c.N], Protected: workspace.Protected(c.Path)})
		if len(list) == q.Most {
			break
		}
	}
	return list, nil
}

// fileChanges reads all changes of files that are kept.
func (r *Runtime) fileChanges(ctx context.Context) (all []changes.Change, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = r.view(func(tx storage.Tx) error {
		return tables.EachFileChange(tx, 0, func(c *tables.StoredFileChange) bool {
			all = append(all, changes.Change{FileChange: c.FileChange, Kept: c.HasOld})
			return ctx.Err() == nil
		})
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("read the changes of files: %w", err)
	}
	return all, nil
}

// FileChange returns a change with its diff, or api.ErrNoFileChange. It may be called from
// any goroutine.
func (r *Runtime) FileChange(ctx context.Context, n uint64) (api.FileChange, error) {
	list, err := r.FileChanges(ctx, api.FileChangesQuery{From: n, Most: 1})
	if err != nil {
		return api.FileChange{}, err
	}
	if len(list) == 0 || list[0].N != n {
		return api.FileChange{}, api.ErrNoFileChange
	}
	c := list[0]
	diff, old, err := r.fileText(&c.FileChange, c.Kept)
	if c.Diff = diff; err == nil && diff == "" && c.After == "" && !c.Unknown && old != nil {
		c.Diff = files.Diff(c.Path, string(old), "", r.lang)
	}
	return c, err
}

func (r *Runtime) fileText(c *society.FileChange, kept bool) (diff string, old []byte, err error) {
	err = r.view(func(tx storage.Tx) (err error) {
		diff, old, err = tables.FileText(tx, &tables.StoredFileChange{FileChange: *c, HasOld: kept})
		return err
	})
	if err != nil {
		err = fmt.Errorf("read change %d of a file: %w", c.N, err)
	}
	return diff, old, err
}

// Undo takes changes of files back, or lists what that would do. Each file is restored only
// if it is as the changes left it, and its restoration is recorded before the next begins.
// It may be called from any goroutine.
func (r *Runtime) Undo(ctx context.Context, of api.UndoRequest) (api.UndoResult, error) {
	var result api.UndoResult
	all, err := r.fileChanges(ctx)
	if err != nil {
		return result, err
	}
	byNumber := make(map[uint64]*changes.Change, len(all))
	for i := range all {
		byNumber[all[i].N] = &all[i]
	}
	now := map[changes.File]changes.State{}
	for _, n := range of.Changes {
		c := byNumber[n]
		if c == nil {
			return result, api.ErrNoFileChange
		}
		if file := changes.FileOf(&c.FileChange); now[file] == (changes.State{}) {
			now[file] = r.stateOf(ctx, c)
		}
	}
	result.Steps = changes.Plan(of.Changes, all, now)
	if of.List {
		return result, ctx.Err()
	}
	if err := r.mayRecord(ctx); err != nil {
		return result, err
	}
	call := "undo-" + ulid.Make().String()
	for _, outcome := range []changes.Outcome{changes.Restore, changes.Remove} { // no content is missing meanwhile
		for i := range result.Steps {
			s := &result.Steps[i]
			if s.Outcome != outcome {
				continue
			}
			if err := r.undoFile(ctx, s, byNumber[s.To], call); err != nil {
				return result, err
			}
			if s.Outcome == outcome {
				result.Call = call
			}
		}
	}
	return result, nil
}

// mayRecord returns why nothing can be saved now, nil if it can.
func (r *Runtime) mayRecord(ctx context.Context) (why error) {
	err := r.inLoop(ctx, func(*society.State) {
		switch {
		case r.outage != nil:
			why = r.unsavedError()
		case r.shutdown.leaving:
			why = api.ErrLeaving
		}
	})
	if err != nil {
		return err
	}
	return why
}

// stateOf returns how a changed file is now.
func (r *Runtime) stateOf(ctx context.Context, c *changes.Change) changes.State {
	if r.cfg.Undoer == nil {
		return changes.State{Why: changes.Elsewhere}
	}
	hash, err := r.cfg.Undoer.Hash(ctx, string(c.Task), c.Dir, c.Path)
	switch {
	case errors.Is(err, files.ErrElsewhere):
		return changes.State{Why: changes.Elsewhere, Detail: c.Dir}
	case err != nil:
		return changes.State{Why: changes.Unreadable, Detail: err.Error()}
	}
	return changes.State{Hash: hash}
}

// undoFile carries out a step and records it. What cannot be done becomes a skipped step;
// the error is one of the store.
func (r *Runtime) undoFile(ctx context.Context, s *changes.Step, to *changes.Change, call string) error {
	_, old, err := r.fileText(&to.FileChange, to.Kept)
	if err != nil {
		return err
	}
	if s.Outcome == changes.Restore && old == nil {
		s.Outcome, s.Why = changes.Skip, changes.NotKept
		return nil
	}
	done, err := r.cfg.Undoer.Restore(ctx, files.Restoration{
		Task: string(to.Task), Dir: to.Dir, Path: to.Path, From: s.From, Content: old, Mode: to.Mode, Remove: s.Outcome == changes.Remove,
		By: string(society.User),
	})
	switch {
	case errors.Is(err, files.ErrChanged):
		s.Outcome, s.Why = changes.Skip, changes.ChangedSince
		return nil
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		s.Outcome, s.Why, s.Detail = changes.Skip, changes.Unreadable, err.Error()
		return nil
	}
	r.log.Info("change undone", "changes", len(s.Changes), "agent", to.Agent)
	_, err = r.Do(context.WithoutCancel(ctx), society.KeepFileChanges{
		Of:    society.FileChange{Agent: society.User, Task: to.Task, Call: call, Tool: undoTool},
		Files: []tool.Change{done}, Undoes: [][]uint64{slices.Clone(s.Changes)},
	})
	return err
}
