package boltdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"society-tui/storage"
	"society-tui/storage/blobs"
)

// copyBatch is about how many bytes of a copy are committed at a time: few enough for
// memory, enough for speed.
const copyBatch = 16 << 20

// copyFill is how full the pages of a copy are: its keys come in order, and there is room
// for a few more.
const copyFill = 0.9

// Copy writes the last committed state to a new store at path, which is complete, checked
// and on disk when Copy returns nil; until then nothing has that name. What was deleted is
// not in it. Updates go on meanwhile; the file grows by what they free, until Copy is done.
// lost are the bytes beside the file that could not be copied because they are missing or
// damaged.
//
// A file that exists is not overwritten: the error wraps fs.ErrExist. Soon after ctx is
// done it is that of ctx.
func (s *Store) Copy(ctx context.Context, path string) (lost []storage.Hash, err error) {
	err = NewFile(path, func(draft string) (err error) {
		lost, err = s.copyTo(ctx, draft, blobs.FolderOf(path))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("copy %s to %s: %w", s.path, path, err)
	}
	return lost, nil
}

// copyTo fills the empty file at path, and the folder with the bytes that belong to it.
func (s *Store) copyTo(ctx context.Context, path string, folder blobs.Folder) (lost []storage.Hash, err error) {
	s.gate.RLock()
	defer s.gate.RUnlock()
	from, err := s.beginCopy()
	if err != nil {
		return nil, err
	}
	defer from.end()
	if err := s.writeAll(ctx, from, path); err != nil {
		return nil, err
	}
	list, err := blobs.All(from)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return s.folder().Copy(ctx, folder, list)
}

// A Record is a key with its value, and the bucket that it is in.
type Record struct {
	Bucket     string
	Key, Value []byte
}

// Compact rewrites the store without the space of what was deleted, and with more records,
// replaces the file by that, and closes the store. A program that dies meanwhile leaves the
// old file or the new one, never a part. It returns the size of both; after an error the
// file is the old one, and the store is open. Soon after ctx is done the error is that of
// ctx.
func (s *Store) Compact(ctx context.Context, more ...Record) (before, after int64, err error) {
	s.update.Lock() // what would be written now would be written to the old file
	before, after, replaced, err := s.compact(ctx, more)
	s.update.Unlock()
	if err != nil {
		err = fmt.Errorf("compact %s: %w", s.path, err)
	}
	if replaced {
		err = errors.Join(err, s.Close())
	}
	return before, after, err
}

// compact is Compact without its clean-up; replaced is set when the file is the new one.
func (s *Store) compact(ctx context.Context, more []Record) (before, after int64, replaced bool, err error) {
	if before, err = s.Size(); err != nil {
		return 0, 0, false, err
	}
	if err := stillAt(s.path, s.file); err != nil {
		return 0, 0, false, err
	}
	name := draftOf(s.path)
	_ = os.Remove(name) // of one that died; the lock keeps all others out
	draft, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, 0, false, err
	}
	defer os.Remove(name)
	if err := draft.Close(); err != nil {
		return 0, 0, false, err
	}
	if err := s.writeTo(ctx, name, more...); err != nil {
		return 0, 0, false, err
	}
	stat, err := os.Stat(name)
	if err != nil {
		return 0, 0, false, err
	}
	if err := os.Rename(name, s.path); err != nil {
		return 0, 0, false, err
	}
	return before, stat.Size(), true, syncFolder(filepath.Dir(s.path))
}

// draftOf returns the name under which Compact writes. Whoever holds the lock may remove
// it.
func draftOf(path string) string { return path + ".compact" }

// writeTo fills the empty file at path with the last committed state and with more, checks
// it and syncs it.
func (s *Store) writeTo(ctx context.Context, path string, more ...Record) error {
	s.gate.RLock()
	defer s.gate.RUnlock()
	from, err := s.beginCopy()
	if err != nil {
		return err
	}
	defer from.end()
	return s.writeAll(ctx, from, path, more...)
}

// beginCopy begins to read the last committed state. The caller holds s.gate for reading.
func (s *Store) beginCopy() (*tx, error) {
	if err := s.broken(); err != nil {
		return nil, err
	}
	return s.begin(false)
}

// writeAll is writeTo with what a transaction sees.
func (s *Store) writeAll(ctx context.Context, from *tx, path string, more ...Record) error {
	to, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout: lockWait, FreelistType: bbolt.FreelistMapType, NoSync: true, NoFreelistSync: true, NoStatistics: true,
	})
	if err != nil {
		return err
	}
	err = guarded("copy", func() error { return copyBuckets(ctx, from.bolt, to, more) })
	to.NoFreelistSync = false
	if err == nil {
		err = to.Update(func(*bbolt.Tx) error { return nil }) // the list of free pages
	}
	if err == nil {
		err = to.Sync()
	}
	if err := errors.Join(err, to.Close()); err != nil {
		return err
	}
	return inspect(path, s.limits)
}

// copyBuckets copies all buckets, in order, with a few commits, and adds more.
func copyBuckets(ctx context.Context, from *bbolt.Tx, to *bbolt.DB, more []Record) error {
	w := &copying{ctx: ctx, to: to}
	defer w.drop()
	err := from.ForEach(func(name []byte, b *bbolt.Bucket) error {
		if err := w.enter(clone(name)); err != nil {
			return err
		}
		return b.ForEach(w.put)
	})
	if err != nil {
		return err
	}
	for _, r := range more {
		if err := w.enter([]byte(r.Bucket)); err != nil {
			return err
		}
		if err := w.put(r.Key, r.Value); err != nil {
			return err
		}
	}
	return w.commit()
}

// A copying is a copy in progress: one transaction after another.
type copying struct {
	ctx    context.Context // ends it
	to     *bbolt.DB
	tx     *bbolt.Tx
	name   []byte
	bucket *bbolt.Bucket
	size   int // of what is not committed yet
}

// enter continues with another bucket, which it makes if there is none.
func (w *copying) enter(name []byte) (err error) {
	if w.tx == nil {
		if w.tx, err = w.to.Begin(true); err != nil {
			return err
		}
	}
	w.name = name
	if w.bucket, err = w.tx.CreateBucketIfNotExists(name); err == nil {
		w.bucket.FillPercent = copyFill
	}
	return err
}

// put copies key and value, since a fault on a truncated file must not come in the middle
// of a commit.
func (w *copying) put(key, value []byte) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.size > copyBatch {
		if err := w.commit(); err != nil {
			return err
		}
		if err := w.enter(w.name); err != nil {
			return err
		}
	}
	w.size += len(key) + len(value)
	return w.bucket.Put(clone(key), clone(value))
}

func (w *copying) commit() error {
	tx := w.tx
	w.tx, w.bucket, w.size = nil, nil, 0
	return tx.Commit()
}

// drop rolls back what was not committed, also after a panic.
func (w *copying) drop() {
	if w.tx != nil {
		_ = w.tx.Rollback()
	}
}
