package programtest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.etcd.io/bbolt"

	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// spec/decisions.md 33: one unreadable record is damage too; nothing is skipped in
// silence, and nothing overwritten.
func TestOneUnreadableRecordIsDamage(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	x.quit()

	store, err := boltdb.Open(h.path("data/society-tui/society.db"))
	if err != nil {
		t.Fatal(err)
	}
	broken := false
	err = store.Update(func(tx storage.Tx) error {
		for key, value := range tx.Range("agents", nil, nil) {
			broken = true
			version := value[:1:1]
			return tx.Put("agents", slices.Clone(key), append(version, "no record"...))
		}
		return nil
	})
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil || !broken {
		t.Fatalf("broke a record: %v, %v", broken, err)
	}

	if got := h.run("check"); got.code != 1 || !strings.Contains(got.err, "damaged") || !strings.Contains(got.err, "agents") {
		t.Errorf("check says %d: %s", got.code, got.err)
	}
	again := h.open(100, 30).opened()
	again.sees("damaged")
	again.signal(syscall.SIGTERM)
	again.ends()
	aside, err := filepath.Glob(h.path("data/society-tui/society.db.damaged-*"))
	if err != nil || len(aside) != 1 || !strings.Contains(again.farewell(), filepath.Base(aside[0])) {
		t.Errorf("moved to %v, %v; it left with %q", aside, err, again.farewell())
	}
	if got := h.run("check"); got.code != 0 {
		t.Errorf("the new store is not sound: %s", got.err)
	}
}

// RELIABILITY.md, hostile input 33: what is not damage and cannot be opened ends the
// program with a message, with the screen and without, and stays as it was.
func TestAStoreThatCannotBeOpenedIsSaidAndLeftAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(t *testing.T, h *home)
		says  string
	}{
		"a newer version": {func(t *testing.T, h *home) {
			db, err := bbolt.Open(h.path(stored), 0o600, nil)
			if err != nil {
				t.Fatal(err)
			}
			err = db.Update(func(tx *bbolt.Tx) error {
				return tx.Bucket([]byte("storage.format")).Put([]byte("version"), []byte("99"))
			})
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		}, "newer version: its format is 99"},
		"a newer record": {func(t *testing.T, h *home) {
			store, err := boltdb.Open(h.path(stored))
			if err != nil {
				t.Fatal(err)
			}
			err = store.Update(func(tx storage.Tx) error { return tx.Put("roles", []byte("role-x"), []byte("\x09\x00{}")) })
			if err := errors.Join(err, store.Close()); err != nil {
				t.Fatal(err)
			}
		}, "newer version"},
		"a symbolic link": {func(t *testing.T, h *home) {
			if err := errors.Join(os.Rename(h.path(stored), h.path("elsewhere.db")), os.Symlink(h.path("elsewhere.db"), h.path(stored))); err != nil {
				t.Fatal(err)
			}
		}, "symbolic link"},
		"a folder": {func(t *testing.T, h *home) {
			if err := errors.Join(os.Remove(h.path(stored)), os.Mkdir(h.path(stored), 0o700)); err != nil {
				t.Fatal(err)
			}
		}, "not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.crowded(3)
			c.spoil(t, h)
			before, err := os.Lstat(h.path(stored))
			if err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"check"}, {"backup", h.path("b")}, {"compact"}, {"export"}, {"import", h.path(stored)}} {
				if name == "a newer record" && (args[0] == "backup" || args[0] == "compact") {
					continue // these look at no record
				}
				if got := h.run(args...); got.code != 1 || !strings.Contains(got.err, c.says) {
					t.Errorf("%s: exit code %d: %s", args[0], got.code, got.err)
				}
			}
			x := h.open(100, 30)
			if code := x.ends(); code != 1 || !strings.Contains(x.farewell(), c.says) {
				t.Errorf("the screen: exit code %d: %s", code, x.farewell())
			}
			after, err := os.Lstat(h.path(stored))
			if aside, _ := filepath.Glob(h.path(stored + ".*")); err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() || len(aside) > 0 {
				t.Errorf("something has changed: %v, %v, %v", after, err, aside)
			}
		})
	}
}
