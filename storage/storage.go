// Package storage says what a durable ordered key-value store must promise.
//
// It is ignorant of agents: buckets hold keys in byte order, a transaction sees
// one consistent state, and a committed change outlives the process. Package
// storagetest holds the promises as a suite that every implementation passes.
package storage

import (
	"errors"
	"iter"
)

// MaxValue is the largest value, in bytes, that Put accepts. Longer bodies are
// cut into chunks by whoever keeps them, so that no single record can stall a
// commit for seconds.
const MaxValue = 1 << 20

var (
	// ErrLocked is returned by an implementation's Open when another process
	// holds the store.
	ErrLocked = errors.New("the store is in use by another process")
	// ErrDamaged is returned by Open, wrapped with what is wrong, when the store
	// was opened under its lock and its content cannot be trusted.
	ErrDamaged = errors.New("the store is damaged")
	// ErrNewer is returned by Open when the store was written by a later version
	// of the format than this program knows. Nothing is changed.
	ErrNewer = errors.New("the store was written by a newer version")
	// ErrTooLarge is returned by Put for a value above MaxValue.
	ErrTooLarge = errors.New("the value is too large")
	// ErrClosed is returned by every call after Close.
	ErrClosed = errors.New("the store is closed")
	// ErrReadOnly is returned by Put and Delete inside View.
	ErrReadOnly = errors.New("the transaction only reads")
)

// A Store keeps buckets of keys. Its methods may be called from any goroutine;
// Update calls run one at a time.
type Store interface {
	// View calls f with a transaction that sees one consistent snapshot and
	// returns what f returns. f must not call Update.
	View(f func(Tx) error) error
	// Update calls f with a transaction and commits it if f returns nil. When
	// Update returns nil the changes are on disk; when it returns an error
	// none of them is. f is called exactly once. A panic in f rolls back and
	// goes on.
	Update(f func(Tx) error) error
	// Close waits for running transactions and releases the store. A second
	// Close does nothing.
	Close() error
}

// A Tx is valid only inside the function it was given to. Buckets come into
// being with their first Put. Keys are not empty.
type Tx interface {
	// Get returns the value of key, nil if there is none. The caller may keep
	// the value: it is a copy.
	Get(bucket string, key []byte) ([]byte, error)
	// Put sets the value of key. It copies both.
	Put(bucket string, key, value []byte) error
	// Delete removes key; removing what is not there is no error.
	Delete(bucket string, key []byte) error
	// Range yields the keys k with from <= k < to in byte order (nil to: to the
	// end; nil from: from the start). Key and value are valid until the next
	// step; copy what is kept. The bucket must not be changed meanwhile.
	Range(bucket string, from, to []byte) iter.Seq2[[]byte, []byte]
	// Backward yields the same keys as Range from the last to the first.
	Backward(bucket string, from, to []byte) iter.Seq2[[]byte, []byte]
}
