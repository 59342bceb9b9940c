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
		if to == User {
			a.Requests = nil
		}
	}
	s.told(to, a.ID)
}

// waitingTasks returns the tasks but one in which the user waits for an answer of the agent, which
// may be removed.
func (a *Agent) waitingTasks(but TaskID) (tasks []TaskID) {
	if a == nil {
		return nil
	}
	for _, r := range a.Requests {
		if r.Task != but && !slices.Contains(tasks, r.Task) {
			tasks = append(tasks, r.Task)
		}
	}
	return tasks
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
