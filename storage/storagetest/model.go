package storagetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/storage"
)

// A model is the expected content of a store: bucket, key, value.
type model map[string]map[string]string

func (m model) clone() model {
	c := model{}
	for bucket, rows := range m {
		c[bucket] = maps.Clone(rows)
	}
	return c
}

var buckets = []string{"a", "b", "long name of a bucket"}

// likeAMap does random things to a store and to a map, and compares them.
func likeAMap(t *testing.T, open Open) {
	s := open(t)
	t.Cleanup(func() { closeStore(t, s) })
	rapid.Check(t, func(r *rapid.T) {
		empty(r, s)
		m := model{}
		r.Repeat(map[string]func(*rapid.T){
			"":       func(r *rapid.T) { same(r, s, m) },
			"update": func(r *rapid.T) { m = randomUpdate(r, s, m) },
			"fill":   func(r *rapid.T) { m = fill(r, s, m) },
			"range": func(r *rapid.T) {
				bucket, from, to := rapid.SampledFrom(buckets).Draw(r, "bucket"), drawBound(r, "from"), drawBound(r, "to")
				if err := s.View(func(tx storage.Tx) error { return sameRange(tx, m, bucket, from, to) }); err != nil {
					r.Fatal(err)
				}
			},
		})
	})
}

// likeAMapAcrossReopening does the same with a store that is closed and opened again
// between.
func likeAMapAcrossReopening(t *testing.T, open OpenIn) {
	dir := t.TempDir()
	s := open(t, dir)
	t.Cleanup(func() { closeStore(t, s) })
	rapid.Check(t, func(r *rapid.T) {
		empty(r, s)
		m := model{}
		r.Repeat(map[string]func(*rapid.T){
			"":       func(r *rapid.T) { same(r, s, m) },
			"update": func(r *rapid.T) { m = randomUpdate(r, s, m) },
			"fill":   func(r *rapid.T) { m = fill(r, s, m) },
			"reopen": func(*rapid.T) {
				closeStore(t, s)
				s = open(t, dir)
			},
		})
	})
}

// empty takes everything out of the store: making a new one for each run would take
// longer than the run.
func empty(r *rapid.T, s storage.Store) {
	if err := s.Update(func(tx storage.Tx) error {
		for _, bucket := range buckets {
			var all [][]byte
			for k := range tx.Range(bucket, nil, nil) {
				all = append(all, bytes.Clone(k))
			}
			for _, k := range all {
				if err := tx.Delete(bucket, k); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		r.Fatal(err)
	}
}

// randomUpdate makes an Update of random puts and deletes that ends well, with an
// error or with a panic, and returns what the store should then hold.
func randomUpdate(r *rapid.T, s storage.Store, m model) model {
	ending := rapid.SampledFrom([]string{"commit", "commit", "commit", "refuse", "panic"}).Draw(r, "ending")
	steps := rapid.IntRange(0, 20).Draw(r, "steps")
	next := m.clone()
	var err error
	caught := func() (caught any) {
		defer func() { caught = recover() }()
		err = s.Update(func(tx storage.Tx) error {
			for range steps {
				if err := randomStep(r, tx, next); err != nil {
					return err
				}
			}
			switch ending {
			case "refuse":
				return errRefused
			case "panic":
				panic(errRefused)
			}
			return nil
		})
		return nil
	}()
	switch {
	case ending == "panic" && caught == errRefused:
		return m
	case caught != nil:
		panic(caught)
	case ending == "refuse" && errors.Is(err, errRefused):
		return m
	case err != nil:
		r.Fatalf("update that was to %s: %v", ending, err)
	}
	return next
}

func randomStep(r *rapid.T, tx storage.Tx, m model) error {
	bucket, key := rapid.SampledFrom(buckets).Draw(r, "bucket"), drawKey(r)
	switch rapid.SampledFrom([]string{"put", "put", "delete", "delete many", "range"}).Draw(r, "step") {
	case "put":
		value := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(r, "value")
		value = bytes.Repeat(value, rapid.SampledFrom([]int{1, 1, 1, 30, 400}).Draw(r, "times"))
		if m[bucket] == nil {
			m[bucket] = map[string]string{}
		}
		m[bucket][string(key)] = string(value)
		return tx.Put(bucket, key, value)
	case "delete":
		delete(m[bucket], string(key))
		return tx.Delete(bucket, key)
	case "delete many":
		to := drawKey(r)
		for k := range m[bucket] {
			if k >= string(key) && k < string(to) {
				delete(m[bucket], k)
				if err := tx.Delete(bucket, []byte(k)); err != nil {
					return err
				}
			}
		}
		return nil
	default:
		return sameRange(tx, m, bucket, key, drawBound(r, "to"))
	}
}

// fill puts many keys at once, so that a tree on a disk gets several levels.
func fill(r *rapid.T, s storage.Store, m model) model {
	bucket, prefix := rapid.SampledFrom(buckets).Draw(r, "bucket"), drawKey(r)
	next := m.clone()
	if next[bucket] == nil {
		next[bucket] = map[string]string{}
	}
	n := rapid.IntRange(1, 100).Draw(r, "n")
	value := bytes.Repeat([]byte("filling "), rapid.IntRange(0, 60).Draw(r, "size"))
	if err := s.Update(func(tx storage.Tx) error {
		for i := range n {
			key := fmt.Appendf(bytes.Clone(prefix), "%d", i)
			next[bucket][string(key)] = string(value)
			if err := tx.Put(bucket, key, value); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		r.Fatal(err)
	}
	return next
}

// drawKey draws from few keys, so that they meet.
func drawKey(r *rapid.T) []byte {
	return rapid.SliceOfN(rapid.SampledFrom([]byte("\x00019\xff")), 1, 3).Draw(r, "key")
}

func drawBound(r *rapid.T, label string) []byte {
	if rapid.IntRange(0, 3).Draw(r, label+" is open") == 0 {
		return nil
	}
	return drawKey(r)
}

func same(r *rapid.T, s storage.Store, m model) {
	if err := s.View(func(tx storage.Tx) error {
		for _, bucket := range buckets {
			if err := sameRange(tx, m, bucket, nil, nil); err != nil {
				return err
			}
			for key, want := range m[bucket] {
				if got, err := tx.Get(bucket, []byte(key)); err != nil || got == nil || string(got) != want {
					return fmt.Errorf("%s/%q is %.40q, %v; want %.40q", bucket, key, got, err, want)
				}
			}
		}
		return nil
	}); err != nil {
		r.Fatal(err)
	}
}

// sameRange compares a range of the store and the same backward with the model.
func sameRange(tx storage.Tx, m model, bucket string, from, to []byte) error {
	var want []string
	for _, key := range slices.Sorted(maps.Keys(m[bucket])) {
		if key >= string(from) && (to == nil || key < string(to)) {
			want = append(want, key)
		}
	}
	if err := sameKeys(tx, m, bucket, from, to, want, false); err != nil {
		return err
	}
	slices.Reverse(want)
	return sameKeys(tx, m, bucket, from, to, want, true)
}

func sameKeys(tx storage.Tx, m model, bucket string, from, to []byte, want []string, backward bool) error {
	seq, name := tx.Range(bucket, from, to), "range"
	if backward {
		seq, name = tx.Backward(bucket, from, to), "backward"
	}
	i := 0
	for k, v := range seq {
		if i == len(want) || string(k) != want[i] {
			return fmt.Errorf("%s of %s from %q to %q yields %q at %d, want %q", name, bucket, from, to, k, i, want[min(i, len(want)):])
		}
		if string(v) != m[bucket][want[i]] {
			return fmt.Errorf("%s of %s yields %.40q for %q, want %.40q", name, bucket, v, k, m[bucket][want[i]])
		}
		i++
	}
	if i != len(want) {
		return fmt.Errorf("%s of %s from %q to %q ends after %d keys, want %q", name, bucket, from, to, i, want[i:])
	}
	return nil
}
