package society

import (
	"cmp"
	"slices"

	"society-tui/runtime/protocol"
)

// Contacts are whom an agent knows, in the order of their ids. What they point to
// never changes.
type Contacts []*protocol.Contact

// Knows says whether somebody is among them.
func (c Contacts) Knows(id AgentID) bool {
	_, known := c.find(id)
	return known
}

// Of returns a contact, the zero one for whom it does not know.
func (c Contacts) Of(id AgentID) protocol.Contact {
	if i, known := c.find(id); known {
		return *c[i]
	}
	return protocol.Contact{}
}

// All returns copies of them.
func (c Contacts) All() []protocol.Contact {
	list := make([]protocol.Contact, len(c))
	for i, p := range c {
		list[i] = *p
	}
	return list
}

// With returns the contacts with one more, or with another for the same id. It may
// write to c.
func (c Contacts) With(contact protocol.Contact) Contacts {
	i, known := c.find(AgentID(contact.ID))
	if known {
		c[i] = &contact
		return c
	}
	return slices.Insert(c, i, &contact)
}

// without returns the contacts without one. It may write to c.
func (c Contacts) without(id AgentID) Contacts {
	if i, known := c.find(id); known {
		return slices.Delete(c, i, i+1)
	}
	return c
}

func (c Contacts) find(id AgentID) (int, bool) {
	return slices.BinarySearchFunc(c, string(id), func(p *protocol.Contact, id string) int { return cmp.Compare(p.ID, id) })
}

// know notes that an agent has another among its contacts.
func (s *State) know(who *Agent, whom AgentID) {
	if b := s.agents[whom]; b != nil && !slices.Contains(b.knownBy, who) {
		b.knownBy = append(b.knownBy, who)
	}
}

// knownBy returns who has an agent among its contacts, in the order of their ids.
func (s *State) knownBy(id AgentID) []AgentID {
	ids := idsOf(s.agents[id].knownBy)
	slices.Sort(ids)
	return ids
}

// forget takes a dying agent from the contacts of all, and from what is known of its
// own (spec/decisions.md 6).
func (s *State) forget(a *Agent) {
	for _, b := range a.knownBy {
		b.Contacts = b.Contacts.without(a.ID)
		s.settle(b.ID, a.ID)
	}
	for _, c := range a.Contacts {
		if b := s.agents[AgentID(c.ID)]; b != nil {
			b.knownBy = slices.DeleteFunc(b.knownBy, func(x *Agent) bool { return x == a })
		}
	}
}
