package memdb_test

import (
	"encoding/binary"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/storage"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

func TestKeepsThePromisesOfAStore(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, func(*testing.T) storage.Store { return memdb.New() })
}

func TestWorksInABubbleWhoseClockIsFalse(t *testing.T) {
	t.Parallel()
	outside := memdb.New()
	synctest.Test(t, func(t *testing.T) {
		for _, s := range []*memdb.Store{outside, memdb.New()} {
			var all sync.WaitGroup
			for i := range 10 {
				all.Go(func() {
					time.Sleep(time.Duration(i%3) * time.Hour)
					if err := s.Update(func(tx storage.Tx) error { return tx.Put("b", []byte{byte(i)}, nil) }); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			n := 0
			if err := s.View(func(tx storage.Tx) error {
				for range tx.Range("b", nil, nil) {
					n++
				}
				return nil
			}); err != nil || n != 10 {
				t.Errorf("%d rows, %v; want 10", n, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestACloneHoldsTheLastCommitAndGoesItsOwnWay(t *testing.T) {
	t.Parallel()
	put := func(s *memdb.Store, value string) {
		if err := s.Update(func(tx storage.Tx) error { return tx.Put("b", []byte("k"), []byte(value)) }); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(s *memdb.Store, want string) {
		var got []byte
		if err := s.View(func(tx storage.Tx) (err error) { got, err = tx.Get("b", []byte("k")); return err }); err != nil || string(got) != want {
			t.Errorf("it holds %q (%v), not %q", got, err, want)
		}
	}
	s := memdb.New()
	put(s, "before")
	c := s.Clone()
	put(s, "after")
	holds(c, "before")
	put(c, "elsewhere")
	holds(s, "after")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	holds(c, "elsewhere")
}

func BenchmarkUpdateWith100000Keys(b *testing.B) {
	s := memdb.New()
	key := func(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }
	if err := s.Update(func(tx storage.Tx) error {
		for i := range 100_000 {
			if err := tx.Put("b", key(i), []byte("v")); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := s.Update(func(tx storage.Tx) error { return tx.Put("b", key(100_000+i), []byte("v")) }); err != nil {
			b.Fatal(err)
		}
	}
}
