package society

import (
	"cmp"
	"slices"
	"time"
)

// Advance decides cmd, applies what it leads to, and then what follows by the
// rules for every agent that it touched, until all is quiet. It returns all
// events in their order and the command's reply. When it returns an error
// nothing has changed.
func (s *State) Advance(at time.Time, cmd Command) ([]Event, Reply, error) {
	d, err := s.Decide(at, cmd)
	if err != nil {
		return nil, nil, err
	}
	events := d.Events
	for _, e := range events {
		s.Apply(e)
	}
	for queue := s.touched(); len(queue) > 0; {
		id := queue[0].ID
		queue = queue[1:]
		next := s.Follow(at, id)
		if len(next) == 0 {
			continue
		}
		for _, e := range next {
			s.Apply(e)
		}
		events = append(events, next...)
		queue = append(queue, s.touched()...)
	}
	for _, e := range s.withdrawn(at) {
		s.Apply(e)
		events = append(events, e)
	}
	return events, d.Reply, nil
}

// touched returns the agents that the last events changed and that Follow may act on, in
// order of creation. In a drain it adds all agents above them, which may have waited:
// drains can be nested.
func (s *State) touched() []*Agent {
	stirred := s.toFollow
	s.toFollow = nil
	var all []*Agent
	for _, a := range stirred {
		a.toFollow = false
		if a.followed() {
			all = append(all, a)
		}
	}
	if s.drains > 0 {
		all = append(all, s.drainedAbove(stirred)...)
	}
	slices.SortFunc(all, func(a, b *Agent) int { return cmp.Compare(a.Order, b.Order) })
	return slices.Compact(all)
}

// drainedAbove returns those of these agents and their ancestors that are in a drain. It
// visits each agent once.
func (s *State) drainedAbove(agents []*Agent) []*Agent {
	seen := map[*Agent]struct{}{}
	var drained []*Agent
	for _, a := range agents {
		for a = s.agents[a.ID]; a != nil; a = s.agents[a.Parent] {
			if _, again := seen[a]; again {
				break
			}
			seen[a] = struct{}{}
			if a.Drain != "" {
				drained = append(drained, a)
			}
		}
	}
	return drained
}

// followed reports whether the rules may do something next by themselves for an agent.
func (a *Agent) followed() bool { return !a.Status.Ended() || a.Drain != "" }
