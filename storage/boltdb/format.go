package boltdb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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
func steps() []step {
	return []step{
		// 2: calls that are planned and wait for the user, modes and rules, lists of what is
		// to be done, and bytes beside the store. The records of before stay as they are; a
		// program of before would take a waiting call for a model that is asked.
		func(*bbolt.Tx) error { return nil },
	}
}

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

// CopyMark stands in the name of the copy of a store that is made before its format
// changes, before the version of the format that the copy has.
const CopyMark = ".format-"

// keepCopy copies the file of a store to one beside it, and checks the copy. One that is
// there already, of a change that did not come to its end, is kept beside it.
func keepCopy(db *bbolt.DB, path string, version int, limits limits) error {
	name := path + CopyMark + strconv.Itoa(version)
	for n := 2; ; n++ {
		err := NewFile(name, func(draft string) error {
			err := db.View(func(t *bbolt.Tx) error { return t.CopyFile(draft, 0o600) })
			if err == nil {
				err = syncFile(draft)
			}
			if err != nil {
				return err
			}
			return inspect(draft, limits)
		})
		if !errors.Is(err, fs.ErrExist) || n > mostCopies {
			return err
		}
		name = fmt.Sprintf("%s%s%d-%d", path, CopyMark, version, n)
	}
}

// mostCopies is how many copies of one version are kept at most.
const mostCopies = 100

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// migrate brings a store to the newest version in one commit, after keep was called with the
// version that it has: a crash leaves the old version.
func migrate(db *bbolt.DB, steps []step, keep func(version int) error) error {
	var from int
	err := db.View(func(t *bbolt.Tx) (err error) {
		from, err = versionOf(t, newest(steps))
		return err
	})
	if err != nil || from == newest(steps) {
		return err
	}
	if err := keep(from); err != nil {
		return fmt.Errorf("copy it before its format changes: %w", err)
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
