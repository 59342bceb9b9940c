package attach

import (
	"context"
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

// poke wakes Next, with mu held.
func (p *pending) poke() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

func (p *pending) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = err
	p.poke()
}

// disconnected tells the screen that the connection is cut.
func (p *pending) disconnected() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.levels.Disconnected = true
	p.add(p.levels)
}

// take merges changes, nil for none, and agents whose drafts changed.
func (p *pending) take(c *api.Changes, streaming []society.AgentID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c == nil {
		c = &p.levels
	}
	now := *c
	now.Streaming = streaming
	p.add(now)
}

// add merges changes with those that the screen was not told yet: what happened is kept of
// both, and of what stands beside it the later.
func (p *pending) add(c api.Changes) {
	p.levels = levelsOf(c)
	before := &p.next
	c.Log, c.Missed = p.lines(before, &c)
	c.Approvals, c.Ended = requests(before, &c)
	c.Streaming = union(before.Streaming, c.Streaming)
	c.Kept = merged(before.Kept, c.Kept, func(_, later api.Revision) api.Revision { return later })
	c.Rewritten = merged(before.Rewritten, c.Rewritten, func(a, b uint64) uint64 { return min(a, b) })
	if c.All {
		p.readAgain(&c)
	}
	for i := range c.Rows {
		p.agents[c.Rows[i].ID] = true
	}
	for _, id := range c.Gone {
		delete(p.agents, id)
	}
	if !c.All && (before.All || len(before.Rows) > 0 || len(before.Gone) > 0) {
		mergeRows(before, &c)
	}
	p.next, p.some = c, true
	p.poke()
}

// levelsOf returns changes without what happened.
func levelsOf(c api.Changes) api.Changes {
	c.All, c.Rows, c.Gone, c.Rewritten, c.Streaming, c.Log, c.Missed, c.Kept = false, nil, nil, nil, nil, nil, 0, nil
	c.Approvals, c.Ended = nil, nil
	return c
}

// requests returns the requests of both that wait, each as it was told last, and those that
// have ended.
func requests(before, c *api.Changes) (waiting []api.Approval, ended []api.ApprovalEnd) {
	later := make(map[uint64]bool, len(c.Approvals)+len(c.Ended))
	for i := range c.Approvals {
		later[c.Approvals[i].ID] = true
	}
	ended = slices.DeleteFunc(slices.Clone(before.Ended), func(e api.ApprovalEnd) bool { return later[e.ID] })
	for i := range c.Ended {
		later[c.Ended[i].ID] = true
	}
	if !c.All {
		waiting = slices.DeleteFunc(slices.Clone(before.Approvals), func(w api.Approval) bool { return later[w.ID] })
	}
	return append(waiting, c.Approvals...), append(ended, c.Ended...)
}

// readAgain lets the conversations that were known be read again: what has changed in them
// before all was told is not known.
func (p *pending) readAgain(c *api.Changes) {
	for i := range c.Rows {
		if id := c.Rows[i].ID; p.agents[id] {
			if c.Rewritten == nil {
				c.Rewritten = map[society.AgentID]uint64{}
			}
			c.Rewritten[id] = 0
		}
	}
	clear(p.agents)
}

// lines returns the lines of the log that were not told yet: a connection begins with all
// that there are.
func (p *pending) lines(before, c *api.Changes) (lines []api.TimelineEvent, missed int) {
	lines, missed = before.Log, before.Missed
	for _, line := range c.Log {
		if line.Seq <= p.seen {
			continue
		}
		missed += int(line.Seq - p.seen - 1) //nolint:gosec // a count of lines
		lines, p.seen = append(lines, line), line.Seq
	}
	if over := len(lines) - mostLines; over > 0 {
		lines, missed = slices.Delete(lines, 0, over), missed+over
	}
	return lines, missed
}

// merged returns what is in either map.
func merged[K comparable, V any](before, later map[K]V, both func(before, later V) V) map[K]V {
	if len(before) == 0 {
		return later
	}
	for k, v := range later {
		if was, ok := before[k]; ok {
			v = both(was, v)
		}
		before[k] = v
	}
	return before
}

// mergeRows sets the rows of c to those of both.
func mergeRows(before, c *api.Changes) {
	rows, at := before.Rows, make(map[society.AgentID]int, len(before.Rows))
	for i := range rows {
		at[rows[i].ID] = i
	}
	back, gone := map[society.AgentID]bool{}, map[society.AgentID]bool{}
	for i := range c.Rows {
		row := c.Rows[i]
		back[row.ID] = true
		if j, ok := at[row.ID]; ok {
			rows[j] = row
		} else {
			rows = append(rows, row)
		}
	}
	for _, id := range c.Gone {
		gone[id] = true
	}
	left := slices.DeleteFunc(before.Gone, func(id society.AgentID) bool { return back[id] || gone[id] })
	c.Rows = slices.DeleteFunc(rows, func(r api.Row) bool { return gone[r.ID] })
	c.Gone = append(left, c.Gone...)
	if c.All = before.All; c.All { // what is not in Rows is gone
		c.Gone = nil
	}
}

// union returns what is in either list.
func union(a, b []society.AgentID) []society.AgentID {
	if len(a) == 0 {
		return b
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
