package boltdb_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"society-tui/storage"
	"society-tui/storage/blobs"
	"society-tui/storage/boltdb"
)

func init() { children["keep bytes"] = keepBytesForEver }

// aBlob is what the i-th owner keeps; every other shares it with the one before.
func aBlob(i int) []byte { return bytes.Repeat(fmt.Appendf(nil, "bytes %d ", i/2), 300) }

func keep(s storage.Store, i int) error {
	return s.Update(func(tx storage.Tx) error {
		blob, err := tx.PutBlob(row(i), aBlob(i))
		return errors.Join(err, tx.Put("rows", row(i), []byte(blob.Hash)))
	})
}

// forget deletes what the i-th owner keeps.
func forget(s storage.Store, i int) error {
	return s.Update(func(tx storage.Tx) error { return errors.Join(tx.DeleteBlob(row(i)), tx.Delete("rows", row(i))) })
}

// keepsAll checks that every hash that a row names can be read, and returns how many
// different ones there are.
func keepsAll(t *testing.T, s storage.Store) int {
	t.Helper()
	seen := map[storage.Hash]bool{}
	must(t, s.View(func(tx storage.Tx) error {
		for key, name := range tx.Range("rows", nil, nil) {
			data, err := tx.Blob(storage.Hash(name))
			if err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			seen[storage.HashOf(data)] = true
		}
		return nil
	}))
	return len(seen)
}

// files lists what lies in the folder beside a store.
func files(t *testing.T, path string) []string {
	t.Helper()
	list, err := os.ReadDir(blobs.FolderOf(path).Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.Name()
	}
	return names
}

// withBytes returns the path of a closed store in which n owners keep bytes.
func withBytes(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "society.db")
	s := open(t, path)
	for i := range n {
		must(t, keep(s, i))
	}
	closed(t, s)
	return path
}

func keepBytesForEver(path string) error {
	s, err := boltdb.Open(path)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		if err := errors.Join(keep(s, i), forget(s, i-7)); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

// After a kill at any moment every hash that a record names is there, and what none names
// is deleted with the next start.
func TestBytesSurviveAKillAndNoneAreLeftOver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "society.db")
	for cycle := range 6 {
		cmd := child(t, "keep bytes", path)
		out, err := cmd.StdoutPipe()
		must(t, err, cmd.Start())
		lines := bufio.NewScanner(out)
		for range 3 + cycle*5 {
			lines.Scan()
		}
		must(t, cmd.Process.Kill())
		for lines.Scan() { // until its end
		}
		_ = cmd.Wait() // it was killed

		s := open(t, path)
		if kept, there := keepsAll(t, s), files(t, path); kept != len(there) || kept == 0 {
			t.Errorf("cycle %d: %d are named, there are %v", cycle, kept, there)
		}
		must(t, s.Check())
		closed(t, s)
	}
}

func TestOnlyTheOwnerMayReadBytes(t *testing.T) {
	t.Parallel()
	path := withBytes(t, 1)
	folder := strings.TrimSuffix(path, ".db") + ".blobs"
	stat, err := os.Stat(folder)
	must(t, err)
	file, err := os.Stat(filepath.Join(folder, files(t, path)[0]))
	must(t, err)
	if stat.Mode().Perm() != 0o700 || file.Mode().Perm() != 0o600 {
		t.Errorf("the folder has %o, the file %o", stat.Mode().Perm(), file.Mode().Perm())
	}
}

// What is deleted goes with its commit, unless a View reads still; at the latest Close
// deletes it.
func TestDeletedBytesLeaveTheDisk(t *testing.T) {
	t.Parallel()
	path := withBytes(t, 6)
	s := open(t, path)
	must(t, forget(s, 0))
	if n := len(files(t, path)); n != 3 {
		t.Errorf("one of two owners is left, and %d files of 3", n)
	}
	must(t, forget(s, 1))
	if n := len(files(t, path)); n != 2 {
		t.Errorf("%d files, want 2", n)
	}
	must(t, s.View(func(storage.Tx) error {
		done := make(chan error, 1)
		go func() { done <- errors.Join(forget(s, 2), forget(s, 3)) }()
		err := <-done
		if n := len(files(t, path)); n != 2 {
			t.Errorf("a View reads, and %d files of 2 are there", n)
		}
		return err
	}))
	closed(t, s)
	if n := len(files(t, path)); n != 1 {
		t.Errorf("after Close there are %d files, want 1", n)
	}
}

// Missing and changed bytes are named by whoever reads or checks them, and are no damage
// of the store: all else can be read, and it opens.
func TestLostBytesAreNamedAndTheRestIsRead(t *testing.T) {
	t.Parallel()
	path := withBytes(t, 8)
	folder := blobs.FolderOf(path).Path
	names := files(t, path)
	must(t,
		os.Remove(filepath.Join(folder, names[0])),
		os.WriteFile(filepath.Join(folder, names[1]), []byte("something else"), 0o600),
		os.Remove(filepath.Join(folder, names[2])), os.Symlink("/etc/passwd", filepath.Join(folder, names[2])),
	)
	s := open(t, path)
	defer closed(t, s)
	must(t, s.View(func(tx storage.Tx) error {
		for i, name := range names {
			_, err := tx.Blob(storage.Hash(name))
			if lost := errors.Is(err, storage.ErrLost); lost != (i < 3) || errors.Is(err, storage.ErrDamaged) {
				t.Errorf("file %d: %v", i, err)
			}
		}
		return nil
	}))
	err := s.Check()
	for i, name := range names {
		if said := err != nil && strings.Contains(err.Error(), name); said != (i < 3) {
			t.Errorf("Check says of file %d: %v", i, err)
		}
	}
	to := filepath.Join(t.TempDir(), "copy.db")
	lost, err := s.Copy(t.Context(), to)
	if err != nil || len(lost) != 3 || len(files(t, to)) != 1 {
		t.Errorf("copy: lost %v, %v; copied %v", lost, err, files(t, to))
	}
}

// Bytes that are put again replace those that are missing or wrong.
func TestPuttingLostBytesAgainBringsThemBack(t *testing.T) {
	t.Parallel()
	path := withBytes(t, 2)
	file := filepath.Join(blobs.FolderOf(path).Path, files(t, path)[0])
	right, err := os.ReadFile(file)
	must(t, err, os.Remove(file))
	s := open(t, path)
	defer closed(t, s)
	must(t, keep(s, 0), s.Check())
	keepsAll(t, s)
	must(t, os.WriteFile(file, bytes.Repeat([]byte{'x'}, len(right)), 0o600), keep(s, 0), s.Check())
	keepsAll(t, s)
}

// Whatever is done with the file of a store is done with its bytes.
func TestBytesGoWhereTheirStoreGoes(t *testing.T) {
	t.Parallel()
	is := func(t *testing.T, path string) {
		t.Helper()
		s := open(t, path)
		defer closed(t, s)
		if n := keepsAll(t, s); n != 2 || len(files(t, path)) != 2 {
			t.Errorf("%d of 2 are kept, in %v", n, files(t, path))
		}
		must(t, s.Check())
	}
	gone := func(t *testing.T, path string) {
		t.Helper()
		if _, err := os.Stat(blobs.FolderOf(path).Path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("beside %s: %v", path, err)
		}
	}
	for name, act := range map[string]func(t *testing.T, path string){
		"copy": func(t *testing.T, path string) {
			to := filepath.Join(t.TempDir(), "backup")
			s := open(t, path)
			copied(t, s, to)
			closed(t, s)
			is(t, path)
			is(t, to)
		},
		"compact": func(t *testing.T, path string) {
			s := open(t, path)
			_, _, err := s.Compact(t.Context())
			must(t, err)
			is(t, path)
		},
		"rename": func(t *testing.T, path string) {
			to := filepath.Join(filepath.Dir(path), "other.db")
			must(t, boltdb.Rename(path, to))
			gone(t, path)
			is(t, to)
		},
		"rename to a name that is taken": func(t *testing.T, path string) {
			to := filepath.Join(filepath.Dir(path), "other.db")
			must(t, os.WriteFile(to, nil, 0o600))
			if err := boltdb.Rename(path, to); !errors.Is(err, os.ErrExist) {
				t.Error(err)
			}
			gone(t, to)
			is(t, path)
		},
		"move aside": func(t *testing.T, path string) {
			to, err := boltdb.MoveAside(path, time.Now())
			must(t, err)
			gone(t, path)
			is(t, to)
		},
		"remove": func(t *testing.T, path string) {
			must(t, boltdb.Remove(path))
			gone(t, path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			act(t, withBytes(t, 4))
		})
	}
}

// A program that died while it renamed a store leaves its bytes in both folders: those of
// the name that the store has not are deleted when a store of that name is opened.
func TestBytesOfARenameThatDiedDoNotPileUp(t *testing.T) {
	t.Parallel()
	path := withBytes(t, 4)
	to := filepath.Join(filepath.Dir(path), "other.db")
	died := errors.New("the power is cut")
	err := blobs.FolderOf(path).Move(blobs.FolderOf(to), func() error {
		if len(files(t, path)) != 2 || len(files(t, to)) != 2 {
			t.Errorf("while it is renamed: %v, %v", files(t, path), files(t, to))
		}
		return died
	})
	if !errors.Is(err, died) || len(files(t, to)) != 0 {
		t.Errorf("%v leaves %v", err, files(t, to))
	}
	must(t, os.Mkdir(blobs.FolderOf(to).Path, 0o700))
	for _, name := range files(t, path) {
		must(t, os.Link(filepath.Join(blobs.FolderOf(path).Path, name), filepath.Join(blobs.FolderOf(to).Path, name)))
	}
	closed(t, open(t, to))
	if left := files(t, to); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	s := open(t, path)
	defer closed(t, s)
	if n := keepsAll(t, s); n != 2 {
		t.Errorf("%d of 2 are kept", n)
	}
}

// Peek reads bytes and deletes none.
func TestPeekReadsBytes(t *testing.T) {
	t.Parallel()
	path := withBytes(t, 2)
	loose := filepath.Join(blobs.FolderOf(path).Path, string(storage.HashOf([]byte("loose"))))
	must(t, os.WriteFile(loose, []byte("loose"), 0o600))
	must(t, boltdb.Peek(t.Context(), path, func(tx storage.Tx) error {
		_, err := tx.Blob(storage.HashOf(aBlob(0)))
		return err
	}))
	if n := len(files(t, path)); n != 2 {
		t.Errorf("%d files, want 2", n)
	}
}
