package boltdb

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"society-tui/storage"
	"society-tui/storage/blobs"
	"society-tui/storage/boltfile"
)

// Salvage yields every readable key of the file path, in no order, and returns what could
// not be read, as far as that is known: the content of a lost page is not. It changes
// nothing. A sound file yields everything.
//
// The error is that of Open for a file that is held, from a newer version or unreachable.
// The yielded slices belong to the caller. The bytes beside the file are not yielded: a
// record names them, and blobs.FolderOf(path) holds them.
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
	return boltfile.Salvage(file, stat.Size(), func(bucket string, key, value []byte) bool {
		if bucket == formatBucket || slices.Contains(blobs.Buckets(), bucket) {
			return false
		}
		yield(bucket, key, value)
		return true
	}), nil
}
