package society

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"society-tui/runtime/protocol"
)

// Records are what a society is made of, as they are stored.
type Records struct {
	Counters Counters
	Agents   []*Agent // with Mailbox and Contacts filled in
	User     Contacts // of the user
	Roles    []*Role
	Tasks    []*Task
	Tombs    []*Tombstone
}

// Load returns the society that the records make. Children and what else can be
// derived is derived here. It does not judge: Check does.
func Load(limits Limits, r Records) *State {
	s := New(limits)
	s.counters = r.Counters
	if s.counters.Names == nil {
		s.counters.Names = map[string]uint64{}
	}
	s.lang = r.Counters.Lang
	for _, role := range r.Roles {
		s.setRole(role)
	}
	for _, t := range r.Tasks {
		s.tasks[t.ID] = t
	}
	for _, t := range r.Tombs {
		s.tombs[t.ID] = t
	}
	slices.SortFunc(r.Agents, func(a, b *Agent) int { return int(int64(a.Order) - int64(b.Order)) })
	kept := map[*Agent][]Later{}
	for _, a := range r.Agents {
		if a.Rare == nil || a.empty() {
			a.Rare = &nothing
		}
		if len(a.Later)+len(a.inbound) > 0 { // counted again below
			kept[a] = a.Later
			a.alter(func(r *Rare) { r.Later, r.inbound = nil, nil })
		}
		s.share(a)
		s.attach(a)
		a.parent, a.children, a.knownBy, a.changed, a.stirred, a.rewritten = nil, nil, nil, false, false, false
		s.agents[a.ID] = a
		if p := s.agents[a.Parent]; p != nil {
			p.adopt(a)
		}
	}
	s.userKnows = s.shareKnown(r.User)
	if root := s.agents[Root]; root != nil && !s.userKnows.Knows(Root) { // a store of before the user had contacts
		s.addContact(User, protocol.Contact{ID: string(Root), Role: s.RoleName(Root), Source: protocol.System, AddedAt: root.Created})
	}
	for _, a := range r.Agents {
		a.Contacts = s.shareKnown(a.Contacts)
		for _, c := range a.Contacts {
			s.know(a, AgentID(c.id))
		}
		for _, l := range kept[a] {
			a.insert(l)
			s.agents[l.To].expect(a.ID)
		}
	}
	s.drains, s.spawned = s.countDrains(), r.spawned()
	return s
}

// spawned returns when the agents of the last minute were spawned, so that a
// restart does not lift the cap on them. What the person planted does not count.
func (r Records) spawned() []time.Time {
	made := map[uint64]time.Time{}
	for _, a := range r.Agents {
		if a.ID != Root && a.Planted == "" {
			made[a.Order] = a.Created
		}
	}
	for _, t := range r.Tombs {
		if t.Planted == "" {
			made[t.Order] = t.CreatedAt
		}
	}
	var times []time.Time
	orders := slices.Sorted(maps.Keys(made))
	var earliest, latest time.Time // of those that were made after
	for _, order := range slices.Backward(orders) {
		at := made[order]
		if latest.Sub(at) < time.Minute && (earliest.IsZero() || !at.After(earliest)) {
			times = append(times, at)
		}
		if at.After(latest) {
			latest = at
		}
		if earliest.IsZero() || at.Before(earliest) {
			earliest = at
		}
	}
	slices.Reverse(times)
	return times
}

// share lets a record that was read use the strings that others have already: a
// society holds thousands of each, and to compare two that are the same string
// looks at neither (PERFORMANCE.md 10, 11). Agents come in the order of their
// creation.
func (s *State) share(a *Agent) {
	for _, status := range []Status{Idle, WaitingLLM, Processing, Stopping, Stopped, Terminating} {
		if a.Status == status {
			a.Status = status
		}
	}
	for i := range a.Open {
		for _, kind := range []WorkKind{Think, Act, Wait, Compress} {
			if a.Open[i].Kind == kind {
				a.Open[i].Kind = kind
			}
		}
	}
	if p := s.agents[a.Parent]; p != nil {
		a.Parent = p.ID
	}
	if r := s.roles[a.Role]; r != nil {
		a.Role = r.ID
	}
	if t := s.tasks[a.Task]; t != nil {
		a.Task = t.ID
	}
	if a.Purpose == a.Doing {
		a.Purpose = a.Doing
	}
	for i, id := range a.Owes {
		if b := s.agents[id]; b != nil {
			a.Owes[i] = b.ID
		}
	}
}

// shareKnown does the same for contacts, when all agents are there.
func (s *State) shareKnown(contacts Contacts) Contacts {
	shared := make(Contacts, len(contacts))
	for i, c := range contacts {
		own := *c.bond
		if b := s.agents[AgentID(c.id)]; b != nil {
			c.id = string(b.ID)
			if of := s.interfaceOf(b.ID); of != nil && reflect.DeepEqual(of, own.spec) {
				own.spec = of
			}
			if name := s.RoleName(b.ID); name == own.role {
				own.role = name
			}
		}
		own.source = own.source.Shared()
		c.bond = &own
		shared[i] = s.common(c)
	}
	return shared
}
