package boltdb

import (
	"fmt"
	"strconv"

	"go.etcd.io/bbolt"

	"society-tui/storage"
)

// The format record says that a bbolt file is a store of this program, and which
// version of the way it is kept. It is written with the file's first commit; a
// later version keeps the bucket and both keys.
const (
	formatBucket  = "storage.format"
	formatMagic   = "society-tui store"
	formatVersion = 1
)

var keyMagic, keyVersion = []byte("magic"), []byte("version")

func writeFormat(t *bbolt.Tx) error {
	b, err := t.CreateBucket([]byte(formatBucket))
	if err != nil {
		return err
	}
	if err := b.Put(keyMagic, []byte(formatMagic)); err != nil {
		return err
	}
	return b.Put(keyVersion, []byte(strconv.Itoa(formatVersion)))
}

func checkFormat(t *bbolt.Tx) error {
	b := t.Bucket([]byte(formatBucket))
	if b == nil {
		return fmt.Errorf("%w: there is no format record, so it was not made by this program", storage.ErrDamaged)
	}
	if magic := b.Get(keyMagic); string(magic) != formatMagic {
		return fmt.Errorf("%w: the format record begins with %.40q", storage.ErrDamaged, magic)
	}
	text := string(b.Get(keyVersion))
	version, err := strconv.Atoi(text)
	if err != nil || version < 1 {
		return fmt.Errorf("%w: the version of its format is %.40q", storage.ErrDamaged, text)
	}
	if version > formatVersion {
		return fmt.Errorf("%w: its format is %d, this program knows %d", storage.ErrNewer, version, formatVersion)
	}
	return nil
}
