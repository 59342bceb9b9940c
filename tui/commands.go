package tui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/process"
)

// background is the goroutines of the commands that are under way. Bubble Tea starts
// them and does not wait for them; so this does.
type background struct {
	ctx context.Context

	mu      sync.Mutex
	closed  bool
	working sync.WaitGroup
}

// begin reports whether one more may begin, which must call end.
func (b *background) begin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.working.Add(1)
	return true
}

func (b *background) end() { b.working.Done() }

// wait lets no more begin and waits for those that did. Their context must be
// done already.
func (b *background) wait() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.working.Wait()
}

// command is the only way out of the event loop: f may wait, and must return
// soon after its context is done.
func (a *app) command(f func(ctx context.Context) tea.Msg) tea.Cmd {
	b := a.background
	return func() tea.Msg {
		if !b.begin() {
			return nil
		}
		defer b.end()
		return f(b.ctx)
	}
}

// An outcome is what is left to do in the event loop after work beside it.
type outcome func() tea.Cmd

// later does work beside the event loop, and then the rest in it.
func later[T any](a *app, work func(ctx context.Context) T, then func(T) tea.Cmd) tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		result := work(ctx)
		return outcome(func() tea.Cmd { return then(result) })
	})
}

// do asks the society to carry out a command; then runs in the event loop with the
// reply.
func do[R society.Reply](a *app, cmd society.Request[R], then func(reply R, err error) tea.Cmd) tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		reply, err := api.Do(ctx, a.society, cmd)
		return outcome(func() tea.Cmd { return then(reply, err) })
	})
}

// An alarm goes off when a time has passed. One that was set again, or is not
// wanted any more, has another number by then.
type alarm struct {
	rings *alarmClock
	n     uint64
}

// An alarmClock sets one alarm at a time.
type alarmClock struct {
	n    uint64
	ring func() tea.Cmd
}

// wake sets an alarm, instead of the one before.
func (a *app) wake(c *alarmClock, d time.Duration, ring func() tea.Cmd) tea.Cmd {
	c.n++
	c.ring = ring
	n := c.n
	return a.command(func(ctx context.Context) tea.Msg {
		if !process.Wait(ctx, d) {
			return nil
		}
		return alarm{c, n}
	})
}

// off takes the alarm back.
func (c *alarmClock) off() {
	c.n++
	c.ring = nil
}

// goesOff carries out an alarm that is still wanted.
func (m alarm) goesOff() tea.Cmd {
	if m.rings.n != m.n || m.rings.ring == nil {
		return nil
	}
	ring := m.rings.ring
	m.rings.ring = nil
	return ring()
}
