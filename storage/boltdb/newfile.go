package boltdb

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// newMark stands in the name of a file that is being made, before a number.
const newMark = ".new-"

// NewFile writes a new file with fill under another name, and renames it to path when it
// is complete, so that nobody finds half of it. The error wraps fs.ErrExist if the name
// is taken, before or meanwhile; no file is overwritten. Only its owner can read it.
func NewFile(path string, fill func(draft string) error) error {
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	folder := filepath.Dir(path)
	draft, err := os.CreateTemp(folder, filepath.Base(path)+newMark+"*")
	if err != nil {
		return err
	}
	defer os.Remove(draft.Name())
	if err := errors.Join(draft.Chmod(0o600), draft.Close()); err != nil {
		return err
	}
	if err := fill(draft.Name()); err != nil {
		return err
	}
	if err := publish(draft.Name(), path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// publish gives the file at draft the name path. Where a file cannot have two names it is
// renamed.
func publish(draft, path string) error {
	err := os.Link(draft, path)
	if err == nil {
		return nil
	}
	if _, taken := os.Lstat(path); errors.Is(err, fs.ErrExist) || taken == nil {
		return fs.ErrExist
	}
	return os.Rename(draft, path)
}

// syncFolder makes a new name in folder outlive a power cut. Windows has no way to
// ask for it and needs none.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
