package runtime_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

var errFull = errors.New("no space left on device")

// fallsIll is a society whose store fails a second after root was written to.
func fallsIll(t *testing.T, c *cast, change ...func(*runtime.Config)) (*stage, *storagetest.Faulty) {
	t.Helper()
	store := storagetest.NewFaulty(memdb.New())
	s := run(t, c, store, change...)
	s.do(society.Send{To: society.Root, Text: "go"})
	time.Sleep(time.Second)
	store.FailAll(errFull)
	return s, store
}

func TestAStopStaysHoweverLongNothingIsSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := fallsIll(t, newCast().plays("root", llmtest.Hang(), llmtest.Say("too late")))
		s.do(society.Stop{Agent: society.Root})
		time.Sleep(time.Minute)
		if got := s.rows()[society.Root].State; got != society.Stopped {
			t.Fatalf("a minute into the outage root is %s", got)
		}
		store.Heal()
		s.r.Force() // before the second in which saving would be tried again
		s.quit()
		again := run(t, newCast(), store)
		time.Sleep(time.Minute)
		if got := again.rows()[society.Root].State; got != society.Stopped || len(again.model.Requests()) != 0 {
			t.Fatalf("after the restart root is %s, asked %d times", got, len(again.model.Requests()))
		}
	})
}

func TestWordsThatCannotBeSavedAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := fallsIll(t, newCast().plays("root", llmtest.Hang()))
		for range 2 { // the one that finds the store broken, and one after it
			if _, err := s.r.Do(s.ctx, society.Interrupt{Agent: society.Root, Text: "important"}); !refusedAs(err, society.StoreUnavailable) {
				t.Fatalf("an interrupt with a text came to %v", err)
			}
		}
		if reply := s.do(society.Interrupt{Agent: society.Root}).(society.Interruption); !reply.Was || !reply.Unsaved {
			t.Fatalf("an interrupt without a text came to %+v", reply)
		}
		store.Heal()
		time.Sleep(2 * time.Second)
	})
}

// SPEC.md, decision 32: what a verb of an outage has ended stays ended. It is written
// first afterwards, so that no answer counts which was held until then.
func TestAVerbOfAnOutageIsWrittenBeforeWhatIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := fallsIll(t, newCast().plays("root", llmtest.When(delay(t, 10*time.Second), llmtest.Say("held"))))
		time.Sleep(20 * time.Second)
		s.do(society.Stop{Agent: society.Root})
		store.Heal()
		time.Sleep(time.Minute)
		for _, e := range s.said(society.Root) {
			if e.Text == "held" {
				t.Errorf("root has answered after its stop: %+v", e)
			}
		}
		if got := s.rows()[society.Root].State; got != society.Stopped {
			t.Errorf("root is %s", got)
		}
	})
}

// slowUpdate takes its time for a commit, so that work could begin between two.
type slowUpdate struct{ storage.Store }

func (s slowUpdate) Update(f func(storage.Tx) error) error {
	time.Sleep(10 * time.Millisecond)
	return s.Store.Update(f)
}

func TestNoWorkBeginsAgainWhoseResultIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := storagetest.NewFaulty(slowUpdate{memdb.New()})
		c := newCast().plays("root", spawning(2), llmtest.Say("asked")).plays("worker-1", llmtest.Hang())
		c.plays("worker-2",
			llmtest.When(delay(t, 10*time.Second), llmtest.CallTools(call("send_message", object{"to": "worker-1", "payload": "hey"}))),
			llmtest.When(delay(t, 20*time.Second), llmtest.Say("held")), llmtest.Say("doubled"))
		s := run(t, c, store)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(15 * time.Second)
		store.FailAll(errFull)
		time.Sleep(10 * time.Second)          // worker-2's answer is held
		s.do(society.Stop{Agent: "worker-1"}) // touches worker-2, which had asked it
		store.Heal()
		time.Sleep(5 * time.Second)
		if n := c.asked("worker-2"); n != 2 {
			t.Fatalf("worker-2 was asked %d times", n)
		}
	})
}

// SPEC.md, decisions 32 and 34: what the user ended while nothing was being saved is
// written also when the store works again only while the program is leaving.
func TestAnInterruptOfAnOutageIsWrittenByTheLeavingProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := fallsIll(t, newCast().plays("root", llmtest.Hang()))
		s.do(society.Interrupt{Agent: society.Root})
		store.Heal()
		s.quit() // before the second in which saving would be tried again
		again := run(t, newCast(), store)
		time.Sleep(time.Minute)
		if row := again.rows()[society.Root]; row.Paused != society.Interrupted || len(again.model.Requests()) != 0 {
			t.Fatalf("root is %s, paused %q, asked %d times", row.State, row.Paused, len(again.model.Requests()))
		}
	})
}

// An end in an outage is logged when it happens, and not again when it is written.
func TestAStopInAnOutageIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := fallsIll(t, newCast().plays("root", llmtest.Hang()))
		s.do(society.Stop{Agent: society.Root})
		time.Sleep(time.Second)
		store.Heal()
		time.Sleep(time.Minute)
		w := s.r.Watch()
		defer w.Close()
		c, err := w.Next(s.ctx)
		if err != nil {
			t.Fatal(err)
		}
		told := map[string]int{}
		for _, e := range c.Log {
			told[e.Kind]++
		}
		if told["stopped"] != 1 {
			t.Fatalf("it was told %v", told)
		}
	})
}

// SPEC.md, decision 32: a write that fails is tried once more, and nobody hears of it.
func TestAWriteThatFailsOnceIsTriedOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := storagetest.NewFaulty(memdb.New())
		s := run(t, newCast(), store)
		store.FailBefore(1, errFull)
		s.do(society.Rename{Agent: society.Root, Name: "top"})
		if got := s.rows()[society.Root].Name; got != "top" {
			t.Errorf("root is called %q", got)
		}
	})
}

// A cramped store has room for so many bytes with one Update.
type cramped struct {
	storage.Store
	room atomic.Int64
}

func (c *cramped) Update(f func(storage.Tx) error) error {
	return c.Store.Update(func(tx storage.Tx) error {
		left := c.room.Load()
		return f(filling{tx, &left})
	})
}

type filling struct {
	storage.Tx
	left *int64
}

func (f filling) Put(bucket string, key, value []byte) error {
	if *f.left -= int64(len(key) + len(value)); *f.left < 0 {
		return errFull
	}
	return f.Tx.Put(bucket, key, value)
}

// A disk with room for a little, but not for what is to be saved, counts as failing:
// saving is not announced, nor fails anew, every second, and the probe is removed.
func TestADiskWithTooLittleRoomIsNotToldToWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &cramped{Store: memdb.New()}
		store.room.Store(100_000)
		s := run(t, newCast(), store)
		draft := map[string]api.Value{"draft": {Bytes: make([]byte, 5<<20)}}
		if _, err := s.r.Keep(s.ctx, draft); !refusedAs(err, society.StoreUnavailable) {
			t.Fatalf("five megabytes on a full disk: %v", err)
		}
		for range 3 {
			time.Sleep(1500 * time.Millisecond)
			if _, err := s.r.Do(s.ctx, society.Rename{Agent: society.Root, Name: "top"}); !refusedAs(err, society.StoreUnavailable) {
				t.Fatalf("while they have no room: %v", err)
			}
		}
		store.room.Store(100 << 20)
		time.Sleep(1500 * time.Millisecond)
		if _, err := s.r.Keep(s.ctx, draft); err != nil {
			t.Fatalf("with room: %v", err)
		}
		if err := store.View(func(tx storage.Tx) error {
			for range tx.Range("probe", nil, nil) {
				return errors.New("what the disk was tried with is still there")
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
}

// A slow store takes a second for each commit.
type slowStore struct{ storage.Store }

func (s slowStore) Update(f func(storage.Tx) error) error {
	time.Sleep(time.Second)
	return s.Store.Update(f)
}

// Who reads in the batch of a command that cannot be saved is answered with what is on disk.
func TestReadsAreAnsweredWhenTheCommandBesideThemFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := storagetest.NewFaulty(slowStore{memdb.New()})
		r, leave := openSilent(t, store)
		defer leave()
		var clients sync.WaitGroup
		send := func() { _, _ = r.Do(t.Context(), society.Send{To: society.Root, Text: "go", NewTask: true}) }
		clients.Go(send)
		synctest.Wait()
		clients.Go(send) // comes during the commit of the first, as the read does
		clients.Go(func() {
			if tasks, err := r.Tasks(t.Context()); err != nil || len(tasks) != 1 {
				t.Errorf("Tasks = %+v, %v, want the first", tasks, err)
			}
		})
		synctest.Wait()
		store.FailAll(errFull)
		clients.Wait()
		store.Heal()
		time.Sleep(time.Minute)
	})
}
