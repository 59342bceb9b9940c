package tables

import "society-tui/storage"

// cleanKey is there while nothing was erased since the file was compacted.
const cleanKey = "clean"

// Clean is the record of a file without bytes of the erased in it: who compacts one writes
// it.
func Clean() (bucket string, key, value []byte) {
	return space, []byte(cleanKey), []byte{version}
}

// IsClean reports whether the file holds no bytes of the erased: nothing was erased since it
// was compacted, or ever.
func IsClean(tx storage.Tx) (bool, error) {
	if clean, err := tx.Get(space, []byte(cleanKey)); err != nil || clean != nil {
		return err == nil, err
	}
	for range tx.Range(tombs, nil, nil) {
		return false, nil
	}
	return true, nil
}

// soiled records that rows are erased, whose bytes stay in free pages.
func soiled(tx storage.Tx) error { return tx.Delete(space, []byte(cleanKey)) }
