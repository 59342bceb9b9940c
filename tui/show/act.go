package show

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/term"

	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/plain"
	"society-tui/tui/process"
)

// tidied is how long after the beginning of a leave its store may still be tidied: less than
// the society may take, so that the end of that is in order.
const tidied = 27 * time.Second

// An act is one society, from its first frame until it has left.
type act struct {
	*Part
	show    *Show
	ended   chan runtime.Summary // capacity 1, so that it can end when nobody waits any more
	told    chan string          // capacity 1: what is to be told when the screen is closed
	summary *runtime.Summary     // nil if it was left behind

	// tidying is done when there is no time to tidy the store any more.
	tidying    context.Context
	endTidying context.CancelFunc

	// whole says that the society has left in order, and its store is closed.
	whole atomic.Bool
	// stays says that the terminal is not given back: another act follows.
	stays atomic.Bool

	mu   sync.Mutex
	next *Part // opened, and nobody's else
}

func newAct(show *Show, part *Part) *act {
	a := &act{Part: part, show: show, ended: make(chan runtime.Summary, 1), told: make(chan string, 1)}
	a.tidying, a.endTidying = context.WithCancel(context.Background())
	return a
}

// force makes the society leave soon, and its store as it is.
func (a *act) force() {
	a.endTidying()
	a.Society.Force()
}

// play returns the part that follows; nil if the person goes to none, or it cannot be
// played after what has happened.
func (a *act) play() (next *Part, err error) {
	interrupts := make(chan struct{}, 1) // one that was not looked at yet is like two
	var interrupt func() bool
	if a.show.Plain && term.IsTerminal(a.show.In.Fd()) {
		interrupt = func() bool { return offer(interrupts) }
	}
	err = process.Stage{
		Screen: func(ctx context.Context, leave func(context.Context) error) error {
			return a.draw(ctx, leave, interrupts)
		},
		Society: a.live, Force: a.force,
		Restore: func() {
			if !a.stays.Load() {
				a.giveBack()
			}
		},
		HangUp: a.show.Terminal.Hush,
		Gone:   a.show.Terminal.Gone(),

		Interrupt: interrupt,
		Waiting: func() {
			a.show.Say(a.show.Terminal, "society-tui: %s\n", a.show.Words.Finishing)
		},
	}.Play(a.show.Signals)
	select {
	case sum := <-a.ended:
		a.summary = &sum
		a.Log.Info("left", "processed", sum.Processed, "pending", sum.Pending, "owed", sum.Owed, "err", err)
	default: // it was left behind
	}
	next = a.take(nil)
	if a.stays.Load() && err == nil {
		return next, nil
	}
	if a.stays.Load() {
		a.giveBack()
	}
	if next != nil {
		err = errors.Join(err, next.Store.Close())
	}
	return nil, err
}

// offer hands an interrupt over, unless the one before was not taken yet.
func offer(interrupts chan<- struct{}) bool {
	select {
	case interrupts <- struct{}{}:
		return true
	default:
		return false
	}
}

func (a *act) giveBack() {
	if !a.show.Plain {
		a.show.Terminal.Stay(false)
		a.show.Terminal.Restore()
	}
	a.show.LeaveTerminal()
}

// draw is the screen, or the lines. The person leaves through leave, which ends the
// society; pausing its agents must come before.
func (a *act) draw(ctx context.Context, leave func(context.Context) error, interrupts <-chan struct{}) error {
	a.Screen.Leave = func(ctx context.Context, how tui.Leaving) error {
		if how.Pause {
			if _, err := a.Society.Do(ctx, society.PauseAll{}); err != nil {
				a.Log.Error("agents not paused", "err", err)
			}
		}
		if err := leave(ctx); err != nil {
			return err
		}
		if how.To != "" && a.whole.Load() {
			a.stays.Store(true)
			a.show.Terminal.Stay(true)
		}
		return nil
	}
	if a.show.Plain {
		_, err := plain.Run(ctx, a.Screen, interrupts)
		return err
	}
	if a.show.Open != nil {
		a.Screen.Enter = a.enter
	}
	result, err := tui.Run(ctx, a.Screen)
	if err != nil {
		a.stays.Store(false) // a signal has closed it
	}
	if errors.Is(err, tui.ErrGone) {
		a.show.Terminal.Lost()
		err = nil // it is left in order, as after SIGHUP
	}
	if result.Force {
		a.force()
		err = errors.Join(err, process.ErrForced)
	}
	return err
}

// enter opens the session that is gone to, while this one still runs: what hinders that
// is known before anything is left.
func (a *act) enter(_ context.Context, name string) error {
	next, err := a.show.Open(name)
	if err != nil {
		return err
	}
	if before := a.take(next); before != nil {
		return before.Store.Close()
	}
	return nil
}

// take hands over the next part, and leaves another one or none.
func (a *act) take(instead *Part) *Part {
	a.mu.Lock()
	defer a.mu.Unlock()
	was := a.next
	a.next = instead
	return was
}

// live is the society, from its first step until its store is closed.
func (a *act) live(ctx context.Context) error {
	// The time for leaving is that of both.
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(tidied, a.endTidying) })
	defer stop()
	err := a.Society.Run(ctx)
	if errors.Is(err, runtime.ErrStuck) {
		return err // the store would not close either
	}
	a.ended <- a.Society.Summary()
	if err == nil && a.Tidy != nil {
		if line := a.Tidy(a.tidying); line != "" {
			a.told <- line
		}
	}
	err = errors.Join(err, a.Store.Close())
	a.whole.Store(err == nil)
	return err
}
