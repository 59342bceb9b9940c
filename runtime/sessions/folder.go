package sessions

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"society-tui/runtime/session"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/worktree"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// A Folder holds sessions. All methods may be called from any goroutine, and what they
// refuse is a *session.Problem.
type Folder struct {
	Path string
	// Open is the session that is open here, "" for none, and Store its store.
	Open  string
	Store storage.Store
}

// List returns the sessions, the one that was used last first. A folder that is not
// there has none.
func (f Folder) List() ([]session.Session, error) {
	files, err := os.ReadDir(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &session.Problem{Err: err}
	}
	var list []session.Session
	for _, file := range files {
		name, ok := session.Of(file.Name())
		if !ok || !file.Type().IsRegular() {
			continue
		}
		info, err := file.Info()
		if err != nil {
			continue // it has just gone
		}
		list = append(list, session.Session{Name: name, Size: info.Size(), Used: info.ModTime()})
	}
	slices.SortFunc(list, func(a, b session.Session) int {
		return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.Name, b.Name))
	})
	return list, nil
}

// previewTime limits a preview: opening the session waits for it.
const previewTime = 2 * time.Second

// Look returns what is in a session without opening it. Only the one that is open here
// may be open at all.
func (f Folder) Look(ctx context.Context, name string) (session.Preview, error) {
	ctx, cancel := context.WithTimeout(ctx, previewTime)
	defer cancel()
	var found tables.Glance
	look := func(tx storage.Tx) (err error) {
		found, err = tables.Look(ctx, tx)
		return err
	}
	var err error
	if name == f.Open {
		err = f.Store.View(look)
	} else {
		err = boltdb.Peek(ctx, session.File(f.Path, name), look)
	}
	if err != nil {
		return session.Preview{}, problem(name, err)
	}
	return session.Preview{Agents: found.Agents, AtWork: found.AtWork, Request: found.Request, At: found.At}, nil
}

// IsHeld reports whether a process has a session open.
func (f Folder) IsHeld(name string) bool { return boltdb.IsHeld(session.File(f.Path, name)) }

// Place returns the file of a session that is in the folder or may be made there. It
// refuses a name that no session can have, and one that differs from another session's in
// capital letters alone, which the disk may take for the same.
func (f Folder) Place(name string) (path string, err error) {
	return f.place(name, "")
}

// place is Place for a session that is now called instead.
func (f Folder) place(name, instead string) (string, error) {
	if err := session.Check(name); err != nil {
		return "", &session.Problem{Why: session.Misnamed, Name: name, Err: err}
	}
	there, _ := f.List() // opening the file reports why the folder cannot be read
	path := session.File(f.Path, name)
	if slices.ContainsFunc(there, func(t session.Session) bool { return t.Name == name }) {
		return path, nil
	}
	for _, t := range there {
		if t.Name == instead {
			continue
		}
		if stat, err := os.Lstat(path); session.Alike(t.Name, name) || err == nil && sameFile(stat, session.File(f.Path, t.Name)) {
			return "", &session.Problem{Why: session.Taken, Name: name, Other: t.Name, Err: fs.ErrExist}
		}
	}
	return path, nil
}

func sameFile(a fs.FileInfo, path string) bool {
	b, err := os.Lstat(path)
	return err == nil && os.SameFile(a, b)
}

// Rename gives a session another name, with the workspaces of its tasks, but not the one
// that is open here.
func (f Folder) Rename(from, to string) error {
	if from == f.Open {
		return &session.Problem{Why: session.Open, Name: from}
	}
	path, err := f.place(to, from)
	if err != nil {
		return err
	}
	if err := boltdb.Rename(session.File(f.Path, from), path); errors.Is(err, fs.ErrExist) {
		return &session.Problem{Why: session.Taken, Name: to, Other: to, Err: err}
	} else if err != nil {
		return problem(from, err)
	}
	return errors.Join(
		absent(os.Rename(session.Work(f.Path, from), session.Work(f.Path, to))),
		absent(os.Rename(session.Worktrees(f.Path, from), session.Worktrees(f.Path, to))), // git finds them when the session is opened
		absent(os.Rename(session.Scratch(f.Path, from), session.Scratch(f.Path, to))),
		absent(os.Rename(session.Token(f.Path, from), session.Token(f.Path, to))),
		absent(os.Rename(session.Workspace(f.Path, from), session.Workspace(f.Path, to))),
	)
}

// Delete deletes a session, whatever is in its file, with the workspaces of its tasks, but
// not the one that is open here.
func (f Folder) Delete(name string) error {
	if name == f.Open {
		return &session.Problem{Why: session.Open, Name: name}
	}
	if err := boltdb.Remove(session.File(f.Path, name)); err != nil {
		return problem(name, err)
	}
	trees := worktree.In(session.Worktrees(f.Path, name), name, "")
	return errors.Join(
		os.RemoveAll(session.Work(f.Path, name)), os.RemoveAll(session.Scratch(f.Path, name)), trees.RemoveAll(context.Background()),
		absent(os.Remove(session.Token(f.Path, name))), absent(os.Remove(session.Workspace(f.Path, name))),
	)
}

// Uncommitted returns the agents whose worktrees have something that is nowhere else and
// that Delete would remove, or of which git cannot tell.
func (f Folder) Uncommitted(ctx context.Context, name string) (agents []society.AgentID, err error) {
	ctx, cancel := context.WithTimeout(ctx, previewTime)
	defer cancel()
	list, err := worktree.In(session.Worktrees(f.Path, name), name, "").List(ctx, nil)
	for i := range list {
		w := &list[i]
		if w.Files+w.Ignored > 0 || w.Branch == "" && w.Commits > 0 || w.Problem != "" {
			agents = append(agents, cmp.Or(w.Agent, society.AgentID(w.Name)))
		}
	}
	return agents, err
}

// absent returns err unless it says that a file is not there.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// problem explains why something is not done with a session that exists.
func problem(name string, err error) *session.Problem {
	p := &session.Problem{Name: name, Err: err}
	var held *InUse
	switch {
	case errors.As(err, &held):
		p.Why, p.PID, p.Since = session.InUse, held.PID, held.Since
	case errors.Is(err, storage.ErrDamaged):
		p.Why = session.Damaged
	case errors.Is(err, storage.ErrNewer):
		p.Why = session.Newer
	case errors.Is(err, fs.ErrNotExist):
		p.Why = session.Gone
	case errors.Is(err, context.DeadlineExceeded):
		p.Why = session.Slow
	}
	return p
}
