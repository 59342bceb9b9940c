package boltdb_test

import (
	"encoding/binary"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"society-tui/storage"
)

// The two differ only in the store: one writer, one row of 1 KB a commit. bbolt has
// the same options, so the difference is what is added to it.
func BenchmarkCommitOfOneRow(b *testing.B) {
	value := make([]byte, 1024)
	key := func(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }
	b.Run("store", func(b *testing.B) {
		s := open(b, filepath.Join(b.TempDir(), "society.db"))
		defer closed(b, s)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if err := s.Update(func(tx storage.Tx) error { return tx.Put("rows", key(i), value) }); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bbolt", func(b *testing.B) {
		db, err := bbolt.Open(filepath.Join(b.TempDir(), "bolt.db"), 0o600, &bbolt.Options{
			FreelistType: bbolt.FreelistMapType, NoFreelistSync: true, NoStatistics: true, InitialMmapSize: 1 << 30,
		})
		must(b, err)
		defer db.Close()
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if err := db.Update(func(tx *bbolt.Tx) error {
				bucket, err := tx.CreateBucketIfNotExists([]byte("rows"))
				if err != nil {
					return err
				}
				return bucket.Put(key(i), value)
			}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// messages makes a store with 100,000 rows of 200 bytes.
func messages(b *testing.B) string {
	path := filepath.Join(b.TempDir(), "society.db")
	s := open(b, path)
	value := make([]byte, 200)
	must(b, s.Update(func(tx storage.Tx) error {
		for i := range 100_000 {
			if err := tx.Put("rows", row(i), value); err != nil {
				return err
			}
		}
		return nil
	}), s.Close())
	return path
}

func BenchmarkOpenWith100000Rows(b *testing.B) {
	path := messages(b)
	b.Run("store", func(b *testing.B) {
		for b.Loop() {
			closed(b, open(b, path))
		}
	})
	b.Run("bbolt", func(b *testing.B) {
		for b.Loop() {
			db, err := bbolt.Open(path, 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType, NoFreelistSync: true})
			must(b, err, db.View(func(tx *bbolt.Tx) error {
				return tx.Bucket([]byte("rows")).ForEach(func(_, _ []byte) error { return nil })
			}), db.Close())
		}
	})
}

func BenchmarkReadOf100000Rows(b *testing.B) {
	s := open(b, messages(b))
	defer closed(b, s)
	b.ReportAllocs()
	for b.Loop() {
		hasRows(b, s, 100_000)
	}
}
