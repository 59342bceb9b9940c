package boltdb_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// A copy has all rows and none of the bytes of what was deleted.
func TestCopyHoldsNothingThatWasDeleted(t *testing.T) {
	t.Parallel()
	path := filled(t, 300)
	s := open(t, path)
	defer closed(t, s)
	secret := []byte("a deleted secret")
	put := func(bucket string, n int, value []byte) {
		t.Helper()
		must(t, s.Update(func(tx storage.Tx) error {
			for i := range n {
				if err := tx.Put(bucket, row(i), bytes.Repeat(value, 20)); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	put("secrets", 500, secret)
	put("other", 3, []byte("stays"))
	must(t, s.Update(func(tx storage.Tx) error {
		for i := range 500 {
			if err := tx.Delete("secrets", row(i)); err != nil {
				return err
			}
		}
		return nil
	}))
	if !bytes.Contains(read(t, path), secret) {
		t.Fatal("bbolt has cleared what was deleted: this test shows nothing")
	}
	to := filepath.Join(t.TempDir(), "copy.db")
	copied(t, s, to)
	if bytes.Contains(read(t, to), secret) {
		t.Error("the copy holds what was deleted")
	}
	if stat, err := os.Stat(to); err != nil || stat.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v, %v", stat.Mode(), err)
	}
	if got := names(t, filepath.Dir(to)); got != "copy.db" {
		t.Errorf("beside the copy: %s", got)
	}
	c := open(t, to)
	hasRows(t, c, 300)
	must(t, c.Check())
	closed(t, c)
	if _, err := s.Copy(t.Context(), to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second copy to the same name: %v", err)
	}
	if _, err := s.Copy(t.Context(), filepath.Join(to, "below", "x.db")); err == nil {
		t.Error("a copy into a folder that is none")
	}
}

// A copy that takes several commits is whole: each row stands in its own bucket.
func TestLargeCopyIsComplete(t *testing.T) {
	t.Parallel()
	path := filled(t, 10)
	s := open(t, path)
	defer closed(t, s)
	for i := range 20 { // more than goes with one commit of a copy
		must(t, s.Update(func(tx storage.Tx) error {
			return tx.Put("much", row(i), bytes.Repeat([]byte{byte(i)}, storage.MaxValue))
		}))
	}
	to := filepath.Join(t.TempDir(), "copy.db")
	copied(t, s, to)
	c := open(t, to)
	defer closed(t, c)
	hasRows(t, c, 10)
	must(t, c.View(func(tx storage.Tx) error {
		n := 0
		for key, value := range tx.Range("much", nil, nil) {
			if !bytes.Equal(key, row(n)) || !bytes.Equal(value, bytes.Repeat([]byte{byte(n)}, storage.MaxValue)) {
				return fmt.Errorf("%q stands where row %d should", key, n)
			}
			n++
		}
		if n != 20 {
			return fmt.Errorf("%d of 20 rows were copied", n)
		}
		return nil
	}))
}

// Updates go on while a copy is made, and each copy is one commit's state: all rows
// of one number.
func TestCopyDuringUpdatesIsOneSnapshot(t *testing.T) {
	t.Parallel()
	s := open(t, filled(t, 1))
	defer closed(t, s)
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			err := s.Update(func(tx storage.Tx) error {
				for i := range 400 {
					if err := tx.Put("same", row(i), bytes.Repeat(fmt.Appendf(nil, "%06d ", n), 30)); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	folder := t.TempDir()
	for i := range 5 {
		to := filepath.Join(folder, fmt.Sprint(i))
		copied(t, s, to)
		c := open(t, to)
		seen := map[string]int{}
		must(t, c.View(func(tx storage.Tx) error {
			for _, value := range tx.Range("same", nil, nil) {
				seen[string(value)]++
			}
			return nil
		}))
		closed(t, c)
		if len(seen) > 1 {
			t.Fatalf("the copy has rows of %d moments", len(seen))
		}
	}
	close(stop)
	writer.Wait()
}

func TestCompactGivesBackTheSpaceOfWhatWasDeleted(t *testing.T) {
	t.Parallel()
	path := filled(t, 100)
	s := open(t, path)
	secret := bytes.Repeat([]byte("secret "), 2000)
	must(t, s.Update(func(tx storage.Tx) error {
		for i := range 300 {
			if err := tx.Put("gone", row(i), secret); err != nil {
				return err
			}
		}
		return nil
	}), s.Update(func(tx storage.Tx) error {
		for i := range 300 {
			if err := tx.Delete("gone", row(i)); err != nil {
				return err
			}
		}
		return nil
	}))
	before, after, err := s.Compact(context.Background())
	stat, _ := os.Stat(path)
	if err != nil || after > before/10 || stat.Size() != after {
		t.Fatalf("from %d to %d, and the file has %d (%v)", before, after, stat.Size(), err)
	}
	if err := s.View(func(storage.Tx) error { return nil }); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("the compacted store is still open: %v", err)
	}
	if bytes.Contains(read(t, path), secret[:70]) {
		t.Error("what was deleted is still in the file")
	}
	if got := names(t, filepath.Dir(path)); got != "society.db" {
		t.Errorf("beside it: %s", got)
	}
	s = open(t, path)
	defer closed(t, s)
	hasRows(t, s, 100)
	must(t, s.Check())
	rows(t, s, 100, 50)
	hasRows(t, s, 150)
}

// A compact that is given up leaves the file as it was and the store open; one that is not
// has the records in it that were to be added.
func TestCancelledCompactChangesNothing(t *testing.T) {
	t.Parallel()
	path := filled(t, 100)
	s := open(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := read(t, path)
	if _, _, err := s.Compact(ctx, boltdb.Record{Bucket: "more", Key: []byte("a"), Value: []byte("b")}); !errors.Is(err, context.Canceled) {
		t.Fatalf("given up with %v", err)
	}
	if !bytes.Equal(read(t, path), before) {
		t.Error("the file was changed")
	}
	if got := names(t, filepath.Dir(path)); got != "society.db society.db.lock" {
		t.Errorf("beside it: %s", got)
	}
	rows(t, s, 100, 1)
	_, _, err := s.Compact(t.Context(), boltdb.Record{Bucket: "more", Key: []byte("a"), Value: []byte("b")}, boltdb.Record{Bucket: "rows", Key: []byte("z"), Value: []byte("c")})
	must(t, err)
	s = open(t, path)
	defer closed(t, s)
	must(t, s.View(func(tx storage.Tx) error {
		for bucket, want := range map[string][2]string{"more": {"a", "b"}, "rows": {"z", "c"}} {
			if got, err := tx.Get(bucket, []byte(want[0])); err != nil || string(got) != want[1] {
				t.Errorf("%s has %q, %v", bucket, got, err)
			}
		}
		return nil
	}))
	must(t, s.Check())
}

// compactForEver compacts again and again, and reports each time.
func compactForEver(path string) error {
	for {
		s, err := boltdb.Open(path)
		if err != nil {
			return err
		}
		fmt.Println("begins")
		if _, _, err := s.Compact(context.Background()); err != nil {
			return err
		}
	}
}

// A program that dies while it compacts leaves a whole file with all rows, and the
// next opener takes away what was half done.
func TestAKillWhileCompactingLosesNothing(t *testing.T) {
	t.Parallel()
	path := filled(t, 3000)
	for cycle := range 12 {
		cmd := child(t, "compact", path)
		out, err := cmd.StdoutPipe()
		must(t, err, cmd.Start())
		buffer := make([]byte, 7)
		if _, err := out.Read(buffer); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(cycle) * time.Millisecond) // to die at another moment each time
		must(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		s := open(t, path)
		hasRows(t, s, 3000)
		must(t, s.Check())
		closed(t, s)
		if left, _ := filepath.Glob(path + ".compact"); len(left) > 0 {
			t.Fatalf("left behind: %v", left)
		}
	}
}

// Who waits for a file that is compacted meanwhile gets the new one, not the old one
// that has no name any more.
func TestOpenWaitingForACompactGetsTheNewFile(t *testing.T) {
	t.Parallel()
	path := filled(t, 2000)
	synctest.Test(t, func(t *testing.T) {
		s := open(t, path)
		done := make(chan error, 1)
		go func() {
			synctest.Wait() // the other waits
			_, _, err := s.Compact(context.Background())
			done <- err
		}()
		next, err := boltdb.Open(path)
		must(t, err, <-done)
		rows(t, next, 2000, 1)
		closed(t, next)
	})
	again := open(t, path)
	defer closed(t, again)
	hasRows(t, again, 2001)
}

// What a damaged file still has can be read, the file stays as it is, and what
// could not be read is said.
func TestSalvageYieldsWhatIsReadable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, path string)
		least  int // of 2000 rows
		most   int
		lost   bool
	}{
		{"sound", func(*testing.T, string) {}, 2000, 2000, false},
		{"one page zeroed", func(t *testing.T, path string) { zeroLeaf(t, path) }, 1900, 1999, true},
		{"one meta zeroed", func(t *testing.T, path string) { zero(t, path, 0, int64(page)) }, 500, 2000, false},
		{"both metas zeroed", func(t *testing.T, path string) { zero(t, path, 0, 2*int64(page)) }, 0, 0, true},
		{"empty", func(t *testing.T, path string) { truncate(t, path, 0) }, 0, 0, true},
		{"a text", func(t *testing.T, path string) { write(t, path, bytes.Repeat([]byte("no store\n"), 9000)) }, 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filled(t, 2000)
			c.damage(t, path)
			before := read(t, path)
			n := 0
			lost, err := boltdb.Salvage(path, func(bucket string, key, value []byte) {
				if bucket == "rows" && bytes.HasPrefix(key, []byte("row ")) && bytes.HasPrefix(value, []byte("value ")) {
					n++
				}
			})
			if err != nil || n < c.least || n > c.most || (len(lost) > 0) != c.lost {
				t.Errorf("%d rows, lost %v (%v)", n, lost, err)
			}
			if !bytes.Equal(before, read(t, path)) {
				t.Error("the file was changed")
			}
		})
	}
	held := filled(t, 3)
	s := open(t, held)
	defer closed(t, s)
	if _, err := boltdb.Salvage(held, func(string, []byte, []byte) {}); !errors.Is(err, storage.ErrLocked) {
		t.Errorf("a file that is held: %v", err)
	}
}

// zeroLeaf zeroes the page that holds a row in the middle.
func zeroLeaf(t *testing.T, path string) {
	t.Helper()
	content := read(t, path)
	at := bytes.LastIndex(content, row(1000))
	zero(t, path, int64(at/page*page), int64(page))
}

// copied copies a store of which nothing is lost.
func copied(t *testing.T, s *boltdb.Store, to string) {
	t.Helper()
	lost, err := s.Copy(t.Context(), to)
	if err != nil || len(lost) > 0 {
		t.Fatalf("copy: %v, lost %v", err, lost)
	}
}
