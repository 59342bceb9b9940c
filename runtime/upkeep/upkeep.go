// Package upkeep is what a person does with a stored society: open it, verify it,
// copy it, give back its space, write it out and read one in. Each act takes the
// path of the society's file, holds it alone while it lasts, and returns what to tell
// the person.
package upkeep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"society-tui/runtime"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// open opens the store of a society that there is. did is what was not done if it is
// in use, and what else helps then.
func open(path, did string) (*boltdb.Store, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: nothing is stored yet", path)
	}
	store, err := boltdb.Open(path)
	if errors.Is(err, storage.ErrLocked) {
		return nil, fmt.Errorf("in use by another society-tui, %s\n%w", did, err)
	}
	return store, err
}

// Check verifies the store: first the file, then what the records say.
func Check(path string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path + ": nothing is stored yet", nil
	}
	store, err := open(path, "nothing was checked")
	if err != nil {
		return "", err
	}
	err = store.Check()
	if err == nil {
		err = runtime.Check(store)
	}
	if err := errors.Join(err, store.Close()); err != nil {
		return "", err
	}
	return path + ": sound", nil
}

// Backup writes a copy of the store, checked and on disk, to a new file.
func Backup(path, to string) (string, error) {
	store, err := open(path, "nothing was copied; type /backup FILE in that one")
	if err != nil {
		return "", err
	}
	told, err := Copy(context.Background(), store, to)
	return told, errors.Join(err, store.Close())
}

// Copy is Backup for a society that runs on the store. It may be called from any
// goroutine, holds up nobody, and gives up soon after ctx is done.
func Copy(ctx context.Context, store *boltdb.Store, to string) (string, error) {
	to, err := filepath.Abs(to)
	if err != nil {
		return "", err
	}
	err = store.Copy(ctx, to)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s is there already; it was left as it is: %w", to, err)
	}
	if err != nil {
		return "", err
	}
	stat, err := os.Stat(to)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %s", to, size(stat.Size())), nil
}

// Compact gives back the space of what was deleted: first the rows of the terminated
// that are still to be deleted go.
func Compact(path string) (string, error) {
	store, err := open(path, "nothing was changed; quit that one first")
	if err != nil {
		return "", err
	}
	if err := sweep(store); err != nil {
		return "", errors.Join(err, store.Close())
	}
	before, after, err := store.Compact()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %s, before %s", path, size(after), size(before)), nil
}

// sweepRows are deleted with one commit.
const sweepRows = 5000

func sweep(store storage.Store) error {
	for left := true; left; {
		err := store.Update(func(tx storage.Tx) (err error) {
			left, err = tables.Sweep(tx, sweepRows)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
