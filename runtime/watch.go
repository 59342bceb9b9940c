package runtime

import (
	"context"
	"maps"
	goruntime "runtime"
	"slices"
	"sync"
	"time"

	"society-tui/llm/limits"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// A Watcher sees what changes. It belongs to one goroutine, but for Close. It
// never holds the loop up: a watcher that does not look misses nothing but how
// things were in between, and what is kept for it is bounded by the number of
// agents.
type Watcher struct {
	r    *Runtime
	wake chan struct{} // capacity 1: something is there

	ask ask // its own, used again and again

	mu        sync.Mutex
	state     watchState
	all       bool
	changed   bool
	agents    map[society.AgentID]struct{}
	rewritten map[society.AgentID]uint64 // sent with the next changes; nil for none
	streaming map[society.AgentID]struct{}
	kept      map[string]api.Revision // of values that changed; nil for none
	approvals map[uint64]struct{}     // that changed and wait; nil for none
	ended     []api.ApprovalEnd
	logged    uint64      // the last Event it was given
	last      api.Changes // what stands beside the changes, as it was at the last look
}

// An ask is a watcher that wants what it marks to be filled in.
type ask struct {
	w     *Watcher
	reply chan api.Changes // capacity 1: the loop never waits
}

// Watch returns a new Watcher; its first look shows everything. Close it when it
// is not used any more.
func (r *Runtime) Watch() *Watcher {
	w := &Watcher{
		r: r, wake: make(chan struct{}, 1), all: true, changed: true,
		agents: map[society.AgentID]struct{}{}, streaming: map[society.AgentID]struct{}{},
	}
	w.ask = ask{w: w, reply: make(chan api.Changes, 1)}
	r.watchers.mu.Lock()
	r.watchers.all[w] = struct{}{}
	r.watchers.mu.Unlock()
	w.poke()
	return w
}

// Close ends the watching.
func (w *Watcher) Close() {
	w.r.watchers.mu.Lock()
	delete(w.r.watchers.all, w)
	w.r.watchers.mu.Unlock()
}

func (w *Watcher) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Next waits until something has changed since the last look and returns it. It
// returns ErrLeaving when the loop has ended, or ctx's error.
func (w *Watcher) Next(ctx context.Context) (api.Changes, error) {
	for {
		if w.await() {
			return <-w.ask.reply, nil
		}
		if c, seen, err := w.look(ctx); seen || err != nil {
			return c, err
		}
	}
}

// look waits until the loop has told something, or something is there to be asked
// for. It has seen nothing if that was told meanwhile.
func (w *Watcher) look(ctx context.Context) (c api.Changes, seen bool, err error) {
	select {
	case c = <-w.ask.reply:
		w.turnTo(away)
		return c, true, nil
	case <-w.wake:
	case <-ctx.Done():
		w.lookAway()
		return c, false, ctx.Err()
	case <-w.r.shutdown.done:
		w.lookAway()
		return c, false, api.ErrLeaving
	}
	if told := w.lookAway(); told {
		w.poke() // for what may have come behind what was told
		return c, false, nil
	}
	c, seen, asks := w.beside()
	if asks {
		c, err = w.askLoop(ctx)
		return c, err == nil, err
	}
	return c, seen, nil
}

func (w *Watcher) askLoop(ctx context.Context) (api.Changes, error) {
	select {
	case w.r.asks <- &w.ask:
		return <-w.ask.reply, nil
	case <-ctx.Done():
		w.poke()
		return api.Changes{}, ctx.Err()
	case <-w.r.shutdown.done:
		return api.Changes{}, api.ErrLeaving
	}
}

// beside returns changes that need no answer of the loop, such as a grown draft. asks
// reports whether the loop must be asked too.
func (w *Watcher) beside() (c api.Changes, seen, asks bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed || len(w.streaming) == 0 {
		return c, false, w.changed
	}
	c = w.last
	c.Streaming, c.Streamed = drained(&w.streaming), w.r.drafts.streamed()
	return c, true, false
}

// Where a watcher looks: away, or at the loop, which answers its ask by itself when
// something has changed, and has then told it.
type watchState int

const (
	away watchState = iota
	waiting
	told
)

// await turns to the loop, unless that has told it something already, which is to
// be taken then.
func (w *Watcher) await() (was bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state == told {
		w.state = away
		return true
	}
	w.state = waiting
	return false
}

// lookAway waits no longer. It says if something was told meanwhile.
func (w *Watcher) lookAway() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state == waiting {
		w.state = away
	}
	return w.state == told
}

func (w *Watcher) turnTo(g watchState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state = g
}

// drained takes all out of a set of agents. One that was large is not kept.
func drained(m *map[society.AgentID]struct{}) []society.AgentID {
	if len(*m) == 0 {
		return nil
	}
	ids := make([]society.AgentID, 0, len(*m))
	for id := range *m {
		ids = append(ids, id)
	}
	if len(*m) > giveWay {
		*m = map[society.AgentID]struct{}{}
	}
	clear(*m)
	return ids
}

// giveWay is after how many of thousands of agents the loop lets others go on,
// the screen among them.
const giveWay = 64

// tell fills in what a watcher has marked, from the state between two batches.
func (r *Runtime) tell(a *ask) {
	w := a.w
	w.mu.Lock()
	c := api.Changes{All: w.all, Rewritten: w.rewritten, Kept: w.kept, Streaming: drained(&w.streaming), Ended: w.ended}
	open, before := w.approvals, society.Questions(w.last.Budgets)
	ids := drained(&w.agents)
	if w.all {
		ids = r.state.Agents()
	}
	c.Log, c.Missed = r.totals.timeline.since(w.logged)
	w.logged, w.rewritten, w.kept, w.all, w.changed = r.totals.timeline.last, nil, nil, false, false
	w.approvals, w.ended = nil, nil
	w.mu.Unlock()
	c.Currency, c.Budgets = r.cfg.Currency, r.state.Budgets(time.Now())
	asked := society.Questions(c.Budgets)
	ids = withChanged(ids, before, asked)
	c.Rows = make([]api.Row, 0, len(ids))
	for i, id := range ids {
		if i%giveWay == giveWay-1 {
			goruntime.Gosched()
		}
		if agent := r.state.Agent(id); agent != nil && agent.Status != society.Terminating {
			c.Rows = append(c.Rows, r.row(agent, asked))
		} else {
			c.Gone = append(c.Gone, id)
		}
	}
	r.tellApprovals(&c, open)
	c.Streamed, c.Mode = r.drafts.streamed(), r.state.Mode(society.ModeScope{})
	c.Inbox, c.Usage, c.Servers = r.state.Unread(), r.totals.usage, r.totals.servers
	byDefault, _ := r.models.For("", "")
	c.Model, c.Health, c.Leaving = byDefault.Name, r.totals.health, r.shutdown.leaving
	c.Sandbox = r.sandbox()
	r.watchers.mu.Lock()
	c.Screens = r.watchers.screens
	r.watchers.mu.Unlock()
	if c.Leaving { // there can be thousands, which nobody asked for
		c.Running = r.calls()
	}
	if r.outage != nil {
		c.Unsaved = r.outage.cause()
	}
	w.mu.Lock()
	w.last = api.Changes{
		Inbox: c.Inbox, Usage: c.Usage, Currency: c.Currency, Budgets: c.Budgets, Model: c.Model, Health: c.Health,
		Leaving: c.Leaving, Running: c.Running, Unsaved: c.Unsaved, Screens: c.Screens, Mode: c.Mode, Sandbox: c.Sandbox, Servers: c.Servers,
	}
	w.mu.Unlock()
	a.reply <- c
}

// withChanged adds the agents with whose rows the user is asked about other budgets than
// before.
func withChanged(ids []society.AgentID, before, now map[society.AgentID]*society.BudgetStatus) []society.AgentID {
	add := func(id society.AgentID) {
		if b, n := before[id], now[id]; (b == nil || n == nil || *b != *n) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for id := range before {
		add(id)
	}
	for id := range now {
		add(id)
	}
	return ids
}

// calls counts the jobs that leaving waits for.
func (r *Runtime) calls() int {
	n := 0
	for _, jobs := range r.workers.jobs {
		for _, j := range jobs {
			if j.work.Kind() != society.WaitStep && !j.ended() {
				n++
			}
		}
	}
	return n
}

// show lets all watchers know that agents have changed, and shows them to those
// that wait for it. Only the loop calls it.
func (r *Runtime) show(agents []society.AgentID, rewritten map[society.AgentID]uint64) {
	for _, w := range r.mark(agents, rewritten, true) {
		r.tell(&w.ask)
	}
}

// mark notifies all watchers that agents have changed. For the loop it returns those that
// wait, to be sent their rows; else they are woken to ask for them.
func (r *Runtime) mark(agents []society.AgentID, rewritten map[society.AgentID]uint64, loop bool) (wait []*Watcher) {
	r.watchers.mu.Lock()
	defer r.watchers.mu.Unlock()
	for w := range r.watchers.all {
		w.mu.Lock()
		w.changed = true
		for _, id := range agents {
			w.agents[id] = struct{}{}
		}
		if w.rewritten == nil && len(rewritten) > 0 {
			w.rewritten = make(map[society.AgentID]uint64, len(rewritten))
		}
		for id, slot := range rewritten {
			if old, ok := w.rewritten[id]; !ok || slot < old {
				w.rewritten[id] = slot
			}
		}
		waits := loop && w.state == waiting && len(w.agents) <= giveWay // the rows of many would hold the loop up
		if waits {
			w.state = told
			wait = append(wait, w)
		}
		w.mu.Unlock()
		if !waits {
			w.poke()
		}
	}
	return wait
}

// CountScreens tells that there are more screens, or fewer, and returns how many there are.
// It may be called from any goroutine.
func (r *Runtime) CountScreens(more int) int {
	r.watchers.mu.Lock()
	r.watchers.screens += more
	n := r.watchers.screens
	r.watchers.mu.Unlock()
	r.mark(nil, nil, false)
	return n
}

// mostKept is of how many kept values a watcher is told one by one.
const mostKept = 1000

// showKept notifies all watchers of the values that a batch has kept.
func (r *Runtime) showKept(batch []*pendingCommand) {
	for _, o := range batch {
		if o.keep == nil || len(o.keep.changed) == 0 {
			continue
		}
		r.watchers.mu.Lock()
		for w := range r.watchers.all {
			w.keeps(o.keep.changed)
			w.poke()
		}
		r.watchers.mu.Unlock()
	}
}

// keeps marks kept values as changed; too many are told as a change of everything.
func (w *Watcher) keeps(values map[string]api.Revision) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.changed = true
	if w.kept == nil {
		w.kept = make(map[string]api.Revision, len(values))
	}
	maps.Copy(w.kept, values)
	if len(w.kept) > mostKept {
		w.kept, w.all = nil, true
	}
}

// publishAll makes every watcher look at everything again.
func (r *Runtime) publishAll() {
	r.watchers.mu.Lock()
	defer r.watchers.mu.Unlock()
	for w := range r.watchers.all {
		w.mu.Lock()
		w.all, w.changed = true, true
		w.mu.Unlock()
		w.poke()
	}
}

// streams notifies all watchers that drafts have grown, begun or gone. It may be called
// from any goroutine.
func (r *Runtime) streams(agents []society.AgentID) {
	if len(agents) == 0 {
		return
	}
	r.watchers.mu.Lock()
	defer r.watchers.mu.Unlock()
	for w := range r.watchers.all {
		w.mu.Lock()
		for _, id := range agents {
			w.streaming[id] = struct{}{}
		}
		w.mu.Unlock()
		w.poke()
	}
}

// queued marks what a piece of work waits for before it may ask its model, nil for nothing.
// It returns whether one more waits now (1), or one less (-1). Workers call it. No step is used
// twice, so a late call cannot clear another step's mark.
func (r *Runtime) queued(w society.WorkItem, waits *limits.Wait) (more int) {
	mark := pieceOf(w)
	r.watchers.mu.Lock()
	was, did := r.watchers.waitsForSlot[mark]
	if waits != nil {
		r.watchers.waitsForSlot[mark] = *waits
	} else {
		delete(r.watchers.waitsForSlot, mark)
	}
	r.watchers.mu.Unlock()
	switch {
	case waits != nil && !did:
		more = 1
	case waits == nil && did:
		more = -1
	}
	if more != 0 || waits != nil && was != *waits {
		r.mark([]society.AgentID{w.Agent}, nil, false)
	}
	return more
}
