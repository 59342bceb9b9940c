package society

import "time"

// end takes an agent out of all that goes on: what runs counts no more, its queue
// is cleared, its turn closed, and nobody waits for its answer.
func (s *State) end(a *Agent, status Status, at time.Time) {
	for _, m := range a.Mailbox {
		s.settle(m.From, a.ID)
		a.Cursor = max(a.Cursor, m.Seq)
	}
	for _, id := range a.Owes {
		if p := a.parent; p == nil || p.ID != id || len(p.Asked) > 0 { // mostly it ended just before
			s.settle(id, a.ID)
		}
	}
	if a.Drained != nil {
		s.drains--
	}
	a.Epoch++
	a.Open, a.Mailbox, a.Turn, a.Owes, a.Asked, a.Asks = nil, nil, nil, nil, nil, nil
	a.Drain, a.Drained, a.Paused, a.Error, a.Reported = "", nil, "", "", false
	a.Status, a.Since, a.Tail.Group = status, at, nil
}

func (s *State) erase(t Tombstone) {
	a := s.touch(t.ID)
	for who := range s.known[t.ID] {
		if b := s.agents[who]; b != nil {
			delete(b.Contacts, t.ID)
		}
		s.settle(who, t.ID)
	}
	delete(s.known, t.ID)
	for id := range a.Contacts {
		if delete(s.known[id], t.ID); len(s.known[id]) == 0 {
			delete(s.known, id)
		}
	}
	if p := s.agents[a.Parent]; p != nil {
		if p.Status != Terminating { // else it goes with the same event
			p.disown(a)
		}
		p.Ended = p.Ended.Plus(a.Usage).Plus(a.Ended)
		s.mark(p)
	}
	delete(s.agents, t.ID)
	s.tombs[t.ID] = &t
}
