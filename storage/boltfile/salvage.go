package boltfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"

	"society-tui/storage"
)

// maxProblems limits the unreadable places that Salvage names; a broken page can cause
// thousands.
const maxProblems = 100

// Salvage yields every readable key in a file of the given size, in no order, from the
// newest state that has a key yield wants, and returns what could not be read, as far as
// that is known: the content of a lost page is not. It changes nothing. The yielded
// slices belong to yield, which reports whether it wants the key.
func Salvage(file *os.File, size int64, yield func(bucket string, key, value []byte) bool) (lost []error) {
	pageSize, err := findPageSize(file, size)
	if err != nil {
		return []error{err}
	}
	var states []meta
	for _, at := range []int64{0, pageSize} {
		m, ok, err := metaAt(file, size, at)
		switch {
		case err != nil:
			lost = append(lost, err)
		case ok && m.pageSize == pageSize && (len(states) == 0 || m.txid < states[0].txid):
			states = append(states, m)
		case ok && m.pageSize == pageSize:
			states = append([]meta{m}, states...)
		}
	}
	for _, m := range states {
		// Far more pages than the file has would cost memory, and are not there.
		m.pages = min(m.pages, uint64(size/pageSize)+1)
		w := &salvager{verifier: verifier{ctx: context.Background(), read: reader{file: file}, meta: m, used: make([]uint64, m.pages/64+1)}, yield: yield, lost: lost}
		w.tree(m.root, 0)
		if lost = w.lost; w.wanted > 0 {
			break
		}
	}
	return lost
}

// A salvager walks the trees of one state and skips what is broken.
type salvager struct {
	verifier
	yield  func(bucket string, key, value []byte) bool
	bucket string // that the walk is in; "" is the top tree
	wanted int    // keys that yield wanted
	lost   []error
}

// lose records that something could not be read.
func (w *salvager) lose(err error) {
	if len(w.lost) < maxProblems {
		w.lost = append(w.lost, err)
	}
}

func (w *salvager) tree(id uint64, depth int) {
	if depth == maxDepth {
		w.lose(fmt.Errorf("%w: page %d lies %d levels deep", storage.ErrDamaged, id, depth))
		return
	}
	if depth == len(w.heads) {
		w.heads = append(w.heads, make([]byte, w.meta.pageSize))
	}
	p, err := w.page(id, w.heads[depth])
	if err != nil {
		w.lose(err)
		return
	}
	w.elements(p, depth)
}

func (w *salvager) elements(p *page, depth int) {
	if p.flags != branchPage && p.flags != leafPage {
		w.lose(p.damaged("it is of kind %#x where a branch or a leaf should be", p.flags))
		return
	}
	for i := range p.count {
		e, err := p.entry(i)
		switch {
		case err != nil:
			w.lose(err)
		case p.flags == branchPage:
			w.tree(e.child, depth+1)
		case w.bucket == "":
			w.open(p, e, depth)
		default:
			w.take(p, e)
		}
	}
}

// open walks a bucket.
func (w *salvager) open(p *page, e entry, depth int) {
	name := string(e.key)
	if e.flags != bucketFlag {
		return
	}
	head, err := p.bytes(e.value, min(e.size, element))
	if err == nil && len(head) < element {
		err = p.damaged("a bucket has %d bytes", e.size)
	}
	if err != nil {
		w.lose(fmt.Errorf("bucket %.64q: %w", name, err))
		return
	}
	w.bucket = name
	defer func() { w.bucket = "" }()
	if root := binary.NativeEndian.Uint64(head); root != 0 {
		w.tree(root, depth+1)
		return
	}
	leaf, err := p.bytes(e.value+element, e.size-element)
	if err == nil && len(leaf) < pageHead {
		err = p.damaged("a bucket that is kept inside a value has %d bytes", e.size)
	}
	if err != nil {
		w.lose(fmt.Errorf("bucket %.64q: %w", name, err))
		return
	}
	inline := &page{head: leaf, size: int64(len(leaf))}
	inline.parse()
	inline.id = p.id
	w.elements(inline, depth)
}

func (w *salvager) take(p *page, e entry) {
	value, err := p.bytes(e.value, e.size)
	if err != nil {
		w.lose(fmt.Errorf("the key %.64q of bucket %.64q: %w", e.key, w.bucket, err))
		return
	}
	if w.yield(w.bucket, bytes.Clone(e.key), bytes.Clone(value)) {
		w.wanted++
	}
}
