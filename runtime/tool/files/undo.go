package files

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
	"society-tui/runtime/workspace"
)

// An Undoer takes changes of files back, for the user.
type Undoer struct {
	Workspaces *workspace.Set
	Lang       protocol.Lang // of diffs that are cut
}

// ErrElsewhere is returned for a file of another workspace than that of the task.
var ErrElsewhere = errors.New("the change was made in another workspace")

// ErrChanged is returned for a file that is not as it was to be found, or that is too large
// for its content to be kept. It is not changed.
var ErrChanged = errors.New("the file has changed")

func (u *Undoer) folder(task, dir string) (*workspace.Folder, error) {
	if name, ok := strings.CutPrefix(dir, workspace.WorktreePrefix); ok {
		folder, err := u.Workspaces.Of(task, name)
		if err != nil { // it was merged or dropped
			return nil, ErrElsewhere
		}
		return folder, nil
	}
	if dir != u.Workspaces.Dir() {
		return nil, ErrElsewhere
	}
	return u.Workspaces.Of(task, "")
}

// Hash returns the hash of a file of a task's workspace, "" if there is none. The error is
// ErrElsewhere if dir is not that workspace.
func (u *Undoer) Hash(ctx context.Context, task, dir, path string) (string, error) {
	if dir == "" && dir == u.Workspaces.Dir() && !u.Workspaces.Has(task) { // or it would be made
		return "", nil
	}
	in, err := u.folder(task, dir)
	if err != nil {
		return "", err
	}
	sum, err := in.Sum(ctx, path, 0)
	if workspace.CodeOf(err) == workspace.NotFound {
		return "", nil
	}
	return sum.Hash, err
}

// A Restoration is what a file is to be again: its content and mode, or, if Remove is set,
// nothing.
type Restoration struct {
	Task, Dir, Path string
	// From is the hash that it must have, "" for no file.
	From    string
	Content []byte
	Mode    uint32
	Remove  bool
	By      string // whom agents are told that have read it
}

// Restore makes a file what it was, and returns what it has changed. It waits for agents
// that are changing the file.
func (u *Undoer) Restore(ctx context.Context, r Restoration) (tool.Change, error) {
	in, err := u.folder(r.Task, r.Dir)
	if err != nil {
		return tool.Change{}, err
	}
	path, err := workspace.Clean(r.Path)
	if err != nil {
		return tool.Change{}, err
	}
	release, err := in.Lock(ctx, path)
	if err != nil {
		return tool.Change{}, err
	}
	defer release()
	c := &call{Caller: tool.Caller{Agent: r.By, Task: r.Task, Lang: u.Lang}, words: words{u.Lang}, in: in, dir: r.Dir}
	f := fileChange{name: path, content: r.Content, mode: fs.FileMode(r.Mode)}
	sum, err := in.Sum(ctx, path, oldMost)
	switch {
	case workspace.CodeOf(err) == workspace.NotFound:
	case err != nil:
		return tool.Change{}, err
	default:
		f.before, f.old, f.mode = sum.Hash, sum.Content, sum.Mode
	}
	if f.before != r.From || f.before != "" && f.old == nil {
		return tool.Change{}, ErrChanged
	}
	if r.Remove {
		f.content = nil
		err = in.Remove(ctx, path)
	} else {
		f.after = workspace.Hash(r.Content)
		if binary(f.old) == "" && binary(r.Content) == "" {
			f.diff = unified(path, string(f.old), string(r.Content))
		}
		err = in.Write(ctx, path, r.Content, fs.FileMode(r.Mode))
	}
	if err != nil {
		return tool.Change{}, err
	}
	return c.changed(f), nil
}

// Diff returns the difference of two texts as a unified diff, "" where one is no text.
func Diff(path, before, after string, lang protocol.Lang) string {
	if binary([]byte(before)) != "" || binary([]byte(after)) != "" {
		return ""
	}
	return bounded(unified(path, before, after), tool.DiffLimit, lang)
}

// Described returns a change with what its diff shows, if the old content is known or there was
// none. content is that of the file now.
func Described(c tool.Change, content []byte, lang protocol.Lang) tool.Change {
	switch {
	case c.Before != "" && c.Old == nil || binary(c.Old) != "" || binary(content) != "":
	case c.After == "":
		c.Removed = len(splitLines(string(c.Old)))
	default:
		diff := unified(c.Path, string(c.Old), string(content))
		c.Added, c.Removed = counted(diff)
		c.Diff = bounded(diff, tool.DiffLimit, lang)
	}
	return c
}
