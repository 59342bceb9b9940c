package storagetest_test

import (
	"errors"
	"testing"

	"society-tui/storage"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

func TestAFaultyStoreThatIsLeftAloneKeepsEveryPromise(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, func(*testing.T) storage.Store { return storagetest.NewFaulty(memdb.New()) })
}

func TestTheKthUpdateFailsBeforeOrAfterItsCommit(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	s := storagetest.NewFaulty(memdb.New())
	s.FailBefore(2, broken)
	s.FailAfter(4, broken)
	want := []struct {
		err  error
		kept bool
	}{{nil, true}, {broken, false}, {nil, true}, {broken, true}, {nil, true}}
	for i, w := range want {
		key, called := []byte{'k', byte(i)}, 0
		err := s.Update(func(tx storage.Tx) error {
			called++
			return tx.Put("b", key, []byte("v"))
		})
		if !errors.Is(err, w.err) || called != 1 {
			t.Errorf("update %d returned %v after %d calls, want %v after one", i+1, err, called, w.err)
		}
		if kept(t, s, key) != w.kept {
			t.Errorf("update %d: kept is %v, want %v", i+1, !w.kept, w.kept)
		}
	}
	if s.Updates() != len(want) {
		t.Errorf("%d updates, want %d", s.Updates(), len(want))
	}
}

func TestAFullDiskTakesNothingUntilItHeals(t *testing.T) {
	t.Parallel()
	full, own := errors.New("no space left"), errors.New("of the function")
	s := storagetest.NewFaulty(memdb.New())
	add := func(key string) error {
		return s.Update(func(tx storage.Tx) error { return tx.Put("b", []byte(key), []byte("v")) })
	}
	s.FailAll(full)
	for range 3 {
		if err := add("lost"); !errors.Is(err, full) {
			t.Fatalf("a full disk answered %v", err)
		}
	}
	if err := s.Update(func(storage.Tx) error { return own }); !errors.Is(err, own) {
		t.Errorf("the function's own error became %v", err)
	}
	s.Heal()
	if err := add("kept"); err != nil {
		t.Fatalf("after healing: %v", err)
	}
	if kept(t, s, []byte("lost")) || !kept(t, s, []byte("kept")) {
		t.Error("want only what was put after healing")
	}
}

func kept(t *testing.T, s storage.Store, key []byte) bool {
	t.Helper()
	var value []byte
	if err := s.View(func(tx storage.Tx) (err error) {
		value, err = tx.Get("b", key)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return value != nil
}
