package boltdb

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"society-tui/storage"
)

// MoveAside renames the damaged file at path to path.damaged-<time>, so that Open
// can begin anew, and returns the new name. A name that is taken gets a number; no
// file is overwritten. The caller decides that it is damaged: a file can be sound while
// the records in it are not, which only their owner can tell. If it is held or from a
// newer version, it stays and the error says so.
func MoveAside(path string, now time.Time) (string, error) {
	if _, err := examine(path); err != nil {
		return "", fmt.Errorf("move %s aside: %w", path, err)
	}
	if err := inspect(path, defaults()); err != nil && !errors.Is(err, storage.ErrDamaged) {
		return "", fmt.Errorf("move %s aside: %w", path, err)
	}
	name := path + ".damaged-" + now.UTC().Format("20060102T150405Z")
	to := name
	err := renameNew(path, to)
	for n := 2; errors.Is(err, fs.ErrExist); n++ {
		to = fmt.Sprintf("%s-%d", name, n)
		err = renameNew(path, to)
	}
	if err != nil {
		return "", fmt.Errorf("move %s aside: %w", path, err)
	}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		return to, fmt.Errorf("move %s aside: %w", path, err)
	}
	return to, nil
}
