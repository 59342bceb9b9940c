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

// blobIs reports an error unless the bytes with a name are these.
func blobIs(tx storage.Tx, name storage.Hash, want []byte) error {
	got, err := tx.Blob(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%s holds %d bytes, want other %d", name, len(got), len(want))
	}
	clear(got) // it is the caller's
	return nil
}

// blobIsGone reports an error unless there are no bytes with a name.
func blobIsGone(tx storage.Tx, name storage.Hash) error {
	if _, err := tx.Blob(name); !errors.Is(err, storage.ErrLost) {
		return fmt.Errorf("%.80q, which nobody keeps: %v", name, err)
	}
	return nil
}

func bytesAreKeptWhileTheyHaveAnOwner(t *testing.T, s storage.Store) {
	data := bytes.Repeat([]byte("large "), 50_000)
	name := storage.HashOf(data)
	update(t, s, func(tx storage.Tx) error {
		for _, owner := range []string{"a", "b", "a"} {
			if blob, err := tx.PutBlob([]byte(owner), data); err != nil || blob != (storage.Blob{Hash: name, Size: int64(len(data))}) {
				return fmt.Errorf("put for %s: %+v, %w", owner, blob, err)
			}
		}
		return blobIs(tx, name, data)
	})
	update(t, s, func(tx storage.Tx) error {
		return errors.Join(tx.DeleteBlob([]byte("a")), tx.DeleteBlob([]byte("a")), tx.DeleteBlob([]byte("nobody")))
	})
	view(t, s, func(tx storage.Tx) error { return blobIs(tx, name, data) })
	update(t, s, func(tx storage.Tx) error { // another in its place
		_, err := tx.PutBlob([]byte("b"), nil)
		return err
	})
	view(t, s, func(tx storage.Tx) error {
		return errors.Join(blobIsGone(tx, name), blobIsGone(tx, ""), blobIsGone(tx, "../x"), blobIs(tx, storage.HashOf(nil), nil))
	})
}

func aRefusedUpdateKeepsNoBytes(t *testing.T, s storage.Store) {
	old, more := []byte("kept before"), []byte("refused")
	update(t, s, func(tx storage.Tx) error {
		_, err := tx.PutBlob([]byte("owner"), old)
		return err
	})
	err := s.Update(func(tx storage.Tx) error {
		_, err := tx.PutBlob([]byte("owner"), more)
		return errors.Join(err, errRefused)
	})
	if !errors.Is(err, errRefused) {
		t.Fatalf("update: %v", err)
	}
	view(t, s, func(tx storage.Tx) error {
		return errors.Join(blobIs(tx, storage.HashOf(old), old), blobIsGone(tx, storage.HashOf(more)))
	})
	for _, refused := range []struct {
		owner []byte
		data  []byte
		want  error
	}{{nil, old, storage.ErrNoKey}, {make([]byte, storage.MaxKey+1), old, storage.ErrTooLarge}, {[]byte("o"), make([]byte, storage.MaxBlob+1), storage.ErrTooLarge}} {
		if err := s.Update(func(tx storage.Tx) error {
			_, err := tx.PutBlob(refused.owner, refused.data)
			return err
		}); !errors.Is(err, refused.want) {
			t.Errorf("%d bytes for an owner of %d: %v, want %v", len(refused.data), len(refused.owner), err, refused.want)
		}
	}
	view(t, s, func(tx storage.Tx) error {
		_, err := tx.PutBlob([]byte("owner"), more)
		if !errors.Is(err, storage.ErrReadOnly) || !errors.Is(tx.DeleteBlob([]byte("owner")), storage.ErrReadOnly) {
			return fmt.Errorf("a view that writes: %w", err)
		}
		return nil
	})
}

// aViewKeepsItsBytes reads bytes that were deleted after the View had begun.
func aViewKeepsItsBytes(t *testing.T, s storage.Store) {
	data := []byte("read late")
	update(t, s, func(tx storage.Tx) error {
		_, err := tx.PutBlob([]byte("owner"), data)
		return err
	})
	began, deleted := make(chan struct{}), make(chan error, 1)
	go func() {
		<-began
		deleted <- s.Update(func(tx storage.Tx) error { return tx.DeleteBlob([]byte("owner")) })
	}()
	view(t, s, func(tx storage.Tx) error {
		close(began)
		if err := <-deleted; err != nil {
			return err
		}
		return blobIs(tx, storage.HashOf(data), data)
	})
	view(t, s, func(tx storage.Tx) error { return blobIsGone(tx, storage.HashOf(data)) })
}

// bytesAreLikeAMap lets random owners keep, replace and delete random bytes, in updates of
// which some are refused, across reopening if the store outlives its process.
func bytesAreLikeAMap(t *testing.T, s storage.Store, reopen func(storage.Store) storage.Store) {
	t.Cleanup(func() { closeStore(t, s) })
	all := []string{"", "x", "yy", "zzz"}
	kept := map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				there := slices.Collect(maps.Values(kept))
				if err := s.View(func(tx storage.Tx) error {
					for _, data := range all {
						is := blobIsGone(tx, storage.HashOf([]byte(data)))
						if slices.Contains(there, data) {
							is = blobIs(tx, storage.HashOf([]byte(data)), []byte(data))
						}
						if is != nil {
							return is
						}
					}
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			},
			"update": func(t *rapid.T) {
				next := maps.Clone(kept)
				refused := rapid.IntRange(0, 3).Draw(t, "refused") == 0
				err := s.Update(func(tx storage.Tx) error {
					for range rapid.IntRange(0, 4).Draw(t, "acts") {
						owner := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "owner")
						if err := putOrDelete(t, tx, owner, all, next); err != nil {
							return err
						}
					}
					if refused {
						return errRefused
					}
					return nil
				})
				switch {
				case refused && !errors.Is(err, errRefused), !refused && err != nil:
					t.Fatalf("update: %v", err)
				case !refused:
					kept = next
				}
			},
			"reopen": func(t *rapid.T) {
				if reopen != nil {
					s = reopen(s)
				}
			},
		})
	})
}

func putOrDelete(t *rapid.T, tx storage.Tx, owner string, all []string, kept map[string]string) error {
	if rapid.Bool().Draw(t, "deletes") {
		delete(kept, owner)
		return tx.DeleteBlob([]byte(owner))
	}
	kept[owner] = rapid.SampledFrom(all).Draw(t, "data")
	_, err := tx.PutBlob([]byte(owner), []byte(kept[owner]))
	return err
}
