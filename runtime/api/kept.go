package api

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Revision tells one content of a kept value from another; "" is that of nothing. It is
// made of the content, so that one that was set back is not stale.
type Revision string

// AnyRevision keeps a value whatever is stored.
const AnyRevision Revision = "any"

// A Value is what is kept under a name.
type Value struct {
	// Bytes are the content; none is nothing.
	Bytes []byte
	// Revision is that of the content, or, of a value that is to be kept, that of the
	// content that it replaces.
	Revision Revision
}

// ValueOf returns a value with its revision.
func ValueOf(content []byte) Value { return Value{content, RevisionOf(content)} }

// RevisionOf returns the revision of a content.
func RevisionOf(content []byte) Revision {
	if len(content) == 0 {
		return ""
	}
	const length = 12
	sum := sha256.Sum256(content)
	return Revision(hex.EncodeToString(sum[:length]))
}

// Replaces reports whether v may be kept in place of what is stored: it was made from
// that, or is the same.
func (v Value) Replaces(stored Value) bool {
	return v.Revision == AnyRevision || v.Revision == stored.Revision || RevisionOf(v.Bytes) == stored.Revision
}
