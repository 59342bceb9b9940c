package limits

import (
	"maps"
	"math"
	"slices"
	"time"

	"society-tui/llm/registry"
)

// What the brake lets through after a wait: one request, and more when that was taken.
type probe uint8

const (
	noProbe probe = iota
	probeDue
	probing
)

const (
	// looksAt is how often the wall clock is read, which may be set or have slept.
	looksAt = time.Minute
	// mostGap is the longest time between two starts while the limit recovers.
	mostGap = 100 * time.Millisecond
	// mostServed bounds what is remembered of who had a turn.
	mostServed = 4096
)

// A gate is the queue of one endpoint and key. The mutex of its Limits guards it.
type gate struct {
	l       *Limits
	limit   int // calls at once, for now
	running int
	waiters []*waiter
	models  map[string]*model

	// The brake is closed from since until until; held is how long it was before.
	since, until time.Time
	held         time.Duration
	shut         bool // those who wait know of it
	probe        probe
	holds        int // grows each time that the brake is closed or kept closed
	episode      int // grows with each refusal of a request of the last one
	refused      int // refusals since a request was taken
	good         int // requests taken since the limit last changed
	gap          time.Duration
	after        time.Time // when the next call may start while the limit recovers

	timer *time.Timer
	turn  uint64
	// The last turn of each task and agent.
	tasks, agents map[string]uint64
}

// A waiter is a call that waits.
type waiter struct {
	Request
	changed chan struct{} // capacity 1: look again
	g       *gate
	joined  time.Duration // of the brake's time when it came
	before  time.Duration // behind the brakes of other gates
	urgent  bool
	// outdated is set when the models have changed.
	outdated bool
	wait     Wait
	call     *Call // once it may begin: begun
	begun    Call
}

func newGate(l *Limits) *gate {
	return &gate{l: l, limit: l.most, models: map[string]*model{}, tasks: map[string]uint64{}, agents: map[string]uint64{}}
}

func (g *gate) model(e *registry.Entry) *model {
	m := g.models[e.Name]
	if m == nil {
		m = &model{}
		g.models[e.Name] = m
	}
	m.starts.set(e.RPM)
	m.tokens.set(e.TPM)
	return m
}

func (g *gate) join(w *waiter) {
	now := time.Now()
	w.g, w.joined = g, g.closedFor(now)
	g.waiters = append(g.waiters, w)
	g.dispatch(now)
}

func (g *gate) leave(w *waiter) {
	if i := slices.Index(g.waiters, w); i >= 0 {
		g.waiters = slices.Delete(g.waiters, i, i+1)
		g.dispatch(time.Now())
	}
}

// moveTo has a waiter wait at another gate.
func (w *waiter) moveTo(to *gate) {
	w.before, w.wait = w.waited(time.Now()), Wait{}
	to.know(&w.Model, w.g)
	w.g.leave(w)
	to.join(w)
	w.poke()
}

// waited returns how long a waiter was and will be behind brakes until a point in time.
func (w *waiter) waited(at time.Time) time.Duration {
	return w.before + w.g.closedFor(at) - w.joined
}

// take takes over what was learnt at another gate, and who waits there. What began there is
// older than all that is learnt from now on.
func (g *gate) take(from *gate) {
	g.limit = min(g.limit, from.limit)
	g.refused = max(g.refused, from.refused)
	if now := time.Now(); from.isClosed(now) {
		g.hold(now, from.until)
	}
	for _, w := range slices.Clone(from.waiters) {
		w.moveTo(g)
	}
}

// know takes over how far the own limits of a model are used up: they are those of any key.
func (g *gate) know(e *registry.Entry, from *gate) {
	if was := from.models[e.Name]; was != nil && g.models[e.Name] == nil {
		g.models[e.Name] = &model{starts: was.starts, tokens: was.tokens}
	}
}

// isIdle reports whether nothing is known at the gate that matters later.
func (g *gate) isIdle() bool {
	return g.running == 0 && len(g.waiters) == 0 && len(g.models) <= 1 && !g.isClosed(time.Now())
}

// isClosed reports whether the brake is closed, by the wall clock and by the monotonic one.
func (g *gate) isClosed(now time.Time) bool {
	return now.Before(g.until) && now.Round(0).Before(g.until.Round(0))
}

// closedFor returns how long the brake was and will be closed until a point in time.
func (g *gate) closedFor(at time.Time) time.Duration {
	if at.After(g.until) {
		at = g.until
	}
	return g.held + max(at.Sub(g.since), 0)
}

// tooLong returns the error of a waiter that waits no longer, or nil.
func (g *gate) tooLong(w *waiter) error {
	now := time.Now()
	switch {
	case g.l.closed:
		return ErrClosed
	case w.outdated:
		return ErrReconsider
	case !g.isClosed(now):
		return nil
	}
	all := w.waited(g.until)
	if all <= w.Most && (w.MostOnce == 0 || g.until.Sub(now) <= w.MostOnce) {
		return nil
	}
	return &Held{Until: g.until, Waited: w.waited(now)}
}

// hold closes the brake, or keeps it closed for longer.
func (g *gate) hold(now, until time.Time) {
	if !g.isClosed(now) {
		g.held, g.since, g.until = g.closedFor(now), now, now
	}
	if until.After(g.until) {
		g.until = until
	}
	g.holds++ // what a request that is out by now tells is older than this wait
	g.shut, g.probe = true, probeDue
	g.dispatch(now)
	g.tell()
}

// open ends the wait of the brake before its time.
func (g *gate) open(now time.Time) {
	if g.isClosed(now) {
		g.held, g.since, g.until = g.closedFor(now), now, now
	}
	g.dispatch(now)
}

// limited is for a request that the endpoint has refused because there are too many. A
// refusal of an older request is no news, but may make the wait longer.
func (g *gate) limited(c *Call, now time.Time, wait time.Duration) time.Time {
	c.probes = false
	if c.episode == g.episode {
		floor := time.Second << min(g.refused, 2)
		if wait > 0 && g.refused == 0 {
			floor = 0
		} else if wait > 0 {
			floor /= 2
		}
		wait = max(wait, floor)
		g.episode++
		g.refused++
		g.limit, g.good = max(g.limit/2, 1), 0
		g.gap = min(wait/100, mostGap)
	}
	g.hold(now, now.Add(min(wait, math.MaxInt64/2)))
	return g.until
}

// taken is for a request that the endpoint answers. Each time that as many as run at once
// were taken, one more may run.
func (g *gate) taken(c *Call) {
	if c.episode != g.episode {
		return
	}
	if g.isProbe(c) {
		c.probes, g.probe = false, noProbe
	}
	g.refused = 0
	if g.good++; g.limit < g.l.most && g.good >= g.limit {
		g.limit, g.good = g.limit+1, 0
	}
	g.dispatch(time.Now())
}

// isProbe reports whether it is the request that goes first after the present wait.
func (g *gate) isProbe(c *Call) bool { return c.probes && c.holds == g.holds }

func (g *gate) ended(c *Call) {
	if g.isProbe(c) {
		c.probes, g.probe = false, probeDue
	}
	g.running--
	g.model(&c.w.Model).running--
	g.dispatch(time.Now())
}

// dispatch lets begin what may begin, and sets the timer for when more may.
func (g *gate) dispatch(now time.Time) {
	if g.shut && !g.isClosed(now) {
		g.shut = false
		g.tell()
	}
	wake := time.Time{}
	for len(g.waiters) > 0 {
		var w *waiter
		if w, wake = g.next(now); w == nil {
			break
		}
		g.start(w, now)
	}
	g.schedule(now, wake)
}

// next returns the waiter that begins now, or nil and when to look again: the zero time if
// that is when something ends.
func (g *gate) next(now time.Time) (first *waiter, wake time.Time) {
	switch {
	case g.isClosed(now):
		g.waitFor(Wait{Rate, g.until})
		return nil, g.until
	case g.probe == probing, g.running >= g.limit && (g.probe == noProbe || g.running >= g.l.most):
		g.waitFor(Wait{})
		return nil, time.Time{}
	case now.Before(g.after) && g.limit < g.l.most:
		g.waitFor(Wait{})
		return nil, g.after
	}
	for _, w := range g.waiters {
		m := g.model(&w.Model)
		if w.Model.Calls > 0 && m.running >= w.Model.Calls {
			w.waitFor(Wait{})
			continue
		}
		if ready := m.ready(now, w.Tokens); ready.After(now) {
			w.waitFor(Wait{Own, ready})
			if wake.IsZero() || ready.Before(wake) {
				wake = ready
			}
			continue
		}
		if first == nil || g.before(w, first) {
			first = w
		}
	}
	return first, wake
}

// start lets a waiter begin.
func (g *gate) start(w *waiter, now time.Time) {
	w.begun = Call{l: g.l, g: g, w: w, episode: g.episode, holds: g.holds, waited: w.waited(now)}
	w.call = &w.begun
	if g.probe == probeDue {
		g.probe, w.call.probes = probing, true
	}
	g.waiters = slices.Delete(g.waiters, slices.Index(g.waiters, w), slices.Index(g.waiters, w)+1)
	g.serve(w)
	m := g.model(&w.Model)
	g.running++
	m.running++
	m.starts.take(now, 1)
	m.tokens.take(now, w.Tokens)
	g.after = now.Add(g.gap)
	w.poke()
}

// schedule sets the timer for a point in time, the zero time for never.
func (g *gate) schedule(now, at time.Time) {
	if len(g.waiters) == 0 || at.IsZero() {
		if g.timer != nil {
			g.timer.Stop()
		}
		return
	}
	left := max(min(at.Sub(now), at.Round(0).Sub(now.Round(0)), looksAt), 0)
	if g.timer != nil {
		g.timer.Reset(left)
		return
	}
	g.timer = time.AfterFunc(left, func() {
		g.l.mu.Lock()
		defer g.l.mu.Unlock()
		g.dispatch(time.Now())
	})
}

// tell lets all who wait look again.
func (g *gate) tell() {
	for _, w := range g.waiters {
		w.poke()
	}
}

func (g *gate) waitFor(what Wait) {
	for _, w := range g.waiters {
		w.waitFor(what)
	}
}

// waitFor notes what it waits for. The time of its own limit changes with each call of the
// model; it is reported again when it is over.
func (w *waiter) waitFor(what Wait) {
	if w.wait.For == Own && what.For == Own && time.Now().Before(w.wait.Until) || w.wait == what {
		return
	}
	w.wait = what
	w.poke()
}

func (w *waiter) poke() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// before reports whether a waiter is served before another: those at once, those whom the
// user talks to, the task that had no turn for longest, the agent that had none, and whoever
// came first.
func (g *gate) before(a, b *waiter) bool {
	switch {
	case a.urgent != b.urgent:
		return a.urgent
	case a.First != b.First:
		return a.First
	}
	if at, bt := g.tasks[a.Task], g.tasks[b.Task]; at != bt {
		return at < bt
	}
	return g.agents[a.Agent] < g.agents[b.Agent]
}

// serve notes that a waiter has its turn. What is remembered is bounded: to forget who had
// none for longest lets them be first all the same.
func (g *gate) serve(w *waiter) {
	g.turn++
	serve(g.tasks, w.Task, g.turn)
	serve(g.agents, w.Agent, g.turn)
}

func serve(served map[string]uint64, who string, turn uint64) {
	served[who] = turn
	if len(served) > mostServed {
		maps.DeleteFunc(served, func(_ string, last uint64) bool { return last+mostServed/4 < turn })
	}
}
