// Package sessions does what a user can do with a society on disk: open it, check it,
// back it up, free its space, export it and import one. Each function takes the path of
// the society's file and holds it alone while it runs. A [Folder] has several societies by
// name. Words for what happened are the caller's.
package sessions

import (
	"errors"
	"io/fs"
	"os"

	"society-tui/runtime"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

var (
	// ErrNothing is returned where no society has begun.
	ErrNothing = errors.New("nothing is stored yet")
	// ErrNoFile is returned for an import of what is no regular file.
	ErrNoFile = errors.New("it is not a regular file")
	// ErrNoFolder is returned for a new file in a folder that does not exist. It comes
	// with fs.ErrNotExist.
	ErrNoFolder = errors.New("there is no such folder")
	// ErrNoBackup is returned for an export of a file that is no backup.
	ErrNoBackup = errors.New("it is no backup of a session")
	// ErrTar is returned for an import of a tar that is no backup.
	ErrTar = errors.New("this tar is no backup of a session")
	// ErrMarkdown is returned for an import of an export that is for people.
	ErrMarkdown = errors.New("it is Markdown, which is for people: only what was exported as JSON can be read in")
)

// A Refusal is the file or folder with which something is not done, and why: ErrNothing,
// ErrNoFile, ErrNoFolder, ErrNoBackup, ErrTar, ErrMarkdown, fs.ErrExist for a new file whose name is taken,
// archive.ErrNotEmpty, repair.ErrUnreadable, or what reading or the system has found.
type Refusal struct {
	Path string
	Err  error
}

// Error is for logs.
func (r *Refusal) Error() string { return r.Path + ": " + r.Err.Error() }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.Err }

// An InUse names the process that has the society open. It wraps storage.ErrLocked.
type InUse = boltdb.LockedError

// open opens the store of a society that exists.
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
	if !errors.Is(err, storage.ErrDamaged) { // else nothing that it holds can be trusted
		err = errors.Join(err, runtime.Check(store))
	}
	return errors.Join(err, store.Close())
}
