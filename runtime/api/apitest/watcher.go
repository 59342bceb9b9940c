package apitest

import (
	"context"
	"maps"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// told is what one watcher was not told yet.
type told struct {
	changes api.Changes
	touched map[society.AgentID]bool
}

// A Watcher is one more watcher of a Society, for another screen.
type Watcher struct {
	s       *Society
	told    told
	changed chan struct{} // holds one token while changes are pending
}

// Watch returns a Watcher, whose first look shows everything. It ends with Close.
func (s *Society) Watch() *Watcher {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.spread()
	w := &Watcher{s: s, told: told{changes: s.Pending, touched: map[society.AgentID]bool{}}, changed: make(chan struct{}, 1)}
	w.told.changes.All, w.told.changes.Log = true, slices.Clone(s.lines)
	s.others[w] = true
	wake(w.changed)
	return w
}

// Close ends the watching.
func (w *Watcher) Close() {
	w.s.Mu.Lock()
	defer w.s.Mu.Unlock()
	delete(w.s.others, w)
}

// Next waits until something has changed and returns it.
func (w *Watcher) Next(ctx context.Context) (api.Changes, error) {
	return w.s.next(ctx, w.changed, &w.told)
}

// Next waits until something has changed and returns it.
func (s *Society) Next(ctx context.Context) (api.Changes, error) {
	return s.next(ctx, s.Changed, &s.first)
}

func (s *Society) next(ctx context.Context, changed <-chan struct{}, t *told) (api.Changes, error) {
	select {
	case <-changed:
	case <-ctx.Done():
		return api.Changes{}, ctx.Err()
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.spread()
	c := t.changes
	for id, row := range s.Rows {
		if c.All || t.touched[id] {
			c.Rows = append(c.Rows, owned(*row))
		}
	}
	clear(t.touched)
	t.changes = levels(c)
	c.Health = maps.Clone(c.Health) // the caller owns what it gets
	return c, nil
}

// owned returns a row that shares nothing with others: the caller owns it.
func owned(row api.Row) api.Row {
	row.Running, row.WaitsOn, row.Processes = slices.Clone(row.Running), slices.Clone(row.WaitsOn), slices.Clone(row.Processes)
	row.Replies, row.Later = slices.Clone(row.Replies), slices.Clone(row.Later)
	return row
}

// spread tells all watchers what is pending, with Mu held.
func (s *Society) spread() {
	for i := range s.Pending.Log {
		if e := &s.Pending.Log[i]; e.Seq == 0 {
			e.Seq = uint64(len(s.lines) + i + 1)
		}
	}
	s.lines = append(s.lines, s.Pending.Log...)
	s.first.add(&s.Pending, s.touched)
	for w := range s.others {
		w.told.add(&s.Pending, s.touched)
	}
	clear(s.touched)
	s.Pending = levels(s.Pending)
}

// levels returns what stands beside changes.
func levels(c api.Changes) api.Changes {
	c.All, c.Rows, c.Gone, c.Rewritten, c.Streaming, c.Log, c.Missed, c.Kept = false, nil, nil, nil, nil, nil, 0, nil
	return c
}

// add adds later changes.
func (t *told) add(c *api.Changes, touched map[society.AgentID]bool) {
	was := t.changes
	t.changes = levels(*c)
	n := &t.changes
	n.All = was.All || c.All
	n.Gone = append(was.Gone, c.Gone...)
	n.Streaming = append(was.Streaming, c.Streaming...)
	n.Log = append(was.Log, c.Log...)
	n.Missed = was.Missed + c.Missed
	n.Kept, n.Rewritten = was.Kept, was.Rewritten
	if len(c.Kept) > 0 && n.Kept == nil {
		n.Kept = map[string]api.Revision{}
	}
	maps.Copy(n.Kept, c.Kept)
	if len(c.Rewritten) > 0 && n.Rewritten == nil {
		n.Rewritten = map[society.AgentID]uint64{}
	}
	for id, slot := range c.Rewritten {
		if low, known := n.Rewritten[id]; !known || slot < low {
			n.Rewritten[id] = slot
		}
	}
	maps.Copy(t.touched, touched)
}
