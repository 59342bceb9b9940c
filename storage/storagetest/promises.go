package storagetest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"society-tui/storage"
)

func whatIsPutIsThere(t *testing.T, s storage.Store) {
	expect(t, s, "b", "k", "")
	put(t, s, "b", "k", "one")
	expect(t, s, "b", "k", "one")
	put(t, s, "b", "k", "two")
	expect(t, s, "b", "k", "two")
	expect(t, s, "b", "kk", "")
	update(t, s, func(tx storage.Tx) error {
		return errors.Join(tx.Delete("b", []byte("k")), tx.Delete("b", []byte("k")), tx.Delete("none", []byte("k")))
	})
	expect(t, s, "b", "k", "")
}

func anEmptyValueIsNotAMissingOne(t *testing.T, s storage.Store) {
	same := func(tx storage.Tx) error {
		for _, key := range []string{"nil", "empty"} {
			if v, err := tx.Get("b", []byte(key)); err != nil || v == nil || len(v) != 0 {
				return fmt.Errorf("%s is %v, %v; want an empty value that is not nil", key, v, err)
			}
		}
		if v, err := tx.Get("b", []byte("none")); v != nil || err != nil {
			return fmt.Errorf("a missing key is %v, %v; want nil, nil", v, err)
		}
		if v, err := tx.Get("b", nil); v != nil || err != nil {
			return fmt.Errorf("the empty key is %v, %v; want nil, nil", v, err)
		}
		for k, v := range tx.Range("b", nil, nil) {
			if v == nil {
				return fmt.Errorf("the range yields nil for %s", k)
			}
		}
		return nil
	}
	update(t, s, func(tx storage.Tx) error {
		return errors.Join(tx.Put("b", []byte("nil"), nil), tx.Put("b", []byte("empty"), []byte{}), same(tx))
	})
	view(t, s, same)
}

func putAndGetCopy(t *testing.T, s storage.Store) {
	key, value := []byte("key"), []byte("value")
	update(t, s, func(tx storage.Tx) error {
		if err := tx.Put("b", key, value); err != nil {
			return err
		}
		key[0], value[0] = 'X', 'X'
		return tx.Put("b", []byte("large"), make([]byte, 100_000)) // a small bucket may be kept in another way
	})
	var kept []byte
	view(t, s, func(tx storage.Tx) (err error) {
		kept, err = tx.Get("b", []byte("key"))
		return err
	})
	if string(kept) != "value" {
		t.Fatalf("a caller that changed its slice after Put changed the store: %q", kept)
	}
	kept[0] = 'X'
	expect(t, s, "b", "key", "value")
	put(t, s, "b", "key", "other")
	if string(kept) != "Xalue" {
		t.Fatalf("a value that was kept became %q", kept)
	}
	update(t, s, func(tx storage.Tx) error {
		v, err := tx.Get("b", []byte("key"))
		if err == nil {
			clear(v)
		}
		return err
	})
	expect(t, s, "b", "key", "other")
}

func bucketsAreApart(t *testing.T, s storage.Store) {
	put(t, s, "a", "k", "in a")
	put(t, s, "b", "k", "in b")
	put(t, s, "ab", "k", "in ab")
	update(t, s, func(tx storage.Tx) error { return tx.Delete("b", []byte("k")) })
	expect(t, s, "a", "k", "in a")
	expect(t, s, "b", "k", "")
	expect(t, s, "ab", "k", "in ab")
}

func rangesAreInByteOrder(t *testing.T, s storage.Store) {
	update(t, s, func(tx storage.Tx) error {
		var errs []error
		for _, k := range []string{"b", "a", "ab", "c", "\xff", "B", "b\x00"} {
			errs = append(errs, tx.Put("b", []byte(k), []byte("v")))
		}
		return errors.Join(errs...)
	})
	for _, c := range []struct{ from, to, up, down string }{
		{"", "", "B a ab b b\x00 c \xff ", "\xff c b\x00 b ab a B "},
		{"a", "c", "a ab b b\x00 ", "b\x00 b ab a "},
		{"aa", "b\x00", "ab b ", "b ab "},
		{"c", "", "c \xff ", "\xff c "},
		{"", "a", "B ", "B "},
		{"b", "b", "", ""},
		{"c", "a", "", ""},
		{"\xff\xff", "", "", ""},
		{"", "A", "", ""},
		{"ac", "ad", "", ""},
	} {
		view(t, s, func(tx storage.Tx) error {
			from, to := bound(c.from), bound(c.to)
			if got := keys(tx, false, "b", from, to); got != c.up {
				return fmt.Errorf("range %q to %q yields %q, want %q", from, to, got, c.up)
			}
			if got := keys(tx, true, "b", from, to); got != c.down {
				return fmt.Errorf("backward %q to %q yields %q, want %q", from, to, got, c.down)
			}
			if got := keys(tx, false, "none", from, to) + keys(tx, true, "none", from, to); got != "" {
				return fmt.Errorf("a bucket that is not there yields %q", got)
			}
			return nil
		})
	}
	// An empty bound that is not nil is before every key.
	view(t, s, func(tx storage.Tx) error {
		if got := keys(tx, false, "b", nil, []byte{}) + keys(tx, true, "b", nil, []byte{}); got != "" {
			return fmt.Errorf("up to the empty key there is %q", got)
		}
		return nil
	})
}

// bound makes "" the missing bound.
func bound(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

func aRangeCanBeLeftEarly(t *testing.T, s storage.Store) {
	update(t, s, func(tx storage.Tx) error {
		return errors.Join(tx.Put("b", []byte("1"), nil), tx.Put("b", []byte("2"), nil), tx.Put("b", []byte("3"), nil))
	})
	view(t, s, func(tx storage.Tx) error {
		seen := ""
		for k := range tx.Range("b", nil, nil) {
			seen += string(k)
			break
		}
		for k := range tx.Backward("b", nil, nil) {
			seen += string(k)
			break
		}
		// A sequence can be walked again, and two of them side by side.
		all := tx.Range("b", nil, nil)
		for a := range all {
			for b := range all {
				seen += " " + string(a) + string(b)
			}
		}
		if want := "13 11 12 13 21 22 23 31 32 33"; seen != want {
			return fmt.Errorf("saw %q, want %q", seen, want)
		}
		return nil
	})
}

func anUpdateSeesItsOwnWrites(t *testing.T, s storage.Store) {
	put(t, s, "b", "old", "1")
	update(t, s, func(tx storage.Tx) error {
		if err := errors.Join(
			tx.Put("b", []byte("new"), []byte("2")),
			tx.Delete("b", []byte("old")),
			tx.Put("fresh", []byte("k"), []byte("3")),
		); err != nil {
			return err
		}
		v, err := tx.Get("fresh", []byte("k"))
		if got := keys(tx, false, "b", nil, nil) + string(v); got != "new 3" {
			return fmt.Errorf("sees %q, want its own writes", got)
		}
		return err
	})
}

// deletedPagesAreSteppedOver empties whole pages of a tree on a disk inside one
// transaction and looks at what is left from both sides.
func deletedPagesAreSteppedOver(t *testing.T, s storage.Store) {
	const n = 200
	name := func(i int) []byte { return fmt.Appendf(nil, "%03d", i) }
	update(t, s, func(tx storage.Tx) error {
		for i := range n {
			if err := tx.Put("b", name(i), bytes.Repeat([]byte{'v'}, 400)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, hole := range []struct{ first, last int }{{0, n/2 - 1}, {n / 2, n - 1}, {40, 160}, {1, n - 2}, {0, n - 1}} {
		want, reverse := "", ""
		for i := range n {
			if i < hole.first || i > hole.last {
				want += string(name(i)) + " "
				reverse = string(name(i)) + " " + reverse
			}
		}
		err := s.Update(func(tx storage.Tx) error {
			for i := hole.first; i <= hole.last; i++ {
				if err := tx.Delete("b", name(i)); err != nil {
					return err
				}
			}
			if got := keys(tx, false, "b", nil, nil); got != want {
				return fmt.Errorf("without %v the range yields %q, want %q", hole, got, want)
			}
			if got := keys(tx, true, "b", nil, nil); got != reverse {
				return fmt.Errorf("without %v backward yields %q, want %q", hole, got, reverse)
			}
			if got := keys(tx, true, "b", name(0), name(hole.last+1)) + keys(tx, false, "b", name(hole.first), name(hole.last+1)); hole.first == 0 && got != "" {
				return fmt.Errorf("inside the hole %v there is %q", hole, got)
			}
			return errRefused
		})
		if !errors.Is(err, errRefused) {
			t.Fatal(err)
		}
	}
}

func aRefusedUpdateLeavesNothing(t *testing.T, s storage.Store) {
	put(t, s, "b", "k", "before")
	calls := 0
	err := s.Update(func(tx storage.Tx) error {
		calls++
		return errors.Join(
			tx.Put("b", []byte("k"), []byte("after")),
			tx.Put("b", []byte("l"), []byte("after")),
			tx.Put("fresh", []byte("k"), []byte("after")),
			errRefused,
		)
	})
	if !errors.Is(err, errRefused) || calls != 1 {
		t.Fatalf("Update returned %v after %d calls, want the function's error after one", err, calls)
	}
	expect(t, s, "b", "k", "before")
	expect(t, s, "b", "l", "")
	expect(t, s, "fresh", "k", "")
	put(t, s, "b", "l", "later")
	expect(t, s, "b", "l", "later")
	if err := s.View(func(storage.Tx) error { return errRefused }); !errors.Is(err, errRefused) {
		t.Fatalf("View returned %v, want the function's error", err)
	}
}

func aPanicRollsBackAndGoesOn(t *testing.T, s storage.Store) {
	put(t, s, "b", "k", "before")
	for name, transact := range map[string]func(func(storage.Tx) error) error{"update": s.Update, "view": s.View} {
		caught := func() (caught any) {
			defer func() { caught = recover() }()
			_ = transact(func(tx storage.Tx) error {
				_ = tx.Put("b", []byte("k"), []byte("after"))
				for range tx.Range("b", nil, nil) {
					panic("of the test")
				}
				return nil
			})
			return nil
		}()
		if caught != "of the test" {
			t.Fatalf("%s: the panic became %v", name, caught)
		}
		expect(t, s, "b", "k", "before")
		put(t, s, "b", "l", name)
		expect(t, s, "b", "l", name)
	}
}

func aViewCannotWrite(t *testing.T, s storage.Store) {
	put(t, s, "b", "k", "v")
	view(t, s, func(tx storage.Tx) error {
		if err := tx.Put("b", []byte("k"), nil); !errors.Is(err, storage.ErrReadOnly) {
			return fmt.Errorf("a Put in a View: %w", err)
		}
		if err := tx.Delete("b", []byte("k")); !errors.Is(err, storage.ErrReadOnly) {
			return fmt.Errorf("a Delete in a View: %w", err)
		}
		return nil
	})
	expect(t, s, "b", "k", "v")
}

func limitsHold(t *testing.T, s storage.Store) {
	longKey, big := bytes.Repeat([]byte{'k'}, storage.MaxKey), bytes.Repeat([]byte{'v'}, storage.MaxValue)
	for _, c := range []struct {
		name       string
		bucket     string
		key, value []byte
		want       error
	}{
		{"the largest value", "b", []byte("k"), big, nil},
		{"a larger value", "b", []byte("k"), append(big, 'v'), storage.ErrTooLarge},
		{"the longest key", "b", longKey, []byte("v"), nil},
		{"a longer key", "b", append(longKey, 'k'), []byte("v"), storage.ErrTooLarge},
		{"the longest bucket", string(longKey), []byte("k"), []byte("v"), nil},
		{"a longer bucket", string(longKey) + "k", []byte("k"), []byte("v"), storage.ErrTooLarge},
		{"an empty key", "b", nil, []byte("v"), storage.ErrNoKey},
		{"an empty bucket", "", []byte("k"), []byte("v"), storage.ErrNoKey},
	} {
		err := s.Update(func(tx storage.Tx) error { return tx.Put(c.bucket, c.key, c.value) })
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err == nil {
			expect(t, s, c.bucket, string(c.key), string(c.value))
		}
	}
}

func aTransactionEndsWithItsFunction(t *testing.T, s storage.Store) {
	put(t, s, "b", "k", "v")
	for name, transact := range map[string]func(func(storage.Tx) error) error{"update": s.Update, "view": s.View} {
		var late storage.Tx
		if err := transact(func(tx storage.Tx) error { late = tx; return nil }); err != nil {
			t.Fatal(err)
		}
		if _, err := late.Get("b", []byte("k")); !errors.Is(err, storage.ErrClosed) {
			t.Errorf("%s: a late Get returned %v", name, err)
		}
		if err := late.Put("b", []byte("k"), nil); !errors.Is(err, storage.ErrClosed) {
			t.Errorf("%s: a late Put returned %v", name, err)
		}
		if err := late.Delete("b", []byte("k")); !errors.Is(err, storage.ErrClosed) {
			t.Errorf("%s: a late Delete returned %v", name, err)
		}
		if got := keys(late, false, "b", nil, nil) + keys(late, true, "b", nil, nil); got != "" {
			t.Errorf("%s: a late range yields %q", name, got)
		}
	}
}

func aClosedStoreSaysSo(t *testing.T, s storage.Store) {
	for range 2 {
		closeStore(t, s)
	}
	unexpected := func(storage.Tx) error { t.Error("the function was called"); return nil }
	if err := s.View(unexpected); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("View of a closed store: %v", err)
	}
	if err := s.Update(unexpected); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("Update of a closed store: %v", err)
	}
}
