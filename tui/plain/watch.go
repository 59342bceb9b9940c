package plain

import (
	"context"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/process"
)

// lookEvery is the least time between two reads of changes.
const lookEvery = 100 * time.Millisecond

// news is what the watcher found: changes, newly settled entries of an agent's
// conversation, or messages to the user.
type news struct {
	changes *api.Changes
	agent   society.AgentID
	entries []conversation.Entry
	inbox   []api.InboxMessage
	before  bool      // inbox was there at the start
	at      time.Time // when changes were read
	err     error
}

// A watch is how far the society was read. One goroutine uses it.
type watch struct {
	stored stored
	known  bool
	upto   map[society.AgentID]uint64 // settled and delivered
	inbox  uint64                     // next sequence number of the inbox
}

// stored is what the watcher reads of the society.
type stored interface {
	Entries(ctx context.Context, agent society.AgentID, from, upto uint64) (api.Entries, error)
	Inbox(ctx context.Context, of api.InboxQuery) ([]api.InboxMessage, error)
}

// watch delivers news until ctx is done or the watcher ends. If the event loop
// is busy, the watcher waits, but not the society.
func (f *frontend) watch(ctx context.Context) {
	w := &watch{stored: f.cfg.Society, upto: make(map[society.AgentID]uint64)}
	tell := func(n news) bool {
		select {
		case f.news <- n:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for {
		c, err := f.cfg.Watcher.Next(ctx)
		if err != nil || ctx.Err() != nil {
			if ctx.Err() == nil {
				tell(news{err: err})
			}
			return
		}
		// Once delivered, the changes belong to the event loop.
		ids, settled := make([]society.AgentID, len(c.Rows)), make([]uint64, len(c.Rows))
		for i := range c.Rows {
			ids[i], settled[i] = c.Rows[i].ID, c.Rows[i].Settled
		}
		unread, first := c.Inbox, !w.known
		w.known = true
		if !tell(news{changes: &c, at: time.Now()}) {
			return
		}
		for i, id := range ids {
			if !w.read(ctx, id, settled[i], first, tell) {
				return
			}
		}
		if !w.readInbox(ctx, unread, first, tell) || !process.Wait(ctx, lookEvery) {
			return
		}
	}
}

// read delivers newly settled entries of an agent's conversation; the first
// time nothing.
func (w *watch) read(ctx context.Context, id society.AgentID, settled uint64, first bool, tell func(news) bool) bool {
	if first {
		w.upto[id] = settled
		return true
	}
	from := w.upto[id]
	if from >= settled {
		w.upto[id] = settled // fewer than before means that unsaved ones were lost: they are printed again when they reappear
		return true
	}
	page, err := w.stored.Entries(ctx, id, from, settled)
	if err != nil { // the next change of the agent brings them
		return ctx.Err() == nil && tell(news{err: err})
	}
	w.upto[id] = settled
	return len(page.Entries) == 0 || tell(news{agent: id, entries: page.Entries})
}

// readInbox delivers new messages to the user, the first time those that were
// not seen.
func (w *watch) readInbox(ctx context.Context, unread int, first bool, tell func(news) bool) bool {
	list, err := w.stored.Inbox(ctx, api.InboxQuery{From: w.inbox})
	if err != nil {
		return ctx.Err() == nil && tell(news{err: err})
	}
	if len(list) == 0 {
		return true
	}
	w.inbox = list[len(list)-1].Seq + 1
	if first {
		list = list[max(len(list)-unread, 0):]
	}
	return len(list) == 0 || tell(news{agent: society.User, inbox: list, before: first})
}
