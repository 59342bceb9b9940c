// Package memdb is a store in memory, which is lost with the process.
//
// It keeps all other promises of package storage, starts no goroutine and blocks on
// mutexes only, so that it can be used inside a testing/synctest bubble.
package memdb

import (
	"sync"

	"society-tui/storage"
)

// A Store is a storage.Store in memory. It is made by New.
type Store struct {
	update sync.Mutex // held by Update: one at a time

	life   sync.RWMutex // held for reading by every transaction, so that Close waits for them
	closed bool

	latest  sync.Mutex
	buckets buckets // what the last commit left
}

var _ storage.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	return &Store{}
}

// Clone returns a separate store that holds what the last commit left, as a disk would
// after a crash.
func (s *Store) Clone() *Store {
	return &Store{buckets: s.snapshot()}
}

// View calls f with the state that the last commit left. A View never waits for
// an Update.
func (s *Store) View(f func(storage.Tx) error) error {
	s.life.RLock()
	defer s.life.RUnlock()
	if s.closed {
		return storage.ErrClosed
	}
	t := begin(s.snapshot(), false)
	defer t.end()
	return f(t)
}

// Update calls f and keeps its changes if it returns nil.
func (s *Store) Update(f func(storage.Tx) error) error {
	s.update.Lock()
	defer s.update.Unlock()
	s.life.RLock()
	defer s.life.RUnlock()
	if s.closed {
		return storage.ErrClosed
	}
	t := begin(s.snapshot(), true)
	defer t.end()
	if err := f(t); err != nil {
		return err
	}
	s.latest.Lock()
	defer s.latest.Unlock()
	s.buckets = t.buckets
	return nil
}

// Close waits for running transactions and drops what the store holds.
func (s *Store) Close() error {
	s.life.Lock()
	defer s.life.Unlock()
	s.closed = true
	s.latest.Lock()
	defer s.latest.Unlock()
	s.buckets = nil
	return nil
}

func (s *Store) snapshot() buckets {
	s.latest.Lock()
	defer s.latest.Unlock()
	return s.buckets
}
