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
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// Sessions are those that lie in a folder. All methods may be called from any
// goroutine, and what they refuse is a *session.Problem.
type Sessions struct {
	Folder string
	// Open is the one that is open here, "" for none, and Store its store.
	Open  string
	Store storage.Store
}

// List returns them, the one that was used last first. A folder that is not there has
// none.
func (s Sessions) List() ([]session.Session, error) {
	files, err := os.ReadDir(s.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &session.Problem{Err: err}
	}
	var list []session.Session
	for _, f := range files {
		name, ok := session.Of(f.Name())
		if !ok || !f.Type().IsRegular() {
			continue
		}
		info, err := f.Info()
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

// glance is how long a look into one may take: whoever wants to open it waits so long.
const glance = 2 * time.Second

// Look says what is in one, without opening it. Only the one that is open here may be
// open at all.
func (s Sessions) Look(ctx context.Context, name string) (session.Glimpse, error) {
	ctx, cancel := context.WithTimeout(ctx, glance)
	defer cancel()
	var found tables.Glance
	look := func(tx storage.Tx) (err error) {
		found, err = tables.Look(ctx, tx)
		return err
	}
	var err error
	if name == s.Open {
		err = s.Store.View(look)
	} else {
		err = boltdb.Peek(ctx, session.File(s.Folder, name), look)
	}
	if err != nil {
		return session.Glimpse{}, problem(name, err)
	}
	return session.Glimpse{Agents: found.Agents, Request: found.Request, At: found.At}, nil
}

// Place is the file of a session that is in the folder or may come there: not if its
// name is none, or if there is one that is called alike, which the disk may take for
// the same.
func (s Sessions) Place(name string) (path string, err error) {
	return s.place(name, "")
}

// place is Place for one that takes the name of another.
func (s Sessions) place(name, instead string) (string, error) {
	if err := session.Check(name); err != nil {
		return "", &session.Problem{Why: session.Misnamed, Name: name, Err: err}
	}
	there, _ := s.List() // of a folder that cannot be read, opening the file says why
	path := session.File(s.Folder, name)
	if slices.ContainsFunc(there, func(t session.Session) bool { return t.Name == name }) {
		return path, nil
	}
	for _, t := range there {
		if t.Name == instead {
			continue
		}
		if stat, err := os.Lstat(path); session.Alike(t.Name, name) || err == nil && sameFile(stat, session.File(s.Folder, t.Name)) {
			return "", &session.Problem{Why: session.Taken, Name: name, Other: t.Name, Err: fs.ErrExist}
		}
	}
	return path, nil
}

func sameFile(a fs.FileInfo, path string) bool {
	b, err := os.Lstat(path)
	return err == nil && os.SameFile(a, b)
}

// Rename gives a session another name. The one that is open here keeps its own.
func (s Sessions) Rename(from, to string) error {
	if from == s.Open {
		return &session.Problem{Why: session.Open, Name: from}
	}
	path, err := s.place(to, from)
	if err != nil {
		return err
	}
	if err := boltdb.Rename(session.File(s.Folder, from), path); errors.Is(err, fs.ErrExist) {
		return &session.Problem{Why: session.Taken, Name: to, Other: to, Err: err}
	} else if err != nil {
		return problem(from, err)
	}
	return nil
}

// Delete deletes a session, whatever is in its file; not the one that is open here.
func (s Sessions) Delete(name string) error {
	if name == s.Open {
		return &session.Problem{Why: session.Open, Name: name}
	}
	if err := boltdb.Remove(session.File(s.Folder, name)); err != nil {
		return problem(name, err)
	}
	return nil
}

// problem says why something is not done with a session that there is.
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
