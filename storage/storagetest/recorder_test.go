package storagetest_test

import (
	"errors"
	"testing"

	"society-tui/storage"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

func TestARecorderKeepsEveryPromise(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, func(*testing.T) storage.Store { return storagetest.NewRecorder(memdb.New()) })
}

func TestARecorderRemembersWhatWasCommittedAndGoesBackToAnyCommit(t *testing.T) {
	t.Parallel()
	r := storagetest.NewRecorder(memdb.New())
	broken := errors.New("broken")
	steps := []func(storage.Tx) error{
		func(tx storage.Tx) error { return tx.Put("b", []byte("k"), []byte("one")) },
		func(tx storage.Tx) error { return errors.Join(tx.Put("b", []byte("k"), []byte("never")), broken) },
		func(tx storage.Tx) error { return tx.Put("b", []byte("k"), []byte("two")) },
		func(tx storage.Tx) error { return tx.Delete("b", []byte("k")) },
	}
	for _, step := range steps {
		if err := r.Update(step); err != nil && !errors.Is(err, broken) {
			t.Fatal(err)
		}
	}
	if n := r.Commits(); n != 3 || len(r.Writes()) != 3 {
		t.Fatalf("%d commits and the writes %v are remembered", n, r.Writes())
	}
	for commits, want := range []string{"", "one", "two", ""} {
		s := memdb.New()
		if err := r.Replay(commits, s); err != nil {
			t.Fatal(err)
		}
		err := s.View(func(tx storage.Tx) error {
			got, err := tx.Get("b", []byte("k"))
			if string(got) != want {
				t.Errorf("after %d commits there is %q, not %q", commits, got, want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
