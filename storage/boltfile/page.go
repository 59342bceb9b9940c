package boltfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"society-tui/storage"
)

// The layout of a bbolt file, format 2, in the byte order of the machine. All of it
// is fixed by bbolt; go.etcd.io/bbolt/internal/common has the same as structs.
const (
	boltMagic   = 0xED0CDAED
	boltVersion = 2

	pageHead = 16 // id uint64, flags uint16, count uint16, overflow uint32
	metaSize = 64 // behind a page's head
	element  = 16 // of a branch or a leaf; a bucket's head has the same size

	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10

	bucketFlag = 0x01           // of a leaf's element: its value is a bucket
	noFreelist = 1<<64 - 1      // instead of the freelist's page
	manyFree   = 1<<16 - 1      // as count: the true count is the first entry
	smallest   = 1 << 10        // page
	largest    = 1 << (10 + 14) // page that bbolt looks for
)

// A page is a page with those that overflow from it, or a small bucket that lies
// inside a value. Its first bytes are held, the others are read when asked for.
type page struct {
	id     uint64
	flags  uint16
	count  int
	follow uint32 // pages that overflow

	head []byte
	size int64       // of all of it
	file io.ReaderAt // nil if head is all there is
	at   int64       // where it begins in file
}

// damaged makes an error about the page.
func (p *page) damaged(format string, args ...any) error {
	where := fmt.Sprintf("page %d: ", p.id)
	return fmt.Errorf("%w: "+where+format, append([]any{storage.ErrDamaged}, args...)...)
}

// parse takes id, flags and counts from the head.
func (p *page) parse() {
	p.id = binary.NativeEndian.Uint64(p.head)
	p.flags = binary.NativeEndian.Uint16(p.head[8:])
	p.count = int(binary.NativeEndian.Uint16(p.head[10:]))
	p.follow = binary.NativeEndian.Uint32(p.head[12:])
}

// bytes returns n bytes from off on. They are valid as long as the page is.
func (p *page) bytes(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || n > p.size || off > p.size-n {
		return nil, p.damaged("something of %d bytes at %d lies outside of its %d bytes", n, off, p.size)
	}
	if off+n <= int64(len(p.head)) {
		return p.head[off : off+n], nil
	}
	b := make([]byte, n)
	if err := readFull(p.file, b, p.at+off); err != nil {
		return nil, fmt.Errorf("page %d: %w", p.id, err)
	}
	return b, nil
}

// An entry is one element of a branch or a leaf.
type entry struct {
	key   []byte
	child uint64 // of a branch

	flags       uint32 // of a leaf, as are those below
	value, size int64  // where the value lies in the page, and how long it is
}

// entry returns the i-th element of a branch or a leaf.
func (p *page) entry(i int) (entry, error) {
	at := int64(pageHead + i*element)
	b, err := p.bytes(at, element)
	if err != nil {
		return entry{}, err
	}
	u32 := func(off int) uint32 { return binary.NativeEndian.Uint32(b[off:]) }
	var e entry
	var pos, keySize uint32
	if p.flags == branchPage {
		pos, keySize = u32(0), u32(4)
		e.child = binary.NativeEndian.Uint64(b[8:])
	} else {
		e.flags, pos, keySize, e.size = u32(0), u32(4), u32(8), int64(u32(12))
	}
	if keySize == 0 || keySize > storage.MaxKey {
		return entry{}, p.damaged("element %d has a key of %d bytes", i, keySize)
	}
	if e.key, err = p.bytes(at+int64(pos), int64(keySize)); err != nil {
		return entry{}, err
	}
	e.value = at + int64(pos) + int64(keySize)
	if e.size > p.size-e.value {
		return entry{}, p.damaged("element %d has a value of %d bytes, more than there is", i, e.size)
	}
	return e, nil
}

// readFull reads all of b. That a file ends too early is damage; that the disk does
// not give it is not.
func readFull(file io.ReaderAt, b []byte, at int64) error {
	n, err := file.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: the file ends at %d", storage.ErrDamaged, at+int64(n))
	}
	return err
}
