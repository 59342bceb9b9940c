// Package background runs what may wait outside of the event loop: commands, and alarms
// that go off when a time has passed.
package background

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/process"
)

// Background keeps track of the commands under way. Bubble Tea starts their goroutines and
// does not wait for them; Background does.
type Background struct {
	ctx context.Context

	mu      sync.Mutex
	closed  bool
	working sync.WaitGroup
}

// New returns one whose commands run under ctx.
func New(ctx context.Context) *Background { return &Background{ctx: ctx} }

// begin reports whether one more may begin, which must call end.
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

// Wait lets no command begin any more and waits for those that did. Their context must be
// done already.
func (b *Background) Wait() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.working.Wait()
}

// Run returns a command that calls f outside of the event loop. f may wait, and must return
// soon after its context is done.
func (b *Background) Run(f func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		if !b.begin() {
			return nil
		}
		defer b.end()
		return f(b.ctx)
	}
}

// An Alarm goes off when a time has passed. One that was set again, or is not
// wanted any more, has another number by then.
type Alarm struct {
	rings *AlarmClock
	n     uint64
}

// An AlarmClock sets one alarm at a time.
type AlarmClock struct {
	n    uint64
	ring func() tea.Cmd
}

// Wake sets an alarm, instead of the one before.
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

// Ring does what the alarm was set for, if it is still wanted. Only the event loop calls it.
func (m Alarm) Ring() tea.Cmd {
	if m.rings.n != m.n || m.rings.ring == nil {
		return nil
	}
	ring := m.rings.ring
	m.rings.ring = nil
	return ring()
}
