package tables_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// changed records changes of files, n of them with these old contents, made at some time.
func changed(t *testing.T, store storage.Store, first uint64, at time.Time, old ...[]byte) {
	t.Helper()
	e := society.FilesChanged{Old: old}
	for i := range old {
		e.Changes = append(e.Changes, society.FileChange{N: first + uint64(i), At: at, Agent: "ada-1", Path: "a", Diff: "+1"})
	}
	err := store.Update(func(tx storage.Tx) error {
		return tables.Record(tx, society.New(society.DefaultLimits()), []society.Event{e}, society.Changed{})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// kept returns the numbers of the changes that are kept, and checks their old contents.
func keptChanges(t *testing.T, store storage.Store, want func(n uint64) []byte) (list []uint64) {
	t.Helper()
	err := store.View(func(tx storage.Tx) error {
		var all []tables.StoredFileChange
		err := tables.EachFileChange(tx, 0, func(c *tables.StoredFileChange) bool { all = append(all, *c); return true })
		for i := range all {
			diff, old, textErr := tables.FileText(tx, &all[i])
			if textErr != nil || diff != "+1" || !bytes.Equal(old, want(all[i].N)) || (old == nil) != (want(all[i].N) == nil) {
				t.Errorf("FileText(%d) = %q, %.20q (%d bytes), %v", all[i].N, diff, old, len(old), textErr)
			}
			list = append(list, all[i].N)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestOldContentsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	store := memdb.New()
	old := [][]byte{nil, {}, []byte("text\n"), {0xff, 0}, bytes.Repeat([]byte("long"), 50_000)}
	changed(t, store, 1, began, old...)
	if got := keptChanges(t, store, func(n uint64) []byte { return old[n-1] }); len(got) != len(old) {
		t.Errorf("the changes %v are kept, want %d", got, len(old))
	}
}

func TestChangesOfFilesGoAfterThirtyDays(t *testing.T) {
	t.Parallel()
	store := memdb.New()
	for day := range 40 {
		changed(t, store, uint64(day+1), began.AddDate(0, 0, day), []byte("old"))
	}
	got := keptChanges(t, store, func(uint64) []byte { return []byte("old") })
	if len(got) != 31 || got[0] != 10 || got[30] != 40 {
		t.Errorf("on the 40th day there are the changes %v", got)
	}
	err := store.Update(func(tx storage.Tx) error { return tables.DropOldFileChanges(tx, began.AddDate(0, 0, 60)) })
	if err != nil {
		t.Fatal(err)
	}
	if got = keptChanges(t, store, func(uint64) []byte { return []byte("old") }); len(got) != 10 || got[0] != 31 {
		t.Errorf("at a start on the 60th day there are the changes %v", got)
	}
	if err := store.View(func(tx storage.Tx) error {
		sum, err := tables.OldBytes(tx)
		if sum != 30 {
			t.Errorf("OldBytes = %d, want 30", sum)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// The oldest go first, with the bytes that are beside the store; what is left is counted
// right, also where the count is lost.
func TestTheOldestChangesGoWhenTheirContentsTakeTooMuch(t *testing.T) {
	t.Parallel()
	store := memdb.New()
	large := func(n uint64) []byte { return bytes.Repeat([]byte{byte(n)}, 100_000) }
	for n := uint64(1); n <= 5; n++ {
		changed(t, store, n, began, large(n))
	}
	var names []storage.Hash
	for n := uint64(1); n <= 5; n++ {
		names = append(names, storage.HashOf(large(n)))
	}
	err := store.Update(func(tx storage.Tx) error {
		left, err := tables.DropFileChanges(tx, 500_000, 250_000, time.Time{})
		if left != 200_000 {
			t.Errorf("%d bytes are left, want 200000", left)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := keptChanges(t, store, large); !slices.Equal(got, []uint64{4, 5}) {
		t.Errorf("the changes %v are kept, want 4 and 5", got)
	}
	err = store.View(func(tx storage.Tx) error {
		for i, name := range names {
			if _, err := tx.Blob(name); (err == nil) != (i >= 3) {
				t.Errorf("the content before change %d: %v", i+1, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An export and an import carry changes with their old contents, and the room that they
// take is counted anew.
func TestChangesOfFilesComeAlongToAnotherStore(t *testing.T) {
	t.Parallel()
	from, to := memdb.New(), memdb.New()
	old := func(n uint64) []byte { return bytes.Repeat([]byte{byte(n)}, int(n)*60_000) }
	for n := uint64(1); n <= 3; n++ {
		changed(t, from, n, began, old(n))
	}
	err := from.View(func(tx storage.Tx) error {
		return to.Update(func(into storage.Tx) error {
			return tables.Rows(tx, func(r tables.Row) error { return tables.Insert(into, r) }, nil)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	changed(t, to, 4, began, old(4))
	if got := keptChanges(t, to, old); !slices.Equal(got, []uint64{1, 2, 3, 4}) {
		t.Errorf("the changes %v came along, want 1 to 4", got)
	}
	err = to.View(func(tx storage.Tx) error {
		if sum, err := tables.OldBytes(tx); sum != 600_000 {
			t.Errorf("OldBytes = %d, %v, want 600000", sum, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
