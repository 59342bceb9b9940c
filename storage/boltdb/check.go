package boltdb

import (
	"context"
	"errors"
	"fmt"

	"society-tui/storage"
	"society-tui/storage/blobs"
	"society-tui/storage/boltfile"
)

// maxProblems limits the problems that Check names; a broken page can cause thousands.
const maxProblems = 100

// Check verifies the whole file and returns all problems joined, each wrapping
// storage.ErrDamaged, or storage.ErrLost for bytes beside the file. It takes the time of
// reading everything once or twice, during which updates wait and views go on.
func (s *Store) Check() error {
	s.update.Lock()
	defer s.update.Unlock()
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.closed {
		return storage.ErrClosed
	}
	if err := s.broken(); err != nil {
		return err
	}
	// Our own check comes first: that of bbolt runs on a goroutine of its own, where a
	// fault on a truncated file could not be caught.
	if err := boltfile.Verify(context.Background(), s.file); err != nil {
		return fmt.Errorf("check %s: %w", s.path, err)
	}
	t, err := s.begin(false)
	if err != nil {
		return err
	}
	defer t.end()
	var problems []error
	more := 0
	for problem := range t.bolt.Check() {
		if len(problems) == maxProblems {
			more++
			continue
		}
		problems = append(problems, fmt.Errorf("check %s: %w: %w", s.path, storage.ErrDamaged, problem))
	}
	if more > 0 {
		problems = append(problems, fmt.Errorf("check %s: and %d problems more", s.path, more))
	}
	list, err := blobs.All(t)
	if err == nil {
		err = s.folder().Verify(context.Background(), list)
	}
	if err != nil {
		problems = append(problems, fmt.Errorf("check %s: %w", s.path, err))
	}
	return errors.Join(problems...)
}
