package society

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"society-tui/runtime/approval"
	"society-tui/runtime/protocol"
)

// Records are the stored records of a society.
type Records struct {
	Counters  Counters
	Agents    []*Agent // with Mailbox and Contacts filled in
	User      Contacts // of the user
	Roles     []*Role
	Tasks     []*Task
	Tombs     []*Tombstone
	Todos     []*Todo // of agents that are there
	Artifacts []*Artifact
	Spent     []SpentSum

	Approvals []*Approval // with the beginnings of their previews
	Modes     []ScopedMode
	Rules     []approval.Rule
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
		s.made[t.RoleName] += counted(t.Copied)
	}
	slices.SortFunc(r.Agents, func(a, b *Agent) int { return int(int64(a.Order) - int64(b.Order)) })
	kept := map[*Agent][]DelayedMessage{}
	shared := texts{}
	r.User.share(shared)
	for _, a := range r.Agents {
		a.share(shared)
		a.Contacts = slices.Clone(a.Contacts) // which grew one by one, and has room to spare
		if len(a.Later)+len(a.inbound) > 0 {  // counted again below
			kept[a] = a.Later
			a.Later, a.inbound = nil, nil
		}
		s.attach(a)
		a.parent, a.children, a.knownBy, a.changed, a.toFollow, a.rewritten = nil, nil, nil, false, false, false
		s.agents[a.ID] = a
		s.made[s.RoleName(a.ID)] += counted(a.Copied)
		if p := s.agents[a.Parent]; p != nil {
			p.adopt(a)
		}
	}
	for _, a := range r.Agents {
		a.total = Usage{}
	}
	for _, a := range r.Agents {
		a.count(a.Usage.Plus(a.Ended))
	}
	for _, a := range r.Artifacts {
		s.artifacts[a.ID] = a
	}
	for _, t := range r.Todos {
		if a := s.agents[t.Agent]; a != nil {
			a.todo = t
		}
	}
	s.userKnows = r.User
	if root := s.agents[Root]; root != nil && !s.userKnows.Knows(Root) { // a store of before the user had contacts
		s.addContact(User, protocol.Contact{ID: string(Root), Role: s.RoleName(Root), Source: protocol.System, AddedAt: root.Created})
	}
	for _, a := range r.Agents {
		for _, c := range a.Contacts {
			s.know(a, AgentID(c.ID))
		}
		for _, l := range kept[a] {
			a.insert(l)
			s.agents[l.To].expect(a.ID)
		}
	}
	for _, w := range r.Approvals {
		s.keepApproval(w)
	}
	for _, m := range r.Modes {
		s.approvals.modes[m.Of] = m.Mode
	}
	s.approvals.rules = slices.SortedFunc(slices.Values(r.Rules), func(a, b approval.Rule) int { return cmp.Compare(a.ID, b.ID) })
	for _, t := range r.Tasks {
		s.approvals.granted = s.approvals.granted || len(t.Granted) > 0
	}
	for _, sum := range r.Spent {
		s.spent.tasks[sum.Task] = s.spent.tasks[sum.Task].Plus(sum.Usage)
		s.spent.days[sum.Day] = s.spent.days[sum.Day].Plus(sum.Usage)
	}
	s.drains, s.spawned, s.bounds = s.countDrains(), r.spawned(), s.countBudgets()
	return s
}

// spawned returns when the agents of the last minute were spawned, so that a
// restart does not lift the cap on them. Teams that the user added do not count.
func (r Records) spawned() []time.Time {
	made := map[uint64]time.Time{}
	for _, a := range r.Agents {
		if a.ID != Root && a.Template == "" {
			made[a.Order] = a.Created
		}
	}
	for _, t := range r.Tombs {
		if t.Template == "" {
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

// texts are strings that records have in common: each record that is read has its
// own, and thousands of agents say the same.
type texts map[string]string

func share[S ~string](known texts, s *S) {
	if one, ok := known[string(*s)]; ok {
		*s = S(one)
	} else {
		known[string(*s)] = string(*s)
	}
}

func (a *Agent) share(known texts) {
	share(known, &a.ID)
	share(known, &a.Status)
	share(known, &a.Role)
	share(known, &a.Parent)
	share(known, &a.Task)
	a.Contacts.share(known)
}

func (c Contacts) share(known texts) {
	for i := range c {
		share(known, &c[i].ID)
		share(known, &c[i].Role)
		share(known, &c[i].Source)
	}
}
