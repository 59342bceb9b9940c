package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
)

// A Written is a new file, its size in bytes, and how many of the large results and
// artifacts that belong to it are missing because they were lost.
type Written struct {
	Path string
	Size int64
	Lost int
	// Folder has the bytes that belong to a backup, "" without any.
	Folder string
}

// String returns the path with the size in a unit that fits it.
func (w Written) String() string { return w.Path + ": " + w.Bytes() }

// Bytes returns the size alone.
func (w Written) Bytes() string { return size(w.Size) }

// unwritten explains why the system does not take a new file, naming that rather than its
// draft or its folder. Errors about other files are returned as they are.
func unwritten(path string, err error) error {
	failed, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return err
	}
	about, path := filepath.Clean(failed.Path), filepath.Clean(path)
	switch {
	case !strings.HasPrefix(about, path) && !strings.HasPrefix(path, about):
		return err
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return &Refusal{filepath.Dir(path), fmt.Errorf("%w: %w", ErrNoFolder, fs.ErrNotExist)}
	}
	return &Refusal{path, failed.Err}
}

// size returns a number of bytes in a unit that fits it.
func size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
