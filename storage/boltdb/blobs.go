package boltdb

import (
	"society-tui/storage"
	"society-tui/storage/blobs"
)

func (s *Store) folder() blobs.Folder {
	f := blobs.FolderOf(s.path)
	f.Noted = s.limits.noted
	return f
}

// A keeper keeps the bytes of a transaction beside the file.
type keeper struct{ *Store }

func (k keeper) Read(name storage.Hash) ([]byte, error) { return k.folder().Read(name) }

// Write writes a file, which nobody names if the transaction is not committed.
func (k keeper) Write(name storage.Hash, data []byte) error {
	if err := k.folder().Write(name, data); err != nil {
		return err
	}
	k.unsynced = true
	return k.Drop(name)
}

// Drop leaves the file for what follows the commit.
func (k keeper) Drop(name storage.Hash) error {
	if k.loose == nil {
		k.loose = map[storage.Hash]struct{}{}
	}
	k.loose[name] = struct{}{}
	return nil
}

// syncBlobs puts the names of new files on disk, before the commit that gives them to
// records.
func (s *Store) syncBlobs() error {
	if !s.unsynced {
		return nil
	}
	if err := s.folder().Sync(); err != nil {
		return err
	}
	s.unsynced = false
	return nil
}

// dropLoose deletes files that no record names any more. While a View may still read them
// they stay until a later commit, until Close, or until the store is opened again. The
// caller holds s.update.
func (s *Store) dropLoose() {
	if len(s.loose) == 0 || !s.gate.TryLock() {
		return
	}
	defer s.gate.Unlock()
	s.removeLoose()
}

// removeLoose is dropLoose for who holds s.gate.
func (s *Store) removeLoose() {
	if len(s.loose) == 0 || s.db == nil {
		return
	}
	t, err := s.begin(false)
	if err != nil {
		return
	}
	defer t.end()
	for name := range s.loose {
		is, err := blobs.IsNamed(t, name)
		if err == nil && !is {
			err = s.folder().Remove(name)
		}
		if err == nil {
			delete(s.loose, name)
		}
	}
}

// sweepBlobs deletes the files that no record names: what a program wrote that died before
// its commit, or had no time to delete after it. If it fails, nothing but room is lost.
func (s *Store) sweepBlobs() {
	t, err := s.begin(false)
	if err != nil {
		return
	}
	defer t.end()
	_ = s.folder().Sweep(func(name storage.Hash) (bool, error) { return blobs.IsNamed(t, name) })
}
