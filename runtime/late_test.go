package runtime_test

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// stubborn does not listen to its cancellation for a while.
func stubborn(d time.Duration, ended *atomic.Int64) llmtest.Answer {
	return func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			<-ctx.Done()
			time.Sleep(d)
			ended.Add(1)
			yield(llm.Chunk{}, ctx.Err())
		}
	}
}

func TestATerminationWaitsForWhatIsStillEndingBelow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int64
		c := newCast().plays("root", spawning(1), llmtest.Say("asked")).plays("worker-1", spawning(1), llmtest.Say("x"))
		c.plays("worker-2", stubborn(1500*time.Millisecond, &ended))
		s := run(t, c, memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		first := make(chan int64, 1)
		go func() {
			_, _ = s.r.Do(s.ctx, society.Terminate{Agent: "worker-2", By: society.User})
			first <- ended.Load()
		}()
		time.Sleep(100 * time.Millisecond)
		s.do(society.Terminate{Agent: "worker-1", By: society.User})
		if ended.Load() == 0 || <-first == 0 {
			t.Fatalf("a termination returned with %d ended calls, while work of its subtree still ran", ended.Load())
		}
	})
}

// slowView lets one read take a while.
type slowView struct {
	storage.Store
	slow atomic.Bool
}

func (s *slowView) View(f func(storage.Tx) error) error {
	if s.slow.CompareAndSwap(true, false) {
		time.Sleep(time.Second)
	}
	return s.Store.View(f)
}

func TestWorkThatWasCancelledWhileItReadBeginsNoDraft(t *testing.T) {
	for _, text := range []string{"", "other"} {
		synctest.Test(t, func(t *testing.T) {
			store := &slowView{Store: memdb.New()}
			s := run(t, newCast().plays("root", llmtest.HangAfter("new words")), store)
			store.slow.Store(true)
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(100 * time.Millisecond)
			s.do(society.Interrupt{Agent: society.Root, Text: text})
			time.Sleep(time.Minute)
			d, ok := s.r.Draft(society.Root)
			if text == "" && ok {
				t.Errorf("an interrupted agent shows %+v", d)
			}
			if text != "" && d.Text != "new words" {
				t.Errorf("the new answer is shown as %+v", d)
			}
		})
	}
}

// A model may wrap a cancellation that is none of ours, for example of one stream
// of a shared connection: it is a failure like any other.
func TestAForeignCancellationIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
			return func(yield func(llm.Chunk, error) bool) {
				yield(llm.Chunk{}, fmt.Errorf("stream reset: %w", context.Canceled))
			}
		})
		s := run(t, c, memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Minute)
		if inbox := s.inbox(); len(inbox) != 1 || inbox[0].Body != "well" {
			t.Fatalf("it was not tried again: %+v", inbox)
		}
	})
}
