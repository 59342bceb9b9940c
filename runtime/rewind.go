package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool/todo"
	"society-tui/storage"
)

// rewindTries bounds how often a conversation is read again because another rewind came
// before this one.
const rewindTries = 3

// withPoint sets what the rules need to know of the conversation that a rewind is about. All
// that lies before a message stays as it is, unless it is set aside: then the rules refuse the
// command as stale.
func (r *Runtime) withPoint(ctx context.Context, cmd society.Command) (society.Command, error) {
	c, ok := cmd.(society.Rewind)
	if !ok {
		return cmd, nil
	}
	c.At, c.Rewound, c.Asked, c.Doing, c.Partial = conversation.Point{}, 0, nil, "", 0 // a client cannot choose them
	var budgets conversation.Budgets
	there := false
	err := r.inLoop(ctx, func(s *society.State) {
		if a := s.Agent(c.Agent); a != nil {
			there, c.Rewound, budgets = true, a.Rewound, s.TextBudgets(a)
		}
	})
	if err != nil || !there {
		return c, err
	}
	var entries []conversation.Entry
	err = r.view(func(tx storage.Tx) (err error) {
		if entries, err = tables.Entries(tx, c.Agent, 0, 0); err != nil {
			return err
		}
		c.At, _ = conversation.PointOf(entries, string(society.User), string(c.Message), todo.Name, budgets)
		if c.Asked, err = askedBefore(tx, c.Agent, entries, c.At); err != nil {
			return err
		}
		c.Doing, err = tables.DoingBefore(tx, c.Agent, entries, c.At)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the conversation of %s: %w", c.Agent, err)
	}
	return c, nil
}

// askedBefore returns the question of an agent that the user's message at a point has
// answered, nil if there is none or it was set aside.
func askedBefore(tx storage.Tx, agent society.AgentID, entries []conversation.Entry, at conversation.Point) (q *society.Question, err error) {
	if at.Message == "" {
		return nil, nil
	}
	upto, _ := slices.BinarySearchFunc(entries, at.Slot, func(e conversation.Entry, slot uint64) int { return cmp.Compare(e.Slot, slot) })
	answer, entries := entries[upto], entries[:upto]
	from := uint64(0) // what was asked before the last message is answered
	for i := range entries {
		if entries[i].IsMessageOf(string(society.User)) {
			from = entries[i].Seq + 1
		}
	}
	err = tables.EachReceived(tx, from, func(m *tables.Received) bool {
		if m.Seq >= answer.Seq {
			return false
		}
		if m.From == agent && !m.Note && m.AsksUser() && !setAsideAt(entries, m.At) {
			q = m.Question()
		}
		return true
	})
	return q, err
}

// setAsideAt reports whether what was done at a time is set aside: the last entry by then is.
func setAsideAt(entries []conversation.Entry, at time.Time) bool {
	for i := range slices.Backward(entries) {
		if !entries[i].At.After(at) {
			return !entries[i].SetAside.IsZero()
		}
	}
	return false
}

// isStale reports whether a command is to be given once more with what is known by then.
func isStale(cmd society.Command, err error) bool {
	_, rewinds := cmd.(society.Rewind)
	return rewinds && errors.Is(err, society.ErrStale)
}

// followRewind forgets what was kept of a conversation that has gone back: its entries, and
// the files that its agent has seen since.
func (r *Runtime) followRewind(e society.Event) {
	back, ok := e.(society.SetAside)
	if !ok {
		return
	}
	r.cache.forget(back.Agent)
	if r.cfg.Undoer != nil {
		r.cfg.Undoer.Workspaces.Unsee(string(back.Agent), back.Since)
	}
}
