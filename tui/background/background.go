// Package background runs commands and alarms outside the event loop.
package background

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/process"
)

// Background tracks running commands. Bubble Tea starts their goroutines and
// does not wait for them; Background does.
type Background struct {
	ctx context.Context

	mu      sync.Mutex
	closed  bool
	working sync.WaitGroup
}

// New returns a Background whose commands run under ctx.
func New(ctx context.Context) *Background { return &Background{ctx: ctx} }

// begin reports whether another command may begin; it must call end.
func (b *Background) begin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.working.Add(1)
	return true
}

func (b *Background) end() { b.working.Done() }

// Wait blocks new commands and waits for running ones. Their context must be
// done already.
func (b *Background) Wait() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.working.Wait()
}

// Run returns a command that calls f outside the event loop. f may wait, and
// must return soon after ctx is done.
func (b *Background) Run(f func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		if !b.begin() {
			return nil
		}
		defer b.end()
		return f(b.ctx)
	}
}

// An Alarm goes off at a time. One that was set again or cancelled has another
// number by then.
type Alarm struct {
	rings *AlarmClock
	n     uint64
}

// An AlarmClock sets one alarm at a time.
type AlarmClock struct {
	n    uint64
	ring func() tea.Cmd
}

// Wake sets an alarm, in place of an earlier one.
func (b *Background) Wake(c *AlarmClock, d time.Duration, ring func() tea.Cmd) tea.Cmd {
	c.n++
	c.ring = ring
	n := c.n
	return b.Run(func(ctx context.Context) tea.Msg {
		if !process.Wait(ctx, d) {
			return nil
		}
		return Alarm{c, n}
	})
}

// Pending reports whether an alarm is set.
func (c *AlarmClock) Pending() bool { return c.ring != nil }

// Off cancels the alarm.
func (c *AlarmClock) Off() {
	c.n++
	c.ring = nil
}

// Ring runs the alarm's action, if it is still set. Only the event loop calls
// it.
func (m Alarm) Ring() tea.Cmd {
	if m.rings.n != m.n || m.rings.ring == nil {
		return nil
	}
	ring := m.rings.ring
	m.rings.ring = nil
	return ring()
}
