package boltdb

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"strings"
	"syscall"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"society-tui/storage"
	"society-tui/storage/blobs"
)

// A tx is a storage.Tx. Only what it does with bbolt is guarded: the function that
// uses it may panic as it likes.
type tx struct {
	blobs.Ledger // of itself

	store   *Store
	bolt    *bbolt.Tx
	buckets map[string]*bbolt.Bucket // those found so far
	ends    map[string][]byte        // the last key of those that were only added to at the end
	writes  bool
	over    bool
	failed  error // that the content failed under a read or a write
}

// begin begins a transaction. The caller holds s.gate for reading.
func (s *Store) begin(writes bool) (*tx, error) {
	s.beginning.Lock()
	defer s.beginning.Unlock()
	if s.stuck.Load() {
		return nil, s.broken()
	}
	t := &tx{store: s, writes: writes, buckets: map[string]*bbolt.Bucket{}}
	t.Ledger = blobs.Ledger{Records: t, Files: keeper{s}}
	err := guarded("begin a transaction", func() (err error) {
		t.bolt, err = s.db.Begin(writes)
		return err
	})
	if errors.Is(err, storage.ErrDamaged) {
		s.spoil(err)
		s.stuck.Store(true)
	}
	if err != nil {
		return nil, err
	}
	if writes {
		s.db.AllocSize = int(min(max(growth, t.bolt.Size()), mostGrowth))
	}
	return t, nil
}

// commit commits. After an error the file must be reopened, and the commit
// withdrawn from it.
func (t *tx) commit() error {
	if t.store.stuck.Load() {
		return t.store.broken()
	}
	id := t.bolt.ID()
	err := guarded("commit", t.bolt.Commit)
	if err == nil {
		t.over = true
		return nil
	}
	err = fmt.Errorf("commit: %w", withErrno(err))
	t.store.doubtful = id
	t.store.spoil(err)
	return err
}

// withErrno restores the errno of an error of the disk. Where bbolt grows a file, it keeps
// the text of the error alone.
func withErrno(err error) error {
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return err
	}
	for _, number := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO, syscall.EROFS} {
		if before, ok := strings.CutSuffix(err.Error(), number.Error()); ok {
			return fmt.Errorf("%s%w", before, number)
		}
	}
	return err
}

// end rolls back what was not committed. Not bbolt's Update but Begin and Rollback
// are used because after a panic Update looks for free pages, on a goroutine of
// its own where a fault could not be caught.
func (t *tx) end() {
	if !t.over && !t.store.stuck.Load() {
		if err := guarded("roll back", t.bolt.Rollback); err != nil && !errors.Is(err, bolterrors.ErrTxClosed) {
			t.store.spoil(err)
		}
	}
	t.over, t.bolt, t.buckets = true, nil, nil
}

// do runs f, which uses bbolt, unless the transaction has ended or failed.
func (t *tx) do(act, bucket string, f func() error) error {
	if t.over {
		return storage.ErrClosed
	}
	if t.failed != nil {
		return t.failed
	}
	err := guarded(act, f)
	if errors.Is(err, storage.ErrDamaged) {
		err = fmt.Errorf("bucket %.64q: %w", bucket, err)
		t.failed = err
		t.store.spoil(err)
	}
	return err
}

// bucket returns the bucket, nil if there is none. It is called under do.
func (t *tx) bucket(name string) *bbolt.Bucket {
	if b := t.buckets[name]; b != nil {
		return b
	}
	b := t.bolt.Bucket([]byte(name))
	if b != nil {
		t.buckets[name] = b
	}
	return b
}

func (t *tx) Get(bucket string, key []byte) (value []byte, err error) {
	err = t.do("get", bucket, func() error {
		if b := t.bucket(bucket); b != nil {
			if v := b.Get(key); v != nil {
				value = clone(v)
			}
		}
		return nil
	})
	return value, err
}

func (t *tx) Put(bucket string, key, value []byte) error {
	if err := t.mayWrite(bucket); err != nil {
		return err
	}
	if err := storage.CheckPut(bucket, key, value); err != nil {
		return err
	}
	return t.do("put", bucket, func() (err error) {
		b := t.bucket(bucket)
		if b == nil {
			if b, err = t.bolt.CreateBucket([]byte(bucket)); err != nil {
				return fmt.Errorf("make bucket %.64q: %w", bucket, err)
			}
			t.buckets[bucket] = b
		}
		t.setFill(bucket, b, key)
		// bbolt copies the key and keeps the value until the commit.
		return b.Put(key, clone(value))
	})
}

// full is the fill of pages in a bucket that is only appended to. bbolt leaves half of
// each free for keys in between, and there are none.
const full = 0.9

// setFill sets how full pages become before a key is put: full while every key was put
// behind those that were there. It is called under do.
func (t *tx) setFill(name string, b *bbolt.Bucket, key []byte) {
	end, seen := t.ends[name]
	if seen && end == nil {
		return
	}
	if !seen {
		end, _ = b.Cursor().Last()
	}
	if bytes.Compare(key, end) <= 0 {
		b.FillPercent = bbolt.DefaultFillPercent
		t.stopFilling(name)
		return
	}
	b.FillPercent = full
	if t.ends == nil {
		t.ends = map[string][]byte{}
	}
	t.ends[name] = clone(key)
}

// stopFilling records that a bucket is not only appended to. Where keys were deleted,
// bbolt's Last may search without end, so it is not called then.
func (t *tx) stopFilling(name string) {
	if t.ends == nil {
		t.ends = map[string][]byte{}
	}
	t.ends[name] = nil
}

func (t *tx) Delete(bucket string, key []byte) error {
	if err := t.mayWrite(bucket); err != nil {
		return err
	}
	return t.do("delete", bucket, func() error {
		if b := t.bucket(bucket); b != nil {
			t.stopFilling(bucket)
			return b.Delete(key)
		}
		return nil
	})
}

func (t *tx) mayWrite(bucket string) error {
	switch {
	case t.over:
		return storage.ErrClosed
	case !t.writes:
		return storage.ErrReadOnly
	case bucket == formatBucket:
		return fmt.Errorf("bucket %q belongs to the store itself", bucket)
	}
	return nil
}

// Range copies what it yields: a slice of the mapping would fault in the caller if the
// file were cut meanwhile.
func (t *tx) Range(bucket string, from, to []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func([]byte, []byte) bool) {
		c := cursor{tx: t, name: bucket}
		for ok := c.seek(from); ok && !atOrAfter(c.key, to) && yield(c.key, c.value); ok = c.step((*bbolt.Cursor).Next) {
		}
	}
}

// Backward steps over pages that this transaction has emptied. bbolt's cursor ends
// at the first of them as if it were the beginning, so the beginning is looked for
// first, from the other side.
func (t *tx) Backward(bucket string, from, to []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func([]byte, []byte) bool) {
		c := cursor{tx: t, name: bucket}
		if !c.seek(from) || atOrAfter(c.key, to) {
			return
		}
		first := clone(c.key)
		for ok := c.seekLast(to); ok; ok = c.previous() {
			isFirst := bytes.Equal(c.key, first)
			if !yield(c.key, c.value) || isFirst {
				return
			}
		}
	}
}

// atOrAfter reports whether key is not below the bound to; nil is no bound.
func atOrAfter(key, to []byte) bool {
	return to != nil && bytes.Compare(key, to) >= 0
}

// clone copies b; the copy of nothing is empty, not nil.
func clone(b []byte) []byte {
	return append([]byte{}, b...)
}
