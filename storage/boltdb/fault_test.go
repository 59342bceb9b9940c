package boltdb

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"society-tui/storage"
)

// fresh opens a new store that holds n rows, each from a commit of its own.
func fresh(t *testing.T, limit int64, n int) *Store {
	t.Helper()
	s, err := open(filepath.Join(t.TempDir(), "society.db"), limits{size: limit, lockWait: lockWait, steps: steps()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for i := range n {
		if err := put(s, i); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func put(s *Store, i int) error {
	return s.Update(func(tx storage.Tx) error {
		return tx.Put("rows", fmt.Appendf(nil, "%04d", i), bytes.Repeat([]byte("value "), 300))
	})
}

// count returns how many rows there are, forward and backward.
func count(s *Store) (n int, err error) {
	err = s.View(func(tx storage.Tx) error {
		back := 0
		for range tx.Range("rows", nil, nil) {
			n++
		}
		for range tx.Backward("rows", nil, nil) {
			back++
		}
		if n != back {
			return fmt.Errorf("%d rows forward, %d backward", n, back)
		}
		return nil
	})
	return n, err
}

func holds(t *testing.T, s *Store, want int) {
	t.Helper()
	if n, err := count(s); err != nil || n != want {
		t.Fatalf("%d rows, %v; want %d", n, err, want)
	}
}

// A closed descriptor stands for a disk that takes nothing more: the commit fails
// in the middle, and a new descriptor works.
func TestAfterAFailedCommitTheStoreIsInOrderAgain(t *testing.T) {
	t.Parallel()
	s := fresh(t, MaxSize, 10)
	for i := range 3 {
		if err := s.file.Close(); err != nil {
			t.Fatal(err)
		}
		if err := put(s, 10+i); !errors.Is(err, os.ErrClosed) || errors.Is(err, storage.ErrDamaged) {
			t.Fatalf("a commit without a file: %v", err)
		}
		holds(t, s, 10+i)
		if err := errors.Join(put(s, 10+i), s.Check()); err != nil {
			t.Fatal(err)
		}
		holds(t, s, 11+i)
	}
}

// A commit whose last fsync fails is in the file as the kernel shows it, and must
// not be found there. With the descriptor gone it can only be withdrawn after the
// file was opened again.
func TestAFailedCommitIsWithdrawn(t *testing.T) {
	t.Parallel()
	for name, hinder := range map[string]func(*Store) error{
		"at once":         func(*Store) error { return nil },
		"after reopening": func(s *Store) error { return s.file.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fresh(t, MaxSize, 10)
			for round := range 3 {
				var id int
				if err := s.Update(func(x storage.Tx) error {
					id = x.(*tx).bolt.ID()
					return errors.Join(x.Put("rows", []byte("9999"), []byte("false")), x.Delete("rows", []byte("0003")))
				}); err != nil {
					t.Fatal(err)
				}
				// What commit does when the fsync reports an error.
				s.doubtful = id
				s.spoil(errors.New("fsync: input/output error"))
				if err := hinder(s); err != nil {
					t.Fatal(err)
				}
				if _, err := count(s); err == nil {
					t.Fatal("a view read a file whose last commit is in doubt")
				}
				if err := put(s, 10+round); err != nil {
					t.Fatal(err)
				}
				holds(t, s, 11+round)
				isWithdrawn(t, s)
			}
			if err := errors.Join(s.Check(), s.Close()); err != nil {
				t.Fatal(err)
			}
			again, err := Open(s.path)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			holds(t, again, 13)
			isWithdrawn(t, again)
		})
	}
}

// isWithdrawn fails if there is anything of the commit that put row 9999 and deleted
// row 0003, which leaves the number of rows as it was.
func isWithdrawn(t *testing.T, s *Store) {
	t.Helper()
	must(t, s.View(func(tx storage.Tx) error {
		false9999, err := tx.Get("rows", []byte("9999"))
		row3, err3 := tx.Get("rows", []byte("0003"))
		if false9999 != nil || row3 == nil {
			t.Errorf("the failed commit is there: row 9999 is %q, row 0003 %.10q", false9999, row3)
		}
		return errors.Join(err, err3)
	}))
}

func TestADoubtfulCommitIsWithdrawnByCloseToo(t *testing.T) {
	t.Parallel()
	s := fresh(t, MaxSize, 10)
	var id int
	if err := s.Update(func(x storage.Tx) error {
		id = x.(*tx).bolt.ID()
		return x.Put("rows", []byte("9999"), []byte("false"))
	}); err != nil {
		t.Fatal(err)
	}
	s.doubtful = id
	s.spoil(errors.New("fsync: input/output error"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	holds(t, again, 10)
	if err := again.Check(); err != nil {
		t.Errorf("what was withdrawn is taken for damage: %v", err)
	}
}

// A file that another program truncates while it is open is a
// fault for whoever reads it, and must be an error.
func TestAFileThatIsCutWhileOpenIsAnErrorAndHealsWithTheFile(t *testing.T) {
	t.Parallel()
	page := int64(os.Getpagesize())
	for _, size := range []int64{0, 100, page, 2 * page, 5 * page} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			s := fresh(t, MaxSize, 100)
			content, err := os.ReadFile(s.path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(s.path, size); err != nil {
				t.Fatal(err)
			}
			if n, err := count(s); !errors.Is(err, storage.ErrDamaged) {
				t.Fatalf("view: %d rows, %v", n, err)
			}
			for range 2 {
				if err := put(s, 100); !errors.Is(err, storage.ErrDamaged) {
					t.Fatalf("update: %v", err)
				}
			}
			if err := s.Check(); !errors.Is(err, storage.ErrDamaged) {
				t.Fatalf("check: %v", err)
			}
			if _, err := s.Size(); !errors.Is(err, storage.ErrDamaged) {
				t.Fatalf("size: %v", err)
			}
			// The same file, whole again.
			if err := os.WriteFile(s.path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := put(s, 100); err != nil {
				t.Fatal(err)
			}
			holds(t, s, 101)
		})
	}
}

func TestAFileThatIsCutCanBeClosedAndMovedAside(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{0, 30_000} {
		for _, use := range []func(*Store) error{
			func(*Store) error { return nil },
			func(s *Store) error { _, err := count(s); return err },
			func(s *Store) error { return put(s, 100) },
		} {
			s := fresh(t, MaxSize, 100)
			if err := os.Truncate(s.path, size); err != nil {
				t.Fatal(err)
			}
			_ = use(s) // what it says is tested above
			_ = s.Close()
			if _, err := MoveAside(s.path, s.since); err != nil {
				t.Fatal(err)
			}
			again, err := Open(s.path)
			if err != nil {
				t.Fatal(err)
			}
			holds(t, again, 0)
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What the program remembers is not in a file that was put in the place of its own.
func TestReplacedFileIsNotReopened(t *testing.T) {
	t.Parallel()
	s, other := fresh(t, MaxSize, 10), fresh(t, MaxSize, 3)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other.path, s.path); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Reopen(); err == nil || !strings.Contains(err.Error(), "another file") {
			t.Fatalf("reopen: %v", err)
		}
		if err := put(s, 10); err == nil || !strings.Contains(err.Error(), "another file") {
			t.Fatalf("update: %v", err)
		}
	}
	if err := os.Remove(s.path); err != nil {
		t.Fatal(err)
	}
	if err := s.Reopen(); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a store that has vanished was reopened: %v", err)
	}
}

func TestAFullFileRefusesAndTakesAgainWhatFits(t *testing.T) {
	t.Parallel()
	s := fresh(t, 4<<20, 0)
	n := 0
	var err error
	for ; err == nil; n++ {
		err = s.Update(func(tx storage.Tx) error {
			return tx.Put("rows", fmt.Appendf(nil, "%04d", n), make([]byte, 100_000))
		})
	}
	n-- // the last one did not fit
	if !errors.Is(err, bolterrors.ErrMaxSizeReached) || n < 10 {
		t.Fatalf("full after %d rows: %v", n, err)
	}
	holds(t, s, n)
	if size, err := s.Size(); err != nil || size > 4<<20 {
		t.Errorf("size %d, %v", size, err)
	}
	if err := s.Update(func(tx storage.Tx) error {
		return errors.Join(tx.Delete("rows", []byte("0000")), tx.Delete("rows", []byte("0001")))
	}); err != nil {
		t.Fatal(err)
	}
	if err := put(s, 9999); err != nil {
		t.Fatal(err)
	}
	holds(t, s, n-1)
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

// What was written before a read failed is not kept, though who reads has not looked at
// the error.
func TestAnUpdateThatMetDamageKeepsNothing(t *testing.T) {
	t.Parallel()
	s := fresh(t, MaxSize, 100)
	var root int64
	must(t, s.db.View(func(tx *bbolt.Tx) error {
		root = int64(tx.Bucket([]byte("rows")).Root())
		return nil
	}))
	size := int64(s.db.Info().PageSize)
	branch := make([]byte, size)
	_, err := s.file.ReadAt(branch, root*size)
	must(t, err)
	fifth := branch[16+5*16:] // an element: where its key is, how long that is, its child
	key := fifth[binary.NativeEndian.Uint32(fifth):][:binary.NativeEndian.Uint32(fifth[4:])]
	_, err = s.file.WriteAt(make([]byte, size), int64(binary.NativeEndian.Uint64(fifth[8:]))*size)
	must(t, err)
	err = s.Update(func(tx storage.Tx) error {
		if err := tx.Put("other", []byte("a"), []byte("b")); err != nil {
			return err
		}
		_, _ = tx.Get("rows", key)
		return nil
	})
	if !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("an update over a page that is gone: %v", err)
	}
}

// A commit that did not get as far as the file is not there to be withdrawn; the two
// states that are there stay.
func TestOnlyAWrittenCommitIsWithdrawn(t *testing.T) {
	t.Parallel()
	s := fresh(t, MaxSize, 10)
	var last int
	must(t, s.Update(func(x storage.Tx) error {
		last = x.(*tx).bolt.ID()
		return x.Put("rows", []byte("0010"), []byte("the last"))
	}))
	before, err := os.ReadFile(s.path)
	must(t, err)
	s.doubtful = last + 1
	must(t, s.withdraw())
	if after, err := os.ReadFile(s.path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("withdraw of a commit that is not in the file changed the file (%v)", err)
	}
}

// What another has put in the place of the file is not overwritten by Compact.
func TestCompactDoesNotOverwriteAnotherFile(t *testing.T) {
	t.Parallel()
	s, other := fresh(t, MaxSize, 10), fresh(t, MaxSize, 3)
	must(t, other.Close(), os.Rename(other.path, s.path))
	if _, _, err := s.Compact(context.Background()); !errors.Is(err, errReplaced) {
		t.Errorf("compact: %v", err)
	}
	again, err := Open(s.path)
	must(t, err)
	defer again.Close()
	holds(t, again, 3)
}

// A panic behind the last write stands for an fsync that fails there: the commit is in
// the file, and was not acknowledged.
func TestACommitThatFailsWhenItIsInTheFileIsWithdrawn(t *testing.T) {
	t.Parallel()
	s := fresh(t, MaxSize, 10)
	err := s.Update(func(x storage.Tx) error {
		x.(*tx).bolt.OnCommit(func() { panic("the disk failed") })
		return errors.Join(x.Put("rows", []byte("9999"), []byte("false")), x.Delete("rows", []byte("0003")))
	})
	if err == nil || !strings.Contains(err.Error(), "the disk failed") {
		t.Fatalf("the commit: %v", err)
	}
	holds(t, s, 10)
	isWithdrawn(t, s)
}
