package boltdb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"society-tui/storage"
)

// A LockedError is returned by Open when another process holds the file. It wraps
// storage.ErrLocked.
type LockedError struct {
	// PID is the process that holds the file, 0 if it left no note.
	PID int
	// Since is when that process opened the file.
	Since time.Time
}

// Error names the holder if it is known.
func (e *LockedError) Error() string {
	if e.PID == 0 {
		return storage.ErrLocked.Error()
	}
	return fmt.Sprintf("%v (pid %d, since %s)", storage.ErrLocked, e.PID, e.Since.Format(time.DateTime))
}

// Unwrap returns storage.ErrLocked.
func (e *LockedError) Unwrap() error { return storage.ErrLocked }

// The note beside the file names its holder. It locks nothing and only serves the message,
// so errors with it are ignored.
func notePath(path string) string { return path + ".lock" }

const noteFormat = "pid %d\nsince %s\n"

// noteMark stands in the name of a note that is being written, before a number.
const noteMark = ".lock-"

// writeHolder writes the note under another name and renames it, so that nobody reads
// half of it and no link in its place is followed.
func writeHolder(path string, since time.Time) {
	note, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+noteMark+"*")
	if err != nil {
		return
	}
	defer os.Remove(note.Name())
	_, err = fmt.Fprintf(note, noteFormat, os.Getpid(), since.UTC().Format(time.RFC3339))
	if errors.Join(err, note.Chmod(0o600), note.Close()) == nil {
		_ = os.Rename(note.Name(), notePath(path))
	}
}

func removeHolder(path string) {
	_ = os.Remove(notePath(path))
}

// IsHeld reports whether the note beside a file names a process that is there.
func IsHeld(path string) bool { return lockedBy(path).PID != 0 }

// lockedBy returns the error for a file that is held, with what the note says, unless that
// process does not exist any more: then the note is an older one's.
func lockedBy(path string) *LockedError {
	unknown := &LockedError{}
	if _, err := examine(notePath(path)); err != nil {
		return unknown
	}
	file, err := os.OpenFile(notePath(path), os.O_RDONLY|noFollow, 0)
	if err != nil {
		return unknown
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 256))
	if err != nil {
		return unknown
	}
	var pid int
	var stamp string
	if n, err := fmt.Fscanf(bytes.NewReader(text), noteFormat, &pid, &stamp); n != 2 || err != nil {
		return unknown
	}
	since, err := time.Parse(time.RFC3339, stamp)
	if err != nil || pid <= 0 || !processExists(pid) {
		return unknown
	}
	return &LockedError{PID: pid, Since: since.Local()}
}

// processExists reports whether there is a process pid.
func processExists(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	if runtime.GOOS == "windows" {
		return true // FindProcess has looked
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
