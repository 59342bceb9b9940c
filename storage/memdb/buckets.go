package memdb

// Buckets are the trees of a store, by name. A store has few, so that a list is
// searched, and copied for each commit, in less time than a map. A list that others can
// reach is never changed.
type buckets []bucket

type bucket struct {
	name string
	root *node
}

// root returns the tree of a bucket, nil for one that is empty.
func (b buckets) root(name string) *node {
	for i := range b {
		if b[i].name == name {
			return b[i].root
		}
	}
	return nil
}

// clone returns a list of its own, with room for one more.
func (b buckets) clone() buckets {
	return append(make(buckets, 0, len(b)+1), b...)
}

// with gives a bucket its tree, in the list itself.
func (b buckets) with(name string, root *node) buckets {
	for i := range b {
		if b[i].name == name {
			b[i].root = root
			return b
		}
	}
	return append(b, bucket{name, root})
}
