package runtime

import (
	"context"
	"maps"
	goruntime "runtime"
	"sync"

	"society-tui/runtime/society"
)

// A Watcher sees what changes. It belongs to one goroutine, but for Close. It
// never holds the loop up: a watcher that does not look misses nothing but how
// things were in between, and what is kept for it is bounded by the number of
// agents.
type Watcher struct {
	r    *Runtime
	wake chan struct{} // capacity 1: something is there

	mu        sync.Mutex
	all       bool
	changed   bool
	agents    map[society.AgentID]struct{}
	rewritten map[society.AgentID]uint64
	streaming map[society.AgentID]struct{}
	logged    uint64  // the last Event it was given
	last      Changes // what stands beside the changes, as it was at the last look
}

// An ask is a watcher that wants what it marks to be filled in.
type ask struct {
	w     *Watcher
	reply chan Changes // capacity 1: the loop never waits
}

// Watch returns a new Watcher; its first look shows everything. Close it when it
// is not used any more.
func (r *Runtime) Watch() *Watcher {
	w := &Watcher{r: r, wake: make(chan struct{}, 1)}
	w.reset()
	w.all, w.changed = true, true
	r.watch.Lock()
	r.watchers[w] = struct{}{}
	r.watch.Unlock()
	w.poke()
	return w
}

// Close ends the watching.
func (w *Watcher) Close() {
	w.r.watch.Lock()
	delete(w.r.watchers, w)
	w.r.watch.Unlock()
}

func (w *Watcher) reset() {
	w.all, w.changed = false, false
	w.agents = map[society.AgentID]struct{}{}
	w.rewritten = map[society.AgentID]uint64{}
	w.streaming = map[society.AgentID]struct{}{}
}

func (w *Watcher) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Next waits until something has changed since the last look and returns it. It
// returns ErrLeaving when the loop has ended, or ctx's error.
func (w *Watcher) Next(ctx context.Context) (Changes, error) {
	select {
	case <-w.wake:
	case <-ctx.Done():
		return Changes{}, ctx.Err()
	case <-w.r.done:
		return Changes{}, ErrLeaving
	}
	w.mu.Lock()
	asks := w.changed
	if !asks { // only a draft grew: the loop need not be asked
		c := w.last
		c.Streaming = keys(w.streaming)
		w.streaming = map[society.AgentID]struct{}{}
		w.mu.Unlock()
		c.Streamed = w.r.drafts.streamed()
		return c, nil
	}
	w.mu.Unlock()
	a := &ask{w: w, reply: make(chan Changes, 1)}
	select {
	case w.r.asks <- a:
		return <-a.reply, nil
	case <-ctx.Done():
		w.poke()
		return Changes{}, ctx.Err()
	case <-w.r.done:
		return Changes{}, ErrLeaving
	}
}

func keys(m map[society.AgentID]struct{}) []society.AgentID {
	ids := make([]society.AgentID, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	return ids
}

// giveWay is after how many of thousands of agents the loop lets others go on,
// the screen among them.
const giveWay = 64

// tell fills in what a watcher has marked, from the state between two batches.
func (r *Runtime) tell(a *ask) {
	w := a.w
	w.mu.Lock()
	c := Changes{All: w.all, Rewritten: maps.Clone(w.rewritten), Streaming: keys(w.streaming)}
	ids := keys(w.agents)
	if w.all {
		ids = r.state.Agents()
	}
	c.Log, c.Missed = r.events.since(w.logged)
	w.logged = r.events.last
	w.reset()
	w.mu.Unlock()
	c.Rows = make([]Row, 0, len(ids))
	for i, id := range ids {
		if i%giveWay == 0 {
			goruntime.Gosched()
		}
		if agent := r.state.Agent(id); agent != nil && agent.Status != society.Terminating {
			c.Rows = append(c.Rows, r.row(agent))
		} else {
			c.Gone = append(c.Gone, id)
		}
	}
	c.Streamed = r.drafts.streamed()
	c.Inbox, c.Usage = r.state.Numbers().Unread, r.usage
	c.Model, c.Health, c.Leaving = r.models.All()[0].Name, maps.Clone(r.health), r.leaving
	if c.Leaving { // else nobody asks, and there can be thousands
		c.Running = r.calls()
	}
	if r.outage != nil {
		c.Unsaved = r.outage.cause()
	}
	w.mu.Lock()
	w.last = Changes{
		Inbox: c.Inbox, Usage: c.Usage, Model: c.Model, Health: c.Health,
		Leaving: c.Leaving, Running: c.Running, Unsaved: c.Unsaved,
	}
	w.mu.Unlock()
	a.reply <- c
}

// calls counts the jobs that leaving waits for.
func (r *Runtime) calls() int {
	n := 0
	for _, jobs := range r.jobs {
		for _, j := range jobs {
			if j.work.Kind != society.Wait && !j.ended() {
				n++
			}
		}
	}
	return n
}

// mark tells all watchers that agents have changed.
func (r *Runtime) mark(agents []society.AgentID, rewritten map[society.AgentID]uint64) {
	r.watch.Lock()
	defer r.watch.Unlock()
	for w := range r.watchers {
		w.mu.Lock()
		w.changed = true
		for _, id := range agents {
			w.agents[id] = struct{}{}
		}
		for id, slot := range rewritten {
			if old, ok := w.rewritten[id]; !ok || slot < old {
				w.rewritten[id] = slot
			}
		}
		w.mu.Unlock()
		w.poke()
	}
}

// publishAll makes every watcher look at everything again.
func (r *Runtime) publishAll() {
	r.watch.Lock()
	defer r.watch.Unlock()
	for w := range r.watchers {
		w.mu.Lock()
		w.all, w.changed = true, true
		w.mu.Unlock()
		w.poke()
	}
}

// streams tells all watchers that agents' drafts have grown, begun or gone. It
// may be called from any goroutine.
func (r *Runtime) streams(agents []society.AgentID) {
	if len(agents) == 0 {
		return
	}
	r.watch.Lock()
	defer r.watch.Unlock()
	for w := range r.watchers {
		w.mu.Lock()
		for _, id := range agents {
			w.streaming[id] = struct{}{}
		}
		w.mu.Unlock()
		w.poke()
	}
}

// queued marks that a piece of work waits for one of the limited model calls. It
// is called by workers. No step is used twice, so one that is told late takes
// nobody else's mark off.
func (r *Runtime) queued(w society.Work, waits bool) {
	mark := piece{w.Agent, w.Step}
	r.watch.Lock()
	_, did := r.waitsForSlot[mark]
	if waits {
		r.waitsForSlot[mark] = struct{}{}
	} else {
		delete(r.waitsForSlot, mark)
	}
	r.watch.Unlock()
	if did != waits {
		r.mark([]society.AgentID{w.Agent}, nil)
	}
}
