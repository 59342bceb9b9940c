package boltdb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"society-tui/storage/blobs"
)

// Rename renames the store in the file path, whatever is in it. The error is a
// *LockedError if a process holds it, and wraps fs.ErrExist if there is a file of that
// name, which is not overwritten.
func Rename(path, to string) error {
	if err := alone(path, func() error { return move(path, to) }); err != nil {
		return fmt.Errorf("rename %s: %w", path, err)
	}
	return nil
}

// move renames a store with the bytes beside it, unless the name is taken.
func move(path, to string) error {
	return blobs.FolderOf(path).Move(blobs.FolderOf(to), func() error { return renameNew(path, to) })
}

// renameNew renames a file unless the name is taken: os.Rename would overwrite.
func renameNew(path, to string) error {
	made, err := vacant(path, to)
	if err != nil {
		return err
	}
	err = os.Rename(path, to)
	if err != nil && made {
		err = errors.Join(err, os.Remove(to))
	}
	return err
}

// vacant ensures that path can be renamed without overwriting anything: at to is then an
// empty file that it has made, or path itself, on a disk for which both names are one.
func vacant(path, to string) (made bool, err error) {
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		return true, f.Close()
	}
	mine, err1 := os.Lstat(path)
	there, err2 := os.Lstat(to)
	if errors.Is(err, fs.ErrExist) && errors.Join(err1, err2) == nil && os.SameFile(mine, there) {
		return false, nil
	}
	return false, err
}

// Remove deletes the store in the file path, whatever is in it. The error is a
// *LockedError if a process holds it.
func Remove(path string) error {
	err := alone(path, func() error {
		if err := os.Remove(path); err != nil {
			return err
		}
		return blobs.FolderOf(path).Delete()
	})
	if err != nil {
		return fmt.Errorf("delete %s: %w", path, err)
	}
	return nil
}

// alone calls do while nobody has the file open. do takes the name path from it.
func alone(path string, do func() error) error {
	if _, err := examine(path); err != nil {
		return err
	}
	release, err := hold(path)
	if err != nil {
		return err
	}
	err = do()
	if err == nil {
		removeHolder(path)
		_ = os.Remove(draftOf(path)) // of a Compact that died
		err = syncFolder(filepath.Dir(path))
	}
	return errors.Join(err, release())
}
