package boltdb_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/storage"
	"society-tui/storage/boltdb"
)

func TestASecondOpenerIsToldWhoHoldsTheFile(t *testing.T) {
	t.Parallel()
	path := filled(t, 3)
	began := time.Now().Add(-time.Second)
	s := open(t, path)
	defer closed(t, s)
	var locked *boltdb.LockedError
	_, err := boltdb.Open(path)
	if !errors.As(err, &locked) || !errors.Is(err, storage.ErrLocked) {
		t.Fatalf("a second open: %v", err)
	}
	if locked.PID != os.Getpid() || locked.Since.Before(began) || locked.Since.After(time.Now()) {
		t.Errorf("it names pid %d since %s", locked.PID, locked.Since)
	}
	for _, want := range []string{path, fmt.Sprintf("pid %d", os.Getpid()), locked.Since.Format(time.DateTime)} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	rows(t, s, 3, 1)
	hasRows(t, s, 4)
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// Of many that start at the same moment, on a fresh folder too, one gets the store
// and the others are told that it is in use; none takes it for damaged.
func TestOneOfManyOpenersWins(t *testing.T) {
	t.Parallel()
	for _, path := range []string{filled(t, 3), filepath.Join(t.TempDir(), "fresh", "society.db")} {
		var all sync.WaitGroup
		var won atomic.Int32
		var winner atomic.Pointer[boltdb.Store]
		for range 8 {
			all.Go(func() {
				s, err := boltdb.Open(path)
				switch {
				case err == nil:
					won.Add(1)
					winner.Store(s)
				case !errors.Is(err, storage.ErrLocked):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d openers won", won.Load())
		}
		rows(t, winner.Load(), 0, 5)
		closed(t, winner.Load())
		if got := names(t, filepath.Dir(path)); got != "society.db" {
			t.Errorf("the folder holds %s", got)
		}
	}
}

func TestCloseReleasesTheLockAtOnce(t *testing.T) {
	t.Parallel()
	path := filled(t, 3)
	synctest.Test(t, func(t *testing.T) {
		s := open(t, path)
		opened := make(chan error, 1)
		go func() {
			next, err := boltdb.Open(path)
			if err == nil {
				err = next.Close()
			}
			opened <- err
		}()
		synctest.Wait() // the other waits
		closed(t, s)
		if err := <-opened; err != nil {
			t.Error(err)
		}
	})
}
