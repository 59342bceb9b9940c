package programtest

import (
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

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
