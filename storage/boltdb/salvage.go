package boltdb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"society-tui/storage"
)

// Salvage yields all keys that can still be read in the file path, in no order, and
// returns what could not, as far as that is known: what a lost page held is not. It
// changes nothing. A file that is not damaged yields all it has.
//
// The error is that of Open for a file that is held, from a newer version or cannot
// be reached. What yield is given is its own.
func Salvage(path string, yield func(bucket string, key, value []byte)) (lost []error, err error) {
	if _, err := examine(path); err != nil {
		return nil, fmt.Errorf("salvage %s: %w", path, err)
	}
	if err := inspect(path, defaults()); err != nil && !errors.Is(err, storage.ErrDamaged) {
		return nil, fmt.Errorf("salvage %s: %w", path, err)
	}
	file, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, fmt.Errorf("salvage %s: %w", path, err)
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("salvage %s: %w", path, err)
	}
	return salvage(file, stat.Size(), yield), nil
}

// salvage walks from the newest state of which anything can be read.
func salvage(file *os.File, size int64, yield func(string, []byte, []byte)) (lost []error) {
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
		d := &digger{verifier: verifier{ctx: context.Background(), read: reader{file: file}, meta: m, used: make([]uint64, m.pages/64+1)}, yield: yield, lost: lost}
		d.tree(m.root, 0)
		if lost = d.lost; d.found > 0 {
			break
		}
	}
	return lost
}

// A digger walks the trees of one state and goes round what is broken.
type digger struct {
	verifier
	yield  func(bucket string, key, value []byte)
	bucket string // that the walk is in; "" is the top tree
	found  int
	lost   []error
}

// miss notes that something could not be read.
func (d *digger) miss(err error) {
	if len(d.lost) < maxProblems {
		d.lost = append(d.lost, err)
	}
}

func (d *digger) tree(id uint64, depth int) {
	if depth == maxDepth {
		d.miss(fmt.Errorf("%w: page %d lies %d levels deep", storage.ErrDamaged, id, depth))
		return
	}
	if depth == len(d.heads) {
		d.heads = append(d.heads, make([]byte, d.meta.pageSize))
	}
	p, err := d.page(id, d.heads[depth])
	if err != nil {
		d.miss(err)
		return
	}
	d.elements(p, depth)
}

func (d *digger) elements(p *page, depth int) {
	if p.flags != branchPage && p.flags != leafPage {
		d.miss(p.damaged("it is of kind %#x where a branch or a leaf should be", p.flags))
		return
	}
	for i := range p.count {
		e, err := p.entry(i)
		switch {
		case err != nil:
			d.miss(err)
		case p.flags == branchPage:
			d.tree(e.child, depth+1)
		case d.bucket == "":
			d.open(p, e, depth)
		default:
			d.take(p, e)
		}
	}
}

// open walks a bucket.
func (d *digger) open(p *page, e entry, depth int) {
	name := string(e.key)
	if e.flags != bucketFlag || name == formatBucket {
		return
	}
	head, err := p.bytes(e.value, min(e.size, element))
	if err == nil && len(head) < element {
		err = p.damaged("a bucket has %d bytes", e.size)
	}
	if err != nil {
		d.miss(fmt.Errorf("bucket %.64q: %w", name, err))
		return
	}
	d.bucket = name
	defer func() { d.bucket = "" }()
	if root := binary.NativeEndian.Uint64(head); root != 0 {
		d.tree(root, depth+1)
		return
	}
	leaf, err := p.bytes(e.value+element, e.size-element)
	if err == nil && len(leaf) < pageHead {
		err = p.damaged("a bucket that is kept inside a value has %d bytes", e.size)
	}
	if err != nil {
		d.miss(fmt.Errorf("bucket %.64q: %w", name, err))
		return
	}
	inline := &page{head: leaf, size: int64(len(leaf))}
	inline.parse()
	inline.id = p.id
	d.elements(inline, depth)
}

func (d *digger) take(p *page, e entry) {
	value, err := p.bytes(e.value, e.size)
	if err != nil {
		d.miss(fmt.Errorf("the key %.64q of bucket %.64q: %w", e.key, d.bucket, err))
		return
	}
	d.found++
	d.yield(d.bucket, clone(e.key), clone(value))
}
