// Package storage defines a durable ordered key-value store: what an implementation must
// promise.
//
// It knows nothing of agents: buckets hold keys in byte order, a transaction sees one
// consistent state, and a committed change outlives the process. Package storagetest tests
// these promises for every implementation, boltdb and memdb.
package storage

import (
	"errors"
	"iter"
)

// MaxValue is the largest value, in bytes, that Put accepts. Longer bodies are
// cut into chunks by whoever keeps them, so that no single record can stall a
// commit for seconds.
const MaxValue = 1 << 20

// MaxBlob is the largest number of bytes that PutBlob accepts.
const MaxBlob = 16 << 20

// MaxKey is the largest key and the longest name of a bucket, in bytes, that Put
// accepts.
const MaxKey = 32 << 10

var (
	// ErrLocked is returned by an implementation's Open when another process
	// holds the store.
	ErrLocked = errors.New("the store is in use by another process")
	// ErrDamaged is returned by Open, wrapped with what is wrong, when the store
	// was opened under its lock and its content cannot be trusted. A transaction
	// returns it when the content failed later.
	ErrDamaged = errors.New("the store is damaged")
	// ErrNewer is returned by Open when the store was written by a later version
	// of the format than this program knows. Nothing is changed.
	ErrNewer = errors.New("the store was written by a newer version")
	// ErrTooLarge is returned by Put for a value above MaxValue and for a key or
	// a bucket's name above MaxKey.
	ErrTooLarge = errors.New("too large for the store")
	// ErrNoKey is returned by Put when the key or the bucket's name is empty.
	ErrNoKey = errors.New("neither a key nor the name of a bucket may be empty")
	// ErrClosed is returned by every call after Close, and by a Tx that is used
	// after the function it was given to has returned.
	ErrClosed = errors.New("the store is closed")
	// ErrLost is returned by Blob, wrapped with which bytes they are, when they are missing
	// or not what was kept. Only the record that names them is damaged.
	ErrLost = errors.New("bytes that are kept beside the store are missing or damaged")
	// ErrReadOnly is returned by Put and Delete inside View.
	ErrReadOnly = errors.New("the transaction only reads")
)

// A Store keeps buckets of keys. Its methods may be called from any goroutine,
// but not from inside a transaction; Update calls run one at a time.
type Store interface {
	// View calls f with a transaction that sees one consistent snapshot and
	// returns what f returns. A panic in f goes on.
	View(f func(Tx) error) error
	// Update calls f with a transaction and commits it if f returns nil. f is called once
	// at most: not at all when the store is broken. A panic in f rolls back and goes on.
	//
	// When Update returns nil the changes are on disk; when it returns an error none of
	// them is. After a commit that failed the store repairs itself before it is used
	// again; a program that dies before that may find all of the changes, never a part.
	// While it cannot be repaired, every call returns why, and each Update tries again.
	Update(f func(Tx) error) error
	// Close waits for running transactions and releases the store. A second
	// Close does nothing.
	Close() error
}

// A Tx is valid only inside the function it was given to, on the goroutine that
// was given it. A bucket exists from its first Put on. Keys are not empty.
//
// When the content fails under a read, the read returns ErrDamaged or its
// sequence ends early, and View or Update returns ErrDamaged whatever the function
// returned.
type Tx interface {
	// Get returns the value of key, nil if there is none; an empty value is not
	// nil. The caller may keep the value: it is a copy.
	Get(bucket string, key []byte) ([]byte, error)
	// Put sets the value of key. It copies both.
	Put(bucket string, key, value []byte) error
	// Delete removes key; removing what is not there is no error.
	Delete(bucket string, key []byte) error
	// Range yields the keys k with from <= k < to in byte order (nil to: to the
	// end; nil from: from the start). Key and value are valid until the next
	// step; copy what is kept, and write to neither. The bucket must not be
	// changed meanwhile.
	Range(bucket string, from, to []byte) iter.Seq2[[]byte, []byte]
	// Backward yields the same keys as Range from the last to the first.
	Backward(bucket string, from, to []byte) iter.Seq2[[]byte, []byte]
	// PutBlob keeps data beside the buckets for an owner, in place of what was kept for it,
	// and returns its name. An owner is a key of the caller's. Equal data of several owners
	// is kept once.
	PutBlob(owner, data []byte) (Blob, error)
	// Blob returns the bytes with a name, which the caller may keep and change. The error
	// wraps ErrLost if they are not there as they were put.
	Blob(name Hash) ([]byte, error)
	// DeleteBlob keeps no bytes for owner any more; if none are kept that is no error.
	// What has no owner left is deleted after the commit, when no View reads it any more.
	DeleteBlob(owner []byte) error
}
