package society

import (
	"slices"

	"society-tui/runtime/protocol"
)

func (s *State) applyAccepted(e Accepted) {
	if e.Held != nil {
		s.unhold(*e.Held)
	}
	a, m := s.agents[e.To], e.Mail
	s.brush(a)
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
	s.brush(sender)
	s.pay(sender, e.Pays)
	if m.Earns() && !slices.Contains(sender.Asked, e.To) {
		s.mark(sender)
		sender.Asked = with(sender.Asked, e.To)
	}
}

// applyLooked counts what the person has seen: an agent's own messages to them
// when they looked at the agent, all when they looked at the inbox.
func (s *State) applyLooked(e Looked) {
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

func (s *State) applyDelivered(e Delivered) {
	if e.Held != nil {
		s.unhold(*e.Held)
	}
	c := s.count()
	c.Seq = max(c.Seq, e.Mail.Seq)
	c.Unread++
	a := s.agents[e.Mail.From]
	if a == nil {
		return
	}
	s.mark(a)
	a.Unread++
	if e.Asks {
		a.Asks = &Question{Seq: e.Mail.Seq, Replies: e.Mail.Quick, Line: e.Mail.Line}
	}
	s.pay(a, e.Pays)
}
