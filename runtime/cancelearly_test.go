package runtime_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// A slowDisk takes its time for every commit, for being opened again, and for one
// read.
type slowDisk struct {
	storage.Store
	takes, opening, reading atomic.Int64
}

func (d *slowDisk) slow(takes time.Duration) { d.takes.Store(int64(takes)) }

func (d *slowDisk) Reopen() error {
	time.Sleep(time.Duration(d.opening.Load()))
	return nil
}

func (d *slowDisk) View(f func(storage.Tx) error) error {
	time.Sleep(time.Duration(d.reading.Swap(0)))
	return d.Store.View(f)
}

func (d *slowDisk) Update(f func(storage.Tx) error) error {
	time.Sleep(time.Duration(d.takes.Load()))
	return d.Store.Update(f)
}

// A deed is a tool that works for a time, and lingers when its context is done.
type deed struct {
	class   tool.Class // ClassOwn if ""
	takes   time.Duration
	lingers time.Duration
	started chan struct{} // capacity 1, or nil
	begun   atomic.Int64
	ended   atomic.Int64
}

func (d *deed) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: "deed", Purpose: "Do it.", Class: cmp.Or(d.class, tool.ClassOwn), Group: tool.Read}
}

func (d *deed) Call(ctx context.Context, _ tool.Caller, _ json.RawMessage) (tool.Result, error) {
	d.begun.Add(1)
	select {
	case d.started <- struct{}{}:
	default:
	}
	defer d.ended.Add(1)
	timer := time.NewTimer(d.takes)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		timer.Reset(d.lingers)
		<-timer.C
	}
	return tool.Result{Text: "done"}, nil
}

// later carries a command out on a goroutine of its own, as the screen does, and
// returns where its error comes.
func (s *stage) later(cmd society.Command) <-chan error {
	ended := make(chan error, 1)
	go func() {
		_, err := s.r.Do(s.ctx, cmd)
		ended <- err
	}()
	synctest.Wait()
	return ended
}

// keys are the ways in which the user ends what an agent does.
func keys(id society.AgentID) []society.Command {
	return []society.Command{
		society.Stop{Agent: id},
		society.Terminate{Agent: id, By: society.User},
		society.Interrupt{Agent: id},
		society.Interrupt{Agent: id, Text: "other"},
	}
}

// The commit in whose middle the key comes is about the same agent, so that its
// work is looked at when it is through.
func TestAKeyInTheMiddleOfACommitCutsTheCallAtOnce(t *testing.T) {
	for _, key := range keys("worker-1") {
		synctest.Test(t, func(t *testing.T) {
			disk := &slowDisk{Store: memdb.New()}
			c := newCast().plays("root", spawning(1), llmtest.Say("asked")).plays("worker-1", llmtest.HangAfter("I begin and"))
			s := run(t, c, disk)
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Second)
			disk.slow(time.Second)
			sent := s.later(society.Send{To: "worker-1", Text: "by the way"})
			time.Sleep(100 * time.Millisecond)
			pressed := s.later(key)
			if n := s.model.Running(); n != 0 {
				t.Errorf("%#v: %d calls still run in the middle of the commit", key, n)
			}
			time.Sleep(850 * time.Millisecond)
			if n := c.asked("worker-1"); n != 1 {
				t.Errorf("%#v: worker-1 was asked %d times before the commit was through", key, n)
			}
			if err := errors.Join(<-sent, <-pressed); err != nil {
				t.Errorf("%#v: %v", key, err)
			}
			time.Sleep(time.Hour)
			want := 1
			if i, ok := key.(society.Interrupt); ok && i.Text != "" {
				want = 2
			}
			if n := c.asked("worker-1"); n != want {
				t.Errorf("%#v: worker-1 was asked %d times, not %d", key, n, want)
			}
			if _, ok := key.(society.Terminate); ok {
				return
			}
			aborted := slices.ContainsFunc(s.said("worker-1"), func(e conversation.Entry) bool {
				return e.Kind == conversation.Aborted && e.Tokens == len("I begin and")
			})
			if !aborted {
				t.Errorf("%#v: the length of what was thrown away is not kept: %+v", key, s.said("worker-1"))
			}
		})
	}
}

// A client that got no reply sends its request again. What it had begun goes on, and what
// was begun since goes on too.
func TestARequestThatComesAgainInTheMiddleOfACommitStopsNothing(t *testing.T) {
	for _, verb := range []society.Command{society.Interrupt{Agent: society.Root, Text: "other"}, society.Stop{Agent: "worker-1"}} {
		synctest.Test(t, func(t *testing.T) {
			disk := &slowDisk{Store: memdb.New()}
			c := newCast().plays("root", spawning(1), llmtest.HangAfter("I wait"), llmtest.HangAfter("I begin anew")).
				plays("worker-1", llmtest.HangAfter("I begin and"), llmtest.HangAfter("once more"), llmtest.HangAfter("after the repeat"))
			s := run(t, c, disk)
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Second)
			key := api.RequestKey{Key: "one", Digest: [32]byte{1}}
			if _, err := s.r.Once(s.ctx, key, verb); err != nil {
				t.Fatal(err)
			}
			if _, ok := verb.(society.Stop); ok {
				s.do(society.Resume{Agent: "worker-1"})
				s.do(society.Send{To: "worker-1", Text: "go on"})
			}
			time.Sleep(time.Second)
			asked, running := c.asked("root"), s.model.Running()
			disk.slow(time.Second)
			sent := s.later(society.Send{To: society.Root, Text: "by the way"})
			time.Sleep(100 * time.Millisecond)
			again := make(chan error, 1)
			go func() {
				_, err := s.r.Once(s.ctx, key, verb)
				again <- err
			}()
			if err := errors.Join(<-sent, <-again); err != nil {
				t.Fatal(err)
			}
			disk.slow(0)
			time.Sleep(time.Minute)
			if c.asked("root") != asked || s.model.Running() != running {
				t.Errorf("%#v again: root was asked %d times, %d calls run; want %d and %d", verb, c.asked("root"), s.model.Running(), asked, running)
			}
		})
	}
}

func TestAVerbThatWillBeRefusedCutsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &slowDisk{Store: memdb.New()}
		s := run(t, newCast().plays("root", llmtest.HangAfter("I begin")), disk)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		disk.slow(time.Second)
		sent := s.later(society.Send{To: society.Root, Text: "by the way"})
		pressed := s.later(society.Terminate{Agent: society.Root, By: society.User})
		if n := s.model.Running(); n != 1 {
			t.Fatalf("%d calls run after a refused verb", n)
		}
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
		if err := <-pressed; err == nil {
			t.Fatal("root was terminated")
		}
		time.Sleep(time.Minute)
		if n := len(s.model.Requests()); n != 1 || s.model.Running() != 1 {
			t.Fatalf("%d requests, %d run", n, s.model.Running())
		}
	})
}

func TestWhileNothingIsSavedWordsCutNothingAndKeysCutAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &slowDisk{Store: memdb.New()}
		store := struct {
			*storagetest.Faulty
			reopens
		}{storagetest.NewFaulty(disk), disk}
		s := run(t, newCast().plays("root", llmtest.HangAfter("I begin"), llmtest.After(time.Minute, llmtest.Say("it is this"))), store)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		disk.opening.Store(int64(time.Minute))
		store.FailAll(errFull)
		lost := s.later(society.Send{To: society.Root, Text: "lost"}) // finds the store broken and has it opened again
		time.Sleep(time.Second)
		first := s.later(society.Interrupt{Agent: society.Root})
		if n := s.model.Running(); n != 0 {
			t.Fatalf("%d calls run while the store is opened again", n)
		}
		if err := <-lost; !refusedAs(err, society.StoreUnavailable) {
			t.Fatalf("a message came to %v", err)
		}
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		disk.opening.Store(0)
		store.Heal()
		time.Sleep(2 * time.Minute)

		s.do(society.Send{To: society.Root, Text: "go on"})
		time.Sleep(time.Second)
		store.FailAll(errFull)
		disk.slow(time.Second)
		<-s.later(society.Send{To: society.Root, Text: "lost"})
		time.Sleep(1500 * time.Millisecond) // the store is being tried
		if err := <-s.later(society.Interrupt{Agent: society.Root, Text: "other"}); !refusedAs(err, society.StoreUnavailable) {
			t.Fatalf("an interrupt with a text came to %v", err)
		}
		disk.slow(0)
		store.Heal()
		time.Sleep(2 * time.Minute)
		if inbox := s.inbox(); len(inbox) != 1 || inbox[0].Body != "it is this" {
			t.Fatalf("a call was cut for words that were refused: %+v", inbox)
		}
	})
}

type reopens interface{ Reopen() error }

func TestWhatIsSaidDuringACommitIsCarriedOutInItsOrder(t *testing.T) {
	for _, messageFirst := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			disk := &slowDisk{Store: memdb.New()}
			s := run(t, newCast().plays("root", llmtest.Hang(), llmtest.Say("yes?")), disk)
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Second)
			disk.slow(time.Second)
			waits := []<-chan error{s.later(society.Seen{Agent: society.Root}), s.later(society.Send{To: society.Root, Text: "zero"})}
			verbs := []society.Command{society.Send{To: society.Root, Text: "one"}, society.Interrupt{Agent: society.Root}}
			if !messageFirst {
				slices.Reverse(verbs)
			}
			for _, verb := range verbs {
				waits = append(waits, s.later(verb))
			}
			for _, w := range waits {
				if err := <-w; err != nil {
					t.Error(err)
				}
			}
			disk.slow(0)
			time.Sleep(time.Minute)
			row, asked := s.rows()[society.Root], len(s.model.Requests())
			if messageFirst && (row.Paused != society.Interrupted || row.Waiting != 2 || asked != 1) {
				t.Errorf("a message before the interrupt: paused %q, %d waiting, asked %d times", row.Paused, row.Waiting, asked)
			}
			if !messageFirst && (row.Paused != "" || row.Waiting != 0 || asked != 2) {
				t.Errorf("a message after the interrupt: paused %q, %d waiting, asked %d times", row.Paused, row.Waiting, asked)
			}
		})
	}
}

func TestAnAnswerThatComesDuringACommitIsNotAskedForAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &slowDisk{Store: memdb.New()}
		c := newCast().plays("root", llmtest.After(1500*time.Millisecond, llmtest.Say("it is this")), llmtest.Say("and that"))
		s := run(t, c, disk)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		disk.slow(time.Second)
		s.do(society.Send{To: society.Root, Text: "by the way"}) // half a second later the answer comes
		time.Sleep(time.Minute)
		if n := c.asked("root"); n != 2 {
			t.Fatalf("root was asked %d times for two answers", n)
		}
		if inbox := s.inbox(); len(inbox) != 2 || inbox[1].Body != "and that" {
			t.Fatalf("the person got %+v", inbox)
		}
	})
}

// What was cut for an interrupt that cannot be saved is owed as before: the model
// is asked again and its answer is seen as it comes.
func TestAnInterruptWhoseTextCannotBeSavedLeavesTheWorkOwed(t *testing.T) {
	for _, when := range []string{"during a commit", "between commits", "while it reads"} {
		synctest.Test(t, func(t *testing.T) {
			disk := &slowDisk{Store: memdb.New()}
			store := storagetest.NewFaulty(disk)
			c := newCast().plays("root", llmtest.HangAfter("I begin"), llmtest.HangAfter("again"))
			asked := 2
			if when == "while it reads" {
				c, asked = newCast().plays("root", llmtest.HangAfter("again")), 1
			}
			s := run(t, c, store)
			if when == "while it reads" { // it ends that long after it was begun again
				disk.reading.Store(int64(30 * time.Second))
			}
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Second)
			disk.slow(time.Second)
			store.FailAll(errFull)
			if when == "during a commit" {
				s.later(society.Send{To: society.Root, Text: "lost"})
			}
			if err := <-s.later(society.Interrupt{Agent: society.Root, Text: "other"}); !refusedAs(err, society.StoreUnavailable) {
				t.Errorf("an interrupt with a text came to %v", err)
			}
			time.Sleep(10 * time.Second)
			if n := c.asked("root"); n != asked-1 {
				t.Errorf("%s: %d requests in the outage", when, n)
			}
			store.Heal()
			time.Sleep(time.Minute)
			if n := c.asked("root"); n != asked || s.model.Running() != 1 {
				t.Errorf("%s: %d requests, of which %d run", when, n, s.model.Running())
			}
			if d, ok := s.r.Draft(society.Root); !ok || d.Text != "again" || d.Aborted {
				t.Errorf("%s: the answer that comes is shown as %+v", when, d)
			}
			disk.slow(0)
		})
	}
}

func TestAToolThatWasCutForNothingIsNotRunAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		work := &deed{takes: time.Hour}
		c := newCast().plays("root", llmtest.CallTools(call("deed", object{})), llmtest.Say("I see"))
		s, store := fallsIll(t, c, func(cfg *runtime.Config) { cfg.Tools = []tool.Tool{work} })
		if err := <-s.later(society.Interrupt{Agent: society.Root, Text: "other"}); !refusedAs(err, society.StoreUnavailable) {
			t.Fatalf("an interrupt with a text came to %v", err)
		}
		store.Heal()
		time.Sleep(time.Minute)
		if n := work.begun.Load(); n != 1 {
			t.Fatalf("a tool that writes was begun %d times for one call", n)
		}
		entries := s.said(society.Root)
		if len(entries) != 4 || entries[2].Outcome != conversation.AbortedCall || entries[3].Text != "I see" {
			t.Fatalf("the conversation is %+v", entries)
		}
	})
}

// What comes while the store works never keeps the loop from all else.
func TestManyWhoWriteStarveNeitherTheScreenNorLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &slowDisk{Store: memdb.New()}
		s := run(t, newCast().plays("root", llmtest.Hang()), disk)
		disk.slow(10 * time.Millisecond)
		ctx, over := context.WithCancel(t.Context())
		defer over()
		for i := range 3 {
			go func() {
				time.Sleep(time.Duration(i) * 4 * time.Millisecond)
				for err := error(nil); err == nil; {
					_, err = s.r.Keep(ctx, map[string]api.Value{fmt.Sprint("writer ", i): {Bytes: []byte("x"), Revision: api.AnyRevision}})
					time.Sleep(time.Duration(3+4*i) * time.Millisecond) // so that somebody always comes during a commit
				}
			}()
		}
		time.Sleep(time.Second)
		w := s.r.Watch()
		defer w.Close()
		for range 3 {
			looked, cancel := context.WithTimeout(s.ctx, time.Second)
			if _, err := w.Next(looked); err != nil {
				t.Fatalf("the screen is shown nothing: %v", err)
			}
			cancel()
			go func() { _, _ = s.r.Do(ctx, society.Rename{Agent: society.Root, Name: "boss"}) }()
		}
		begun := time.Now()
		s.quit()
		if took := time.Since(begun); took > 26*time.Second { // 25 s for the call that hangs
			t.Fatalf("leaving took %v", took)
		}
		time.Sleep(time.Second) // the writers see it
	})
}

// brokenStore panics in a commit, once.
type brokenStore struct {
	storage.Store
	breaks atomic.Bool
}

func (b *brokenStore) Update(f func(storage.Tx) error) error {
	if b.breaks.CompareAndSwap(true, false) {
		panic("the store is broken")
	}
	return b.Store.Update(f)
}

func TestAPanicOfTheStoreIsACommitThatFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &brokenStore{Store: memdb.New()}
		s := run(t, newCast(), store)
		store.breaks.Store(true)
		if _, err := s.r.Do(s.ctx, society.Send{To: society.Root, Text: "lost"}); !refusedAs(err, society.StoreUnavailable) {
			t.Fatalf("a message came to %v", err)
		}
		time.Sleep(2 * time.Second)
		s.do(society.Send{To: society.Root, Text: "kept"})
		time.Sleep(time.Second)
		if inbox := s.inbox(); len(inbox) != 1 || inbox[0].Body != "well" {
			t.Fatalf("the person got %+v", inbox)
		}
	})
}
