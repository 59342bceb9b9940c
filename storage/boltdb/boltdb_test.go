package boltdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"society-tui/storage"
	"society-tui/storage/boltdb"
	"society-tui/storage/storagetest"
)

func TestKeepsThePromisesOfADurableStore(t *testing.T) {
	t.Parallel()
	storagetest.RunDurable(t, func(t *testing.T, dir string) storage.Store {
		return open(t, filepath.Join(dir, "society.db"))
	})
}

func open(t testing.TB, path string) *boltdb.Store {
	t.Helper()
	s, err := boltdb.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closed(t testing.TB, s *boltdb.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// rows puts n rows into a bucket, numbered from first.
func rows(t testing.TB, s storage.Store, first, n int) {
	t.Helper()
	if err := s.Update(func(tx storage.Tx) error {
		for i := first; i < first+n; i++ {
			if err := tx.Put("rows", row(i), bytes.Repeat([]byte("value "), 50)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func row(i int) []byte { return fmt.Appendf(nil, "row %06d", i) }

// hasRows checks that the bucket holds rows 0 to n-1 and nothing else.
func hasRows(t testing.TB, s storage.Store, n int) {
	t.Helper()
	if err := s.View(func(tx storage.Tx) error {
		i := 0
		for k := range tx.Range("rows", nil, nil) {
			if string(k) != string(row(i)) {
				return fmt.Errorf("found %s where row %d should be", k, i)
			}
			i++
		}
		if i != n {
			return fmt.Errorf("found %d rows, want %d", i, n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// filled makes a store with n rows, closes it and returns its path.
func filled(t testing.TB, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "society.db")
	s := open(t, path)
	rows(t, s, 0, n)
	closed(t, s)
	return path
}

func TestANewStoreLeavesNothingElseInItsFolder(t *testing.T) {
	t.Parallel()
	path := filled(t, 1)
	if got := names(t, filepath.Dir(path)); got != "society.db" {
		t.Errorf("the folder holds %s", got)
	}
	s := open(t, path)
	if got := names(t, filepath.Dir(path)); got != "society.db society.db.lock" {
		t.Errorf("while it is open the folder holds %s", got)
	}
	closed(t, s)
	if got := names(t, filepath.Dir(path)); got != "society.db" {
		t.Errorf("after it was closed the folder holds %s", got)
	}
}

// Who dies while it makes a store, or compacts one, leaves a draft. It is gone when the
// store is opened next; what else lies there is not ours.
func TestDraftsOfKilledProcessesAreRemoved(t *testing.T) {
	t.Parallel()
	path := filled(t, 1)
	for _, name := range []string{".new-42", ".new-18446744073709551615", ".compact", ".lock-42", ".new-", ".new-ideas", ".new-4x", ".damaged-20260101-000000"} {
		if err := os.WriteFile(path+name, []byte("a draft"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "other.db.new-42"), []byte("another's"), 0o600); err != nil {
		t.Fatal(err)
	}
	closed(t, open(t, path))
	const want = "other.db.new-42 society.db society.db.damaged-20260101-000000 society.db.new- society.db.new-4x society.db.new-ideas"
	if got := names(t, filepath.Dir(path)); got != want {
		t.Errorf("the folder holds %s", got)
	}
}

func names(t testing.TB, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestFilesAreTheOwnersAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // there are no such modes
	}
	folder := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(folder, "society.db")
	s := open(t, path)
	mode(t, folder, 0o700)
	mode(t, path, 0o600)
	mode(t, path+".lock", 0o600)
	closed(t, s)
	for _, loose := range []fs.FileMode{0o644, 0o666, 0o660} {
		if err := os.Chmod(path, loose); err != nil {
			t.Fatal(err)
		}
		s := open(t, path)
		mode(t, path, 0o600)
		closed(t, s)
	}
}

func mode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	stat, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := stat.Mode().Perm(); got != want {
		t.Errorf("%s has mode %#o, want %#o", path, got, want)
	}
}

func TestTheStoresOwnBucketCannotBeWritten(t *testing.T) {
	t.Parallel()
	path := filled(t, 3)
	s := open(t, path)
	for name, f := range map[string]func(storage.Tx) error{
		"put":    func(tx storage.Tx) error { return tx.Put("storage.format", []byte("version"), []byte("9")) },
		"delete": func(tx storage.Tx) error { return tx.Delete("storage.format", []byte("version")) },
	} {
		if err := s.Update(f); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	closed(t, s)
	s = open(t, path)
	defer closed(t, s)
	hasRows(t, s, 3)
}

func TestSizeIsThatOfTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "society.db")
	s := open(t, path)
	before, err := s.Size()
	if err != nil || before == 0 {
		t.Fatalf("size %d, %v", before, err)
	}
	rows(t, s, 0, 1000)
	after, err := s.Size()
	stat, statErr := os.Stat(path)
	if err != nil || statErr != nil || after != stat.Size() || after <= before {
		t.Errorf("size %d (%v) after %d; the file has %v (%v)", after, err, before, stat, statErr)
	}
	closed(t, s)
	if _, err := s.Size(); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("size of a closed store: %v", err)
	}
	if err := s.Check(); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("check of a closed store: %v", err)
	}
	if err := s.Reopen(); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("reopening a closed store: %v", err)
	}
}

func TestASoundStorePassesItsCheck(t *testing.T) {
	t.Parallel()
	s := open(t, filled(t, 2000))
	defer closed(t, s)
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	rows(t, s, 2000, 500)
	if err := s.Update(func(tx storage.Tx) error {
		for i := 1000; i < 2500; i++ {
			if err := tx.Delete("rows", row(i)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := s.Reopen(); err != nil {
		t.Error(err)
	}
	hasRows(t, s, 1000)
}
