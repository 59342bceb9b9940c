// Package boltdb is a store in one bbolt file, with a folder beside it for large bytes.
//
// It adds safety to bbolt: a file that is empty, truncated or something else is reported
// and left alone, a second process learns who holds the file, and a failed commit is
// withdrawn before the file is used again. Only their owner can read the files.
//
// [Open] opens a store and [Peek] reads one that no process has open. [Store.Copy],
// [Store.Compact], [MoveAside], [Rename], [Remove] and [Salvage] handle whole files; none
// of them overwrites another one, and each takes the folder along.
package boltdb

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"society-tui/storage"
)

// MaxSize is the size in bytes above which a store's file does not grow: Update
// then fails as on a full disk.
const MaxSize = 64 << 30

// A Store is a storage.Store in one file. It is made by Open.
type Store struct {
	path     string
	limits   limits
	since    time.Time   // when it was opened, for those who find it locked
	identity fs.FileInfo // which file it was then

	// update is held by whoever may write: Update, Check, Reopen, Close.
	update sync.Mutex

	// gate is held for reading by every transaction, for writing by whoever
	// replaces what is below. It is taken after update.
	gate     sync.RWMutex
	db       *bbolt.DB // nil while the file could not be reopened
	file     *os.File  // the file under db
	doubtful int       // the failed commit that may still be in the file; 0 if none
	closed   bool

	// unsynced is set when bytes were written beside the file that are to be named by the
	// next commit, and loose are those that perhaps nobody names. They belong to whoever
	// holds update.
	unsynced bool
	loose    map[storage.Hash]struct{}

	// beginning is held while a transaction begins. A panic there leaves locks of
	// bbolt taken: stuck then keeps everybody out of them.
	beginning sync.Mutex
	stuck     atomic.Bool

	state   sync.Mutex
	trouble error // why the file must be reopened before it is used again
}

var _ storage.Store = (*Store)(nil)

// Open opens the store in the file path, and makes it, with its folder, if there is
// none. A file that exists is checked from the first page to the last and is never
// taken for an empty store.
//
// The error is a *LockedError if another process holds the file after a second's
// wait, and wraps storage.ErrDamaged or storage.ErrNewer for what they say. Any
// other error is about the way to the file: a symbolic link, permissions, a
// failing disk. In all these cases the file has not been changed.
func Open(path string) (*Store, error) {
	return open(path, defaults())
}

// limits are set differently in tests only.
type limits struct {
	size     int64         // of the file
	lockWait time.Duration // for another process to let go of the file
	steps    []step        // that lead to the newest version
	noted    func(act, path string)
}

func defaults() limits { return limits{size: MaxSize, lockWait: lockWait, steps: steps()} }

func open(path string, limits limits) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	limits.size = min(limits.size, math.MaxInt)
	s := &Store{path: path, limits: limits, since: time.Now()}
	err = s.acquire()
	if errors.Is(err, errReplaced) { // while it was waited for
		s.identity = nil
		err = s.acquire()
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	writeHolder(path, s.since)
	return s, nil
}

// View calls f with a transaction that reads the last committed state.
func (s *Store) View(f func(storage.Tx) error) error {
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.closed {
		return storage.ErrClosed
	}
	if err := s.broken(); err != nil {
		return err
	}
	t, err := s.begin(false)
	if err != nil {
		return err
	}
	defer t.end()
	err = f(t)
	if t.failed != nil {
		return t.failed
	}
	return err
}

// Update calls f with a transaction and commits it. If the store is out of order
// it is reopened first.
func (s *Store) Update(f func(storage.Tx) error) error {
	s.update.Lock()
	defer s.update.Unlock()
	if err := s.mend(); err != nil {
		return err
	}
	err := s.transact(f)
	if s.broken() != nil {
		// Whether this helps shows at the next call.
		_ = s.mend()
	}
	if err == nil {
		s.dropLoose()
	}
	return err
}

// transact runs f in a transaction and commits it.
func (s *Store) transact(f func(storage.Tx) error) error {
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.closed {
		return storage.ErrClosed
	}
	t, err := s.begin(true)
	if err != nil {
		return err
	}
	defer t.end()
	err = f(t)
	if t.failed != nil {
		return t.failed
	}
	if err == nil {
		err = s.syncBlobs()
	}
	if err != nil {
		return err
	}
	return t.commit()
}

// Reopen closes the file, opens it again and checks it. It waits for running
// transactions. There is no need to call it after a failed Update, which does the
// same by itself; it is for a caller that wants to know now whether the store
// works. If it fails, every call returns why until an Update or Reopen succeeds.
func (s *Store) Reopen() error {
	s.update.Lock()
	defer s.update.Unlock()
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.closed {
		return storage.ErrClosed
	}
	return s.reopen()
}

// Size returns the size of the file in bytes, free pages included.
func (s *Store) Size() (int64, error) {
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.closed {
		return 0, storage.ErrClosed
	}
	if err := s.broken(); err != nil {
		return 0, err
	}
	stat, err := s.file.Stat()
	if err != nil {
		return 0, fmt.Errorf("size of %s: %w", s.path, err)
	}
	return stat.Size(), nil
}

// Close waits for running transactions and releases the file.
func (s *Store) Close() error {
	s.update.Lock()
	defer s.update.Unlock()
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	err := s.withdraw()
	if s.broken() == nil {
		s.removeLoose()
	}
	if s.broken() == nil {
		s.keepFreelist()
	}
	// The note goes first: once the lock is released it may be another's.
	if s.db != nil {
		removeHolder(s.path)
	}
	if err := errors.Join(err, s.release()); err != nil {
		return fmt.Errorf("close %s: %w", s.path, err)
	}
	return nil
}

// keepFreelist writes the list of free pages, which no other commit does because
// it costs a page each time, so that the next Open need not look for them. It is
// an empty commit: if it fails nothing is lost.
func (s *Store) keepFreelist() {
	s.db.NoFreelistSync = false
	if t, err := s.begin(true); err == nil {
		_ = t.commit()
		t.end()
	}
}

// broken returns why the file must be reopened, or nil.
func (s *Store) broken() error {
	s.state.Lock()
	defer s.state.Unlock()
	return s.trouble
}

// spoil marks the file as to be reopened because of err.
func (s *Store) spoil(err error) {
	s.state.Lock()
	defer s.state.Unlock()
	s.trouble = err
}
