package society

import (
	"slices"
)

// pay records that a has answered to, and ends its wait.
func (s *State) pay(a *Agent, to AgentID) {
	if to == "" {
		return
	}
	if slices.Contains(a.Owes, to) {
		s.mark(a)
		a.Owes, a.OwedFrom = without(a.Owes, to), a.OwedFrom.without(to)
	}
	s.told(to, a.ID)
}

// told ends the wait of an agent for another's answer, unless a further question
// of it is still unread there.
func (s *State) told(who, by AgentID) {
	if b := s.agents[by]; b == nil || !b.unread(who) {
		s.closeReplies(who, by)
	}
}

// closeReplies ends the wait of an agent for another's answer.
func (s *State) closeReplies(who, whose AgentID) {
	if a := s.agents[who]; a != nil && slices.Contains(a.Asked, whose) {
		a.Asked, a.AskedFrom = without(a.Asked, whose), a.AskedFrom.without(whose)
		s.mark(a)
	}
}
