package boltdb

import (
	"fmt"

	"society-tui/storage"
	"society-tui/storage/boltfile"
)

// mend reopens the file if it is out of order. Only then does it wait for running
// views. The caller holds s.update.
func (s *Store) mend() error {
	if s.broken() == nil {
		return nil
	}
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.closed {
		return storage.ErrClosed
	}
	return s.reopen()
}

// reopen closes the file, opens it again and checks it. After a failed fsync the
// kernel's copy of the file, which is all that the mapping shows, may differ from
// the disk and is marked as written, so nothing may build on it before the
// doubtful commit is withdrawn from both. The caller holds s.update and s.gate.
func (s *Store) reopen() error {
	_ = s.withdraw() // at best while the lock is still held
	_ = s.release()
	err := s.acquire()
	if err == nil && s.doubtful != 0 {
		if err = s.withdraw(); err == nil {
			_ = s.release()
			err = s.acquire()
		}
	}
	if err != nil {
		err = fmt.Errorf("reopen %s: %w", s.path, err)
	}
	s.spoil(err)
	return err
}

// withdraw makes the doubtful commit unreadable, if it got as far as the file. The
// caller holds s.gate.
func (s *Store) withdraw() error {
	if s.doubtful == 0 || s.db == nil {
		return nil
	}
	erased, err := boltfile.EraseCommit(s.file, int64(s.db.Info().PageSize), uint64(s.doubtful))
	if err == nil && erased {
		err = s.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("withdraw the failed commit: %w", err)
	}
	s.doubtful = 0
	return nil
}

// release closes the file. The caller holds s.gate.
func (s *Store) release() error {
	if s.db == nil {
		return nil
	}
	db, file := s.db, s.file
	s.db, s.file = nil, nil
	if s.stuck.Swap(false) {
		// bbolt's own Close would wait for ever for a lock that a fault left
		// taken. Abandoning the file frees it for others; the mapping stays.
		return abandon(file)
	}
	return guarded("close", db.Close)
}
