package society

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// spawn is the tool spawn_agent (SPEC.md, decision 19). If any step
// fails nothing of it remains: what it adds is one list of events.
func (d *decision) spawn(a *Agent, call conversation.Call, worktree string) (string, bool) {
	args := d.arguments(call)
	id := args.Required("roleId")
	if why := args.Wrong(call.Name); why != nil {
		return d.badArguments(why), false
	}
	role := d.s.roles[RoleID(id)]
	if role == nil {
		return d.badArguments(protocol.Because(protocol.UnknownRoleID, id)), false
	}
	if a.Drain != "" {
		return d.refused(refuse(AgentStopped, a.ID, protocol.YouAreEnded)), false
	}
	if r := d.room(a); r != nil {
		return d.refused(r), false
	}
	brief, bad := protocol.ParseBrief(d.s.lang, args.Raw("taskBrief"), d.named)
	if bad != nil {
		return payloadOf(bad), false
	}
	if d.s.isolated && worktree == "" {
		return d.refused(refuse(NoWorktree, "", protocol.WorktreeFailed, d.say(protocol.WorktreeMissing))), false
	}
	m, bad2 := d.assignment(a, brief, args.Raw("initialMessage"))
	if bad2 != nil {
		return payloadOf(bad2), false
	}
	if r := d.tooLarge("", len(args.Raw("taskBrief"))+len(m.payload.Body())); r != nil {
		return d.refused(r), false
	}
	if r := d.guard(m, ""); r != nil {
		return d.refused(r), false
	}
	child := d.make(a, role, brief, a.Turn.Task, worktree)
	m.payload.Brief = &brief
	d.post(m, child)
	return payloadOf(map[string]any{"ok": true, "agentId": child, "roleName": role.Name}), true
}

// room refuses a spawn that would pass one of the caps.
func (d *decision) room(a *Agent) *Refusal {
	l := d.s.limits
	switch {
	case len(d.s.agents) >= l.Agents:
		return refuse(LimitReached, "", protocol.AgentsAtMost, l.Agents)
	case a.Depth+1 > l.Depth:
		return refuse(LimitReached, "", protocol.DepthAtMost, l.Depth)
	case len(a.Children()) >= l.Children:
		return refuse(LimitReached, "", protocol.ChildrenAtMost, l.Children)
	case len(recent(d.s.spawned, d.at)) >= l.SpawnsPerMinute:
		return refuse(LimitReached, "", protocol.SpawnsAtMost, l.SpawnsPerMinute)
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
	payload, bad := protocol.ParsePayload(d.s.lang, protocol.General, initial, d.named)
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
func (d *decision) make(a *Agent, role *Role, brief protocol.Brief, task TaskID, worktree string) AgentID {
	id, slug, num := d.nextID(role)
	doing := firstLine(protocol.Payload{Brief: &brief})
	d.add(AgentMade{
		Agent: Agent{
			ID: id, Role: role.ID, Parent: a.ID, Depth: a.Depth + 1, Order: d.s.counters.Order + 1,
			Created: d.at, Since: d.at, Status: Idle, Task: task, Doing: doing, Purpose: doing, Worktree: worktree,
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

// recent returns what of times lies within the minute before now. What lies behind
// now counts no more: the clock has gone back, and it could count for ever.
func recent(times []time.Time, now time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(times), func(t time.Time) bool {
		return now.Sub(t) >= time.Minute || t.After(now)
	})
}
