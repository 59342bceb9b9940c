package boltfile

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"

	"society-tui/storage"
)

// A meta leads to one committed state. A file has two, and commits take turns
// between them.
type meta struct {
	pageSize int64
	root     uint64
	freelist uint64
	pages    uint64 // in use; no page of this state has a higher number
	txid     uint64
}

// readMeta decodes the meta at the beginning of a page, and reports whether it is valid.
func readMeta(page []byte) (meta, bool) {
	if len(page) < pageHead+metaSize {
		return meta{}, false
	}
	b := page[pageHead:]
	u32, u64 := binary.NativeEndian.Uint32, binary.NativeEndian.Uint64
	sum := fnv.New64a()
	sum.Write(b[:metaSize-8])
	if u32(b) != boltMagic || u32(b[4:]) != boltVersion || u64(b[56:]) != sum.Sum64() {
		return meta{}, false
	}
	return meta{
		pageSize: int64(u32(b[8:])),
		root:     u64(b[16:]),
		freelist: u64(b[32:]),
		pages:    u64(b[40:]),
		txid:     u64(b[48:]),
	}, true
}

// EraseCommit makes the commit with the given transaction id unreadable, if it is in
// the file: a commit exists through its meta page alone, and the other meta page still
// leads to the state before. The caller syncs the file before it relies on that; it
// reports whether anything was written.
func EraseCommit(file *os.File, pageSize int64, txid uint64) (bool, error) {
	at := int64(txid%2) * pageSize
	page := make([]byte, pageSize)
	if _, err := file.ReadAt(page, at); err != nil {
		return false, err
	}
	if m, ok := readMeta(page); !ok || m.txid != txid {
		return false, nil
	}
	clear(page[pageHead:]) // a page without a head would be damage to whoever checks the file
	_, err := file.WriteAt(page, at)
	return err == nil, err
}

// latestMeta finds the meta of the last commit. It must choose as bbolt does, even
// between metas that somebody has forged, or what was verified is not what is used.
func latestMeta(file *os.File, size int64) (meta, error) {
	pageSize, err := findPageSize(file, size)
	if err != nil {
		return meta{}, err
	}
	first, firstOK, err := metaAt(file, size, 0)
	if err != nil {
		return meta{}, err
	}
	second, secondOK, err := metaAt(file, size, pageSize)
	if err != nil {
		return meta{}, err
	}
	best := first
	if !firstOK || secondOK && second.txid > first.txid {
		best = second
	}
	if !firstOK && !secondOK {
		return meta{}, fmt.Errorf("%w: neither of its two first pages is whole", storage.ErrDamaged)
	}
	if best.pageSize != pageSize {
		return meta{}, fmt.Errorf("%w: its two first pages disagree on the size of pages", storage.ErrDamaged)
	}
	return best, nil
}

// findPageSize returns the size of pages, which only the metas tell, though the
// second one's place depends on it.
func findPageSize(file *os.File, size int64) (int64, error) {
	m, ok, err := metaAt(file, size, 0)
	for at := int64(smallest); at <= largest && !ok && err == nil; at *= 2 {
		m, ok, err = metaAt(file, size, at)
	}
	switch {
	case err != nil:
		return 0, err
	case !ok:
		return 0, fmt.Errorf("%w: neither of its two first pages is whole", storage.ErrDamaged)
	case m.pageSize < smallest || m.pageSize > largest || m.pageSize&(m.pageSize-1) != 0:
		return 0, fmt.Errorf("%w: it has pages of %d bytes", storage.ErrDamaged, m.pageSize)
	}
	return m.pageSize, nil
}

// metaAt reads the meta in the page at an offset and reports whether it is whole.
func metaAt(file *os.File, size, at int64) (meta, bool, error) {
	b := make([]byte, pageHead+metaSize)
	if size-at < int64(len(b)) {
		return meta{}, false, nil
	}
	if err := readFull(file, b, at); err != nil {
		return meta{}, false, err
	}
	m, ok := readMeta(b)
	return m, ok, nil
}
