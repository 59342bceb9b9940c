package upkeep

import (
	"errors"
	"time"

	"society-tui/runtime"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// Open opens the store and the society in it. A store that is damaged, its file or a
// record in it, is moved aside, never overwritten, and a new one begun
// (spec/decisions.md 33); moved is its new name. Whatever else hinders, nothing is
// changed.
func Open(c runtime.Config, path string) (store *boltdb.Store, r *runtime.Runtime, moved string, err error) {
	store, r, err = tryOpen(c, path)
	if !errors.Is(err, storage.ErrDamaged) {
		return store, r, "", err
	}
	moved, failed := boltdb.MoveAside(path, time.Now())
	if failed != nil {
		return nil, nil, "", errors.Join(err, failed)
	}
	c.Log.Error("damaged store moved aside", "to", moved, "err", err)
	store, r, err = tryOpen(c, path)
	return store, r, moved, err
}

func tryOpen(c runtime.Config, path string) (*boltdb.Store, *runtime.Runtime, error) {
	store, err := boltdb.Open(path)
	if err != nil {
		return nil, nil, err
	}
	c.Store = store
	r, err := runtime.Open(c)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return store, r, nil
}
