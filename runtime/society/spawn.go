package society

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// spawn is the tool spawn_agent (S002 Req 1, 2, 7; spec/decisions.md 19). If any
// step fails nothing of it remains: what it adds is one list of events.
func (d *decision) spawn(a *Agent, call conversation.Call) (string, bool) {
	var args struct {
		Role    RoleID          `json:"roleId"`
		Brief   json.RawMessage `json:"taskBrief"`
		Initial json.RawMessage `json:"initialMessage"`
	}
	if err := json.Unmarshal([]byte(call.Arguments), &args); err != nil {
		return d.badArguments(err), false
	}
	role := d.s.roles[args.Role]
	if role == nil {
		return d.badArguments(fmt.Errorf("roleId: there is no role %q; list_roles shows those there are, create_role makes one", args.Role)), false
	}
	if a.Drain != "" {
		return refused(refuse(AgentStopped, a.ID, "you are being ended: finish what you have, and spawn nobody")), false
	}
	if r := d.room(a); r != nil {
		return refused(r), false
	}
	brief, bad := protocol.ParseBrief(args.Brief, d.named)
	if bad != nil {
		return payloadOf(bad), false
	}
	m, bad2 := d.assignment(a, brief, args.Initial)
	if bad2 != nil {
		return payloadOf(bad2), false
	}
	if r := d.tooLarge("", len(args.Brief)+len(m.payload.Body())); r != nil {
		return refused(r), false
	}
	if r := d.guard(m, ""); r != nil {
		return refused(r), false
	}
	child := d.make(a, role, brief, a.Turn.Task)
	m.payload.Brief = &brief
	d.post(m, child)
	return payloadOf(map[string]any{"ok": true, "agentId": child, "roleName": role.Name}), true
}

// room refuses a spawn that would pass one of the caps.
func (d *decision) room(a *Agent) *Refusal {
	l := d.s.limits
	switch {
	case len(d.s.agents) >= l.Agents:
		return refuse(LimitReached, "", "%d agents are alive, no more are allowed; reuse one, or terminate those that are done", l.Agents)
	case a.Depth+1 > l.Depth:
		return refuse(LimitReached, "", "agents at depth %d may not spawn; do it yourself, or ask your parent for more agents", l.Depth)
	case len(a.Children()) >= l.Children:
		return refuse(LimitReached, "", "you have %d children, no more are allowed; reuse one, or terminate those that are done", l.Children)
	case len(recent(d.s.spawned, d.at)) >= l.SpawnsPerMinute:
		return refuse(LimitReached, "", "%d agents were spawned within a minute, no more are allowed; go on with those you have", l.SpawnsPerMinute)
	}
	return nil
}

// assignment is the message that sets a child to work.
func (d *decision) assignment(a *Agent, brief protocol.Brief, initial json.RawMessage) (message, *protocol.FormatError) {
	m := message{from: a.ID, kind: protocol.TaskAssignment, task: a.Turn.Task}
	if len(initial) == 0 || string(initial) == "null" || string(initial) == `""` {
		m.payload = protocol.Assignment(d.s.lang, brief)
		return m, nil
	}
	payload, bad := protocol.ParsePayload(protocol.General, initial, d.named)
	m.payload = payload
	return m, bad
}

// nextID is the id of the agent that a role gets next: its name, and which of that
// name it is.
func (d *decision) nextID(role *Role) (id AgentID, slug string, num uint64) {
	slug = protocol.Slug(role.Name)
	num = d.s.counters.Names[slug] + 1
	return AgentID(fmt.Sprintf("%s-%d", slug, num)), slug, num
}

// make adds the child with its contacts: its parent, and the collaborators of
// its brief (S002 P3, P4, P6).
func (d *decision) make(a *Agent, role *Role, brief protocol.Brief, task TaskID) AgentID {
	id, slug, num := d.nextID(role)
	doing := firstLine(protocol.Payload{Brief: &brief})
	d.add(AgentMade{
		Agent: Agent{
			ID: id, Role: role.ID, Parent: a.ID, Depth: a.Depth + 1, Order: d.s.counters.Order + 1,
			Created: d.at, Since: d.at, Status: Idle, Task: task, Doing: doing, Purpose: doing,
		},
		Brief: &brief, Slug: slug, Num: num,
	})
	d.add(ContactAdded{Agent: id, Contact: d.contact(a.ID, protocol.Parent, "")})
	d.add(ContactAdded{Agent: a.ID, Contact: d.contact(id, protocol.Child, "")})
	for _, c := range brief.Collaborators {
		if AgentID(c.AgentID) == a.ID {
			continue
		}
		contact := d.contact(AgentID(c.AgentID), protocol.Preset, "")
		contact.Description = oneLine(c.Description)
		if c.InterfaceSpec != nil {
			contact.InterfaceSpec = c.InterfaceSpec
		}
		d.add(ContactAdded{Agent: id, Contact: contact})
	}
	return id
}

func (s *State) applyMade(e AgentMade) {
	a := e.Agent
	a.alter(func(*Rare) {})
	s.agents[a.ID] = &a
	s.mark(&a)
	c := s.count()
	c.Order = max(c.Order, a.Order)
	if e.Slug != "" {
		c.Names[e.Slug] = e.Num
	}
	if p := s.agents[a.Parent]; p != nil {
		p.adopt(&a)
		s.brush(p)
		if a.Planted == "" { // the cap contains runaways, which the person is not
			s.spawned = append(recent(s.spawned, a.Created), a.Created)
		}
	}
}

// recent returns what of times lies within the minute before now. What lies behind
// now counts no more: the clock has gone back, and it could count for ever.
func recent(times []time.Time, now time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(times), func(t time.Time) bool {
		return now.Sub(t) >= time.Minute || t.After(now)
	})
}
