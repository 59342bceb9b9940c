package boltdb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"society-tui/storage/boltfile"
)

// lockWait is how long Open waits for a file that another process holds: long enough for
// one that is just closing it.
const lockWait = time.Second

// errReplaced is returned if the file at the path is not the one that was opened.
var errReplaced = errors.New("another file has taken its place")

// growth and mostGrowth bound how many bytes a file gets at a time. Each time costs
// an fsync; bbolt's own 16 MiB would make that the size of an empty store.
const (
	growth     = 1 << 20
	mostGrowth = 16 << 20
)

// acquire opens the file, which it makes if there is none, and fills s.db and
// s.file. The caller holds s.gate or is alone.
func (s *Store) acquire() error {
	stat, err := examine(s.path)
	if errors.Is(err, fs.ErrNotExist) && s.identity == nil {
		if err := create(s.path); err != nil {
			return err
		}
		stat, err = examine(s.path)
	}
	if err != nil {
		return err
	}
	// A store that takes up again where it was must find its own file there, not
	// one that was put in its place: what the program remembers is not in it.
	if s.identity != nil && !os.SameFile(s.identity, stat) {
		return errReplaced
	}
	if err := inspect(s.path, s.limits); err != nil {
		return err
	}
	s.identity = stat
	return s.openForWriting()
}

// examine returns what is at path, if it is a file that may be opened.
func examine(path string) (fs.FileInfo, error) {
	stat, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case stat.Mode()&fs.ModeSymlink != 0:
		return nil, errors.New("it is a symbolic link, which is not followed: name the place that it leads to")
	case !stat.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	return stat, nil
}

// inspect checks the whole file under a lock that keeps writers out, without
// writing to it. bbolt itself reads all pages when it opens a file for writing, on
// a goroutine of its own where no panic can be caught, so it must not be let near
// a file that has not been inspected.
func inspect(path string, limits limits) error {
	return withInspected(context.Background(), path, limits, func(*bbolt.DB, *os.File) error { return nil })
}

// withInspected is inspect, and calls f while the lock is still held. It gives up when ctx
// is done.
func withInspected(ctx context.Context, path string, limits limits, f func(*bbolt.DB, *os.File) error) error {
	var file *os.File
	var db *bbolt.DB
	err := guarded("open", func() (err error) {
		db, err = bbolt.Open(path, 0, &bbolt.Options{
			ReadOnly: true, Timeout: limits.lockWait, NoStatistics: true, OpenFile: openInto(&file),
		})
		return err
	})
	if err != nil {
		if file != nil {
			_ = abandon(file) // after a panic bbolt has not closed it
		}
		return diagnose(ctx, path, err)
	}
	err = boltfile.Verify(ctx, file)
	if err == nil {
		err = guarded("read the format record", func() error {
			return db.View(func(t *bbolt.Tx) error {
				_, err := versionOf(t, newest(limits.steps))
				return err
			})
		})
	}
	if err == nil {
		err = f(db, file)
	}
	return errors.Join(err, guarded("close", db.Close))
}

// diagnose explains why bbolt could not open a file. bbolt calls a file that it could not
// read invalid, so the file is read once more before its content is blamed; and it tries to
// fill an empty file, which fails differently. A file that is sound when it is read again
// is not damaged, whatever went wrong, and must not be moved aside.
func diagnose(ctx context.Context, path string, err error) error {
	if errors.Is(err, bolterrors.ErrTimeout) {
		return lockedBy(path)
	}
	file, openErr := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if openErr != nil {
		return openErr
	}
	defer file.Close()
	if content := boltfile.Verify(ctx, file); content != nil {
		return content
	}
	return err
}

func (s *Store) openForWriting() error {
	var file *os.File
	var db *bbolt.DB
	err := guarded("open", func() (err error) {
		db, err = bbolt.Open(s.path, 0o600, &bbolt.Options{
			Timeout:         s.limits.lockWait,
			FreelistType:    bbolt.FreelistMapType,
			NoFreelistSync:  true,
			NoStatistics:    true,
			InitialMmapSize: mapSize(),
			MaxSize:         int(s.limits.size),
			OpenFile:        openInto(&file),
		})
		if err == nil {
			err = migrate(db, s.limits.steps, func(version int) error { return keepCopy(db, s.path, version, s.limits) })
		}
		return err
	})
	if err == nil {
		err = stillAt(s.path, file)
	}
	if err == nil {
		removeDrafts(s.path)
		s.db, s.file = db, file
		s.sweepBlobs()
		return nil
	}
	switch {
	case db != nil:
		_ = guarded("close", db.Close)
	case file != nil:
		_ = abandon(file) // after a panic bbolt has not closed it
	}
	if db == nil {
		return diagnose(context.Background(), s.path, err)
	}
	return err
}

// removeDrafts removes the drafts of a compaction, a new store or a note whose process has
// died. A process that is making a store at this moment does not need its draft any more,
// because there is a store now; and only the holder of the store writes the note.
func removeDrafts(path string) {
	_ = os.Remove(draftOf(path))
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return // nothing but room is lost
	}
	for _, f := range files {
		for _, mark := range []string{newMark, noteMark} {
			n, ok := strings.CutPrefix(f.Name(), filepath.Base(path)+mark)
			if _, err := strconv.ParseUint(n, 10, 64); ok && err == nil {
				_ = os.Remove(filepath.Join(filepath.Dir(path), f.Name()))
			}
		}
	}
}

// stillAt returns errReplaced unless the file that was locked is the one that has its
// name. Its former holder may have moved it aside or put another in its place, and what is
// written to a file without a name is lost.
func stillAt(path string, file *os.File) error {
	mine, err := file.Stat()
	if err != nil {
		return err
	}
	named, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !os.SameFile(mine, named) {
		return errReplaced
	}
	return nil
}

// openInto opens a file for bbolt and keeps it for us as well. It never makes one: an
// existing store that has just vanished must not be replaced by an empty one.
func openInto(file **os.File) func(string, int, fs.FileMode) (*os.File, error) {
	return func(path string, flag int, mode fs.FileMode) (*os.File, error) {
		f, err := os.OpenFile(path, flag&^os.O_CREATE|noFollow, 0)
		if err != nil {
			return nil, err
		}
		if mode != 0 {
			if err := f.Chmod(mode); err != nil {
				return nil, errors.Join(err, f.Close())
			}
		}
		if *file == nil { // a copy of the file reads it by a handle of its own
			*file = f
		}
		return f, nil
	}
}

// mapSize is the address space that a file is mapped into from the start. While it fits,
// a commit need not wait for running Views to map it again. On Windows the file itself
// would get this size.
func mapSize() int {
	switch {
	case runtime.GOOS == "windows":
		return 0
	case strconv.IntSize < 64:
		return 64 << 20
	default:
		return 1 << 30
	}
}

// create makes an empty store at path. If the name is taken, somebody else began at the
// same moment; theirs is as good.
func create(path string) error {
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	err := NewFile(path, func(draft string) error {
		db, err := bbolt.Open(draft, 0o600, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType})
		if err == nil {
			err = errors.Join(db.Update(writeFormat), db.Close())
		}
		if err != nil {
			return fmt.Errorf("make %s: %w", draft, err)
		}
		return nil
	})
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// makeFolder makes the folder with those above it, for the owner alone whatever
// the umask, and lets their names outlive a power cut. One that exists stays as it
// is: it may be shared on purpose, and the files in it are the owner's alone.
func makeFolder(folder string) error {
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	above := filepath.Dir(folder)
	if err := makeFolder(above); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) { // another process was faster
			return nil
		}
		return err
	}
	return errors.Join(os.Chmod(folder, 0o700), syncFolder(above))
}
