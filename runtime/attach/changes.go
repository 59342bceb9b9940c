package attach

import (
	"context"
	"maps"
	"slices"
	"sync"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// mostLines is how many lines of the log wait for the screen.
const mostLines = 1000

// pending is what the screen was not told yet, merged: it is bounded by the number of
// agents, however rarely the screen looks.
type pending struct {
	mu      sync.Mutex
	some    bool
	next    api.Changes
	levels  api.Changes // what stands beside the changes, as it was last told
	seen    uint64      // the last line of the log
	agents  map[society.AgentID]bool
	failed  error
	changed chan struct{} // capacity 1
}

func newPending() *pending {
	return &pending{agents: map[society.AgentID]bool{}, changed: make(chan struct{}, 1)}
}

// Watcher returns what tells the screen about changes. A client has one.
func (c *Client) Watcher() api.Watcher { return c.pending }

// Next waits until something has changed since the last call and returns it. It returns
// api.ErrLeaving when the society has ended, *attachapi.Incompatible if the program has
// another protocol after a cut, or ctx's error.
func (p *pending) Next(ctx context.Context) (api.Changes, error) {
	for {
		if c, ok, err := p.drain(); ok || err != nil {
			return c, err
		}
		select {
		case <-p.changed:
		case <-ctx.Done():
			return api.Changes{}, ctx.Err()
		}
	}
}

func (p *pending) drain() (c api.Changes, ok bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.some {
		return c, false, p.failed
	}
	c = p.next
	p.next, p.some = api.Changes{}, false
	return c, true, nil
}

// note tells the screen that there is something, with mu held.
func (p *pending) note() {
	p.some = true
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

func (p *pending) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = err
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// disconnected tells the screen that the connection is cut.
func (p *pending) disconnected() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.levels.Disconnected = true
	p.setLevels()
	p.note()
}

// take merges changes, nil for none, and agents whose drafts changed.
func (p *pending) take(c *api.Changes, streaming []society.AgentID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c != nil {
		p.takeChanges(*c)
	}
	if len(p.next.Streaming) == 0 {
		p.next.Streaming = streaming
	} else {
		p.next.Streaming = union(p.next.Streaming, streaming)
	}
	p.setLevels()
	p.note()
}

// setLevels sets what stands beside the changes.
func (p *pending) setLevels() {
	whole := p.levels
	n := &p.next
	whole.All, whole.Rows, whole.Gone, whole.Rewritten, whole.Streaming = n.All, n.Rows, n.Gone, n.Rewritten, n.Streaming
	whole.Log, whole.Missed, whole.Kept = n.Log, n.Missed, n.Kept
	p.next = whole
}

// levelsOf returns changes without what happened.
func levelsOf(c api.Changes) api.Changes {
	c.All, c.Rows, c.Gone, c.Rewritten, c.Streaming, c.Log, c.Missed, c.Kept = false, nil, nil, nil, nil, nil, 0, nil
	return c
}

func (p *pending) takeChanges(c api.Changes) {
	p.levels = levelsOf(c)
	p.takeLog(&c)
	n := &p.next
	if n.Kept == nil {
		n.Kept = c.Kept
	} else {
		maps.Copy(n.Kept, c.Kept)
	}
	switch {
	case c.All:
		p.takeAll(&c)
	case len(n.Rows) == 0 && len(n.Gone) == 0:
		n.Rows, n.Gone = c.Rows, c.Gone
	default:
		mergeRows(n, &c)
	}
	for i := range c.Rows {
		p.agents[c.Rows[i].ID] = true
	}
	for _, id := range c.Gone {
		delete(p.agents, id)
		delete(n.Rewritten, id)
	}
	if n.Rewritten == nil {
		n.Rewritten = c.Rewritten
		return
	}
	for id, slot := range c.Rewritten {
		if low, ok := n.Rewritten[id]; !ok || slot < low {
			n.Rewritten[id] = slot
		}
	}
}

// takeAll begins anew. What has changed in conversations meanwhile is not known, so those
// that were known are to be read again.
func (p *pending) takeAll(c *api.Changes) {
	n := &p.next
	n.All, n.Rows, n.Gone = true, c.Rows, nil
	n.Rewritten = map[society.AgentID]uint64{}
	for i := range c.Rows {
		if p.agents[c.Rows[i].ID] {
			n.Rewritten[c.Rows[i].ID] = 0
		}
	}
	clear(p.agents)
}

// takeLog adds lines that were not told yet: a connection begins with all there are.
func (p *pending) takeLog(c *api.Changes) {
	n := &p.next
	for _, line := range c.Log {
		if line.Seq <= p.seen {
			continue
		}
		if p.seen > 0 {
			n.Missed += int(line.Seq - p.seen - 1) //nolint:gosec // lines that were written while we lived
		}
		p.seen = line.Seq
		n.Log = append(n.Log, line)
	}
	if over := len(n.Log) - mostLines; over > 0 {
		n.Log = slices.Delete(n.Log, 0, over)
		n.Missed += over
	}
}

// mergeRows adds later rows to earlier ones.
func mergeRows(to *api.Changes, c *api.Changes) {
	at := make(map[society.AgentID]int, len(to.Rows))
	for i := range to.Rows {
		at[to.Rows[i].ID] = i
	}
	back := map[society.AgentID]bool{}
	for i := range c.Rows {
		row := c.Rows[i]
		back[row.ID] = true
		if j, ok := at[row.ID]; ok {
			to.Rows[j] = row
		} else {
			to.Rows = append(to.Rows, row)
		}
	}
	gone := map[society.AgentID]bool{}
	for _, id := range c.Gone {
		gone[id] = true
	}
	to.Rows = slices.DeleteFunc(to.Rows, func(r api.Row) bool { return gone[r.ID] })
	to.Gone = slices.DeleteFunc(to.Gone, func(id society.AgentID) bool { return back[id] || gone[id] })
	if !to.All {
		to.Gone = append(to.Gone, c.Gone...)
	}
}

func union(a, b []society.AgentID) []society.AgentID {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
