package runtime_test

import (
	"fmt"
	"iter"
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

// A call of a model reads what was said since the last one, however long the
// conversation is; after a restart, all of it once.
func TestACallOfTheModelReadsOnlyWhatIsNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counted{Store: memdb.New()}
		asked := func() int64 {
			// Check would compare what is kept with all that is stored.
			s := run(t, newCast().plays("root", llmtest.Say("well, yes")), store, func(cfg *runtime.Config) { cfg.Check = false })
			defer s.quit()
			var most int64
			for i := range 20 {
				store.read.Store(0)
				s.do(society.Send{To: society.Root, Text: fmt.Sprint("question ", i)})
				time.Sleep(time.Minute)
				if i > 0 {
					most = max(most, store.read.Load())
				}
			}
			if n := len(s.said(society.Root)); n < 40 {
				t.Fatalf("%d entries were said", n)
			}
			return most
		}
		// The answer before, and the message.
		if n := asked(); n != 2 {
			t.Errorf("up to %d entries were read for a call", n)
		}
		if n := asked(); n != 2 {
			t.Errorf("up to %d entries were read for a call after a restart", n)
		}
	})
}
