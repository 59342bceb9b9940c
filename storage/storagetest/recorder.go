package storagetest

import (
	"slices"
	"sync"

	"society-tui/storage"
)

// A Recorder is a store that remembers its commits in order, so that a test can list what
// was written after a moment, and return to the state after any commit. It is made by
// NewRecorder and may be used from any goroutine.
type Recorder struct {
	storage.Store

	mu      sync.Mutex
	writes  []Write
	commits int
}

// A Write is one Put or Delete of a transaction that was committed, or one PutBlob or
// DeleteBlob: it has no Bucket, and Key is the owner.
type Write struct {
	Commit int // the first commit is 1
	Bucket string
	Key    string
	Value  []byte // nil for a Delete
}

// NewRecorder returns a Recorder of s.
func NewRecorder(s storage.Store) *Recorder { return &Recorder{Store: s} }

// Writes returns what was committed so far. When Update has returned its writes
// are there. The values are not to be changed.
func (r *Recorder) Writes() []Write {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clip(r.writes)
}

// Commits returns how many commits there were so far.
func (r *Recorder) Commits() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.commits
}

// Update is the inner store's Update, remembered if it commits.
func (r *Recorder) Update(do func(storage.Tx) error) error {
	var writes []Write
	err := r.Store.Update(func(tx storage.Tx) error {
		writes = nil
		return do(recorded{tx, &writes})
	})
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.commits++
	for _, w := range writes {
		w.Commit = r.commits
		r.writes = append(r.writes, w)
	}
	return nil
}

// Replay writes to another store, in one transaction, what the first commits had
// written: it is then what a crash after the last of them would have left.
func (r *Recorder) Replay(commits int, to storage.Store) error {
	writes := r.Writes()
	return to.Update(func(tx storage.Tx) error {
		for _, w := range writes {
			var err error
			switch {
			case w.Commit > commits:
				return nil
			case w.Bucket == "" && w.Value == nil:
				err = tx.DeleteBlob([]byte(w.Key))
			case w.Bucket == "":
				_, err = tx.PutBlob([]byte(w.Key), w.Value)
			case w.Value == nil:
				err = tx.Delete(w.Bucket, []byte(w.Key))
			default:
				err = tx.Put(w.Bucket, []byte(w.Key), w.Value)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// recorded is a transaction that records its writes.
type recorded struct {
	storage.Tx
	writes *[]Write
}

func (t recorded) Put(bucket string, key, value []byte) error {
	if err := t.Tx.Put(bucket, key, value); err != nil {
		return err
	}
	*t.writes = append(*t.writes, Write{Bucket: bucket, Key: string(key), Value: append([]byte{}, value...)})
	return nil
}

func (t recorded) Delete(bucket string, key []byte) error {
	if err := t.Tx.Delete(bucket, key); err != nil {
		return err
	}
	*t.writes = append(*t.writes, Write{Bucket: bucket, Key: string(key)})
	return nil
}

func (t recorded) PutBlob(owner, data []byte) (storage.Blob, error) {
	blob, err := t.Tx.PutBlob(owner, data)
	if err == nil {
		*t.writes = append(*t.writes, Write{Key: string(owner), Value: append([]byte{}, data...)})
	}
	return blob, err
}

func (t recorded) DeleteBlob(owner []byte) error {
	if err := t.Tx.DeleteBlob(owner); err != nil {
		return err
	}
	*t.writes = append(*t.writes, Write{Key: string(owner)})
	return nil
}
