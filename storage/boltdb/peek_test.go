package boltdb_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// unread is for stores that must not be read.
func unread(storage.Tx) error { return errors.New("it was read") }

func TestLookingIntoAStoreChangesNothingAndWaitsForNobody(t *testing.T) {
	t.Parallel()
	path := filled(t, 3)
	before, stat := read(t, path), stated(t, path)
	n := 0
	count := func(tx storage.Tx) error {
		for range tx.Range("rows", nil, nil) {
			n++
		}
		return tx.Put("rows", row(9), nil)
	}
	if err := boltdb.Peek(t.Context(), path, count); !errors.Is(err, storage.ErrReadOnly) || n != 3 {
		t.Errorf("%d rows, %v", n, err)
	}
	if now := stated(t, path); !bytes.Equal(read(t, path), before) || !now.ModTime().Equal(stat.ModTime()) || names(t, filepath.Dir(path)) != "society.db" {
		t.Error("it was changed, or something left beside it")
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if err := boltdb.Peek(done, path, unread); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if err := boltdb.Peek(t.Context(), path+"none", unread); !errors.Is(err, fs.ErrNotExist) || names(t, filepath.Dir(path)) != "society.db" {
		t.Errorf("where there is none: %v", err)
	}
	s := open(t, path)
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := boltdb.Peek(t.Context(), path, unread); !errors.Is(err, storage.ErrLocked) || time.Since(began) > 0 {
			t.Errorf("while it is held: %v, after %s", err, time.Since(began))
		}
	})
	closed(t, s)
	// Two may look at once, and who opens it waits until they have.
	err := boltdb.Peek(t.Context(), path, func(storage.Tx) error {
		return boltdb.Peek(t.Context(), path, func(tx storage.Tx) error { return nil })
	})
	if err != nil {
		t.Errorf("two at once: %v", err)
	}
}

func stated(t *testing.T, path string) fs.FileInfo {
	t.Helper()
	stat, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return stat
}

func TestARenamedStoreIsAllThereAndNoneIsOverwritten(t *testing.T) {
	t.Parallel()
	path := filled(t, 3)
	folder := filepath.Dir(path)
	other, damaged := filepath.Join(folder, "other.db"), filepath.Join(folder, "damaged.db")
	write(t, damaged, []byte("no store"))
	must(t, boltdb.Rename(path, other), boltdb.Rename(damaged, path))
	if got := names(t, folder); got != "other.db society.db" {
		t.Fatalf("there are %s", got)
	}
	for _, to := range []string{path, folder} {
		if err := boltdb.Rename(other, to); err == nil {
			t.Errorf("renamed to %s, which there is", to)
		}
	}
	if err := boltdb.Rename(other, path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over another: %v", err)
	}
	must(t, boltdb.Rename(other, other)) // as on a disk for which two names are one
	if err := boltdb.Rename(other, filepath.Join(folder, "none", "x.db")); err == nil || string(read(t, path)) != "no store" {
		t.Errorf("into no folder: %v", err)
	}
	s := open(t, other)
	hasRows(t, s, 3)
	if err := boltdb.Rename(other, damaged); !errors.Is(err, storage.ErrLocked) {
		t.Errorf("while it is held: %v", err)
	}
	if err := boltdb.Remove(other); !errors.Is(err, storage.ErrLocked) {
		t.Errorf("deleted while it is held: %v", err)
	}
	if got := names(t, folder); got != "other.db other.db.lock society.db" {
		t.Errorf("there are %s", got)
	}
	closed(t, s)
}

func TestADeletedStoreLeavesNothingButItsNeighbours(t *testing.T) {
	t.Parallel()
	path := filled(t, 3)
	folder := filepath.Dir(path)
	neighbour := filepath.Join(folder, "book.db")
	for _, beside := range []string{".lock", ".compact", ".damaged-20261121T031500Z"} { // the first two are what a kill leaves
		write(t, path+beside, nil)
	}
	write(t, neighbour, []byte("no store"))
	must(t, boltdb.Remove(path))
	if got := names(t, folder); got != "book.db society.db.damaged-20261121T031500Z" {
		t.Errorf("there are %s", got)
	}
	must(t, boltdb.Remove(neighbour))
	link := filepath.Join(folder, "link.db")
	must(t, os.Symlink(filled(t, 1), link))
	if err := boltdb.Remove(link); err == nil {
		t.Error("a link was followed or deleted")
	}
	if err := boltdb.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("twice: %v", err)
	}
}
