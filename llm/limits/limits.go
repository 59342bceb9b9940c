// Package limits decides when a call of a model may begin. For each endpoint and key there
// is one queue, with a bound on the calls at once and a brake that stops all of them while
// the endpoint refuses more; a model may have limits of its own beside that.
//
// [Limits.Begin] waits until a call may begin, and its [Call] tells how each request of it
// went: from that the brake learns.
package limits

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"society-tui/llm"
	"society-tui/llm/registry"
)

// ErrClosed is returned by Begin to a call that would have to wait after Close.
var ErrClosed = errors.New("no more calls begin")

// ErrReconsider is returned by Begin to calls that wait when the models have changed.
var ErrReconsider = errors.New("the models have changed")

// ErrNoTurn is the error of a call that was given up before it could begin.
var ErrNoTurn = errors.New("other calls went first")

// Held is the error of a call that would wait longer behind a brake than it may.
type Held struct {
	Until  time.Time     // when the brake opens
	Waited time.Duration // behind it until now
}

func (h *Held) Error() string {
	return fmt.Sprintf("the endpoint takes no requests until %s", h.Until.Format(time.RFC3339))
}

// A Reason is why a call waits.
type Reason uint8

// What calls wait for.
const (
	Slot Reason = iota // the end of another call
	Rate               // the endpoint, which has refused more requests
	Own                // the model's own limits per minute
)

// A Wait is what a call waits for. Until is the zero time where that is not known.
type Wait struct {
	For   Reason
	Until time.Time
}

// A Request describes a call that is to begin.
type Request struct {
	Model registry.Entry
	// First is set for who is served before all others: whom the user talks to. Else tasks
	// take turns, and within a task its agents.
	First       bool
	Task, Agent string
	// Tokens estimates what the request takes.
	Tokens int
	// Most is how long the call may wait behind brakes in all; MostOnce, if it is not 0, is
	// the longest single wait that it takes.
	Most, MostOnce time.Duration
	// Waiting, if it is not nil, is called with what the call waits for whenever that changes.
	Waiting func(Wait)
}

// Limits holds the queues of all endpoints. Its methods may be called from any goroutine.
type Limits struct {
	most int

	mu    sync.Mutex
	gates map[account]*gate
	// found are the keys that were found where models of an account look for theirs.
	found  map[account]string
	closed bool
}

// An account is what an endpoint counts requests by: a key there, or where one is looked for.
type account struct{ endpoint, key string }

// New returns limits of so many calls at once for each endpoint and key.
func New(most int) *Limits {
	return &Limits{most: max(most, 1), gates: map[account]*gate{}, found: map[account]string{}}
}

// gate returns the gate of a model: that of its key, also of one that another model has found in
// the same place. What was learnt before a key was found is learnt of that key. The caller holds
// the mutex.
func (l *Limits) gate(e *registry.Entry) *gate {
	place := account{e.Endpoint, e.Account}
	of := place
	if key := llm.AccountOf(e.Model); key != "" {
		of.key = key
		l.found[place] = key
		l.merge(place, of)
	} else if key, found := l.found[place]; found {
		of.key = key
	}
	g := l.gates[of]
	if g == nil {
		g = newGate(l)
		l.gates[of] = g
	}
	return g
}

// merge makes the gate of a place that of the key which was found there.
func (l *Limits) merge(place, key account) {
	g := l.gates[place]
	if g == nil || place == key {
		return
	}
	delete(l.gates, place)
	if l.gates[key] == nil {
		l.gates[key] = g
		return
	}
	l.gates[key].take(g)
}

// follow moves those who wait at a gate and have another key by now to the gate of that. The
// former one is forgotten if it is of no use any more.
func (l *Limits) follow(from *gate) {
	for _, w := range slices.Clone(from.waiters) {
		if to := l.gate(&w.Model); to != from {
			w.moveTo(to)
		}
	}
	maps.DeleteFunc(l.gates, func(_ account, g *gate) bool { return g == from && g.isIdle() })
}

// Begin waits until the call may begin. An error is ctx's, ErrClosed, ErrReconsider or a
// *Held.
func (l *Limits) Begin(ctx context.Context, r Request) (*Call, error) { return l.begin(ctx, r, nil) }

// begin is Begin; who waits at from and has another key by now comes behind it.
func (l *Limits) begin(ctx context.Context, r Request, from *gate) (*Call, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := &waiter{Request: r, changed: make(chan struct{}, 1)}
	l.mu.Lock()
	g := l.gate(&w.Model)
	if from != nil {
		g.know(&w.Model, from)
	}
	g.join(w)
	if from != nil {
		l.follow(from)
	}
	l.mu.Unlock()
	var last Wait
	told := false
	for {
		l.mu.Lock()
		call, wait, err := w.call, w.wait, w.g.tooLong(w)
		if call == nil && err != nil {
			w.g.leave(w)
		}
		l.mu.Unlock()
		switch {
		case call != nil:
			return call, nil
		case err != nil:
			return nil, err
		case w.Waiting != nil && (!told || last != wait):
			last, told = wait, true
			w.Waiting(wait)
		}
		select {
		case <-w.changed:
		case <-ctx.Done():
			l.mu.Lock()
			if w.g.leave(w); w.call != nil {
				w.call.done()
			}
			l.mu.Unlock()
			return nil, ctx.Err()
		}
	}
}

// HeldUntil returns when the brake of a model opens, the zero time if it is open.
func (l *Limits) HeldUntil(e registry.Entry) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if g := l.gate(&e); g.isClosed(time.Now()) {
		return g.until
	}
	return time.Time{}
}

// Hold closes the brake of a model: what an earlier run of the program was told by the
// endpoint.
func (l *Limits) Hold(e registry.Entry, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gate(&e).hold(time.Now(), until)
}

// AskNow opens the brake of a model before its time, for the agent: the user wants it to
// ask now. As always, one request goes first.
func (l *Limits) AskNow(e registry.Entry, agent string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.gate(&e)
	for _, w := range g.waiters {
		w.urgent = w.urgent || w.Agent == agent
	}
	g.open(time.Now())
}

// Reconsider ends all waits because the models have changed.
func (l *Limits) Reconsider() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, g := range l.gates {
		for _, w := range g.waiters {
			w.outdated = true
		}
		g.tell()
	}
}

// Close ends all waits: whoever would have to wait gets ErrClosed. Calls that have begun
// go on.
func (l *Limits) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, g := range l.gates {
		g.tell()
	}
}

// A Call is one that has begun. It belongs to one goroutine.
type Call struct {
	l *Limits
	g *gate
	w *waiter
	// episode is that of the brake when the call began: what comes of older requests says
	// nothing of how it goes now.
	episode int
	probes  bool
	holds   int // of the gate when the call began
	asked   int
	heard   bool // the answer to the last request has begun
	over    bool
	waited  time.Duration
}

// Waited returns how long the call has waited behind brakes.
func (c *Call) Waited() time.Duration { return c.waited }

// Ask returns when a request may be sent; it is called right before each. If the brake was
// closed since the call began, or its model has another key by now, that means to wait again.
// Errors are those of Begin, but for ErrReconsider.
func (c *Call) Ask(ctx context.Context) error {
	l := c.l
	l.mu.Lock()
	now := time.Now()
	g := l.gate(&c.w.Model)
	still := !c.over && c.g == g && c.episode == g.episode && !g.isClosed(now)
	if still && c.asked > 0 {
		g.model(&c.w.Model).starts.take(now, 1)
	}
	l.mu.Unlock()
	if still {
		c.asked++
		c.heard = false
		return nil
	}
	c.Done()
	again := c.w.Request
	again.Most = max(again.Most-c.waited, 0)
	from := c.g
	if from == g {
		from = nil
	}
	next, err := l.begin(ctx, again, from)
	for errors.Is(err, ErrReconsider) { // its request is made already
		next, err = l.Begin(ctx, again)
	}
	if err != nil {
		return err
	}
	next.waited += c.waited
	*c = *next
	return c.Ask(ctx)
}

// Began tells that the answer to a request has begun: the endpoint has taken it.
func (c *Call) Began() {
	if c.heard {
		return
	}
	c.heard = true
	c.l.mu.Lock()
	defer c.l.mu.Unlock()
	c.g.taken(c)
}

// Ended tells how a request has ended: with an error or nil, and what it has used. It
// returns until when the brake is closed if the request has closed it, else the zero time.
func (c *Call) Ended(err error, used llm.Usage) (until time.Time) {
	c.l.mu.Lock()
	defer c.l.mu.Unlock()
	now := time.Now()
	failure, failed := errors.AsType[*llm.Error](err)
	limited := failed && failure.Class == llm.Rate
	if total := used.InputTokens + used.OutputTokens; total > 0 || limited {
		c.g.model(&c.w.Model).tokens.take(now, total-c.w.Tokens)
	}
	switch {
	case limited:
		return c.g.limited(c, now, failure.RetryAfter)
	case !c.g.isProbe(c):
	case !failed || failure.Class == llm.Overload || failure.Class == llm.Network: // it says nothing of the limit
		c.g.probe = probeDue
	default:
		c.g.probe = noProbe
	}
	c.probes = false
	c.g.dispatch(now)
	return time.Time{}
}

// Done ends the call; whoever waits may begin. It may be called again.
func (c *Call) Done() {
	c.l.mu.Lock()
	defer c.l.mu.Unlock()
	c.done()
}

func (c *Call) done() {
	if c.over {
		return
	}
	c.over = true
	c.g.ended(c)
}
