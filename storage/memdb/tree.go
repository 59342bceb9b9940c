package memdb

import (
	"bytes"
	"hash/maphash"
)

// A node is the root of a treap: ordered by key from left to right, by rank from
// top to bottom. A node is never changed once it is reachable, so that a snapshot
// is a pointer and costs nothing.
type node struct {
	key, value  []byte
	rank        uint64
	left, right *node
}

// seed makes the ranks. A key has the same rank for ever, so the shape of a tree
// follows from its keys alone.
var seed = maphash.MakeSeed()

// find returns the value of key and whether it is there.
func (n *node) find(key []byte) ([]byte, bool) {
	for n != nil {
		switch c := bytes.Compare(key, n.key); {
		case c == 0:
			return n.value, true
		case c < 0:
			n = n.left
		default:
			n = n.right
		}
	}
	return nil, false
}

// with returns the tree in which key has value.
func (n *node) with(key, value []byte) *node {
	return n.insert(&node{key: key, value: value, rank: maphash.Bytes(seed, key)})
}

func (n *node) insert(in *node) *node {
	if n == nil {
		return in
	}
	c := bytes.Compare(in.key, n.key)
	if c == 0 {
		in.left, in.right = n.left, n.right
		return in
	}
	// A higher rank cannot lie below, so the key is new here and takes this place.
	if in.rank > n.rank {
		in.left, in.right = n.split(in.key)
		return in
	}
	up := *n
	if c < 0 {
		up.left = n.left.insert(in)
	} else {
		up.right = n.right.insert(in)
	}
	return &up
}

// split returns the keys before and those after key, which n does not hold.
func (n *node) split(key []byte) (before, after *node) {
	if n == nil {
		return nil, nil
	}
	up := *n
	if bytes.Compare(n.key, key) < 0 {
		up.right, after = n.right.split(key)
		return &up, after
	}
	before, up.left = n.left.split(key)
	return before, &up
}

// without returns the tree that lacks key; n itself if key is not in it.
func (n *node) without(key []byte) *node {
	if n == nil {
		return nil
	}
	c := bytes.Compare(key, n.key)
	if c == 0 {
		return join(n.left, n.right)
	}
	up := *n
	if c < 0 {
		up.left = n.left.without(key)
		if up.left == n.left {
			return n
		}
	} else {
		up.right = n.right.without(key)
		if up.right == n.right {
			return n
		}
	}
	return &up
}

// join makes one tree of two where all keys of a are before those of b.
func join(a, b *node) *node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.rank > b.rank:
		up := *a
		up.right = join(a.right, b)
		return &up
	default:
		up := *b
		up.left = join(a, b.left)
		return &up
	}
}

// ascend visits the nodes with from <= key < to in order (nil: no bound) until
// visit returns false, and reports whether it never did.
func (n *node) ascend(from, to []byte, visit func(*node) bool) bool {
	if n == nil {
		return true
	}
	if from != nil && bytes.Compare(n.key, from) < 0 {
		return n.right.ascend(from, to, visit)
	}
	if to != nil && bytes.Compare(n.key, to) >= 0 {
		return n.left.ascend(from, to, visit)
	}
	return n.left.ascend(from, to, visit) && visit(n) && n.right.ascend(from, to, visit)
}

// descend visits the same nodes as ascend from the last to the first.
func (n *node) descend(from, to []byte, visit func(*node) bool) bool {
	if n == nil {
		return true
	}
	if from != nil && bytes.Compare(n.key, from) < 0 {
		return n.right.descend(from, to, visit)
	}
	if to != nil && bytes.Compare(n.key, to) >= 0 {
		return n.left.descend(from, to, visit)
	}
	return n.right.descend(from, to, visit) && visit(n) && n.left.descend(from, to, visit)
}
