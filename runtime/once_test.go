package runtime_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
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

func keyed(key, text string) (api.RequestKey, society.Send) {
	return api.RequestKey{Key: key, Digest: sha256.Sum256([]byte(text))}, society.Send{To: society.Root, Text: text}
}

// openSilent runs a society whose model never answers.
func openSilent(t *testing.T, store storage.Store) (r *runtime.Runtime, leave func()) {
	t.Helper()
	r, err := runtime.Open(runtime.Config{Store: store, Model: llmtest.Script("silent", llmtest.Hang(), llmtest.Hang()), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	return r, func() {
		t.Helper()
		r.Force()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run = %v", err)
		}
	}
}

func messagesOf(t *testing.T, r *runtime.Runtime) int {
	t.Helper()
	p, err := r.Entries(t.Context(), society.Root, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(p.Entries) + len(p.Waiting)
}

func TestOnceHasOneEffectAndOneReplyForManyClientsAndAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		r, leave := openSilent(t, store)
		var clients sync.WaitGroup
		replies := make([]society.Reply, 50)
		for i := range replies {
			clients.Go(func() {
				key, send := keyed("one", "go")
				reply, err := r.Once(t.Context(), key, send)
				if err != nil {
					t.Errorf("Once = %v", err)
				}
				replies[i] = reply
			})
		}
		clients.Wait()
		leave()
		r, leave = openSilent(t, store)
		defer leave()
		key, send := keyed("one", "go")
		again, err := r.Once(t.Context(), key, send)
		if err != nil {
			t.Errorf("Once after a restart = %v", err)
		}
		want := again.(society.Sent).Message //nolint:forcetypeassert // the reply to Send
		for i, reply := range replies {
			if got := reply.(society.Sent).Message; got != want { //nolint:forcetypeassert // the reply to Send
				t.Errorf("client %d was answered %q, want %q", i, got, want)
			}
		}
		if n := messagesOf(t, r); n != 1 {
			t.Errorf("root got %d messages, want 1", n)
		}
	})
}

func TestOnceRefusesTheKeyOfAnotherRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, leave := openSilent(t, memdb.New())
		defer leave()
		for i, c := range []struct {
			text string
			want error
		}{{"go", nil}, {"stay", api.ErrKeyReused}, {"go", nil}} {
			key, send := keyed("one", c.text)
			if _, err := r.Once(t.Context(), key, send); !errors.Is(err, c.want) {
				t.Errorf("request %d: Once(%q) = %v, want %v", i, c.text, err, c.want)
			}
		}
		if n := messagesOf(t, r); n != 1 {
			t.Errorf("root got %d messages, want 1", n)
		}
	})
}

// A refusal changed nothing, so its key is free.
func TestOnceDecidesARefusedRequestAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := storagetest.NewFaulty(memdb.New())
		r, leave := openSilent(t, store)
		defer leave()
		store.FailAll(errors.New("the disk is full"))
		key, send := keyed("one", "go")
		if _, err := r.Once(t.Context(), key, send); !refusedAs(err, society.StoreUnavailable) {
			t.Errorf("Once while nothing is saved = %v", err)
		}
		store.Heal()
		time.Sleep(3 * time.Second)
		if _, err := r.Once(t.Context(), key, send); err != nil {
			t.Errorf("Once afterwards = %v", err)
		}
		if n := messagesOf(t, r); n != 1 {
			t.Errorf("root got %d messages, want 1", n)
		}
	})
}

func TestRepliesAreKeptForADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, leave := openSilent(t, memdb.New())
		defer leave()
		key, send := keyed("one", "go")
		for _, wait := range []time.Duration{0, 23 * time.Hour, 2 * time.Hour} {
			time.Sleep(wait)
			if _, err := r.Once(t.Context(), key, send); err != nil {
				t.Fatal(err)
			}
		}
		if n := messagesOf(t, r); n != 2 {
			t.Errorf("root got %d messages, want 2: the third came a day after the first", n)
		}
	})
}

func TestTasksSayWhatIsOpenAndWhatIsSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.Script("scripted", llmtest.Say("done"), llmtest.Hang())
		r, err := runtime.Open(runtime.Config{Store: memdb.New(), Model: model, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		var ids []society.TaskID
		for i := range 2 {
			sent, err := r.Do(ctx, society.Send{To: society.Root, Text: fmt.Sprint("request ", i), NewTask: true})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, sent.(society.Sent).Task) //nolint:forcetypeassert // the reply to Send
			time.Sleep(time.Minute)
		}
		tasks, err := r.Tasks(ctx)
		if err != nil || len(tasks) != 2 {
			t.Fatalf("Tasks = %+v, %v", tasks, err)
		}
		for i, want := range []society.TaskState{society.TaskSettled, society.TaskOpen} {
			if got := tasks[i]; got.ID != ids[i] || got.State != want || got.Text != fmt.Sprint("request ", i) {
				t.Errorf("task %d = %+v, want %s", i, got, want)
			}
		}
		if one, err := r.Tasks(ctx, ids[1]); err != nil || len(one) != 1 || one[0].ID != ids[1] {
			t.Errorf("Tasks(%s) = %+v, %v", ids[1], one, err)
		}
		if _, err := r.Tasks(ctx, "none"); !refusedAs(err, society.TaskNotFound) {
			t.Errorf("Tasks(none) = %v", err)
		}
		inbox, err := r.Inbox(ctx, api.InboxQuery{Task: ids[0]})
		newest, err2 := r.Newest(ctx)
		if err != nil || err2 != nil || len(inbox) != 1 || newest.Inbox != inbox[0].Seq {
			t.Errorf("Inbox of the first task = %+v, %v; Newest = %+v, %v", inbox, err, newest, err2)
		}
		lines, missed, err := r.Timeline(ctx, newest.Timeline-1)
		if err != nil || missed != 0 || len(lines) != 1 || lines[0].Seq != newest.Timeline {
			t.Errorf("Timeline(%d) = %+v, %d, %v", newest.Timeline-1, lines, missed, err)
		}
		r.Force()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// A client that got no reply sends its request again, while nothing can be saved too.
func TestOnceHasOneEffectWhileNothingIsSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := storagetest.NewFaulty(memdb.New())
		r, leave := openSilent(t, store)
		defer leave()
		if _, err := r.Do(t.Context(), society.Send{To: society.Root, Text: "go"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		store.FailAll(errors.New("the disk is full"))
		key := api.RequestKey{Key: "one", Digest: sha256.Sum256([]byte("interrupt"))}
		want := society.Interruption{Was: true, Unsaved: true}
		for range 2 {
			if got, err := r.Once(t.Context(), key, society.Interrupt{Agent: society.Root}); err != nil || got != want {
				t.Errorf("Once while nothing is saved = %+v, %v, want %+v", got, err, want)
			}
		}
		store.Heal()
		time.Sleep(3 * time.Second)
		want.Unsaved = false
		if got, err := r.Once(t.Context(), key, society.Interrupt{Agent: society.Root}); err != nil || got != want {
			t.Errorf("Once afterwards = %+v, %v, want %+v", got, err, want)
		}
	})
}

// A reply that takes the place of one that was too old has a place of its own.
func TestARenewedReplyIsKeptForADayOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		r, leave := openSilent(t, store)
		defer leave()
		once := func(key string) society.MessageID {
			t.Helper()
			k, send := keyed(key, "go")
			reply, err := r.Once(t.Context(), k, send)
			if err != nil {
				t.Fatal(err)
			}
			return reply.(society.Sent).Message //nolint:forcetypeassert // the reply to Send
		}
		holds := func(want int) {
			t.Helper()
			for _, bucket := range []string{"answered", "answeredKeys"} {
				n := 0
				if err := store.View(func(tx storage.Tx) error {
					for range tx.Range(bucket, nil, nil) {
						n++
					}
					return nil
				}); err != nil || n != want {
					t.Errorf("%s holds %d replies, %v; want %d", bucket, n, err, want)
				}
			}
		}
		first := once("one")
		time.Sleep(25 * time.Hour)
		second := once("one")
		holds(1)
		time.Sleep(23 * time.Hour)
		if again := once("one"); again == first || again != second {
			t.Errorf("the third reply is %q, want the second, %q, not the first, %q", again, second, first)
		}
		once("two")
		holds(2)
		time.Sleep(25 * time.Hour)
		once("three")
		holds(1)
	})
}

func TestTasksAreInTheOrderInWhichTheyBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, leave := openSilent(t, memdb.New())
		defer leave()
		var want []society.TaskID
		for range 20 {
			sent, err := r.Do(t.Context(), society.Send{To: society.Root, Text: "go", NewTask: true})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, sent.(society.Sent).Task) //nolint:forcetypeassert // the reply to Send
		}
		tasks, err := r.Tasks(t.Context())
		var got []society.TaskID
		for _, task := range tasks {
			got = append(got, task.ID)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Tasks = %q, %v, want %q", got, err, want)
		}
	})
}

func TestReadsOfAClosedStoreSayThatTheProgramLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		r, leave := openSilent(t, store)
		leave()
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		_, inbox := r.Inbox(t.Context(), api.InboxQuery{})
		_, ended := r.Ended(t.Context())
		_, entries := r.Entries(t.Context(), society.Root, 0, 0)
		for what, err := range map[string]error{"Inbox": inbox, "Ended": ended, "Entries": entries} {
			if !errors.Is(err, api.ErrLeaving) {
				t.Errorf("%s = %v, want %v", what, err, api.ErrLeaving)
			}
		}
	})
}

// A hookedStore does something before a read.
type hookedStore struct {
	storage.Store
	before func() // nil for nothing; done once
}

func (s *hookedStore) View(f func(storage.Tx) error) error {
	if before := s.before; before != nil {
		s.before = nil
		before()
	}
	return s.Store.View(f)
}

// A task that begins while the tasks are read is in the list as it is, or not at all.
func TestATaskThatHasJustBegunIsNotSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &hookedStore{Store: memdb.New()}
		r, leave := openSilent(t, store)
		defer leave()
		store.before = func() {
			if _, err := r.Do(t.Context(), society.Send{To: society.Root, Text: "go", NewTask: true}); err != nil {
				t.Error(err)
			}
		}
		tasks, err := r.Tasks(t.Context())
		if err != nil || store.before != nil {
			t.Fatalf("Tasks = %v", err)
		}
		for _, task := range tasks {
			if task.State != society.TaskOpen {
				t.Errorf("the new task is %+v", task)
			}
		}
	})
}
