package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime"
)

// The shortest time between two frames: 30 a second while somebody looks, fewer
// when the window has lost the focus or the terminal reads too slowly.
const (
	frameEvery     = 33 * time.Millisecond
	frameUnfocused = 100 * time.Millisecond
	frameSlow      = 250 * time.Millisecond
	slowSend       = 100 * time.Millisecond
)

// A frame brings what changed in the society into the event loop.
type frame struct {
	changes runtime.Changes
	// shown is closed when the changes are in view state.
	shown chan struct{}
}

// The pump is the one goroutine that sends to the program. Sending blocks for as
// long as the terminal does not read; so nothing of the runtime ever does it,
// and there is never more than one frame on its way. While nothing changes it
// waits without a timer.
type pump struct {
	watcher Watcher
	send    func(tea.Msg)
	// unfocused is written by Update and read here.
	unfocused atomic.Bool
	// leaving is set by Update when the society is being ended: then there may be
	// nothing more to watch, which is no failure.
	leaving atomic.Bool
}

// run sends frames until ctx is done or there is nothing more to watch. It
// returns an error if the watcher failed or something panicked.
func (p *pump) run(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("watch the society: panic: %v\n%s", r, debug.Stack())
		}
	}()
	for {
		changes, err := p.watcher.Next(ctx)
		switch {
		case ctx.Err() != nil, err != nil && p.leaving.Load():
			return nil
		case err != nil:
			return fmt.Errorf("watch the society: %w", err)
		}
		f := frame{changes: changes, shown: make(chan struct{})}
		begun := time.Now()
		p.send(f)
		rest := p.pause(time.Since(begun))
		select {
		case <-f.shown:
		case <-ctx.Done():
			return nil
		}
		if !wait(ctx, rest) {
			return nil
		}
	}
}

// pause returns how long to wait after a frame that took so long to send.
func (p *pump) pause(took time.Duration) time.Duration {
	switch {
	case took > slowSend:
		return frameSlow
	case p.unfocused.Load():
		return frameUnfocused
	}
	return frameEvery
}

// wait returns false if ctx was done before d had passed.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
