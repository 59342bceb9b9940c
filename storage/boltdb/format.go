package boltdb

import (
	"fmt"
	"strconv"

	"go.etcd.io/bbolt"

	"society-tui/storage"
)

// The format record marks a bbolt file as a store of this program, with the version of
// its format. It is written with the file's first commit; later versions keep the bucket
// and both keys.
const (
	formatBucket = "storage.format"
	formatMagic  = "society-tui store"
)

// A step migrates a store from one version of its format to the next. It leaves the
// format record alone.
type step func(*bbolt.Tx) error

// steps migrate from version 1 on: the i-th leads from version i+1 to i+2. They are never
// edited, because files of every version must open (runtime/sessions keeps one of each).
func steps() []step { return nil }

// newest is the version that some steps lead to.
func newest(steps []step) int { return 1 + len(steps) }

var keyMagic, keyVersion = []byte("magic"), []byte("version")

func writeFormat(t *bbolt.Tx) error {
	b, err := t.CreateBucket([]byte(formatBucket))
	if err != nil {
		return err
	}
	if err := b.Put(keyMagic, []byte(formatMagic)); err != nil {
		return err
	}
	return b.Put(keyVersion, []byte(strconv.Itoa(newest(steps()))))
}

// migrate brings a store to the newest version in one commit: a crash leaves the old
// version.
func migrate(db *bbolt.DB, steps []step) error {
	var from int
	err := db.View(func(t *bbolt.Tx) (err error) {
		from, err = versionOf(t, newest(steps))
		return err
	})
	if err != nil || from == newest(steps) {
		return err
	}
	t, err := db.Begin(true)
	if err != nil {
		return err
	}
	defer t.Rollback()
	for version := from; version < newest(steps); version++ {
		if err := steps[version-1](t); err != nil {
			return fmt.Errorf("bring it from format %d to %d: %w", version, version+1, err)
		}
	}
	if err := t.Bucket([]byte(formatBucket)).Put(keyVersion, []byte(strconv.Itoa(newest(steps)))); err != nil {
		return err
	}
	return t.Commit()
}

// versionOf reads the format record; a version above the known one is ErrNewer.
func versionOf(t *bbolt.Tx, known int) (int, error) {
	b := t.Bucket([]byte(formatBucket))
	if b == nil {
		return 0, fmt.Errorf("%w: there is no format record, so it was not made by this program", storage.ErrDamaged)
	}
	if magic := b.Get(keyMagic); string(magic) != formatMagic {
		return 0, fmt.Errorf("%w: the format record begins with %.40q", storage.ErrDamaged, magic)
	}
	text := string(b.Get(keyVersion))
	version, err := strconv.Atoi(text)
	if err != nil || version < 1 {
		return 0, fmt.Errorf("%w: the version of its format is %.40q", storage.ErrDamaged, text)
	}
	if version > known {
		return 0, fmt.Errorf("%w: its format is %d, this program knows %d", storage.ErrNewer, version, known)
	}
	return version, nil
}
