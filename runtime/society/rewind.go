package society

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/todo"
)

// Rewind sets the conversation of an agent aside from one of the user's messages on. An agent
// at work is interrupted by it.
type Rewind struct {
	Agent   AgentID
	Message MessageID // "" for the last one of the user's
	// At is the conversation before that message, and Rewound the agent's count when it was
	// read; the runtime sets them. At is zero if there is no such message.
	At      conversation.Point
	Rewound int
	// Asked is the question of the agent that the message has answered, nil for none; the
	// runtime sets it.
	Asked   *Question
	Doing   string // as in Agent, by what was said before the message; the runtime sets it
	Partial int    // as in Interrupt
}

// Begins implements Begins.
func (Rewind) Begins() bool { return true }

// Rewound is the reply to Rewind.
type Rewound struct {
	Message  MessageID
	Text     string // of the message, for the user to write it anew
	Attached []conversation.Attachment
	Entries  int  // that were set aside
	Was      bool // the agent was at work
}

// rewind sets a part of a conversation aside. What the agent has made since stays, and so
// does its queue: only what its model is sent, and what it owes because of that, goes back.
func (d *decision) rewind(c Rewind) (Rewound, error) {
	a, err := d.agent(c.Agent)
	if err != nil {
		return Rewound{}, err
	}
	switch {
	case a.Status == Stopping:
		return Rewound{}, refuse(AgentStopped, a.ID, protocol.StillStopping, a.ID)
	case a.Drain != "" || d.s.drainAbove(a) != "":
		return Rewound{}, refuse(AgentStopped, a.ID, protocol.BeingEnded, a.ID)
	case c.At.Message == "" && c.Message == "":
		return Rewound{}, refuse(InvalidArguments, a.ID, protocol.NothingToRewind, a.ID)
	case c.At.Message == "":
		return Rewound{}, refuse(InvalidArguments, a.ID, protocol.NoMessageOfYours, a.ID, c.Message)
	case c.Rewound != a.Rewound:
		return Rewound{}, ErrStale
	}
	busy := a.busy()
	was := busy || a.compressesForUser()
	if was {
		d.abort(a, c.Partial)
		d.add(WorkAborted{Agent: a.ID, At: d.at})
	}
	if busy { // else what waits for it would be read before the message is written anew
		d.add(PausedNow{Agent: a.ID, Why: Interrupted, At: d.at})
	}
	e := SetAside{
		Agent: a.ID, From: c.At.Slot, Since: c.At.Taken, Upto: d.tail(a).Next, At: d.at, First: c.At.First, Load: c.At.Load,
		Entries: c.At.Entries, Asks: c.Asked, Ends: a.OwedFrom.since(c.At.Slot), Forgets: a.AskedFrom.since(c.At.Slot),
		Doing: cmp.Or(c.Doing, a.Purpose),
	}
	task := a.taskAtHand()
	d.add(e)
	d.todoOf(a, c.At.LastTodo)
	report := message{from: a.ID, kind: protocol.StatusReport, task: task, payload: protocol.Payload{Text: d.say(protocol.RewoundReport, a.ID)}}
	for _, to := range e.Ends {
		if to != User && d.accepts(a.ID, to, 0) == nil && d.guard(report, to) == nil {
			d.post(report, to)
		}
	}
	return Rewound{Message: MessageID(c.At.Message), Text: c.At.Body, Attached: c.At.Attached, Entries: c.At.Entries, Was: was}, nil
}

// todoOf gives an agent the list that a call has kept, or none.
func (d *decision) todoOf(a *Agent, arguments string) {
	var items []todo.Item
	if arguments != "" {
		items, _ = todo.Parse(d.s.lang, arguments) // it was parsed before
	}
	if len(items)+len(a.Todo()) > 0 {
		d.add(TodoKept{Todo: Todo{Agent: a.ID, Items: items}})
	}
}

// SetAside sets the entries of a conversation with slots in [From,Upto) aside, and ends the
// turn. If the agent owes answers to what was said before, it is left in one that can be
// taken up again.
type SetAside struct {
	Agent      AgentID
	From, Upto uint64
	Since, At  time.Time // when the first of them was written, and now
	// First and Load are those of the Tail from now on.
	First uint64
	conversation.Load
	Entries int       // as in Rewound
	Asks    *Question // open again, nil for none
	Doing   string    // as in Agent, from now on
	// Ends are those that get no answer any more, Forgets those whose answers are not
	// waited for.
	Ends, Forgets []AgentID
}

func (e SetAside) apply(s *State) {
	a := s.touch(e.Agent)
	a.Rewound++
	a.Tail.First, a.Tail.Load = e.First, e.Load
	for _, r := range a.Requests {
		if r.Slot >= e.From {
			s.dropped(r.Task)
		}
	}
	for _, to := range e.Ends {
		s.pay(a, to)
	}
	for _, id := range e.Forgets {
		s.closeReplies(a.ID, id)
	}
	a.Requests = slices.DeleteFunc(slices.Clone(a.Requests), func(r UserRequest) bool { return r.Slot >= e.From })
	a.mended()
	a.Asks, a.Reported, a.Doing = e.Asks, false, e.Doing
	a.Turn = nil
	if len(a.Owes) > 0 {
		a.Turn = &Turn{Task: a.Task, Begun: e.At, From: e.From, Suspended: true, Rested: e.At}
	}
}

// EndedDraft implements EndsDraft: what is left of an answer that was cut short goes with what
// it answered.
func (e SetAside) EndedDraft() (AgentID, uint64) { return e.Agent, 0 }

// Rewritten implements Rewrites.
func (e SetAside) Rewritten() (AgentID, uint64) { return e.Agent, e.From }

// Rewrite implements Rewrites. An entry that was set aside before keeps its time.
func (e SetAside) Rewrite(entry *conversation.Entry) {
	if entry.SetAside.IsZero() {
		entry.SetAside = e.At
	}
}

// Lines implements Shows.
func (e SetAside) Lines() []TimelineLine {
	return shown(e.At, e.Agent, "rewound", fmt.Sprintf("%d entries", e.Entries), "entries", e.Entries)
}

// Slots are those of a conversation at which something with other agents began; part of a
// stored record.
type Slots []SlotOf

// A SlotOf is the slot at which something with an agent began.
type SlotOf struct {
	Agent AgentID `json:"agent"`
	From  uint64  `json:"from,omitempty"`
}

// with returns the slots with one more. The first one with an agent stays.
func (m Slots) with(id AgentID, slot uint64) Slots {
	if slices.ContainsFunc(m, func(s SlotOf) bool { return s.Agent == id }) {
		return m
	}
	return append(slices.Clip(m), SlotOf{id, slot})
}

func (m Slots) without(id AgentID) Slots {
	if len(m) == 1 && m[0].Agent == id {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m), func(s SlotOf) bool { return s.Agent == id })
}

// since returns the agents whose slot is from or behind it.
func (m Slots) since(from uint64) (ids []AgentID) {
	for _, s := range m {
		if s.From >= from {
			ids = append(ids, s.Agent)
		}
	}
	return ids
}
