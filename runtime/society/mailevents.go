package society

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// MessageQueued puts a message into an agent's mailbox.
type MessageQueued struct {
	To   AgentID
	Mail Mail
	// Body is the sender's text, Text the whole entry as the model is sent it.
	Body, Text string
	// Pays is the agent whose question the message answers, "" for none. It differs from
	// To if the asker could not be reached.
	Pays AgentID
	// Held locates the stored texts of a delayed message.
	Held *DelayedRef
	// Introduction is appended to the stored text, "" for nothing.
	Introduction string
}

func (e MessageQueued) apply(s *State) {
	if e.Held != nil {
		s.unhold(*e.Held)
	}
	a, m := s.agents[e.To], e.Mail
	s.touchRows(a)
	c := s.count()
	c.Seq = max(c.Seq, m.Seq)
	a.Mailbox = append(a.Mailbox, m)
	task := s.tasks[m.Task]
	if m.From == User {
		if a.Asks != nil {
			s.touch(a.ID).Asks = nil
		}
		if task != nil && task.Hops != 0 {
			task.Hops = 0
			s.tasked[task.ID] = struct{}{}
		}
		return
	}
	if task != nil && m.From != Runtime {
		task.Hops++
		s.tasked[task.ID] = struct{}{}
	}
	if m.Type == protocol.StatusReport {
		s.told(a.ID, m.From)
	}
	sender := s.agents[m.From]
	if sender == nil {
		return
	}
	s.touchRows(sender)
	s.pay(sender, e.Pays)
	if m.earns() && !slices.Contains(sender.Asked, e.To) {
		s.mark(sender)
		sender.Asked = with(sender.Asked, e.To)
		sender.AskedFrom = sender.AskedFrom.with(e.To, sender.Tail.Settled())
	}
}

// Logged implements Logs.
func (e MessageQueued) Logged(s *State) []LogLine {
	queue := 0
	if a := s.agents[e.To]; a != nil {
		queue = len(a.Mailbox)
	}
	return logged("message accepted", "from", e.Mail.From, "to", e.To, "type", e.Mail.Type, "message", e.Mail.ID, "queue", queue)
}

// MessageToUser gives a message to the user.
type MessageToUser struct {
	Mail Mail
	Body string
	// Note marks the text of a turn that is no answer (SPEC.md, decision 21).
	Note bool
	// Asks marks a question to the user.
	Asks bool
	// Pays and Held are as in MessageQueued.
	Pays AgentID
	Held *DelayedRef
}

func (e MessageToUser) apply(s *State) {
	if e.Held != nil {
		s.unhold(*e.Held)
	}
	c := s.count()
	c.Seq = max(c.Seq, e.Mail.Seq)
	c.Unread++
	if !e.Note && !e.Asks {
		s.answered(e.Mail.Task)
		for _, task := range e.Mail.Also {
			s.answered(task)
		}
	}
	a := s.agents[e.Mail.From]
	if a == nil {
		return
	}
	s.mark(a)
	a.Unread++
	if e.Asks {
		a.Asks = e.Mail.Question()
	}
	s.pay(a, e.Pays)
}

// answered marks a task as answered, dropped as one whose request gets no answer.
func (s *State) answered(id TaskID) { s.setUnanswered(id, false) }
func (s *State) dropped(id TaskID)  { s.setUnanswered(id, true) }

func (s *State) setUnanswered(id TaskID, unanswered bool) {
	if task := s.tasks[id]; task != nil && task.Unanswered != unanswered {
		task.Unanswered = unanswered
		s.tasked[id] = struct{}{}
	}
}

// Lines implements Shows.
func (e MessageToUser) Lines() []TimelineLine {
	if e.Note {
		return nil
	}
	kind := "told you"
	if e.Asks {
		kind = "asks"
	}
	return shown(e.Mail.At, e.Mail.From, kind, string(e.Mail.Type), "type", e.Mail.Type, "message", e.Mail.ID)
}

// MessageWithdrawn removes one message from a mailbox before it was read.
type MessageWithdrawn struct {
	Agent AgentID
	Seq   uint64
}

func (e MessageWithdrawn) apply(s *State) {
	a := s.agents[e.Agent]
	s.touchRows(a)
	a.Mailbox = slices.DeleteFunc(a.Mailbox, func(m Mail) bool { return m.Seq == e.Seq })
}

// MailTaken moves all that waits for an agent into its conversation, in order. The
// i-th message has the slot First+i.
type MailTaken struct {
	Agent AgentID
	Mails []Mail
	First uint64
	At    time.Time
	Task  TaskID // of the turn, which begins with it unless one is open
	Fresh bool   // begins a turn
}

// Entry returns the conversation entry of the i-th message: a reference, since the texts
// stay where they arrived.
func (e MailTaken) Entry(i int) conversation.Entry {
	m := &e.Mails[i]
	return conversation.Entry{
		Slot: e.First + uint64(i), Kind: conversation.Inbound, At: e.At, From: string(m.From), FromRole: m.Role,
		To: string(e.Agent), Type: string(m.Type), MessageID: string(m.ID), TaskID: string(m.Task),
		Seq: m.Seq, Quick: m.Quick,
	}
}

func (e MailTaken) apply(s *State) {
	a := s.touch(e.Agent)
	last := e.Mails[len(e.Mails)-1]
	a.Cursor = last.Seq
	a.Mailbox = nil
	if e.Fresh {
		a.Turn = &Turn{Begun: e.At, From: e.First}
		a.Task = e.Task
	}
	a.Turn.Task, a.Turn.Suspended, a.Turn.Held, a.Turn.Retry = e.Task, false, false, nil
	a.Reported = false
	a.mended()
	for i, m := range e.Mails {
		a.Tail.Append()
		a.Tail.Weighed(m.Weight)
		if m.earns() {
			a.Owes = with(a.Owes, m.From)
			a.OwedFrom = a.OwedFrom.with(m.From, e.First+uint64(i))
		}
		if m.From == User {
			a.Requests = slices.Clip(a.Requests)
			for task := range m.tasks() {
				a.Requests = append(a.Requests, UserRequest{task, e.First + uint64(i)})
			}
		}
		a.Doing = cmp.Or(m.Doing(), a.Doing)
	}
	for d := a; d != nil; d = s.agents[d.Parent] {
		if d.Drained != nil { // counts for every drain that it lies in
			counted := *d.Drained
			counted.Taken += len(e.Mails)
			s.touch(d.ID).Drained = &counted
		}
	}
}

// Written implements Writes.
func (e MailTaken) Written() iter.Seq2[AgentID, conversation.Entry] {
	return func(yield func(AgentID, conversation.Entry) bool) {
		for i := range e.Mails {
			if !yield(e.Agent, e.Entry(i)) {
				return
			}
		}
	}
}

// EndedDraft implements EndsDraft.
func (e MailTaken) EndedDraft() (AgentID, uint64) { return e.Agent, 0 }

// Logged implements Logs.
func (e MailTaken) Logged(*State) []LogLine {
	return logged("messages read", "agent", e.Agent, "messages", len(e.Mails))
}

// MarkedSeen marks an agent's news, or with User the inbox, as seen by the user.
type MarkedSeen struct{ Agent AgentID }

// apply counts what the user has seen: an agent's own messages to them when they looked
// at the agent, all when they looked at the inbox.
func (e MarkedSeen) apply(s *State) {
	if e.Agent != User {
		a := s.touch(e.Agent)
		c := s.count()
		c.Unread = max(0, c.Unread-a.Unread)
		a.Reported = false
		a.Unread = 0
		return
	}
	s.count().Unread = 0
	for id, a := range s.agents {
		if a.Unread > 0 {
			s.touch(id).Unread = 0
		}
	}
}
