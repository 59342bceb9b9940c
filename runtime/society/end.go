package society

import "time"

// end removes an agent from all work: running work no longer counts, its queue is
// cleared, its turn closed, and nobody waits for its answer.
func (s *State) end(a *Agent, status Status, at time.Time) {
	for _, m := range a.Mailbox {
		s.closeReplies(m.From, a.ID)
		a.Cursor = max(a.Cursor, m.Seq)
		if m.From == User {
			for task := range m.tasks() {
				s.dropped(task)
			}
		}
	}
	for _, r := range a.Requests {
		s.dropped(r.Task)
	}
	for _, id := range a.Owes {
		if p := a.parent; p == nil || p.ID != id || len(p.Asked) > 0 { // mostly it ended just before
			s.closeReplies(id, a.ID)
		}
	}
	if a.Drained != nil {
		s.drains--
	}
	a.Epoch++
	a.Open, a.Mailbox, a.Turn, a.Owes, a.Asked, a.OwedFrom, a.AskedFrom, a.Requests = nil, nil, nil, nil, nil, nil, nil, nil
	if a.Asks != nil || a.Drain != "" || a.Drained != nil || a.Error != "" {
		a.Asks, a.Drain, a.Drained = nil, "", nil
	}
	a.mended()
	a.Paused, a.Reported = "", false
	a.Status, a.Since, a.Tail.Group = status, at, nil
}

func (s *State) erase(t Tombstone) {
	a := s.touch(t.ID)
	s.forget(a)
	if p := s.agents[a.Parent]; p != nil {
		if p.Status != Terminating { // else it goes with the same event
			p.disown(a)
		}
		if spent := a.Usage.Plus(a.Ended); spent != (Usage{}) {
			p.Ended = p.Ended.Plus(spent)
		}
		s.mark(p)
	}
	if a.Budget != nil {
		s.bounds--
	}
	s.forgetApprovals(t.ID)
	delete(s.agents, t.ID)
	s.tombs[t.ID] = &t
}

// Left returns the usage of terminated children and their subtrees, including those whose
// end is still pending: the screen shows them no more.
func (a *Agent) Left() Usage {
	sum := a.Ended
	for _, child := range a.children {
		if child.Status != Terminating {
			continue
		}
		for _, b := range child.subtree() {
			sum = sum.Plus(b.Usage.Plus(b.Ended))
		}
	}
	return sum
}
