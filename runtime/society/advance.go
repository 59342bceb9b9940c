package society

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Advance decides cmd, applies what it leads to, and then what follows by the
// rules for every agent that it touched, until all is quiet. It returns all
// events in their order and the command's reply. When it returns an error
// nothing has changed.
func (s *State) Advance(at time.Time, cmd Command) ([]Event, any, error) {
	before := s.changed
	s.changed = Changed{Agents: map[AgentID]struct{}{}, Tasks: before.Tasks}
	d, err := s.Decide(at, cmd)
	if err != nil {
		s.changed = before
		return nil, nil, err
	}
	events := d.Events
	for _, e := range events {
		s.Apply(e)
	}
	for queue := s.touched(before); len(queue) > 0; {
		id := queue[0]
		queue = queue[1:]
		next := s.Follow(at, id)
		if len(next) == 0 {
			continue
		}
		for _, e := range next {
			s.Apply(e)
		}
		events = append(events, next...)
		queue = append(queue, s.touched(before)...)
	}
	s.changed.Agents = before.Agents
	return events, d.Reply, nil
}

// touched returns whom the last events changed, in the order of creation, and in
// a drain all above them, who may have waited for them: drains can lie within
// each other. It hands them over to the changes of before.
func (s *State) touched(before Changed) []AgentID {
	seen := map[AgentID]struct{}{}
	for id := range s.changed.Agents {
		before.Agents[id] = struct{}{}
		seen[id] = struct{}{}
		for a := s.agents[id]; a != nil; a = s.agents[a.Parent] {
			if a.Drain != "" {
				seen[a.ID] = struct{}{}
			}
		}
	}
	clear(s.changed.Agents)
	ids := slices.Collect(maps.Keys(seen))
	slices.SortFunc(ids, func(a, b AgentID) int {
		return cmp.Or(cmp.Compare(s.order(a), s.order(b)), cmp.Compare(a, b)) // the erased have no order
	})
	return ids
}

func (s *State) order(id AgentID) uint64 {
	if a := s.agents[id]; a != nil {
		return a.Order
	}
	return 0
}
