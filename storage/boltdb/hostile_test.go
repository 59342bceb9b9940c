package boltdb_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"pgregory.net/rapid"

	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// What is no sound store is refused with the right
// error and left as it was; a damaged one can be moved aside, the others cannot.
func TestABadFileIsRefusedAndLeftAsItWas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, path string)
		want   error
		says   string
	}{
		{"empty", func(t *testing.T, path string) { truncate(t, path, 0) }, storage.ErrDamaged, "empty"},
		{"cut to 100 bytes", func(t *testing.T, path string) { truncate(t, path, 100) }, storage.ErrDamaged, "pages"},
		{"cut to one page", func(t *testing.T, path string) { truncate(t, path, 4096) }, storage.ErrDamaged, ""},
		{"cut to twenty pages", func(t *testing.T, path string) { truncate(t, path, int64(20*page)) }, storage.ErrDamaged, "in use"},
		{"a text", func(t *testing.T, path string) { write(t, path, []byte("a letter, not a store\n")) }, storage.ErrDamaged, ""},
		{"a long text", func(t *testing.T, path string) { write(t, path, bytes.Repeat([]byte("no store\n"), 9000)) }, storage.ErrDamaged, ""},
		{"zeros", func(t *testing.T, path string) { write(t, path, make([]byte, 1<<20)) }, storage.ErrDamaged, ""},
		{"both metas zeroed", func(t *testing.T, path string) { zero(t, path, 0, 2*int64(page)) }, storage.ErrDamaged, "whole"},
		{"garbage behind the metas", func(t *testing.T, path string) { garbage(t, path, 2*int64(page)) }, storage.ErrDamaged, "page"},
		{"garbage from the twentieth page on", func(t *testing.T, path string) { garbage(t, path, int64(20*page)) }, storage.ErrDamaged, "page"},
		{"another program's file", otherProgram, storage.ErrDamaged, "format record"},
		{"another program's record", func(t *testing.T, path string) { record(t, path, "magic", "other") }, storage.ErrDamaged, "other"},
		{"no version", func(t *testing.T, path string) { record(t, path, "version", "") }, storage.ErrDamaged, "version"},
		{"a false version", func(t *testing.T, path string) { record(t, path, "version", "0") }, storage.ErrDamaged, "version"},
		{"a newer version", func(t *testing.T, path string) { record(t, path, "version", "3") }, storage.ErrNewer, "3"},
		{"a later version of bbolt", laterBolt, storage.ErrDamaged, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filled(t, 500)
			c.damage(t, path)
			before := read(t, path)
			_, err := boltdb.Open(path)
			if !errors.Is(err, c.want) || !strings.Contains(strings.ReplaceAll(fmt.Sprint(err), path, ""), c.says) || !strings.Contains(fmt.Sprint(err), path) {
				t.Fatalf("open: %v; want %v with %q and the path", err, c.want, c.says)
			}
			if err := boltdb.Peek(t.Context(), path, unread); !errors.Is(err, c.want) {
				t.Errorf("look into it: %v; want %v", err, c.want)
			}
			if !bytes.Equal(read(t, path), before) || names(t, filepath.Dir(path)) != "society.db" {
				t.Fatalf("opening changed the file or left others: %s", names(t, filepath.Dir(path)))
			}
			movesAside(t, path, before, c.want)
		})
	}
}

// movesAside checks MoveAside, twice within one second if it is right to move.
func movesAside(t *testing.T, path string, content []byte, reason error) {
	t.Helper()
	now := time.Date(2026, 11, 21, 4, 15, 0, 0, time.FixedZone("", 3600))
	if !errors.Is(reason, storage.ErrDamaged) {
		if _, err := boltdb.MoveAside(path, now); !errors.Is(err, reason) || !bytes.Equal(read(t, path), content) {
			t.Errorf("moving it aside: %v", err)
		}
		return
	}
	for _, name := range []string{".damaged-20261121T031500Z", ".damaged-20261121T031500Z-2"} {
		moved, err := boltdb.MoveAside(path, now)
		if err != nil || moved != path+name || !bytes.Equal(read(t, moved), content) {
			t.Fatalf("moved to %s, %v; want %s with the old content", moved, err, path+name)
		}
		s := open(t, path)
		hasRows(t, s, 0)
		closed(t, s)
		write(t, path, content)
	}
}

// A file whose records alone are damaged is moved too, with all that is in it.
func TestAFileIsMovedAsideIfNobodyHoldsIt(t *testing.T) {
	t.Parallel()
	path := filled(t, 3)
	s := open(t, path)
	if moved, err := boltdb.MoveAside(path, time.Now()); !errors.Is(err, storage.ErrLocked) {
		t.Errorf("a file that is held: moved to %q, %v", moved, err)
	}
	closed(t, s)
	if moved, err := boltdb.MoveAside(path+"none", time.Now()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: moved to %q, %v", moved, err)
	}
	moved, err := boltdb.MoveAside(path, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for path, rows := range map[string]int{moved: 3, path: 0} {
		s := open(t, path)
		hasRows(t, s, rows)
		closed(t, s)
	}
}

func TestLostMetaLosesOnlyTheLastCommit(t *testing.T) {
	t.Parallel()
	for i := range 2 {
		path := filled(t, 100)
		s := open(t, path)
		closed(t, s) // both metas now lead to all rows
		zero(t, path, int64(i*page), int64(page))
		s = open(t, path)
		hasRows(t, s, 100)
		closed(t, s)
	}
}

func TestOnlyARegularFileIsOpened(t *testing.T) {
	t.Parallel()
	real := filled(t, 3)
	before := read(t, real)
	folder := t.TempDir()
	link, dangling, dir := filepath.Join(folder, "link.db"), filepath.Join(folder, "dangling.db"), filepath.Join(folder, "dir.db")
	target := filepath.Join(folder, "target")
	for _, err := range []error{os.Symlink(real, link), os.Symlink(target, dangling), os.Mkdir(dir, 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, says := range map[string]string{link: "it is a symbolic link", dangling: "it is a symbolic link", dir: "it is not a regular file"} {
		_, err := boltdb.Open(path)
		if err == nil || errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), path+": "+says) {
			t.Errorf("open %s: %v", path, err)
		}
		if moved, err := boltdb.MoveAside(path, time.Now()); err == nil {
			t.Errorf("%s was moved to %s", path, moved)
		}
	}
	if _, err := os.Lstat(target); !errors.Is(err, os.ErrNotExist) || !bytes.Equal(read(t, real), before) {
		t.Errorf("what a link leads to was touched: %v", err)
	}
}

// Whatever bytes of a file are changed, opening and using it ends with ErrDamaged or
// goes well; nothing crashes, hangs or reports another error.
func TestNoChangedByteCrashesTheProgram(t *testing.T) {
	t.Parallel()
	path := filled(t, 60)
	files := [][]byte{inUse(read(t, path)), inUse(crashed(t, path))}
	rapid.Check(t, func(r *rapid.T) {
		content := bytes.Clone(files[rapid.IntRange(0, len(files)-1).Draw(r, "file")])
		for range rapid.IntRange(1, 6).Draw(r, "changes") {
			// Heads of pages are few bytes among many, and worth more.
			at := rapid.IntRange(0, len(content)/page-1).Draw(r, "page")*page + rapid.OneOf(
				rapid.IntRange(0, 95), rapid.IntRange(0, page-1)).Draw(r, "offset")
			if rapid.Bool().Draw(r, "word") && at+4 <= len(content) {
				binary.NativeEndian.PutUint32(content[at:], rapid.Uint32().Draw(r, "word"))
			} else {
				content[at] = rapid.Byte().Draw(r, "byte")
			}
		}
		sealMetas(content, rapid.Bool().Draw(r, "with right sums"))
		broken := filepath.Join(t.TempDir(), "society.db")
		write(t, broken, content)
		s, err := boltdb.Open(broken)
		if err != nil {
			if !errors.Is(err, storage.ErrDamaged) && !errors.Is(err, storage.ErrNewer) {
				r.Fatal(err)
			}
			return
		}
		err = errors.Join(s.View(walk), s.Check(), s.Update(func(tx storage.Tx) error {
			return errors.Join(tx.Put("rows", row(30), []byte("new")), tx.Delete("rows", row(5)), walk(tx))
		}), s.View(walk))
		for _, err := range split(err) {
			if !errors.Is(err, storage.ErrDamaged) {
				r.Fatal(err)
			}
		}
		_ = s.Close()
	})
}

func split(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err != nil {
		return []error{err}
	}
	return nil
}

func walk(tx storage.Tx) error {
	for range tx.Range("rows", nil, nil) {
	}
	for range tx.Backward("rows", nil, nil) {
	}
	_, err := tx.Get("rows", row(20))
	return err
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func zero(t *testing.T, path string, from, n int64) {
	t.Helper()
	content := read(t, path)
	clear(content[from : from+n])
	write(t, path, content)
}

// garbage fills the file from an offset on.
func garbage(t *testing.T, path string, from int64) {
	t.Helper()
	content := read(t, path)
	for i := from; i < int64(len(content)); i++ {
		content[i] = byte(i*i>>3 + 7)
	}
	write(t, path, content)
}

// bolt opens the file with bbolt alone.
func bolt(t *testing.T, path string, f func(*bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(f), db.Close()); err != nil {
		t.Fatal(err)
	}
}

func record(t *testing.T, path, key, value string) {
	bolt(t, path, func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("storage.format")).Put([]byte(key), []byte(value))
	})
}

func otherProgram(t *testing.T, path string) {
	bolt(t, path, func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte("storage.format")) })
}

// laterBolt sets both metas to format 3.
func laterBolt(t *testing.T, path string) {
	content := read(t, path)
	for _, at := range []int{0, page} {
		content[at+20] = 3
	}
	sealMetas(content, true)
	write(t, path, content)
}
