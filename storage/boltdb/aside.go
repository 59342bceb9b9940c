package boltdb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"society-tui/storage"
)

// MoveAside renames the damaged file at path to path.damaged-<time>, so that Open
// can begin anew, and returns the new name. A name that is taken gets a number; no
// file is overwritten. That it is damaged the caller says: a file can be sound
// while the records in it are not, which those judge who know what they mean. If
// it is held or from a newer version, it stays and the error says so.
func MoveAside(path string, now time.Time) (string, error) {
	if _, err := examine(path); err != nil {
		return "", fmt.Errorf("move %s aside: %w", path, err)
	}
	if err := inspect(path, defaults()); err != nil && !errors.Is(err, storage.ErrDamaged) {
		return "", fmt.Errorf("move %s aside: %w", path, err)
	}
	to, err := claim(path + ".damaged-" + now.UTC().Format("20060102T150405Z"))
	if err != nil {
		return "", fmt.Errorf("move %s aside: %w", path, err)
	}
	if err := os.Rename(path, to); err != nil {
		return "", errors.Join(fmt.Errorf("move %s aside: %w", path, err), os.Remove(to))
	}
	if err := SyncFolder(filepath.Dir(path)); err != nil {
		return to, fmt.Errorf("move %s aside: %w", path, err)
	}
	return to, nil
}

// claim makes an empty file of that name, or of the name with the first number that
// is free, for the damaged one to replace: a rename alone could overwrite.
func claim(name string) (string, error) {
	for i := 1; ; i++ {
		candidate := name
		if i > 1 {
			candidate = fmt.Sprintf("%s-%d", name, i)
		}
		f, err := os.OpenFile(candidate, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			return candidate, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
}
