package process

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A house is a Runner whose parts behave as the test wants.
type house struct {
	t       *testing.T
	signals chan os.Signal
	began   time.Time

	quit    chan struct{} // closed: the user leaves
	stays   bool          // the screen stays open until the society has ended
	ready   time.Duration // duration of the society's shutdown
	deaf    bool          // the society ignores its context and Force
	stalled bool          // the terminal does not read
	// handsOver is how long the screen takes to close.
	handsOver time.Duration
	gone      chan struct{} // closed: the terminal has disappeared
	ended     chan struct{} // closed: another program ends this one
	fall      any           // the screen panics with it when the user leaves
	failure   error         // the society fails with it, after ready
	outlives  bool          // the society goes on without its terminal
	after     time.Duration // duration of After; 0 for none
	forcedAt  chan struct{}

	mu    sync.Mutex
	notes []string
}

func newHouse(t *testing.T) *house {
	return &house{
		t: t, signals: make(chan os.Signal, 2), began: time.Now(),
		quit: make(chan struct{}), forcedAt: make(chan struct{}),
	}
}

func (h *house) note(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, what)
}

// went returns the events so far.
func (h *house) went() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.notes)
}

func (h *house) play() error {
	never := h.t.Context().Done()
	var once sync.Once
	return Runner{
		Screen: func(ctx context.Context, leave func(context.Context) error) error {
			select {
			case <-ctx.Done():
			case <-h.quit:
				if h.stays {
					err := leave(ctx)
					h.note("screen ended")
					return err
				}
				if h.fall != nil {
					panic(h.fall)
				}
			}
			if h.stalled {
				<-never
			}
			<-time.After(h.handsOver)
			h.note("screen ended")
			return ctx.Err()
		},
		Society: func(ctx context.Context) error {
			if h.failure != nil {
				<-time.After(h.ready)
				return h.failure
			}
			if h.deaf {
				<-never
			}
			<-ctx.Done()
			select {
			case <-time.After(h.ready):
				h.note("society ended")
			case <-h.forcedAt:
				h.note("society cut short")
			}
			return nil
		},
		Force: func() { once.Do(func() { close(h.forcedAt) }) },
		Restore: func() {
			if h.stalled {
				<-never
			}
			h.note("restored")
		},
		HangUp:  func() { h.note("hung up") },
		Gone:    h.gone,
		Quit:    h.ended,
		Waiting: func() { h.note("waiting") },

		Outlives: func() bool { return h.outlives },
		After: func() error {
			if h.after > 0 {
				<-time.After(h.after)
				h.note("handed on")
			}
			return nil
		},
	}.Run(h.signals)
}

// told checks the events, their order, and the total time.
func (h *house) told(took time.Duration, want ...string) {
	h.t.Helper()
	if notes := h.went(); !slices.Equal(notes, want) {
		h.t.Errorf("it went %q, want %q", notes, want)
	}
	if got := time.Since(h.began); got != took {
		h.t.Errorf("it took %v, want %v", got, took)
	}
}

func TestLeavingEndsScreenAndSocietyInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.ready = 25 * time.Second
		close(h.quit)
		if err := h.play(); err != nil {
			t.Error(err)
		}
		h.told(25*time.Second, "screen ended", "restored", "waiting", "society ended")
	})
}

// A user who ends the society from an attached screen leaves, and hears of the end, too.
func TestQuitByAnotherProgramWhileLeavingCutsNothing(t *testing.T) {
	t.Parallel()
	for _, leaving := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.ready, h.ended = 2*time.Second, make(chan struct{})
			if leaving {
				close(h.quit)
			}
			time.AfterFunc(time.Second, func() { close(h.ended) })
			if err := h.play(); err != nil {
				t.Errorf("leaving %t: %v", leaving, err)
			}
		})
	}
}

func TestScreenStaysUntilTheSocietyHasEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.ready, h.stays = 25*time.Second, true
		close(h.quit)
		if err := h.play(); err != nil {
			t.Error(err)
		}
		h.told(25*time.Second, "society ended", "screen ended", "restored")
	})
}

func TestSignalClosesAScreenThatWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.ready, h.stays = 25*time.Second, true
		close(h.quit)
		time.AfterFunc(time.Second, func() { h.signals <- syscall.SIGTERM })
		if err := h.play(); !errors.Is(err, ErrForced) {
			t.Errorf("it ended with %v", err)
		}
		if notes := h.went(); time.Since(h.began) != time.Second || !slices.Contains(notes, "society cut short") || !slices.Contains(notes, "restored") {
			t.Errorf("after %v: %q", time.Since(h.began), notes)
		}
	})
}

func TestFirstSignalEndsEverythingInOrder(t *testing.T) {
	t.Parallel()
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.ready = 100 * time.Millisecond
			h.signals <- sig
			if err := h.play(); err != nil {
				t.Error(err)
			}
			h.told(100*time.Millisecond, "screen ended", "restored", "society ended")
		})
	}
}

func TestSecondSignalLeavesAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.ready = 25 * time.Second
		h.signals <- syscall.SIGTERM
		h.signals <- syscall.SIGTERM
		if err := h.play(); !errors.Is(err, ErrForced) {
			t.Errorf("it ended with %v", err)
		}
		notes := h.went()
		if time.Since(h.began) != 0 || !slices.Contains(notes, "society cut short") || !slices.Contains(notes, "restored") {
			t.Errorf("after %v: %q", time.Since(h.began), notes)
		}
	})
}

func TestHangUpSilencesTheTerminalFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.ready = time.Second
		h.signals <- syscall.SIGHUP
		if err := h.play(); err != nil {
			t.Error(err)
		}
		h.told(time.Second, "hung up", "screen ended", "restored", "waiting", "society ended")
	})
}

// Kernel and shell both send SIGHUP, after a failed write: running calls still
// get their time.
func TestRepeatedHangUpsCountOnce(t *testing.T) {
	t.Parallel()
	for _, gone := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.ready = 25 * time.Second
			if gone {
				h.gone = make(chan struct{})
				close(h.gone)
			}
			time.AfterFunc(time.Second, func() { h.signals <- syscall.SIGHUP })
			time.AfterFunc(2*time.Second, func() { h.signals <- syscall.SIGHUP })
			if err := h.play(); err != nil {
				t.Error(err)
			}
			if took := time.Since(h.began).Truncate(time.Second); took < 25*time.Second || took > 26*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestSignalWhileOpeningIsKeptAndASecondDoesNotWait(t *testing.T) {
	t.Parallel()
	for signals, want := range []time.Duration{10 * time.Second, 10 * time.Second, 2 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			heard := make(chan os.Signal, 2)
			for i := range signals {
				time.AfterFunc(time.Duration(i+1)*time.Second, func() { heard <- os.Interrupt })
			}
			failure := errors.New("no room")
			begun := time.Now()
			asked, err := Begin(heard, func(ctx context.Context) error {
				time.Sleep(10 * time.Second)
				if ended := ctx.Err() != nil; ended != (signals > 0) {
					t.Errorf("%d signals: the context has ended: %v", signals, ended)
				}
				return failure
			})
			if asked != (signals > 0) || signals == 2 != errors.Is(err, ErrForced) || signals < 2 != errors.Is(err, failure) {
				t.Errorf("%d signals: %v, %v", signals, asked, err)
			}
			if took := time.Since(begun); took != want {
				t.Errorf("%d signals: it took %v", signals, took)
			}
			time.Sleep(time.Minute) // abandoned goroutines end
		})
	}
}

func TestLostTerminalCountsAsHangUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.ready, h.gone = time.Second, make(chan struct{})
		close(h.gone)
		if err := h.play(); err != nil {
			t.Error(err)
		}
		h.told(time.Second, "hung up", "screen ended", "restored", "waiting", "society ended")
	})
}

// A society that needs all of its time is not cut short.
func TestSocietyMayUseAllItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.ready = 27500 * time.Millisecond
		h.signals <- syscall.SIGTERM
		if err := h.play(); err != nil {
			t.Error(err)
		}
		h.told(27500*time.Millisecond, "screen ended", "restored", "waiting", "society ended")
	})
}

// Everything together takes at most 30 s.
func TestSocietyThatNeverEndsIsAbandoned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.deaf = true
		close(h.quit)
		if err := h.play(); !errors.Is(err, ErrForced) {
			t.Errorf("it ended with %v", err)
		}
		h.told(30*time.Second, "screen ended", "restored", "waiting", "restored")
	})
}

func TestTerminalThatDoesNotReadDoesNotBlock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.stalled = true
		h.signals <- syscall.SIGTERM
		if err := h.play(); err == nil || !strings.Contains(err.Error(), "terminal does not react") {
			t.Errorf("it ended with %v", err)
		}
		h.told(handoverTime+forcedTime+restoreTime, "society ended", "hung up")
	})
}

// The draft is saved when the screen closes, so the society must still be
// running.
func TestSignalClosesTheScreenBeforeTheSociety(t *testing.T) {
	t.Parallel()
	for takes, want := range map[time.Duration][]string{
		handoverTime / 2: {"screen ended", "restored", "society ended"},
		2 * handoverTime: {"society ended", "screen ended", "restored"}, // it does not wait forever
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.handsOver = takes
			h.signals <- syscall.SIGTERM
			if err := h.play(); err != nil {
				t.Error(err)
			}
			h.told(takes, want...)
		})
	}
}

func TestScreenPanicRestoresTheTerminalAndEndsTheSocietyInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.fall = "index out of range"
		close(h.quit)
		err := h.play()
		fault, ok := errors.AsType[*Panic](err)
		if !ok || fault.In != "the screen" || !strings.Contains(fault.Error(), "index out of range") || !strings.Contains(fault.Stack, "process_test.go") {
			t.Errorf("it ended with %#v", err)
		}
		h.told(0, "restored", "society ended")
	})
}

func TestFailedSocietyClosesTheScreen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.failure, h.ready = errors.New("the disk is gone"), time.Second
		if err := h.play(); !errors.Is(err, h.failure) {
			t.Errorf("it ended with %v", err)
		}
		h.told(time.Second, "screen ended", "restored")
	})
}

func TestSIGQUITRestoresTheTerminalAndReturnsAllStacks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.signals <- syscall.SIGQUIT
		err := h.play()
		dump, ok := errors.AsType[*Dump](err)
		if !ok || !strings.Contains(dump.Stacks, "goroutine ") {
			t.Errorf("it ended with %v", err)
		}
		// Nothing of the screen comes behind what restores the terminal.
		if notes := h.went(); len(notes) < 2 || notes[0] != "hung up" || notes[1] != "restored" {
			t.Errorf("it went %q", notes)
		}
	})
}

// Only the screen ends with its terminal; a second SIGHUP has no effect, and SIGTERM leaves
// in order.
func TestSocietyOutlivesItsTerminal(t *testing.T) {
	t.Parallel()
	for _, gone := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.outlives, h.ready = true, 100*time.Millisecond
			if gone {
				h.gone = make(chan struct{})
				close(h.gone)
			} else {
				h.signals <- syscall.SIGHUP
			}
			time.AfterFunc(time.Minute, func() { h.signals <- syscall.SIGHUP })
			time.AfterFunc(2*time.Hour, func() { h.signals <- syscall.SIGTERM })
			if err := h.play(); err != nil {
				t.Error(err)
			}
			h.told(2*time.Hour+h.ready, "hung up", "screen ended", "restored", "society ended")
		})
	}
}

// A screen may find that its terminal is gone before anybody else does.
func TestSocietyOutlivesAScreenThatEndsWithItsTerminal(t *testing.T) {
	t.Parallel()
	for range 20 { // whichever of the two is seen first
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.outlives, h.gone = true, make(chan struct{})
			close(h.gone)
			close(h.quit)
			time.AfterFunc(time.Hour, func() { h.signals <- syscall.SIGTERM })
			if err := h.play(); err != nil {
				t.Error(err)
			}
			if took := time.Since(h.began); took != time.Hour {
				t.Errorf("it took %v: %q", took, h.went())
			}
		})
	}
}

// What the society has left is handed on before the screen is told of its end, and a
// terminal that hangs up meanwhile hurries nobody.
func TestTheScreenWaitsForTheHandover(t *testing.T) {
	t.Parallel()
	for _, hangsUp := range []time.Duration{time.Hour, 10 * time.Second, 26 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.stays, h.outlives, h.ready, h.after = true, true, 25*time.Second, 6*time.Second
			close(h.quit)
			time.AfterFunc(hangsUp, func() { h.signals <- syscall.SIGHUP })
			if err := h.play(); err != nil {
				t.Error(err)
			}
			took, notes := time.Since(h.began), h.went()
			if took != 31*time.Second || !slices.Contains(notes, "society ended") || !slices.Contains(notes, "handed on") {
				t.Errorf("hung up after %v it took %v: %q", hangsUp, took, notes)
			}
			if hangsUp > took && !slices.Equal(notes[1:3], []string{"handed on", "screen ended"}) {
				t.Errorf("it went %q", notes)
			}
		})
	}
}

// The user may watch it as long as they like.
func TestAHandoverThatHangsIsAbandonedWhenTheUserHasGone(t *testing.T) {
	t.Parallel()
	for signals, want := range []time.Duration{afterTime, 10*time.Second + forcedTime} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.stays, h.after = signals > 0, time.Hour
			close(h.quit)
			for range signals {
				time.AfterFunc(10*time.Second, func() { h.signals <- syscall.SIGTERM })
			}
			if err := h.play(); !errors.Is(err, ErrForced) {
				t.Errorf("it ended with %v", err)
			}
			if took := time.Since(h.began); took != want {
				t.Errorf("with %d signals it took %v, want %v", signals, took, want)
			}
			time.Sleep(2 * time.Hour) // abandoned goroutines end
		})
	}
}
