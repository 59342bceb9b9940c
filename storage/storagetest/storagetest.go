// Package storagetest tests the promises of package storage for any implementation. Its
// wrappers break commits on purpose ([Faulty]) and remember what was committed
// ([Recorder]).
package storagetest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"society-tui/storage"
)

// An Open gives a test an empty store of its own. The suite closes it.
type Open func(t *testing.T) storage.Store

// Run tests a store against what package storage promises.
func Run(t *testing.T, open Open) {
	t.Helper()
	for _, promise := range []struct {
		name string
		test func(*testing.T, storage.Store)
	}{
		{"WhatIsPutIsThere", whatIsPutIsThere},
		{"AnEmptyValueIsNotAMissingOne", anEmptyValueIsNotAMissingOne},
		{"PutAndGetCopy", putAndGetCopy},
		{"BucketsAreApart", bucketsAreApart},
		{"RangesAreInByteOrder", rangesAreInByteOrder},
		{"ARangeCanBeLeftEarly", aRangeCanBeLeftEarly},
		{"AnUpdateSeesItsOwnWrites", anUpdateSeesItsOwnWrites},
		{"DeletedPagesAreSteppedOver", deletedPagesAreSteppedOver},
		{"ARefusedUpdateLeavesNothing", aRefusedUpdateLeavesNothing},
		{"APanicRollsBackAndGoesOn", aPanicRollsBackAndGoesOn},
		{"AViewCannotWrite", aViewCannotWrite},
		{"LimitsHold", limitsHold},
		{"ATransactionEndsWithItsFunction", aTransactionEndsWithItsFunction},
		{"AClosedStoreSaysSo", aClosedStoreSaysSo},
		{"CloseWaitsForAView", closeWaitsForAView},
		{"AViewKeepsItsSnapshot", aViewKeepsItsSnapshot},
		{"ReadersNeverSeeHalfAnUpdate", readersNeverSeeHalfAnUpdate},
		{"BytesAreKeptWhileTheyHaveAnOwner", bytesAreKeptWhileTheyHaveAnOwner},
		{"ARefusedUpdateKeepsNoBytes", aRefusedUpdateKeepsNoBytes},
		{"AViewKeepsItsBytes", aViewKeepsItsBytes},
	} {
		t.Run(promise.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			t.Cleanup(func() { closeStore(t, s) })
			promise.test(t, s)
		})
	}
	t.Run("BytesAreLikeAMap", func(t *testing.T) {
		t.Parallel()
		bytesAreLikeAMap(t, open(t), nil)
	})
	t.Run("AStoreIsLikeAMap", func(t *testing.T) {
		t.Parallel()
		likeAMap(t, open)
	})
}

func closeStore(t *testing.T, s storage.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// update runs f, which must be accepted.
func update(t testing.TB, s storage.Store, f func(storage.Tx) error) {
	t.Helper()
	if err := s.Update(f); err != nil {
		t.Fatalf("update: %v", err)
	}
}

// view runs f, which must be accepted.
func view(t testing.TB, s storage.Store, f func(storage.Tx) error) {
	t.Helper()
	if err := s.View(f); err != nil {
		t.Fatalf("view: %v", err)
	}
}

func put(t testing.TB, s storage.Store, bucket, key, value string) {
	t.Helper()
	update(t, s, func(tx storage.Tx) error { return tx.Put(bucket, []byte(key), []byte(value)) })
}

// expect reads key in a View; want "" means that it must be missing.
func expect(t testing.TB, s storage.Store, bucket, key, want string) {
	t.Helper()
	view(t, s, func(tx storage.Tx) error {
		got, err := tx.Get(bucket, []byte(key))
		if err != nil {
			return err
		}
		if want == "" && got != nil {
			return fmt.Errorf("%s/%s is %q, want it missing", bucket, key, got)
		}
		if string(got) != want {
			return fmt.Errorf("%s/%s is %q, want %q", bucket, key, got, want)
		}
		return nil
	})
}

// keys lists what a range yields as one string: each key, then a space.
func keys(tx storage.Tx, backward bool, bucket string, from, to []byte) string {
	var b bytes.Buffer
	seq := tx.Range(bucket, from, to)
	if backward {
		seq = tx.Backward(bucket, from, to)
	}
	for k := range seq {
		fmt.Fprintf(&b, "%s ", k)
	}
	return b.String()
}

var errRefused = errors.New("refused by the test")
