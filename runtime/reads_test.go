package runtime_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// A counted store counts the entries of conversations that are read.
type counted struct {
	storage.Store
	read atomic.Int64
}

func (c *counted) View(f func(storage.Tx) error) error {
	return c.Store.View(func(tx storage.Tx) error { return f(countedTx{tx, c}) })
}

type countedTx struct {
	storage.Tx
	c *counted
}

func (t countedTx) Range(bucket string, from, to []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		for k, v := range t.Tx.Range(bucket, from, to) {
			if bucket == "said" {
				t.c.read.Add(1)
			}
			if !yield(k, v) {
				return
			}
		}
	}
}

// A call of a model reads nothing of what was written while its program runs, but
// for a message that had to wait, and of the rest of the conversation that stands
// behind what was read before; after a restart all of it is read once.
func TestACallOfTheModelReadsOnlyWhatIsNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counted{Store: memdb.New()}
		asked := func(waits bool) (first, most int64) {
			// Check would compare what is kept with all that is stored.
			c := newCast().plays("root", slices.Repeat([]llmtest.Answer{llmtest.After(time.Second, llmtest.Say("well, yes"))}, 40)...)
			s := run(t, c, store, func(cfg *runtime.Config) { cfg.Check = false })
			defer s.quit()
			for i := range 20 {
				store.read.Store(0)
				s.do(society.Send{To: society.Root, Text: fmt.Sprint("question ", i)})
				if waits {
					time.Sleep(time.Second / 2)
					s.do(society.Send{To: society.Root, Text: fmt.Sprint("and ", i)})
				}
				time.Sleep(time.Minute)
				if i > 0 {
					most = max(most, store.read.Load())
				} else {
					first = store.read.Load()
				}
			}
			return first, most
		}
		if _, n := asked(false); n != 0 {
			t.Errorf("up to %d entries were read for a call", n)
		}
		if first, n := asked(false); first != 41 || n != 0 {
			t.Errorf("after a restart %d entries were read, then up to %d for a call", first, n)
		}
		// The answer before, and the message.
		if first, n := asked(true); first != 81+2 || n != 2 {
			t.Errorf("where messages wait %d entries were read after a restart, then up to %d", first, n)
		}
	})
}

// Who gives a read up does not share what it returned with the loop.
func TestAReadThatWasGivenUpIsNotWrittenTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, leave := openSilent(t, slowStore{memdb.New()})
		defer leave()
		go func() { _, _ = r.Do(t.Context(), society.Send{To: society.Root, Text: "go"}) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second) // when the commit ends
		defer cancel()
		var clients sync.WaitGroup
		for range 20 {
			clients.Go(func() {
				c, _ := r.Newest(ctx)
				lines, missed, _ := r.Timeline(ctx, 0)
				figures, _ := r.Figures(ctx)
				if c.Timeline > 100 || missed > 0 || len(lines) > 100 || figures.Made > 100 {
					t.Errorf("Newest = %+v, Timeline = %v", c, lines)
				}
			})
		}
		clients.Wait()
	})
}
