package memdb

import (
	"fmt"
	"iter"

	"society-tui/storage"
	"society-tui/storage/blobs"
)

// bytesBeside is the bucket for what other stores keep beside their buckets.
const bytesBeside = "storage.bytes"

// A tx is a view on trees.
type tx struct {
	blobs.Ledger // of itself

	buckets buckets
	writes  bool
	own     bool // the list of buckets is its own, since it has written
	over    bool
}

func (t *tx) end() {
	t.over, t.buckets = true, nil
}

func (t *tx) Get(bucket string, key []byte) ([]byte, error) {
	if t.over {
		return nil, storage.ErrClosed
	}
	value, ok := t.buckets.root(bucket).find(key)
	if !ok {
		return nil, nil
	}
	return clone(value), nil
}

func (t *tx) Put(bucket string, key, value []byte) error {
	if err := t.mayWrite(); err != nil {
		return err
	}
	if err := storage.CheckPut(bucket, key, value); err != nil {
		return err
	}
	t.set(bucket, t.buckets.root(bucket).with(clone(key), clone(value)))
	return nil
}

func (t *tx) Delete(bucket string, key []byte) error {
	if err := t.mayWrite(); err != nil {
		return err
	}
	if root := t.buckets.root(bucket); root != nil {
		t.set(bucket, root.without(key))
	}
	return nil
}

// set gives a bucket another tree. What was seen before stays as it was.
func (t *tx) set(bucket string, root *node) {
	if !t.own {
		t.buckets, t.own = t.buckets.clone(), true
	}
	t.buckets = t.buckets.with(bucket, root)
}

func (t *tx) mayWrite() error {
	switch {
	case t.over:
		return storage.ErrClosed
	case !t.writes:
		return storage.ErrReadOnly
	}
	return nil
}

func (t *tx) Range(bucket string, from, to []byte) iter.Seq2[[]byte, []byte] {
	return t.sequence(bucket, from, to, (*node).ascend)
}

func (t *tx) Backward(bucket string, from, to []byte) iter.Seq2[[]byte, []byte] {
	return t.sequence(bucket, from, to, (*node).descend)
}

type walk func(n *node, from, to []byte, visit func(*node) bool) bool

// sequence yields copies in buffers that the next step overwrites: a caller that
// keeps a slice, which would go unnoticed here and break on a disk, is seen in tests.
func (t *tx) sequence(bucket string, from, to []byte, walk walk) iter.Seq2[[]byte, []byte] {
	return func(yield func([]byte, []byte) bool) {
		if t.over {
			return
		}
		key, value := []byte{}, []byte{}
		walk(t.buckets.root(bucket), from, to, func(n *node) bool {
			key, value = append(key[:0], n.key...), append(value[:0], n.value...)
			return yield(key, value)
		})
	}
}

// clone copies b; the copy of nothing is empty, not nil.
func clone(b []byte) []byte {
	return append([]byte{}, b...)
}

// begin begins a transaction on what a commit has left.
func begin(b buckets, writes bool) *tx {
	t := &tx{buckets: b, writes: writes}
	t.Ledger = blobs.Ledger{Records: t, Files: files{t}}
	return t
}

// files keeps bytes in a bucket, where they come and go with the commit.
type files struct{ tx *tx }

func (f files) Write(name storage.Hash, data []byte) error {
	f.tx.set(bytesBeside, f.tx.buckets.root(bytesBeside).with([]byte(name), clone(data)))
	return nil
}

func (f files) Read(name storage.Hash) ([]byte, error) {
	data, err := f.tx.Get(bytesBeside, []byte(name))
	if err == nil && data == nil {
		err = fmt.Errorf("%w: %s", storage.ErrLost, name)
	}
	return data, err
}

func (f files) Drop(name storage.Hash) error { return f.tx.Delete(bytesBeside, []byte(name)) }
