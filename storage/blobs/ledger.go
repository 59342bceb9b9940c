// Package blobs keeps bytes beside a store, in files named by their SHA-256.
//
// A [Ledger] records in the store which bytes are kept, and for whom; a [Folder] holds the
// files. A file is complete, checked and on disk before the commit that names it, and it is
// deleted only after the commit by which nobody names it any more.
package blobs

import (
	"encoding/binary"
	"fmt"
	"iter"

	"society-tui/storage"
)

// The buckets of the ledger.
const (
	named  = "storage.blobs"  // hash → size, number of owners
	owners = "storage.owners" // owner → hash
)

// Buckets returns the names of the buckets in which ledgers are kept.
func Buckets() []string { return []string{named, owners} }

// A Records is what a ledger needs of a transaction.
type Records interface {
	Get(bucket string, key []byte) ([]byte, error)
	Put(bucket string, key, value []byte) error
	Delete(bucket string, key []byte) error
	Range(bucket string, from, to []byte) iter.Seq2[[]byte, []byte]
}

// Files holds the bytes that a ledger names.
type Files interface {
	// Write keeps data under its name, which it has on disk before the transaction is
	// committed.
	Write(name storage.Hash, data []byte) error
	// Read returns what is kept under a name. The error wraps storage.ErrLost if there is
	// nothing; whether it is what was written, the caller checks.
	Read(name storage.Hash) ([]byte, error)
	// Drop deletes what is kept under a name, if the transaction is committed and the
	// name is not given again.
	Drop(name storage.Hash) error
}

// A Ledger implements the methods of a storage.Tx that keep bytes. It is valid as long as
// its transaction.
type Ledger struct {
	Records Records
	Files   Files
}

// PutBlob keeps data for owner.
func (l Ledger) PutBlob(owner, data []byte) (storage.Blob, error) {
	if err := storage.CheckPutBlob(owner, data); err != nil {
		return storage.Blob{}, err
	}
	blob := storage.Blob{Hash: storage.HashOf(data), Size: int64(len(data))}
	was, err := l.Records.Get(owners, owner)
	if err != nil {
		return storage.Blob{}, err
	}
	// A name is written first: inside View it is refused before there is a file.
	if err := l.Records.Put(owners, owner, []byte(blob.Hash)); err != nil {
		return storage.Blob{}, err
	}
	if err := l.Files.Write(blob.Hash, data); err != nil {
		return storage.Blob{}, fmt.Errorf("keep %d bytes beside the store: %w", len(data), err)
	}
	if string(was) == string(blob.Hash) {
		return blob, nil
	}
	if err := l.count(blob.Hash, blob.Size, 1); err != nil {
		return storage.Blob{}, err
	}
	if was != nil {
		err = l.count(storage.Hash(was), 0, -1)
	}
	return blob, err
}

// Blob returns the bytes with a name, if they are what was kept.
func (l Ledger) Blob(name storage.Hash) ([]byte, error) {
	if !name.IsValid() {
		return nil, fmt.Errorf("%w: %.80q is no name", storage.ErrLost, name)
	}
	if row, err := l.Records.Get(named, []byte(name)); err != nil {
		return nil, err
	} else if row == nil {
		return nil, fmt.Errorf("%w: nothing is kept as %s", storage.ErrLost, name)
	}
	return read(l.Files, name)
}

func read(files Files, name storage.Hash) ([]byte, error) {
	data, err := files.Read(name)
	if err != nil {
		return nil, err
	}
	if storage.HashOf(data) != name {
		return nil, fmt.Errorf("%w: the file %s holds something else", storage.ErrLost, name)
	}
	return data, nil
}

// DeleteBlob keeps nothing for owner any more.
func (l Ledger) DeleteBlob(owner []byte) error {
	was, err := l.Records.Get(owners, owner)
	if err != nil {
		return err
	}
	// Deleted in any case: inside View it is refused.
	if err := l.Records.Delete(owners, owner); err != nil || was == nil {
		return err
	}
	return l.count(storage.Hash(was), 0, -1)
}

// count adds to the number of a blob's owners, and drops one without any.
func (l Ledger) count(name storage.Hash, size int64, more int) error {
	row, err := l.Records.Get(named, []byte(name))
	if err != nil {
		return err
	}
	n := more
	if row != nil {
		blob, was, err := parse(name, row)
		if err != nil {
			return err
		}
		size, n = blob.Size, was+more
	}
	if n <= 0 {
		if err := l.Records.Delete(named, []byte(name)); err != nil {
			return err
		}
		return l.Files.Drop(name)
	}
	row = binary.BigEndian.AppendUint64(nil, uint64(size))
	return l.Records.Put(named, []byte(name), binary.BigEndian.AppendUint64(row, uint64(n)))
}

func parse(name storage.Hash, row []byte) (blob storage.Blob, owners int, err error) {
	if len(row) != 16 || !name.IsValid() {
		return blob, 0, fmt.Errorf("%w: the record of the bytes %.80q", storage.ErrDamaged, name)
	}
	size, n := binary.BigEndian.Uint64(row), binary.BigEndian.Uint64(row[8:])
	return storage.Blob{Hash: name, Size: int64(min(size, storage.MaxBlob))}, int(min(n, 1<<40)), nil
}

// All returns everything that is kept, in the order of the names.
func All(r Records) ([]storage.Blob, error) {
	var list []storage.Blob
	for key, row := range r.Range(named, nil, nil) {
		blob, _, err := parse(storage.Hash(key), row)
		if err != nil {
			return nil, err
		}
		list = append(list, blob)
	}
	return list, nil
}

// IsNamed reports whether bytes are kept for anybody.
func IsNamed(r Records, name storage.Hash) (bool, error) {
	row, err := r.Get(named, []byte(name))
	return row != nil, err
}
