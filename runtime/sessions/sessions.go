// Package sessions is what a person does with a stored society: open it, verify it,
// copy it, give back its space, write it out and read one in. Each act takes the
// path of the society's file, holds it alone while it lasts, and returns what came of
// it; the words for that are the caller's.
package sessions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"society-tui/runtime"
	"society-tui/storage/boltdb"
)

var (
	// ErrNothing is why nothing is done where no society has begun.
	ErrNothing = errors.New("nothing is stored yet")
	// ErrNoFile is why what is no regular file is not read in.
	ErrNoFile = errors.New("it is not a regular file")
	// ErrNoFolder is why a new file is not written where there is no folder for it. It
	// comes with fs.ErrNotExist.
	ErrNoFolder = errors.New("there is no such folder")
	// ErrMarkdown is why an export that is for people is not read in.
	ErrMarkdown = errors.New("it is Markdown, which is for people: only what was exported as JSON can be read in")
)

// A Refusal says of which file or folder something is not done, and why: ErrNothing,
// ErrNoFile, ErrNoFolder, ErrMarkdown, fs.ErrExist for a new file whose name is taken,
// archive.ErrNotEmpty, repair.ErrUnreadable, or what reading or the system has found.
type Refusal struct {
	Path string
	Err  error
}

// Error is for logs.
func (r *Refusal) Error() string { return r.Path + ": " + r.Err.Error() }

// Unwrap returns why.
func (r *Refusal) Unwrap() error { return r.Err }

// An InUse says who holds a society that is open already. It wraps storage.ErrLocked.
type InUse = boltdb.LockedError

// open opens the store of a society that there is.
func open(path string) (*boltdb.Store, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, &Refusal{path, ErrNothing}
	}
	return boltdb.Open(path)
}

// Check verifies the store: first the file, then what the records say.
func Check(path string) error {
	store, err := open(path)
	if err != nil {
		return err
	}
	err = store.Check()
	if err == nil {
		err = runtime.Check(store)
	}
	return errors.Join(err, store.Close())
}

// unwritten says of a new file, rather than of its draft or its folder, why the system
// does not take it. Errors about other files are returned as they are.
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

// A Written is a new file, and its size in bytes.
type Written struct {
	Path string
	Size int64
}

// String has the size as people say it.
func (w Written) String() string { return w.Path + ": " + w.Bytes() }

// Bytes is the size alone.
func (w Written) Bytes() string { return size(w.Size) }

// Backup writes a copy of the store, checked and on disk, to a new file. It gives up
// soon after ctx is done.
func Backup(ctx context.Context, path, to string) (Written, error) {
	store, err := open(path)
	if err != nil {
		return Written{}, err
	}
	w, err := Copy(ctx, store, to)
	return w, errors.Join(err, store.Close())
}

// Copy is Backup for a society that runs on the store. It may be called from any
// goroutine, holds up nobody, and gives up soon after ctx is done.
func Copy(ctx context.Context, store *boltdb.Store, to string) (Written, error) {
	to, err := filepath.Abs(to)
	if err != nil {
		return Written{}, err
	}
	err = store.Copy(ctx, to)
	if errors.Is(err, fs.ErrExist) {
		return Written{}, &Refusal{to, err}
	}
	if err != nil {
		return Written{}, unwritten(to, err)
	}
	stat, err := os.Stat(to)
	if err != nil {
		return Written{}, err
	}
	return Written{to, stat.Size()}, nil
}

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
