package runtime_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	"society-tui/runtime/propertytest"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// costs count what a store is asked to do.
type costs struct {
	storage.Store
	commits, reads atomic.Int64
}

func (c *costs) Update(f func(storage.Tx) error) error {
	c.commits.Add(1)
	return c.Store.Update(f)
}

func (c *costs) View(f func(storage.Tx) error) error {
	c.reads.Add(1)
	return c.Store.View(f)
}

// What a turn takes does not depend on the machine: as many commits as there are things
// that must be on disk before they are seen (the message, the answer, and of a tool that
// only reads the call with its result), no reading of what this run of the program has
// written, and a bounded number of allocations, which the length of the conversation does
// not raise.
func TestATurnStaysWithinItsAllocations(t *testing.T) {
	for _, kind := range []struct {
		name, text string
		commits    int64
		allocs     float64
	}{
		// In 150 processes, whose maps are seeded anew, it was up to 356 and 702.
		{"plain", "Say something, please.", 2, 370},
		{"with a tool", "Please look at the lid.", 3, 720},
	} {
		t.Run(kind.name, func(t *testing.T) {
			// In a bubble the loop waits for a call as long as it takes, however busy the machine is.
			synctest.Test(t, func(t *testing.T) {
				store := &costs{Store: memdb.New()}
				c := newConversant(t, store, &quickModel{[]string{"well"}})
				defer c.quit()
				c.turn(t, kind.text)
				store.commits.Store(0)
				store.reads.Store(0)
				const turns = 10
				for range turns {
					c.turn(t, kind.text)
				}
				if got := store.commits.Load(); got != turns*kind.commits {
					t.Errorf("%d turns took %d commits, not %d each", turns, got, kind.commits)
				}
				if got := store.reads.Load(); got != 0 {
					t.Errorf("%d turns have read the store %d times", turns, got)
				}
			})
			c := newConversant(t, memdb.New(), &quickModel{[]string{"well"}})
			defer c.quit()
			turns := func() float64 { return testing.AllocsPerRun(20, func() { c.turn(t, kind.text) }) }
			early := turns()
			for range 70 {
				c.turn(t, kind.text)
			}
			if late := turns(); !propertytest.Raced && (early > kind.allocs || late > kind.allocs) {
				t.Errorf("a turn takes %.0f allocations, and %.0f later; at most %.0f are allowed", early, late, kind.allocs)
			}
		})
	}
}
