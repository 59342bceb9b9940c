package boltfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"

	"society-tui/storage"
)

// maxDepth is more levels than a tree of bbolt can have with the pages that there
// are.
const maxDepth = 64

// Verify reads all pages that the last commit left in a bbolt file and returns
// ErrDamaged with the first thing that is wrong: a page that is not there, is used
// twice or is not what it should be, an element outside of its page, keys out of
// order, a bucket anywhere but at the top. What passes can be opened and walked by bbolt without a panic or a fault.
// What values say is not looked at: bbolt keeps no checksums of them.
//
// It reads and never maps the file, so that an error of the disk is an error. When ctx
// is done that is the error.
func Verify(ctx context.Context, file *os.File) error {
	stat, err := file.Stat()
	if err != nil {
		return err
	}
	if stat.Size() == 0 {
		return fmt.Errorf("%w: the file is empty", storage.ErrDamaged)
	}
	m, err := latestMeta(file, stat.Size())
	if err != nil {
		return err
	}
	if m.pages > uint64(stat.Size()/m.pageSize) {
		return fmt.Errorf("%w: the file has %d bytes, %d pages of %d bytes are in use",
			storage.ErrDamaged, stat.Size(), m.pages, m.pageSize)
	}
	v := &verifier{ctx: ctx, read: reader{file: file}, meta: m, used: make([]uint64, m.pages/64+1)}
	if err := v.tree(m.root, bounds{}, 0); err != nil {
		return err
	}
	return v.freelist()
}

// A verifier walks the trees of one state.
type verifier struct {
	ctx   context.Context
	read  reader
	meta  meta
	used  []uint64 // a bit for each page that was seen
	heads [][]byte // a buffer for each level of the walk

	inBucket bool // the walk is below the top tree, whose values are the buckets
}

// bounds limit the keys of a subtree: low <= key < high; nil is no limit.
type bounds struct{ low, high []byte }

// tree checks the pages of a tree, and of the buckets in it.
func (v *verifier) tree(id uint64, within bounds, depth int) error {
	if depth == maxDepth {
		return fmt.Errorf("%w: page %d lies %d levels deep", storage.ErrDamaged, id, depth)
	}
	if depth == len(v.heads) {
		v.heads = append(v.heads, make([]byte, v.meta.pageSize))
	}
	p, err := v.page(id, v.heads[depth])
	if err != nil {
		return err
	}
	return v.elements(p, within, depth)
}

// page reads a page and marks it and those that overflow from it as used.
func (v *verifier) page(id uint64, head []byte) (*page, error) {
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	if id < 2 || id >= v.meta.pages {
		return nil, fmt.Errorf("%w: there is no page %d", storage.ErrDamaged, id)
	}
	p := &page{head: head, file: v.read.file, at: int64(id) * v.meta.pageSize}
	if err := v.read.page(head, p.at); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	p.parse()
	if p.id != id {
		found := p.id
		p.id = id
		return nil, p.damaged("it says that it is page %d", found)
	}
	if uint64(p.follow) >= v.meta.pages-id {
		return nil, p.damaged("%d pages that follow it are not there", p.follow)
	}
	p.size = (int64(p.follow) + 1) * v.meta.pageSize
	for i := id; i <= id+uint64(p.follow); i++ {
		if v.isUsed(i) {
			return nil, p.damaged("page %d is used twice", i)
		}
		v.used[i/64] |= 1 << (i % 64)
	}
	return p, nil
}

func (v *verifier) isUsed(id uint64) bool {
	return v.used[id/64]&(1<<(id%64)) != 0
}

// elements checks the elements of a branch or a leaf: their keys rise and lie in
// the bounds, and what they lead to is sound.
func (v *verifier) elements(p *page, within bounds, depth int) error {
	if p.flags != branchPage && p.flags != leafPage {
		return p.damaged("it is of kind %#x where a branch or a leaf should be", p.flags)
	}
	if p.flags == branchPage && p.count == 0 {
		return p.damaged("it is a branch without children")
	}
	var e entry
	var err error
	for i := range p.count {
		next := entry{}
		if i == 0 {
			if e, err = p.entry(0); err != nil {
				return err
			}
			if bytes.Compare(e.key, within.low) < 0 {
				return p.damaged("its first key is below those of its place")
			}
		}
		high := within.high
		if i+1 < p.count {
			if next, err = p.entry(i + 1); err != nil {
				return err
			}
			if bytes.Compare(e.key, next.key) >= 0 {
				return p.damaged("the keys of elements %d and %d do not rise", i, i+1)
			}
			high = next.key
		} else if within.high != nil && bytes.Compare(e.key, within.high) >= 0 {
			return p.damaged("its last key is above those of its place")
		}
		if p.flags == branchPage {
			err = v.tree(e.child, bounds{low: e.key, high: high}, depth+1)
		} else {
			err = v.value(p, e, depth)
		}
		if err != nil {
			return err
		}
		e = next
	}
	return nil
}

// value checks a leaf's value. In the top tree it is a bucket: its head with the page
// of its root or, if that is 0, with its one leaf right behind. In a bucket it is
// plain.
func (v *verifier) value(p *page, e entry, depth int) error {
	switch {
	case v.inBucket && e.flags == 0:
		return nil
	case v.inBucket || e.flags != bucketFlag:
		return p.damaged("an element is of kind %#x", e.flags)
	case e.size < element:
		return p.damaged("a bucket has %d bytes", e.size)
	}
	head, err := p.bytes(e.value, element)
	if err != nil {
		return err
	}
	v.inBucket = true
	defer func() { v.inBucket = false }()
	if root := binary.NativeEndian.Uint64(head); root != 0 {
		return v.tree(root, bounds{}, depth+1)
	}
	if e.size < element+pageHead {
		return p.damaged("a bucket that is kept inside a value has %d bytes", e.size)
	}
	leaf, err := p.bytes(e.value+element, e.size-element)
	if err != nil {
		return err
	}
	inline := &page{head: leaf, size: int64(len(leaf))}
	inline.parse()
	inline.id = p.id // for messages
	if inline.flags != leafPage {
		return p.damaged("a bucket that is kept inside a value is of kind %#x", inline.flags)
	}
	return v.elements(inline, bounds{}, depth)
}

// freelist checks the list of free pages, if there is one: they exist, and nothing
// that is in use is among them.
func (v *verifier) freelist() error {
	if v.meta.freelist == noFreelist {
		return nil
	}
	p, err := v.page(v.meta.freelist, make([]byte, v.meta.pageSize))
	if err != nil {
		return err
	}
	if p.flags != freelistPage {
		return p.damaged("it is of kind %#x where the list of free pages should be", p.flags)
	}
	first, count := int64(pageHead), uint64(p.count)
	if p.count == manyFree {
		b, err := p.bytes(first, 8)
		if err != nil {
			return err
		}
		first, count = first+8, binary.NativeEndian.Uint64(b)
	}
	if count > uint64(p.size)/8 {
		return p.damaged("it lists %d free pages, more than fit", count)
	}
	list, err := p.bytes(first, int64(count)*8)
	if err != nil {
		return err
	}
	for ; len(list) > 0; list = list[8:] {
		id := binary.NativeEndian.Uint64(list)
		if id < 2 || id >= v.meta.pages || v.isUsed(id) {
			return p.damaged("it lists page %d as free, which is in use or not there", id)
		}
		v.used[id/64] |= 1 << (id % 64)
	}
	return nil
}
