package boltdb

import (
	"errors"
	"fmt"
	"os"

	"society-tui/storage"
	"society-tui/storage/boltfile"
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
	return boltfile.Salvage(file, stat.Size(), func(bucket string, key, value []byte) bool {
		if bucket == formatBucket {
			return false
		}
		yield(bucket, key, value)
		return true
	}), nil
}
