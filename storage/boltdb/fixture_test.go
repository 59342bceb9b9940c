package boltdb_test

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"os"
	"testing"
)

// page is the size of pages in the files that tests make.
var page = os.Getpagesize()

// sealMetas puts the right sums on both metas, so that bbolt believes them.
func sealMetas(content []byte, seal bool) {
	if !seal {
		return
	}
	for _, at := range []int{16, page + 16} {
		sum := fnv.New64a()
		sum.Write(content[at : at+56])
		binary.NativeEndian.PutUint64(content[at+56:], sum.Sum64())
	}
}

// crashed returns what a file looks like whose program was killed: it was not
// closed, so it has no list of free pages.
func crashed(t *testing.T, path string) []byte {
	t.Helper()
	s := open(t, path)
	defer closed(t, s)
	rows(t, s, 0, 60)
	return bytes.Clone(read(t, path))
}

// inUse cuts off the empty pages at the end, so that changes hit the others.
func inUse(content []byte) []byte {
	n := len(bytes.TrimRight(content, "\x00"))
	return content[:(n+page-1)/page*page]
}
