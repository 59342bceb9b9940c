package boltfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

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

// dissected makes a file with a bucket of many rows, one of a few that lies inside a
// value, and pages that are free.
func dissected(t *testing.T) *anatomy {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sound.db")
	db, err := bbolt.Open(path, 0o600, nil)
	must(t, err)
	a := &anatomy{t: t}
	for i := range 301 { // a commit each, so that pages become free
		must(t, db.Update(func(tx *bbolt.Tx) error { return fill(tx, i) }))
	}
	must(t, db.View(func(tx *bbolt.Tx) error {
		a.size, a.root = db.Info().PageSize, int(tx.Bucket([]byte("rows")).Root())
		return nil
	}), db.Close())
	a.content, err = os.ReadFile(path)
	must(t, err)
	file, err := os.Open(path)
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

// fill writes the i-th of 300 rows, and then a small bucket that lies inside a value.
func fill(tx *bbolt.Tx, i int) error {
	rows, err := tx.CreateBucketIfNotExists([]byte("rows"))
	if err != nil {
		return err
	}
	if i < 300 {
		return rows.Put(fmt.Appendf(nil, "%04d", i), bytes.Repeat([]byte("value "), 20))
	}
	// What looks like a bucket that lies inside a value, if it were one.
	inside := make([]byte, element+pageHead)
	binary.NativeEndian.PutUint16(inside[element+8:], leafPage)
	small, err := tx.CreateBucket([]byte("small"))
	if err != nil {
		return err
	}
	return errors.Join(rows.Put([]byte("0000"), inside), small.Put([]byte("a"), []byte("b")))
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
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

// bbolt would open most of these files and lose or mix up what is in them.
func TestVerifyNamesEachMistakeInTheStructure(t *testing.T) {
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
			file, err := os.Open(path)
			must(t, err)
			defer file.Close()
			if err := Verify(t.Context(), file); !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("Verify: %v; want damage that says %q", err, c.says)
			}
		})
	}
}

func TestAMetaWithAWrongBitDoesNotCount(t *testing.T) {
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
