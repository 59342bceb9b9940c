package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// S000 P14, SPEC.md, decision 34.
func TestLeavingWaitsForCallsInFlightAndKeepsTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		c := newCast().plays("root", spawning(2), llmtest.Say("asked"))
		c.plays("worker-1", llmtest.When(delay(t, 10*time.Second), llmtest.Say("finished in time")))
		c.plays("worker-2", llmtest.HangAfter("never"))
		s := run(t, c, store)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		begun := time.Now()
		during := make(chan error, 1)
		go func() {
			time.Sleep(5 * time.Second) // calls are in flight still
			_, err := s.r.Do(t.Context(), society.Send{To: society.Root, Text: "while it leaves"})
			during <- err
		}()
		s.quit()
		if err := <-during; !errors.Is(err, api.ErrLeaving) {
			t.Fatalf("a message was taken while it was leaving: %v", err)
		}
		if took := time.Since(begun); took < 24*time.Second || took > 26*time.Second {
			t.Fatalf("leaving took %v", took)
		}
		if got, want := s.r.Summary(), (runtime.Summary{Processed: 4, Owed: 2}); got != want {
			t.Fatalf("the summary is %+v, not %+v", got, want)
		}
		if _, err := s.r.Do(t.Context(), society.Send{To: society.Root, Text: "late"}); !errors.Is(err, api.ErrLeaving) {
			t.Fatalf("a message was taken after leaving: %v", err)
		}

		again := run(t, newCast().plays("worker-2", llmtest.Say("now I could")), store)
		time.Sleep(5 * time.Second)
		if entries := again.said("worker-1"); entries[len(entries)-1].Text != "finished in time" {
			t.Fatalf("worker-1 ends with %+v", entries[len(entries)-1])
		}
		if entries := again.said("worker-2"); entries[len(entries)-1].Text != "now I could" {
			t.Fatalf("what was owed did not go on: %+v", entries[len(entries)-1])
		}
	})
}

// SPEC.md, decision 34: the summary lists what was processed and what is pending.
func TestLeavingLogsWhatWasDoneAndWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := run(t, newCast().plays("root", llmtest.Say("well"), llmtest.Hang()), memdb.New(),
			func(cfg *runtime.Config) { cfg.Log = slog.New(slog.NewTextHandler(&out, nil)) })
		for _, text := range []string{"one", "two", "three", "four"} {
			s.do(society.Send{To: society.Root, Text: text})
			time.Sleep(time.Second)
		}
		s.quit()
		if want := `msg="society stopped" processed=2 pending=2 owed=1 took=25s`; !strings.Contains(out.String(), want) {
			t.Fatalf("the log does not say %s:\n%s", want, out.String())
		}
	})
}

func TestForceLeavesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast().plays("root", llmtest.Hang()), memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		begun := time.Now()
		s.r.Force()
		s.quit()
		if took := time.Since(begun); took > 1500*time.Millisecond {
			t.Fatalf("leaving by force took %v", took)
		}
	})
}

// A stuckDisk keeps every commit from now on until it is let go.
type stuckDisk struct {
	storage.Store
	stuck chan struct{} // nil: it works
	mu    sync.Mutex
}

func (d *stuckDisk) Update(f func(storage.Tx) error) error {
	d.mu.Lock()
	stuck := d.stuck
	d.mu.Unlock()
	if stuck != nil {
		<-stuck
	}
	return d.Store.Update(f)
}

func (d *stuckDisk) sticks() (let func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stuck = make(chan struct{})
	return sync.OnceFunc(func() { close(d.stuck) })
}

// SPEC.md, decision 34: the second signal leaves at once, also from a disk that does not
// answer, whether the first came before or during the commit. Callers that wait for the
// commit get an error.
func TestForceLeavesADiskThatDoesNotAnswer(t *testing.T) {
	for _, first := range []string{"none", "before", "meanwhile"} {
		synctest.Test(t, func(t *testing.T) {
			disk := &stuckDisk{Store: memdb.New()}
			r, err := runtime.Open(runtime.Config{Store: disk, Model: llmtest.Script("scripted", llmtest.Hang())})
			if err != nil {
				t.Fatal(err)
			}
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			ended := make(chan error, 1)
			go func() { ended <- r.Run(ctx) }()
			if _, err := r.Do(t.Context(), society.Send{To: society.Root, Text: "go"}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			if first == "before" {
				leave()
			}
			let := disk.sticks()
			stopped := make(chan error, 1)
			go func() {
				_, err := r.Do(t.Context(), society.Stop{Agent: society.Root})
				stopped <- err
			}()
			time.Sleep(time.Second)
			if first == "meanwhile" {
				leave()
				time.Sleep(time.Second)
			}
			begun := time.Now()
			r.Force()
			if err := <-ended; !errors.Is(err, runtime.ErrStuck) {
				t.Errorf("first signal %s: it left with %v", first, err)
			}
			if took := time.Since(begun); took > 1500*time.Millisecond {
				t.Errorf("first signal %s: leaving by force took %v", first, took)
			}
			if err := <-stopped; !errors.Is(err, api.ErrLeaving) {
				t.Errorf("first signal %s: the stop came to %v", first, err)
			}
			if got := r.Summary(); got != (runtime.Summary{}) {
				t.Errorf("first signal %s: nobody knows what it has done, and it says %+v", first, got)
			}
			let()
			time.Sleep(time.Second) // the loop ends with what was posted meanwhile
		})
	}
}

// Nor does it wait for a tool that does not end, and the store is in order.
func TestForceLeavesAToolThatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		work := &deed{takes: time.Hour, lingers: time.Hour}
		s := run(t, newCast().plays("root", llmtest.CallTools(call("deed", object{}))), memdb.New(),
			func(cfg *runtime.Config) { cfg.Tools = []tool.Tool{work} })
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		begun := time.Now()
		s.r.Force()
		s.quit()
		if took := time.Since(begun); took > 1500*time.Millisecond {
			t.Fatalf("leaving by force took %v", took)
		}
		if got, want := s.r.Summary(), (runtime.Summary{Processed: 1, Owed: 1}); got != want {
			t.Fatalf("the summary is %+v, not %+v", got, want)
		}
		time.Sleep(2 * time.Hour) // the tool ends
	})
}

// SPEC.md, decision 34: all together at most 30 s, whatever a tool does. The program
// still has to close its store in them, and is given up after 28 s.
func TestLeavingLeavesAToolThatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		work := &deed{takes: time.Hour, lingers: time.Hour}
		s := run(t, newCast().plays("root", llmtest.CallTools(call("deed", object{}))), memdb.New(),
			func(cfg *runtime.Config) { cfg.Tools = []tool.Tool{work} })
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		begun := time.Now()
		s.quit()
		if took := time.Since(begun); took != 27500*time.Millisecond {
			t.Errorf("leaving took %v", took)
		}
		if got, want := s.r.Summary(), (runtime.Summary{Processed: 1, Owed: 1}); got != want {
			t.Errorf("the summary is %+v, not %+v", got, want)
		}
		time.Sleep(2 * time.Hour) // the tool ends
	})
}

// SPEC.md, decision 9: stopped and paused stay, what was in flight goes on.
func TestARestartFindsTheSocietyAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		c := newCast().plays("root", spawning(3), llmtest.Say("asked"))
		for i := range 3 {
			c.plays(fmt.Sprint("worker-", i+1), llmtest.Hang())
		}
		s := run(t, c, store)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		s.do(society.Stop{Agent: "worker-1"})
		s.do(society.Interrupt{Agent: "worker-2"})
		s.do(society.Send{To: "worker-3", Text: "one more thing"})
		before := s.rows()
		s.r.Force()
		s.quit()

		again := run(t, newCast().plays("worker-3", llmtest.Hang()), store)
		time.Sleep(time.Second)
		after := again.rows()
		if after["worker-1"].State != society.Stopped || after["worker-2"].Paused != society.Interrupted {
			t.Fatalf("worker-1 is %s, worker-2 paused %q", after["worker-1"].State, after["worker-2"].Paused)
		}
		if row := after["worker-3"]; row.State != society.WaitingLLM || row.Waiting != before["worker-3"].Waiting {
			t.Fatalf("worker-3 is %s with %d waiting", row.State, row.Waiting)
		}
		if n := again.model.Running(); n != 1 {
			t.Fatalf("%d calls were begun again", n)
		}
	})
}

func TestAStartWithPausedAgentsAsksNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		s := run(t, newCast().plays("root", llmtest.Hang()), store)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		s.r.Force()
		s.quit()
		again := run(t, newCast(), store, func(c *runtime.Config) { c.Paused = true })
		time.Sleep(time.Minute)
		if n := len(again.model.Requests()); n != 0 {
			t.Fatalf("%d requests were begun", n)
		}
		again.do(society.Resume{Agent: society.Root})
		time.Sleep(time.Second)
		if inbox := again.inbox(); len(inbox) != 1 || inbox[0].Body != "well" {
			t.Fatalf("after resume the person got %+v", inbox)
		}
	})
}

// SPEC.md, decision 32.
func TestAFailingStoreIsSaidAndNothingIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", spawning(1), llmtest.Say("asked"), llmtest.Say("thank you"))
		c.plays("worker-1", llmtest.When(delay(t, 10*time.Second), llmtest.Say("held and then handed in")))
		s, store := fallsIll(t, c)
		if _, err := s.r.Do(s.ctx, society.Send{To: society.Root, Text: "lost?"}); !refusedAs(err, society.StoreUnavailable) {
			t.Fatalf("a message was taken that cannot be saved: %v", err)
		}
		w := s.r.Watch()
		defer w.Close()
		if changes, err := w.Next(s.ctx); err != nil || changes.Unsaved == "" {
			t.Fatalf("the screen is not told (%v): %+v", err, changes)
		}
		time.Sleep(20 * time.Second) // worker-1 answers meanwhile
		store.Heal()
		time.Sleep(5 * time.Second)
		entries := s.said("worker-1")
		if entries[len(entries)-1].Text != "held and then handed in" {
			t.Fatalf("the answer of the outage is %+v", entries[len(entries)-1])
		}
		if inbox := s.inbox(); inbox[len(inbox)-1].Body != "thank you" {
			t.Fatalf("the person got %+v", inbox)
		}
	})
}

func TestAStopActsWhileNothingIsSavedAndIsWrittenFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := fallsIll(t, newCast().plays("root", llmtest.Hang(), llmtest.Say("too late")))
		reply, ok := s.do(society.Stop{Agent: society.Root}).(society.StopResult)
		if !ok || !reply.Stopped || !reply.Unsaved {
			t.Fatalf("the stop came to %+v", reply)
		}
		if n := s.model.Running(); n != 0 {
			t.Fatalf("%d calls run after the stop", n)
		}
		store.Heal()
		time.Sleep(5 * time.Second)
		if row := s.rows()[society.Root]; row.State != society.Stopped {
			t.Fatalf("root is %s after the store is back", row.State)
		}
		if n := len(s.model.Requests()); n != 1 {
			t.Fatalf("the model was asked %d times", n)
		}
	})
}

func TestAnInterruptWithTextGoesOnAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast().plays("root", llmtest.HangAfter("Once upon"), llmtest.Say("In short.")), memdb.New())
		s.do(society.Send{To: society.Root, Text: "tell me a story"})
		time.Sleep(time.Second)
		if d, ok := s.r.Draft(society.Root); !ok || d.Text != "Once upon" {
			t.Fatalf("the draft is %+v", d)
		}
		s.do(society.Interrupt{Agent: society.Root, Text: "shorter"})
		time.Sleep(time.Second)
		var kinds []conversation.Kind
		for _, e := range s.said(society.Root) {
			kinds = append(kinds, e.Kind)
		}
		want := []conversation.Kind{conversation.Inbound, conversation.Aborted, conversation.Inbound, conversation.Answer}
		if fmt.Sprint(kinds) != fmt.Sprint(want) {
			t.Fatalf("the conversation is %v", kinds)
		}
		if d, ok := s.r.Draft(society.Root); ok {
			t.Fatalf("the draft is still there when its row is on disk: %+v", d)
		}
	})
}

func TestAWatcherThatNeverLooksHoldsNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast(), memdb.New())
		w := s.r.Watch()
		defer w.Close()
		for i := range 200 {
			s.do(society.Send{To: society.Root, Text: fmt.Sprint("message ", i)})
		}
		time.Sleep(time.Minute)
		changes, err := w.Next(s.ctx)
		if err != nil || len(changes.Rows) != 1 || changes.Rows[0].Waiting != 0 {
			t.Fatalf("the late look shows %+v (%v)", changes, err)
		}
		ctx, cancel := context.WithTimeout(s.ctx, time.Hour)
		defer cancel()
		if changes, err := w.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("nothing has changed, and the watcher is shown %+v (%v)", changes, err)
		}
	})
}

func TestKeptReturnsWhatKeepStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		s := run(t, newCast(), store)
		if _, err := s.r.Keep(s.ctx, map[string]api.Value{"draft/root": {Bytes: []byte("half a sent")}}); err != nil {
			t.Fatal(err)
		}
		s.quit()
		again := run(t, newCast(), store)
		if got, err := again.r.Kept(again.ctx, "draft/root"); err != nil || string(got.Bytes) != "half a sent" {
			t.Fatalf("kept %q (%v)", got.Bytes, err)
		}
	})
}

// A drain that ends while the program is leaving is finished first.
func TestADrainThatEndsWhileLeavingIsFinished(t *testing.T) {
	for range 20 { // the end of the drain races with the end of the last call
		synctest.Test(t, func(t *testing.T) {
			store := memdb.New()
			c := newCast().plays("root", spawning(1), llmtest.CallTools(call("terminate_agent", object{"agentId": "worker-1"})))
			c.plays("worker-1", llmtest.When(delay(t, time.Second), llmtest.Say("done")))
			s := run(t, c, store)
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(100 * time.Millisecond)
			s.quit()
			err := store.View(func(tx storage.Tx) error {
				if v, err := tx.Get("agents", []byte("worker-1")); err != nil || v != nil {
					t.Fatalf("worker-1 is still there (%v): %s", err, v)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
