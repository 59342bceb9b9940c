package sessions

import (
	"errors"
	"time"

	"society-tui/runtime"
	"society-tui/runtime/session"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// Opened is a society that was opened. Its store is closed after the society has run.
type Opened struct {
	Store   *boltdb.Store
	Society *runtime.Runtime
	Moved   string // where a damaged store was moved to; "" if there was none
}

// Open opens the store and the society in it. A store that is damaged, its file or a
// record in it, is moved aside, so that what is left of it can be imported, and a new one
// is begun. Whatever else goes wrong, nothing is changed.
func Open(c runtime.Config, path string) (Opened, error) {
	o, err := tryOpen(c, path)
	if !errors.Is(err, storage.ErrDamaged) {
		return o, err
	}
	moved, failed := boltdb.MoveAside(path, time.Now())
	if failed != nil {
		return Opened{}, errors.Join(err, failed)
	}
	c.Log.Error("damaged store moved aside", "to", moved, "err", err)
	o, err = tryOpen(c, path)
	o.Moved = moved
	return o, err
}

func tryOpen(c runtime.Config, path string) (Opened, error) {
	store, err := boltdb.Open(path)
	if err != nil {
		return Opened{}, err
	}
	c.Store = store
	r, err := runtime.Open(c)
	if err != nil {
		return Opened{}, errors.Join(err, store.Close())
	}
	return Opened{Store: store, Society: r}, nil
}

// Enter opens a session of the folder, or a new one of that name, while another is open
// here. Unlike Open it moves nothing aside: whatever goes wrong, nothing is changed, and
// the error is a *session.Problem.
func (f Folder) Enter(c runtime.Config, name string) (Opened, error) {
	if name == f.Open {
		return Opened{}, &session.Problem{Why: session.Open, Name: name}
	}
	path, err := f.Place(name)
	if err != nil {
		return Opened{}, err
	}
	o, err := tryOpen(c, path)
	if err != nil {
		return Opened{}, problem(name, err)
	}
	return o, nil
}
