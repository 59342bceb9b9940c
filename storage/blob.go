package storage

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// A Hash names bytes: their SHA-256 in lower-case hexadecimal.
type Hash string

// HashOf returns the name of data.
func HashOf(data []byte) Hash {
	sum := sha256.Sum256(data)
	return Hash(hex.EncodeToString(sum[:]))
}

// IsValid reports whether h can be the name of bytes, and so of a file.
func (h Hash) IsValid() bool {
	return len(h) == hex.EncodedLen(sha256.Size) && strings.Trim(string(h), "0123456789abcdef") == ""
}

// A Blob is the name and the size of bytes that a store keeps beside its buckets.
type Blob struct {
	Hash Hash  `json:"hash"`
	Size int64 `json:"size"`
}
