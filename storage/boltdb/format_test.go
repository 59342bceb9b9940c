package boltdb

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"society-tui/storage"
)

// A store of an earlier version is brought to the present one, step by step and in
// one commit; after a step that fails it is as it was; and an earlier program refuses
// it from then on.
func TestAnEarlierFormatIsBroughtToThePresentOne(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "society.db")
	with := func(steps ...step) (*Store, error) {
		l := defaults()
		l.steps = append(append([]step{}, l.steps...), steps...)
		return open(path, l)
	}
	s, err := with()
	must(t, err)
	must(t, s.Update(func(tx storage.Tx) error { return tx.Put("letters", []byte("a"), []byte("old")) }))
	must(t, s.Close())
	value := func(want string) {
		t.Helper()
		must(t, s.View(func(tx storage.Tx) error {
			if got, err := tx.Get("letters", []byte("a")); err != nil || string(got) != want {
				return fmt.Errorf("%q, %w; want %q", got, err, want)
			}
			return nil
		}))
	}
	adds := func(text string) step {
		return func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte("letters"))
			return b.Put([]byte("a"), append(append([]byte{}, b.Get([]byte("a"))...), text...))
		}
	}
	fails := func(*bbolt.Tx) error { return errors.New("no way") }

	if s, err = with(adds(" one"), fails); err == nil || !strings.Contains(err.Error(), "no way") || !strings.Contains(err.Error(), "format 3 to 4") {
		t.Fatalf("a step that fails is told as: %v", err)
	}
	s, err = with()
	must(t, err)
	value("old")
	must(t, s.Close())

	for range 2 { // the second time there is nothing to do
		s, err = with(adds(" one"), adds(" two"))
		must(t, err)
		value("old one two")
		must(t, s.Check(), s.Close())
	}
	// Before each change the file was copied, as it was: once for the change that failed,
	// and once for the one that did not.
	for _, name := range []string{".format-2", ".format-2-2"} {
		must(t, Peek(t.Context(), path+name, func(tx storage.Tx) error {
			if got, err := tx.Get("letters", []byte("a")); err != nil || string(got) != "old" {
				return fmt.Errorf("the copy %s has %q, %w", name, got, err)
			}
			return nil
		}))
	}
	s, err = with(adds(" one"), adds(" two"), adds(" three"))
	must(t, err)
	value("old one two three")
	must(t, s.Close())
	if _, err := with(adds(" one")); !errors.Is(err, storage.ErrNewer) || !strings.Contains(err.Error(), "its format is 5, this program knows 3") {
		t.Fatalf("a newer one is told as: %v", err)
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
