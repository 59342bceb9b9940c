package plain

import (
	"context"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/process"
)

// lookEvery is the least time between two looks at the society.
const lookEvery = 100 * time.Millisecond

// news is what the watching has found: changes, or what has become settled in an
// agent's conversation since the last news of it, or messages to the user.
type news struct {
	changes *api.Changes
	agent   society.AgentID
	entries []conversation.Entry
	inbox   []api.InboxMessage
	err     error
}

// A watch is how far the society was watched. One goroutine has it.
type watch struct {
	stored stored
	known  bool
	upto   map[society.AgentID]uint64 // settled, and handed over
	inbox  uint64                     // the next number of a message to the user
}

// stored is what is read of the society.
type stored interface {
	Entries(ctx context.Context, agent society.AgentID, from, upto uint64) (api.Entries, error)
	Inbox(ctx context.Context, from uint64) ([]api.InboxMessage, error)
}

// watch hands over what happens until ctx is done or there is nothing more to watch.
// Where the event loop does not take it, it waits, and the society does not.
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
		// Handed over, the changes belong to the event loop.
		ids, settled := make([]society.AgentID, len(c.Rows)), make([]uint64, len(c.Rows))
		for i := range c.Rows {
			ids[i], settled[i] = c.Rows[i].ID, c.Rows[i].Settled
		}
		unread, first := c.Inbox, !w.known
		w.known = true
		if !tell(news{changes: &c}) {
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

// read hands over what has become settled of an agent's conversation; nothing of what
// was there when the watching began.
func (w *watch) read(ctx context.Context, id society.AgentID, settled uint64, first bool, tell func(news) bool) bool {
	if first {
		w.upto[id] = settled
		return true
	}
	from := w.upto[id]
	w.upto[id] = settled // or less than before: what was not saved is said anew when it happens again
	if from >= settled {
		return true
	}
	page, err := w.stored.Entries(ctx, id, from, settled)
	switch {
	case err != nil:
		return ctx.Err() == nil && tell(news{err: err})
	case len(page.Entries) == 0:
		return true
	}
	return tell(news{agent: id, entries: page.Entries})
}

// readInbox hands over the messages to the user that are new, and at first those
// that were not seen yet.
func (w *watch) readInbox(ctx context.Context, unread int, first bool, tell func(news) bool) bool {
	list, err := w.stored.Inbox(ctx, w.inbox)
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
	return len(list) == 0 || tell(news{agent: society.User, inbox: list})
}
