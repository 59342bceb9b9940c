package society

import (
	"iter"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// Fork makes an agent of the same role under the same parent (of root under root), with a copy
// of the conversation up to now and of the contacts.
type Fork struct {
	Agent    AgentID
	Worktree string // as in Spawn
}

// Begins implements Begins.
func (Fork) Begins() bool { return true }

// Forked is the reply to Fork.
type Forked struct{ Agent AgentID }

// fork copies an agent. What it has begun stays with it alone: children, queue, debts, calls
// under way, and what it was allowed.
func (d *decision) fork(c Fork) (Forked, error) {
	a, err := d.agent(c.Agent)
	if err != nil {
		return Forked{}, err
	}
	parent := a
	if a.parent != nil {
		parent = a.parent
	}
	if r := d.accepts(User, parent.ID, 0); r != nil && r.Code != MailboxFull {
		return Forked{}, r
	}
	if a.Drain != "" {
		return Forked{}, refuse(AgentStopped, a.ID, protocol.BeingEnded, a.ID)
	}
	if r := d.roomBelow(parent); r != nil {
		return Forked{}, r
	}
	if d.s.isolated && c.Worktree == "" {
		return Forked{}, refuse(NoWorktree, a.ID, protocol.WorktreeFailed, d.say(protocol.WorktreeMissing))
	}
	id, slug, num := d.nextID(d.s.roles[a.Role])
	tail, results := d.closedTail(a)
	d.add(AgentMade{
		Agent: Agent{
			ID: id, Role: a.Role, Parent: parent.ID, Depth: parent.Depth + 1, Order: d.s.counters.Order + 1, Created: d.at, Since: d.at, Status: Idle,
			Task: a.Task, Doing: a.Doing, Purpose: a.Purpose, Model: a.Model, Worktree: c.Worktree,
			Cursor: a.Cursor, Tail: tail, Branched: a.Branched, Copied: true,
		},
		Slug: slug, Num: num,
	})
	d.add(ConversationCopied{From: a.ID, To: id, Upto: a.Tail.Next, Mails: a.Cursor, Results: results, At: d.at})
	if len(a.Todo()) > 0 {
		d.add(TodoKept{Todo: Todo{Agent: id, Items: slices.Clone(a.Todo())}})
	}
	d.copyContacts(a, parent, id)
	return Forked{Agent: id}, nil
}

// closedTail returns the tail of a copy of the agent's conversation, in which no call is open,
// with the results of those that are: the copy does not wait for them.
func (d *decision) closedTail(a *Agent) (conversation.Tail, []conversation.Entry) {
	tail, cut := a.Tail, d.cutOff(a)
	var results []conversation.Entry
	for _, o := range a.openAnswers() {
		for _, call := range o.group.Calls {
			slot, open := tail.Result(call.ID)
			if !open {
				continue
			}
			text, outcome := cut(conversation.Call{ID: call.ID, Name: call.Name})
			e := conversation.Entry{
				Slot: slot, Kind: conversation.Result, At: d.at, From: string(a.ID), CallID: call.ID, Branch: o.branch, Text: text, Outcome: outcome,
			}
			if o.branch == 0 {
				tail.Weighed(e.Weight(d.s.budgets(a, nil)))
			} else {
				tail.Count--
			}
			results = append(results, e)
		}
	}
	return tail, results
}

// copyContacts makes the contacts of an agent those of its copy. Its children are not the
// copy's.
func (d *decision) copyContacts(a, parent *Agent, id AgentID) {
	d.add(ContactAdded{Agent: id, Contact: d.contact(parent.ID, protocol.Parent, "")})
	d.add(ContactAdded{Agent: parent.ID, Contact: d.contact(id, protocol.Child, "")})
	for _, c := range a.Contacts {
		if AgentID(c.ID) == parent.ID {
			continue
		}
		if c.AddedAt = d.at; c.Source == protocol.Child {
			c.Source = protocol.Preset
		}
		d.add(ContactAdded{Agent: id, Contact: c})
	}
}

// ConversationCopied copies the conversation of an agent, up to a slot, with its brief and the
// messages that it has taken, which have numbers up to Mails.
type ConversationCopied struct {
	From, To AgentID
	Upto     uint64
	Mails    uint64
	// Results answer the calls that were open.
	Results []conversation.Entry
	At      time.Time
}

func (ConversationCopied) apply(*State) {}

// Written implements Writes.
func (e ConversationCopied) Written() iter.Seq2[AgentID, conversation.Entry] {
	return func(yield func(AgentID, conversation.Entry) bool) {
		for _, entry := range e.Results {
			if !yield(e.To, entry) {
				return
			}
		}
	}
}

// Lines implements Shows.
func (e ConversationCopied) Lines() []TimelineLine {
	return shown(e.At, e.To, "forked", "from "+string(e.From), "from", e.From)
}
