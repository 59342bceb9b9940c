package boltdb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"society-tui/storage"
)

// An anatomy is a sound file whose parts are known, so that one of them can be made
// wrong at a time.
type anatomy struct {
	t       *testing.T
	content []byte
	size    int // of a page
	meta    meta
	top     int      // the page that holds the buckets
	root    int      // a branch, of bucket rows
	leaves  [2]int   // its first two children
	free    int      // the list of free pages
	values  struct { // where bucket rows begins in the top page, and the small bucket
		rows, small int
	}
}

// dissected makes a store with a bucket of many rows, one of a few that lies inside a
// value, and pages that are free.
func dissected(t *testing.T) *anatomy {
	t.Helper()
	s := fresh(t, MaxSize, 0)
	must(t, s.Update(func(tx storage.Tx) error {
		for i := range 300 {
			if err := tx.Put("rows", fmt.Appendf(nil, "%04d", i), bytes.Repeat([]byte("value "), 20)); err != nil {
				return err
			}
		}
		// What looks like a bucket that lies inside a value, if it were one.
		inside := make([]byte, element+pageHead)
		binary.NativeEndian.PutUint16(inside[element+8:], leafPage)
		return errors.Join(tx.Put("rows", []byte("0000"), inside), tx.Put("small", []byte("a"), []byte("b")))
	}))
	a := &anatomy{t: t}
	must(t, s.db.View(func(tx *bbolt.Tx) error {
		a.size, a.root = tx.DB().Info().PageSize, int(tx.Bucket([]byte("rows")).Root())
		return nil
	}))
	must(t, s.Close())
	var err error
	a.content, err = os.ReadFile(s.path)
	must(t, err)
	file, err := os.Open(s.path)
	must(t, err)
	a.meta, err = latestMeta(file, int64(len(a.content)))
	must(t, err, file.Close())
	a.top, a.free = int(a.meta.root), int(a.meta.freelist)
	for i := range a.leaves {
		a.leaves[i] = int(a.entry(a.root, i).child)
	}
	for i := range a.page(a.top).count {
		switch e := a.entry(a.top, i); string(e.key) {
		case "rows":
			a.values.rows = a.top*a.size + int(e.value)
		case "small":
			a.values.small = a.top*a.size + int(e.value)
		}
	}
	return a
}

func (a *anatomy) page(id int) *page {
	p := &page{head: a.content[id*a.size : (id+1)*a.size], size: int64(a.size)}
	p.parse()
	return p
}

func (a *anatomy) entry(id, i int) entry {
	a.t.Helper()
	e, err := a.page(id).entry(i)
	must(a.t, err)
	return e
}

// element is where the i-th element of a page begins.
func (a *anatomy) element(id, i int) []byte { return a.content[id*a.size+pageHead+i*element:] }

func (a *anatomy) u16(b []byte, v uint16) { binary.NativeEndian.PutUint16(b, v) }
func (a *anatomy) u32(b []byte, v uint32) { binary.NativeEndian.PutUint32(b, v) }
func (a *anatomy) u64(b []byte, v int)    { binary.NativeEndian.PutUint64(b, uint64(v)) }

// Each single thing that can be wrong in the structure of a file is damage that Open
// names, though bbolt would open most of these files and lose or mix up what is in them.
func TestWhateverIsWrongInTheStructureOfAFileIsDamage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(a *anatomy)
		says  string
	}{
		"two buckets with the same pages": {func(a *anatomy) { a.u64(a.content[a.values.small:], a.root) }, "is used twice"},
		"a child that is not there":       {func(a *anatomy) { a.u64(a.element(a.root, 0)[8:], 1<<40) }, "there is no page"},
		"a page of another number":        {func(a *anatomy) { a.u64(a.content[a.leaves[0]*a.size:], 7777) }, "it says that it is page 7777"},
		"pages that follow and are not there": {
			func(a *anatomy) { a.u32(a.content[a.leaves[0]*a.size+12:], 1<<30) }, "that follow it are not there",
		},
		"a branch without children": {func(a *anatomy) { a.u16(a.content[a.root*a.size+10:], 0) }, "branch without children"},
		"a page of another kind":    {func(a *anatomy) { a.u16(a.content[a.leaves[1]*a.size+8:], freelistPage) }, "of kind 0x10"},
		"two equal keys":            {func(a *anatomy) { copy(a.entry(a.leaves[0], 2).key, a.entry(a.leaves[0], 1).key) }, "do not rise"},
		"a key below its page":      {func(a *anatomy) { copy(a.entry(a.leaves[1], 0).key, "0001") }, "below those of its place"},
		"a key above its page": {
			func(a *anatomy) { copy(a.entry(a.leaves[0], a.page(a.leaves[0]).count-1).key, "9999") }, "above those of its place",
		},
		"a key without bytes":     {func(a *anatomy) { a.u32(a.element(a.leaves[0], 0)[8:], 0) }, "a key of 0 bytes"},
		"a key beyond its page":   {func(a *anatomy) { a.u32(a.content[a.values.small+element+pageHead+4:], 1<<20) }, "lies outside"},
		"a value beyond its page": {func(a *anatomy) { a.u32(a.element(a.leaves[0], 0)[12:], 1<<20) }, "more than there is"},
		"a bucket in a bucket":    {func(a *anatomy) { a.u32(a.element(a.leaves[0], 0), bucketFlag) }, "an element is of kind 0x1"},
		"a bucket that is none": {
			func(a *anatomy) { a.u32(a.element(a.top, a.page(a.top).count-1), 0) }, "an element is of kind 0x0",
		},
		"a page that is used and free":   {func(a *anatomy) { a.u64(a.content[a.free*a.size+pageHead:], a.root) }, "as free, which is in use"},
		"a free page that is not there":  {func(a *anatomy) { a.u64(a.content[a.free*a.size+pageHead:], 1<<40) }, "as free, which is in use or not there"},
		"more free pages than are named": {func(a *anatomy) { a.u16(a.content[a.free*a.size+10:], 60_000) }, "more than fit"},
		"no list of free pages":          {func(a *anatomy) { a.u16(a.content[a.free*a.size+8:], leafPage) }, "where the list of free pages should be"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := dissected(t)
			c.spoil(a)
			path := filepath.Join(t.TempDir(), "spoilt.db")
			must(t, os.WriteFile(path, a.content, 0o600))
			s, err := Open(path)
			if !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("open: %v; want damage that says %q", err, c.says)
			}
			if err == nil {
				_ = s.Close()
			}
		})
	}
}

// A meta of which one bit is wrong counts for nothing: the file is what the other says.
func TestAMetaWithAWrongBitIsPassedOver(t *testing.T) {
	t.Parallel()
	a := dissected(t)
	for bit := range 8 * metaSize {
		content := bytes.Clone(a.content)
		content[int(a.meta.txid%2)*a.size+pageHead+bit/8] ^= 1 << (bit % 8)
		path := filepath.Join(t.TempDir(), "spoilt.db")
		must(t, os.WriteFile(path, content, 0o600))
		file, err := os.Open(path)
		must(t, err)
		m, err := latestMeta(file, int64(len(content)))
		must(t, err, file.Close())
		if m.txid != a.meta.txid-1 {
			t.Fatalf("bit %d: commit %d is taken, not %d", bit, m.txid, a.meta.txid-1)
		}
	}
}

// Where the newest state cannot be read at all, what the one before has is salvaged.
func TestTheStateBeforeIsSalvagedWhereTheNewestIsLost(t *testing.T) {
	t.Parallel()
	s := fresh(t, MaxSize, 5)
	content, err := os.ReadFile(s.path) // as a kill would leave it
	must(t, err)
	newest, err := latestMeta(s.file, int64(len(content)))
	must(t, err)
	clear(content[int64(newest.root)*newest.pageSize:][:newest.pageSize])
	path := filepath.Join(t.TempDir(), "spoilt.db")
	must(t, os.WriteFile(path, content, 0o600))
	found := 0
	lost, err := Salvage(path, func(string, []byte, []byte) { found++ })
	if err != nil || found != 4 || len(lost) == 0 {
		t.Errorf("found %d rows of the 4 of the commit before, lost %v, %v", found, lost, err)
	}
}

// A store that somebody made meanwhile is not overwritten by one's own.
func TestAStoreIsNotMadeOverAnother(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	draft, path := filepath.Join(dir, "draft"), filepath.Join(dir, "society.db")
	must(t, os.WriteFile(draft, []byte("mine"), 0o600), os.WriteFile(path, []byte("theirs"), 0o600))
	won, err := publish(draft, path)
	if content, readErr := os.ReadFile(path); won || err != nil || readErr != nil || string(content) != "theirs" {
		t.Errorf("won %t, %v; the file holds %q", won, err, content)
	}
}

// What the system refuses is no damage of a file that is sound.
func TestWhatTheSystemRefusesIsNoDamage(t *testing.T) {
	t.Parallel()
	s := fresh(t, MaxSize, 3)
	must(t, s.Close())
	why := fmt.Errorf("mmap: %w", syscall.ENOMEM)
	if err := judge(t.Context(), s.path, why); !errors.Is(err, syscall.ENOMEM) || errors.Is(err, storage.ErrDamaged) {
		t.Errorf("no memory for a sound file: %v", err)
	}
	if err := judge(t.Context(), s.path, bolterrors.ErrInvalid); !errors.Is(err, bolterrors.ErrInvalid) || errors.Is(err, storage.ErrDamaged) {
		t.Errorf("a read that failed for a moment: %v", err)
	}
}
