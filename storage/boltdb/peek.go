package boltdb

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"society-tui/storage"
)

// Peek calls f with a transaction that reads the store in the file path, if nobody has
// that open, and changes nothing. As with Open the file is checked from the first page
// to the last before, and the errors are those of Open; but it waits for nobody, makes
// nothing, and gives up when ctx is done. Whoever wants to open the store meanwhile
// waits until f has returned.
func Peek(ctx context.Context, path string, f func(storage.Tx) error) error {
	path, err := filepath.Abs(path)
	if err == nil {
		_, err = examine(path)
	}
	if err == nil {
		limits := defaults()
		limits.lockWait = time.Nanosecond
		err = withInspected(ctx, path, limits, func(db *bbolt.DB, file *os.File) error {
			return (&Store{path: path, limits: limits, db: db, file: file}).View(f)
		})
	}
	if err != nil {
		return fmt.Errorf("look into %s: %w", path, err)
	}
	return nil
}
