package pump

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/process"
)

// always is a society that changes all the time.
type always struct{ asked int }

func (w *always) Next(context.Context) (api.Changes, error) {
	w.asked++
	return api.Changes{Inbox: w.asked}, nil
}

// never is a society that does not change.
type never struct{}

func (never) Next(ctx context.Context) (api.Changes, error) {
	<-ctx.Done()
	return api.Changes{}, ctx.Err()
}

type broken struct{ err error }

func (b broken) Next(context.Context) (api.Changes, error) {
	if b.err == nil {
		panic("the society is gone")
	}
	return api.Changes{}, b.err
}

// framesIn counts the frames of a second, if each takes takes to send.
func framesIn(t *testing.T, takes time.Duration, unfocused bool) int {
	t.Helper()
	frames := 0
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 999*time.Millisecond)
		defer cancel()
		p := &Pump{watcher: &always{}}
		p.Unfocused.Store(unfocused)
		p.Send = func(m tea.Msg) {
			frames++
			process.Wait(ctx, takes)
			close(m.(Frame).Shown)
		}
		if err := p.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	return frames
}

func TestPumpSendsFewerFramesWithoutFocusOrOnASlowTerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		takes     time.Duration
		unfocused bool
		want      int
	}{
		{"focused", 0, false, 31},
		{"unfocused", 0, true, 10},
		{"slow terminal", 150 * time.Millisecond, false, 3},
	} {
		if n := framesIn(t, tt.takes, tt.unfocused); n != tt.want {
			t.Errorf("%s: %d frames in a second, want %d", tt.name, n, tt.want)
		}
	}
}

// Effects of keys are drawn at once, and count as frames.
func TestKeysAndFramesTogetherAreLimited(t *testing.T) {
	t.Parallel()
	for _, every := range []time.Duration{2, 10, 16, 33, 40, 47, 70, 100, 113, 250} {
		every *= time.Millisecond
		drawn, keys, frames := map[time.Duration]bool{}, 0, 0
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second-time.Millisecond)
			defer cancel()
			begun := time.Now()
			var mu sync.Mutex
			draw := func(count *int) {
				mu.Lock()
				defer mu.Unlock()
				*count++
				drawn[time.Since(begun)] = true
			}
			p := &Pump{watcher: &always{}, Beside: make(chan struct{}, 1)}
			p.Send = func(m tea.Msg) {
				draw(&frames)
				close(m.(Frame).Shown)
			}
			ended := make(chan error)
			go func() { ended <- p.Run(ctx) }()
			for process.Wait(ctx, every) {
				draw(&keys)
				p.DrewBeside()
				synctest.Wait()
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
		if most := max(keys+1, 10*31); len(drawn) > most {
			t.Errorf("with a key every %v the screen was drawn %d times in ten seconds, want at most %d", every, len(drawn), most)
		}
		if frames < 10*10 {
			t.Errorf("with a key every %v only %d frames came in ten seconds", every, frames)
		}
	}
}

// A frame goes with a key that comes when it is nearly due; other keys defer
// it, at most twice; drawing before the frame was shown does not.
func TestKeyDrawsOrDefersAPendingFrame(t *testing.T) {
	t.Parallel()
	var got []time.Duration
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 160*time.Millisecond)
		defer cancel()
		begun := time.Now()
		p := &Pump{watcher: &always{}, Beside: make(chan struct{}, 1)}
		p.Send = func(m tea.Msg) {
			got = append(got, time.Since(begun)/time.Millisecond)
			p.DrewBeside()
			close(m.(Frame).Shown)
		}
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		for _, pause := range []time.Duration{20, 1} {
			process.Wait(ctx, pause*time.Millisecond)
			p.DrewBeside()
			synctest.Wait()
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	if want := []time.Duration{0, 20, 87, 120, 153}; !slices.Equal(got, want) {
		t.Errorf("with keys at 20 and 21 ms frames came at %d, want %d", got, want)
	}
}

func TestPumpWaitsUntilAFrameWasShown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		watcher, sent := &always{}, make(chan Frame, 10)
		p := &Pump{watcher: watcher, Send: func(m tea.Msg) { sent <- m.(Frame) }}
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()

		f := <-sent
		process.Wait(ctx, time.Hour)
		if watcher.asked != 1 || len(sent) != 0 {
			t.Fatalf("asked %d times while the first frame was not shown yet", watcher.asked)
		}
		close(f.Shown)
		if f = <-sent; f.Changes.Inbox != 2 {
			t.Fatalf("second frame is %+v", f.Changes)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}

func TestPumpEndsWithItsContextAndHoldsNoTimerMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := &Pump{watcher: never{}, Send: func(tea.Msg) { t.Error("sent a frame") }}
		ended := make(chan error, 1)
		go func() { ended <- p.Run(ctx) }()
		synctest.Wait()
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}

func TestPumpTurnsFailureAndPanicIntoAnError(t *testing.T) {
	t.Parallel()
	gone := errors.New("closed")
	p := &Pump{watcher: broken{gone}}
	if err := p.Run(t.Context()); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
	p = &Pump{watcher: broken{}}
	if err := p.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "the society is gone") {
		t.Errorf("got %v", err)
	}
}

// Changes of thousands arrive in parts, with keys handled in between; together
// they equal the whole.
func TestChangesOfManyAgentsComeInPartsThatHoldEachAgentOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, partSize, partSize + 1, 3*partSize + 7} {
		whole := api.Changes{Inbox: 3, Rewritten: map[society.AgentID]uint64{}, Missed: 2}
		for i := range n {
			id := society.AgentID(fmt.Sprint("agent-", i))
			switch i % 3 {
			case 0:
				whole.Gone = append(whole.Gone, id)
				whole.Streaming = append(whole.Streaming, id)
			case 1:
				whole.Rewritten[id] = uint64(i)
				fallthrough
			default:
				whole.Rows = append(whole.Rows, api.Row{ID: id})
			}
		}
		whole.Rewritten["nobody"] = 7
		got := api.Changes{Rewritten: map[society.AgentID]uint64{}}
		for part := range parts(whole) {
			if len(part.Rows)+len(part.Gone) > partSize || part.Inbox != 3 || got.Missed > 0 {
				t.Fatalf("of %d agents a part has %d rows, %d gone, inbox %d, after the last: %t", n, len(part.Rows), len(part.Gone), part.Inbox, got.Missed > 0)
			}
			for id, slot := range part.Rewritten {
				with := slices.ContainsFunc(part.Rows, func(r api.Row) bool { return r.ID == id })
				if _, twice := got.Rewritten[id]; twice || !with && id != "nobody" {
					t.Fatalf("%s is rewritten in a part without its row, or twice", id)
				}
				got.Rewritten[id] = slot
			}
			got.Rows, got.Gone = append(got.Rows, part.Rows...), append(got.Gone, part.Gone...)
			got.Streaming, got.Missed = append(got.Streaming, part.Streaming...), part.Missed
		}
		sameRows := slices.EqualFunc(got.Rows, whole.Rows, func(a, b api.Row) bool { return a.ID == b.ID })
		if !sameRows || !slices.Equal(got.Gone, whole.Gone) || !slices.Equal(got.Streaming, whole.Streaming) ||
			!maps.Equal(got.Rewritten, whole.Rewritten) || got.Missed != whole.Missed {
			t.Fatalf("%d agents: the parts bring other changes than the whole", n)
		}
	}
	all := api.Changes{All: true, Rows: make([]api.Row, 2*partSize)}
	for part := range parts(all) {
		if len(part.Rows) != len(all.Rows) {
			t.Fatalf("a look at everything comes in parts of %d", len(part.Rows))
		}
	}
}
