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

// Peek calls f with a read transaction on the store in the file path, if no process has
// it open, and changes nothing. Like Open it first checks every page, and it returns the
// errors of Open. It does not wait for a lock, creates nothing, and gives up when ctx is
// done. Meanwhile others wait to open the store.
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
