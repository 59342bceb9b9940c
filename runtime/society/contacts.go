package society

import (
	"cmp"
	"slices"

	"society-tui/runtime/protocol"
)

// Contacts are the contacts of an agent, in the order of their ids.
type Contacts []protocol.Contact

// Knows reports whether somebody is among them.
func (c Contacts) Knows(id AgentID) bool {
	_, known := c.find(string(id))
	return known
}

// Of returns the contact with that id, the zero Contact if there is none.
func (c Contacts) Of(id AgentID) protocol.Contact {
	if i, known := c.find(string(id)); known {
		return c[i]
	}
	return protocol.Contact{}
}

// With returns the contacts with one more, or with another for the same id. It may
// write to c.
func (c Contacts) With(more protocol.Contact) Contacts {
	i, known := c.find(more.ID)
	if known {
		c[i] = more
		return c
	}
	return slices.Insert(c, i, more)
}

// without returns the contacts without one. It may write to c.
func (c Contacts) without(id AgentID) Contacts {
	if i, known := c.find(string(id)); known {
		return slices.Delete(c, i, i+1)
	}
	return c
}

func (c Contacts) find(id string) (int, bool) {
	return slices.BinarySearchFunc(c, id, func(c protocol.Contact, id string) int { return cmp.Compare(c.ID, id) })
}

// interfaceOf returns the interface that an agent's role declares, nil for none.
func (s *State) interfaceOf(id AgentID) *protocol.InterfaceSpec {
	if a := s.agents[id]; a != nil && s.roles[a.Role] != nil {
		return s.roles[a.Role].Interface
	}
	return nil
}

// Contacts returns the contacts of an agent or of the user. The caller must not change
// them.
func (s *State) Contacts(who AgentID) Contacts {
	if who == User {
		return s.userKnows
	}
	if a := s.agents[who]; a != nil {
		return a.Contacts
	}
	return nil
}

// addContact makes somebody known to an agent, or to the user.
func (s *State) addContact(who AgentID, c protocol.Contact) {
	if who == User {
		s.userKnows = s.userKnows.With(c)
		return
	}
	a := s.agents[who]
	s.touchRows(a)
	a.Contacts = a.Contacts.With(c)
	s.know(a, AgentID(c.ID))
}

// ListContacts returns the contacts of an agent or of the user as list_contacts does:
// with the name and the purpose of each, and marking children that the user added.
func (s *State) ListContacts(who AgentID) []protocol.Contact {
	list := slices.Clone(s.Contacts(who))
	for i := range list {
		c := &list[i]
		if name := s.fullName(AgentID(c.ID)); name != c.Role {
			c.Name = name
		}
		switch {
		case c.Description == "":
			c.Description = s.purposeOf(AgentID(c.ID))
		case c.Source == protocol.Child: // one that the agent spawned has a brief by it instead
			c.Description = protocol.Sentence(s.lang, protocol.SetUpByUser, c.Description)
		}
	}
	return list
}

// purposeOf returns the objective of an agent's brief, else the purpose of its role, else
// "".
func (s *State) purposeOf(id AgentID) string {
	a := s.agents[id]
	switch {
	case a == nil:
		return ""
	case id == Root:
		return protocol.Sentence(s.lang, protocol.RootPurpose)
	case a.Purpose != "":
		return oneLine(a.Purpose) // an organisation that was read in may say anything
	}
	if spec := s.interfaceOf(id); spec != nil {
		return oneLine(spec.Services)
	}
	return ""
}

// know records that an agent has another among its contacts.
func (s *State) know(who *Agent, whom AgentID) {
	if b := s.agents[whom]; b != nil && !slices.Contains(b.knownBy, who) {
		b.knownBy = append(b.knownBy, who)
	}
}

// knownBy returns who has an agent among its contacts, in the order of their ids;
// the user too.
func (s *State) knownBy(id AgentID) []AgentID {
	ids := idsOf(s.agents[id].knownBy)
	if s.userKnows.Knows(id) {
		ids = append(ids, User)
	}
	slices.Sort(ids)
	return ids
}

// forget takes a dying agent from the contacts of all, and from what is known of its own
// (SPEC.md, decision 6).
func (s *State) forget(a *Agent) {
	s.userKnows = s.userKnows.without(a.ID)
	for _, b := range a.knownBy {
		b.Contacts = b.Contacts.without(a.ID)
		s.closeReplies(b.ID, a.ID)
	}
	for _, c := range a.Contacts {
		if b := s.agents[AgentID(c.ID)]; b != nil {
			b.knownBy = slices.DeleteFunc(b.knownBy, func(x *Agent) bool { return x == a })
		}
	}
}
