package storagetest

import (
	"errors"
	"testing"

	"society-tui/storage"
)

// An OpenIn opens the store that is kept in the folder dir, a new one if there is
// none.
type OpenIn func(t *testing.T, dir string) storage.Store

// RunDurable tests a store that outlives its process: all that Run tests, and that
// what was committed, and only that, is there after it was closed and opened again.
func RunDurable(t *testing.T, open OpenIn) {
	t.Helper()
	Run(t, func(t *testing.T) storage.Store { return open(t, t.TempDir()) })
	t.Run("WhatWasCommittedIsThereAgain", func(t *testing.T) {
		t.Parallel()
		whatWasCommittedIsThereAgain(t, open)
	})
	t.Run("BytesAreLikeAMapAcrossReopening", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		bytesAreLikeAMap(t, open(t, dir), func(s storage.Store) storage.Store {
			closeStore(t, s)
			return open(t, dir)
		})
	})
	t.Run("AStoreIsLikeAMapAcrossReopening", func(t *testing.T) {
		t.Parallel()
		likeAMapAcrossReopening(t, open)
	})
}

func whatWasCommittedIsThereAgain(t *testing.T, open OpenIn) {
	dir := t.TempDir()
	for range 3 {
		s := open(t, dir)
		put(t, s, "b", "kept", "v")
		put(t, s, "b", "gone", "v")
		update(t, s, func(tx storage.Tx) error { return tx.Delete("b", []byte("gone")) })
		if err := s.Update(func(tx storage.Tx) error {
			return errors.Join(tx.Put("b", []byte("refused"), []byte("v")), errRefused)
		}); !errors.Is(err, errRefused) {
			t.Fatalf("update: %v", err)
		}
		closeStore(t, s)

		s = open(t, dir)
		expect(t, s, "b", "kept", "v")
		expect(t, s, "b", "gone", "")
		expect(t, s, "b", "refused", "")
		closeStore(t, s)
	}
}
