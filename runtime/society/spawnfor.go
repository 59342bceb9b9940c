package society

import (
	"strings"

	"society-tui/runtime/protocol"
)

// spawnFor makes an agent for the user.
func (d *decision) spawnFor(c Spawn) (Spawned, error) {
	a, err := d.agent(c.Parent)
	if err != nil {
		return Spawned{}, err
	}
	if r := d.accepts(User, a.ID, len(c.Text)); r != nil && r.Code != MailboxFull {
		return Spawned{}, r
	}
	role := d.s.roles[c.Role]
	if role == nil {
		return Spawned{}, refuse(InvalidArguments, a.ID, protocol.UnknownRole, c.Role)
	}
	if r := d.roomBelow(a); r != nil {
		return Spawned{}, r
	}
	if d.s.isolated && c.Worktree == "" {
		return Spawned{}, refuse(NoWorktree, a.ID, protocol.WorktreeFailed, d.say(protocol.WorktreeMissing))
	}
	text := strings.TrimSpace(c.Text)
	spawned, brief := Spawned{Sole: d.s.made[role.Name] == 0}, d.briefOf(text)
	if text != "" {
		spawned.Task = a.Task
		if a.Turn != nil {
			spawned.Task = a.Turn.Task
		}
		if spawned.Task == "" {
			child, _, _ := d.nextID(role)
			spawned.Task = d.beginTask(child)
		}
	}
	spawned.Agent = d.make(a, role, brief, spawned.Task, c.Worktree)
	known := d.contact(spawned.Agent, protocol.Child, "")
	known.Description = brief.Objective
	d.add(ContactAdded{Agent: a.ID, Contact: known}) // it has not briefed it
	if text != "" {
		spawned.Message = d.post(message{from: User, kind: protocol.General, task: spawned.Task, payload: protocol.Payload{Text: c.Text}}, spawned.Agent)
	}
	return spawned, nil
}

// roomBelow refuses an agent of the user's that would pass one of the caps.
func (d *decision) roomBelow(a *Agent) *Refusal {
	switch l := d.s.limits; {
	case len(d.s.agents) >= l.Agents:
		return refuse(LimitReached, a.ID, protocol.LimitAgents, l.Agents)
	case a.Depth+1 > l.Depth:
		return refuse(LimitReached, a.ID, protocol.LimitDepth, a.ID, l.Depth)
	case len(a.Children()) >= l.Children:
		return refuse(LimitReached, a.ID, protocol.LimitChildren, a.ID, l.Children)
	}
	return nil
}

// briefOf is the brief of an agent that the user makes: what they wrote in short, for
// they send it as a message too.
func (d *decision) briefOf(text string) protocol.Brief {
	b := protocol.Brief{
		Objective: oneLine(text), Constraints: []string{}, Inputs: d.say(protocol.UserInputs),
		Outputs: d.say(protocol.UserOutputs), CompletionCriteria: d.say(protocol.UserDone),
	}
	if b.Objective == "" {
		b.Objective = d.say(protocol.UserObjective)
	}
	return b
}
