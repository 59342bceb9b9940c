package attach_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/conversation"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// next returns the next changes, or fails.
func next(t *testing.T, c *attach.Client) api.Changes {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	changes, err := c.Watcher().Next(ctx)
	if err != nil {
		t.Fatalf("Next = %v", err)
	}
	return changes
}

// untilTold reads changes until some are as they should be.
func untilTold(t *testing.T, c *attach.Client, wanted func(api.Changes) bool) {
	t.Helper()
	for range 1000 {
		if wanted(next(t, c)) {
			return
		}
	}
	t.Fatal("what should be told was not told in 1000 changes")
}

// refuseDials lets no client in, as long as the program does not listen.
func (h *host) refuseDials(refuse bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = refuse
}

func TestCutIsToldAfterASecondAndRefusesNewCommandsUntilItIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("hang", llmtest.Hang()))
		defer h.leave()
		c := h.connect()
		defer c.Close()
		first := next(t, c)
		h.refuseDials(true)
		began := time.Now()
		h.cut()
		told := next(t, c)
		if !told.Disconnected || told.All || len(told.Rows) != 0 || told.Model != first.Model || told.Screens != first.Screens {
			t.Errorf("during a cut is told %+v", told)
		}
		if after := time.Since(began).Round(10 * time.Millisecond); after != time.Second {
			t.Errorf("a cut is told after %v", after)
		}
		began = time.Now()
		if _, err := c.Do(t.Context(), society.Send{To: society.Root, Text: "lost"}); !errors.Is(err, api.ErrDisconnected) || time.Since(began) != 0 {
			t.Errorf("Do during a cut = %v after %v", err, time.Since(began))
		}
		if _, err := c.Entries(t.Context(), society.Root, 0, 0); !errors.Is(err, api.ErrDisconnected) {
			t.Errorf("Entries during a cut = %v", err)
		}
		if _, err := c.Keep(t.Context(), map[string]api.Value{"a": {}}); !errors.Is(err, api.ErrDisconnected) {
			t.Errorf("Keep during a cut = %v", err)
		}
		if models := c.Models(); len(models) != 1 {
			t.Errorf("Models during a cut = %v", models)
		}
		time.Sleep(time.Hour)
		h.refuseDials(false)
		began = time.Now()
		if told := next(t, c); told.Disconnected || !told.All || len(told.Rows) != 1 || told.Screens != 1 {
			t.Errorf("after a cut is told %+v", told)
		}
		if after := time.Since(began); after > 1100*time.Millisecond {
			t.Errorf("the client has connected again after %v", after)
		}
		if _, err := c.Do(t.Context(), society.Send{To: society.Root, Text: "came"}); err != nil {
			t.Errorf("Do after a cut = %v", err)
		}
		e, err := c.Entries(t.Context(), society.Root, 0, 0)
		if err != nil || len(e.Entries)+len(e.Waiting) != 1 {
			t.Errorf("after the cut there are %+v, %v", e, err)
		}
	})
}

func TestShortCutIsNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("hang", llmtest.Hang()))
		defer h.leave()
		c := h.connect()
		defer c.Close()
		next(t, c)
		for range 5 {
			h.refuseDials(true)
			h.cut()
			time.Sleep(300 * time.Millisecond)
			h.refuseDials(false)
			if told := next(t, c); told.Disconnected || !told.All {
				t.Errorf("after a short cut is told %+v", told)
			}
			time.Sleep(time.Minute)
		}
	})
}

// A command on its way when the connection breaks is sent again when there is another.
func TestCommandInFlightOutlivesALongCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		h := openHost(t, store, llmtest.Script("hang", llmtest.Hang(), llmtest.Hang()))
		defer func() { h.leave() }()
		c := h.connect()
		defer c.Close()
		next(t, c)
		h.mu.Lock()
		h.open[0].breakAfter(100) // enough for a part of the request
		h.mu.Unlock()
		h.refuseDials(true)
		done := make(chan error, 1)
		go func() {
			_, err := c.Do(t.Context(), society.Send{To: society.Root, Text: "once"})
			done <- err
		}()
		untilTold(t, c, func(told api.Changes) bool { return told.Disconnected })
		select {
		case err := <-done:
			t.Errorf("Do in flight during a cut = %v", err)
		default:
		}
		// The program is another one when it comes back.
		h.leave()
		h.greeted.Boot = "second"
		h.start()
		if err := <-done; err != nil {
			t.Errorf("Do over a restart = %v", err)
		}
		if boot := c.Greeting().Boot; boot != "second" {
			t.Errorf("the greeting is that of the boot %q", boot)
		}
		e, err := c.Entries(t.Context(), society.Root, 0, 0)
		if err != nil || len(e.Entries)+len(e.Waiting) != 1 {
			t.Errorf("there are %+v, %v", e, err)
		}
		untilTold(t, c, func(told api.Changes) bool { return told.All })
	})
}

// A connection over which nothing comes any more is given up, at both ends.
func TestDeadConnectionIsNoticedAtBothEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("hang", llmtest.Hang()))
		defer h.leave()
		c := h.connect()
		defer c.Close()
		next(t, c)
		h.mu.Lock()
		h.closed = true
		dead := h.open[0]
		h.mu.Unlock()
		dead.freeze()
		began := time.Now()
		untilTold(t, c, func(told api.Changes) bool { return told.Disconnected })
		if after := time.Since(began); after > attachapi.Silence+2*time.Second {
			t.Errorf("a dead connection is told after %v", after)
		}
		w := h.society.Watch()
		defer w.Close()
		for {
			changes, err := w.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if changes.Screens == 0 {
				break
			}
		}
		if after := time.Since(began); after > 2*time.Minute {
			t.Errorf("a dead screen is counted for %v", after)
		}
		dead.thaw()
	})
}

func TestScreenThatLooksChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("hang", llmtest.Hang()))
		defer h.leave()
		c := h.connect(func(cfg *attach.Config) { cfg.Look = true })
		defer c.Close()
		next(t, c)
		if _, err := c.Do(t.Context(), society.Send{To: society.Root, Text: "no"}); !errors.Is(err, api.ErrLookOnly) {
			t.Errorf("Do = %v", err)
		}
		if _, err := c.Keep(t.Context(), map[string]api.Value{"a": {Bytes: []byte("b")}}); !errors.Is(err, api.ErrLookOnly) {
			t.Errorf("Keep = %v", err)
		}
		if _, err := c.Undo(t.Context(), api.UndoRequest{Changes: []uint64{1}}); !errors.Is(err, api.ErrLookOnly) {
			t.Errorf("an undo of a screen that looks: %v", err)
		}
		if err := c.Quit(t.Context(), true); !errors.Is(err, api.ErrLookOnly) {
			t.Errorf("Quit = %v", err)
		}
		if e, err := c.Entries(t.Context(), society.Root, 0, 0); err != nil || len(e.Entries)+len(e.Waiting) != 0 {
			t.Errorf("Entries = %+v, %v", e, err)
		}
		if v, err := c.Kept(t.Context(), "a"); err != nil || len(v.Bytes) != 0 {
			t.Errorf("Kept = %+v, %v", v, err)
		}
	})
}

func TestThereAreOnlySoManyScreensAndAllAreToldHowMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("hang", llmtest.Hang()))
		defer h.leave()
		h.society.CountScreens(1) // of this process
		var all []*attach.Client
		for range attachapi.MostScreens {
			c := h.connect()
			defer c.Close()
			all = append(all, c)
		}
		for _, c := range all {
			untilTold(t, c, func(told api.Changes) bool { return told.Screens == attachapi.MostScreens+1 })
		}
		_, err := attach.Connect(t.Context(), attach.Config{Dial: h.dial})
		if refused, ok := errors.AsType[*httpapi.Error](err); !ok || refused.Status != 429 {
			t.Errorf("Connect of one more = %v", err)
		}
		h.cut() // each comes back in its own place
		time.Sleep(10 * time.Second)
		all[3].Close()
		for i, c := range all {
			if i != 3 {
				untilTold(t, c, func(told api.Changes) bool { return told.Screens == attachapi.MostScreens })
			}
		}
		c := h.connect()
		defer c.Close()
		untilTold(t, all[0], func(told api.Changes) bool { return told.Screens == attachapi.MostScreens+1 })
	})
}

func TestEndOfTheSocietyIsLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("hang", llmtest.Hang()))
		c := h.connect()
		defer c.Close()
		next(t, c)
		left := make(chan struct{})
		go func() { h.leave(); close(left) }()
		for {
			_, err := c.Watcher().Next(t.Context())
			if err == nil {
				continue
			}
			if !errors.Is(err, api.ErrLeaving) {
				t.Errorf("Next = %v", err)
			}
			break
		}
		if _, err := c.Do(t.Context(), society.PauseAll{}); !errors.Is(err, api.ErrLeaving) {
			t.Errorf("Do = %v", err)
		}
		<-left
	})
}

// Whatever a program that leaves has promised to those that are attached, it takes no other
// screen, unless another process goes on with the society.
func TestAProgramThatLeavesTakesNoOtherScreen(t *testing.T) {
	for _, moves := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := openHost(t, memdb.New(), llmtest.Script("hang", llmtest.Hang()))
			defer h.leave()
			c := h.connect()
			defer c.Close()
			h.mu.Lock()
			h.leaves, h.moves = true, moves
			h.mu.Unlock()
			other, err := attach.Connect(t.Context(), attach.Config{Dial: h.dial})
			if errors.Is(err, api.ErrLeaving) == moves {
				t.Errorf("Connect of a new screen = %v; the society moves: %t", err, moves)
			}
			if err == nil {
				other.Close()
			}
			h.cut() // who was attached sees the end
			time.Sleep(5 * time.Second)
			untilTold(t, c, func(told api.Changes) bool { return told.All && told.Screens == 1 })
		})
	}
}

func TestCloseEndsWhatIsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		h := openHost(t, memdb.New(), llmtest.Func("stubborn", func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
			return func(yield func(llm.Chunk, error) bool) {
				<-end
				yield(llm.Chunk{}, ctx.Err())
			}
		}))
		defer h.leave()
		defer close(end)
		c := h.connect()
		next(t, c)
		do(t, h, society.Send{To: society.Root, Text: "work"})
		settle()
		for drained := false; !drained; {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err := c.Watcher().Next(ctx)
			cancel()
			drained = err != nil
		}
		done := make(chan error, 2)
		go func() { _, err := c.Do(t.Context(), society.Stop{Agent: society.Root}); done <- err }() // it waits for the model
		go func() {
			var err error
			for err == nil {
				_, err = c.Watcher().Next(t.Context())
			}
			done <- err
		}()
		synctest.Wait()
		c.Close()
		for range 2 {
			if err := <-done; err == nil {
				t.Error("a call in flight has ended without an error")
			}
		}
		if _, err := c.Roles(t.Context()); err == nil {
			t.Error("Roles after Close has no error")
		}
	})
}

func TestConnectRefusesWhatItCannotReach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nobody := errors.New("nobody listens")
		if _, err := attach.Connect(t.Context(), attach.Config{Dial: func(context.Context) (net.Conn, error) { return nil, nobody }}); !errors.Is(err, nobody) {
			t.Errorf("Connect to nobody = %v", err)
		}
		began := time.Now()
		here, there := net.Pipe()
		go func() { // reads and never answers
			for b := make([]byte, 1024); ; {
				if _, err := there.Read(b); err != nil {
					return
				}
			}
		}()
		if _, err := attach.Connect(t.Context(), attach.Config{Dial: func(context.Context) (net.Conn, error) { return here, nil }}); err == nil || time.Since(began) > 20*time.Second {
			t.Errorf("Connect to somebody mute = %v after %v", err, time.Since(began))
		}
	})
}

// The program that comes back may be another version.
func TestProgramOfAnotherProtocolEndsTheClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("hang", llmtest.Hang()))
		defer h.leave()
		c := h.connect()
		defer c.Close()
		next(t, c)
		h.mu.Lock()
		h.other = 7
		h.mu.Unlock()
		h.cut()
		for {
			_, err := c.Watcher().Next(t.Context())
			if err == nil {
				continue
			}
			if incompatible, ok := errors.AsType[*attachapi.Incompatible](err); !ok || incompatible.Theirs != 7 || incompatible.Ours != attachapi.Protocol {
				t.Errorf("Next = %v", err)
			}
			break
		}
		if _, err := c.Do(t.Context(), society.PauseAll{}); err == nil {
			t.Error("Do has no error")
		}
		_, err := attach.Connect(t.Context(), attach.Config{Dial: h.dial})
		if _, ok := errors.AsType[*attachapi.Incompatible](err); !ok {
			t.Errorf("Connect = %v", err)
		}
	})
}

// A screen that does not look holds nobody up, and what waits for it at both ends does not
// grow with what happens.
func TestScreenThatDoesNotLookHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Func("hang", llmtest.Hang()))
		defer h.leave()
		c, other := h.connect(), h.connect()
		defer c.Close()
		defer other.Close()
		next(t, c)
		next(t, other)
		h.mu.Lock()
		stuck := h.open[0]
		h.mu.Unlock()
		began := time.Now()
		for i := range 2000 {
			if i == 1000 {
				stuck.stall() // reads nothing at all
			}
			if _, err := api.Do(t.Context(), other, society.Rename{Agent: society.Root, Name: fmt.Sprint("Name ", i)}); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took > attachapi.Beat {
			t.Errorf("2000 commands of another screen took %v", took)
		}
		stuck.goOn()
		settle()
		for range 3 { // few looks show the last of many changes
			told := next(t, c)
			if len(told.Rows) == 1 && told.Rows[0].Name == "Name 1999" {
				return
			}
		}
		t.Error("three looks do not show the last of 2000 changes")
	})
}

func TestLongConversationsAndInboxesComeInPagesAndAreJoined(t *testing.T) {
	if propertytest.Raced {
		t.Skip("it needs megabytes, of which one goroutine at a time has hold")
	}
	synctest.Test(t, func(t *testing.T) {
		long := strings.Repeat("long ", 80_000)
		h := openHost(t, memdb.New(), llmtest.Func("says", llmtest.Say(long)))
		defer h.leave()
		for i := range 3 {
			do(t, h, society.Send{To: society.Root, Text: fmt.Sprint(i, " ", long)})
			settle()
		}
		do(t, h, society.PauseAgent{Agent: society.Root})
		c := h.connect()
		defer c.Close()
		for _, part := range [][2]uint64{{0, 0}, {2, 0}, {1, 5}, {100, 0}} {
			want, err := h.society.Entries(t.Context(), society.Root, part[0], part[1])
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Entries(t.Context(), society.Root, part[0], part[1])
			same := slices.EqualFunc(got.Entries, want.Entries, func(a, b conversation.Entry) bool { return a.Slot == b.Slot && a.Text == b.Text })
			if err != nil || !same || got.Next != want.Next || got.First != want.First || got.Agent != want.Agent {
				t.Errorf("Entries of %v has %d entries up to %d, %v, want %d up to %d", part, len(got.Entries), got.Next, err, len(want.Entries), want.Next)
			}
		}
		for _, of := range []api.InboxQuery{{}, {Most: 2}, {From: 2}, {Bytes: 700_000}, {Task: "none"}} {
			want, err := h.society.Inbox(t.Context(), of)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Inbox(t.Context(), of)
			if err != nil || !slices.EqualFunc(got, want, func(a, b api.InboxMessage) bool { return a.Seq == b.Seq && a.Body == b.Body }) {
				t.Errorf("Inbox of %+v has %d messages, %v, want %d", of, len(got), err, len(want))
			}
		}
	})
}

// Another process goes on with the society: its screens attach there, and what they do
// meanwhile waits.
func TestSocietyThatMovesTakesItsScreensAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("hang", llmtest.Hang(), llmtest.Hang()))
		defer func() { h.leave() }()
		c := h.connect()
		defer c.Close()
		next(t, c)
		h.mu.Lock()
		h.moves = true
		h.mu.Unlock()
		left, done := make(chan struct{}), make(chan struct{})
		go func() { h.leave(); close(left) }()
		go func() {
			defer close(done)
			for i := range 50 { // before, while and after it leaves
				if _, err := c.Do(t.Context(), society.Rename{Agent: society.Root, Name: fmt.Sprint("Name ", i)}); err != nil {
					t.Errorf("Do while the society moves = %v", err)
				}
			}
		}()
		<-left
		h.start()
		<-done
		untilTold(t, c, func(told api.Changes) bool { return told.All && !told.Disconnected })
	})
}

// A dial that hangs ends with the try that began it.
func TestDialsThatHangAreGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), talk())
		defer h.leave()
		var dials, open, most atomic.Int64
		c, err := attach.Connect(t.Context(), attach.Config{Dial: func(ctx context.Context) (net.Conn, error) {
			if dials.Add(1) == 1 {
				return h.dial(ctx)
			}
			most.Store(max(most.Load(), open.Add(1)))
			defer open.Add(-1)
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		if err != nil {
			t.Fatal(err)
		}
		next(t, c)
		h.cut()
		time.Sleep(5 * time.Minute)
		c.Close()
		synctest.Wait()
		if dials.Load() < 10 || most.Load() > 1 || open.Load() > 0 {
			t.Errorf("of %d dials that hang %d were open at once, and %d still are", dials.Load()-1, most.Load(), open.Load())
		}
	})
}
