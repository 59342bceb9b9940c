package boltdb

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"society-tui/storage"
)

// MoveAside renames the damaged file at path to path.damaged-<time>, so that Open can
// start a new one, and returns the new name, with a number if that name exists. It
// overwrites nothing. The caller decides that the file is damaged: records can be, in a
// sound file. A file that is held or from a newer version stays, with an error.
func MoveAside(path string, now time.Time) (string, error) {
	if _, err := examine(path); err != nil {
		return "", fmt.Errorf("move %s aside: %w", path, err)
	}
	if err := inspect(path, defaults()); err != nil && !errors.Is(err, storage.ErrDamaged) {
		return "", fmt.Errorf("move %s aside: %w", path, err)
	}
	name := path + ".damaged-" + now.UTC().Format("20060102T150405Z")
	to := name
	err := move(path, to)
	for n := 2; errors.Is(err, fs.ErrExist); n++ {
		to = fmt.Sprintf("%s-%d", name, n)
		err = move(path, to)
	}
	if err != nil {
		return "", fmt.Errorf("move %s aside: %w", path, err)
	}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		return to, fmt.Errorf("move %s aside: %w", path, err)
	}
	return to, nil
}
