package mind

import (
	"encoding/json"
	"strings"
)

// take takes the result of one of root's own calls.
func (l *leader) take(r *result) {
	switch r.call.Name {
	case createRole:
		l.tookRole(r)
	case listRoles, "find_role":
		l.listed = true
		for _, role := range r.value.Roles {
			l.roles[strings.ToLower(role.Name)] = role.RoleID
		}
	case spawnAgent:
		l.tookAgent(r)
	case sendMessage:
		l.tookMessage(r)
	case terminateAgent, getOrg:
		if l.aside != nil {
			l.aside.done = append(l.aside.done, r)
		}
		if r.call.Name == terminateAgent && r.value.Error == "" {
			l.lose(decode[struct{ AgentID string }](r.call.Arguments).AgentID)
			for _, id := range r.value.CascadeTerminated {
				l.lose(id)
			}
		}
	case compressContext:
		l.warned = true
	}
}

func (l *leader) lose(id string) {
	if m := l.member(id); m != nil {
		m.gone = true
	}
}

func (l *leader) tookRole(r *result) {
	name := decode[struct{ Name string }](r.call.Arguments).Name
	if r.value.Error == "" && r.value.RoleID != "" {
		l.roles[strings.ToLower(name)] = r.value.RoleID
		return
	}
	l.refuse(name, r.value.Error)
}

// refuse gives up the parts that wait for a role, so that root does them
// itself instead of trying again for ever.
func (l *leader) refuse(role, code string) {
	if l.job == nil {
		return
	}
	for _, p := range l.job.parts {
		if p.state == unassigned && strings.EqualFold(l.roleOf(p), role) {
			p.state, p.code = refused, code
		}
	}
}

func (l *leader) roleOf(p *part) string { return l.me.lang.say(postName(p.post)) }

func (l *leader) tookAgent(r *result) {
	args := decode[struct {
		RoleID    string
		TaskBrief brief
	}](r.call.Arguments)
	role := ""
	for name, id := range l.roles {
		if id == args.RoleID && (role == "" || name < role) {
			role = name
		}
	}
	if r.value.Error != "" || r.value.AgentID == "" {
		if r.value.Error != "" || r.value.Message != "" {
			l.refuse(role, r.value.Error)
		} else {
			l.refuse(role, "unreadable")
		}
		return
	}
	if m := l.member(r.value.AgentID); m == nil {
		l.crew = append(l.crew, &member{id: r.value.AgentID, role: role})
	}
	l.assigned(r.value.AgentID, args.TaskBrief.Objective)
}

// assigned notes that the part with an objective has an agent.
func (l *leader) assigned(agent, objective string) {
	if l.job == nil {
		return
	}
	for _, p := range l.job.parts {
		if p.state == unassigned && l.objectiveOf(p) == objective {
			p.state, p.agent = open, agent
			return
		}
	}
}

func (l *leader) tookMessage(r *result) {
	args := decode[struct {
		To      json.RawMessage `json:"to"`
		Type    string          `json:"message_type"`
		Payload json.RawMessage `json:"payload"`
	}](r.call.Arguments)
	var to string
	if json.Unmarshal(args.To, &to) != nil {
		return
	}
	m := l.member(to)
	switch {
	case to == userID && l.job != nil && l.job.asked == toAsk:
		l.job.asked = asking
		if r.value.Error != "" {
			l.job.asked = gotAnswer
			l.answer(wish{})
			l.news = nil
		}
	case m == nil:
	case l.job != nil && l.job.head == m && r.value.Error == "":
		l.job.sent = true
	case r.value.Error != "":
		m.gone = true
	case args.Type == "task_assignment":
		l.assigned(to, decode[struct{ TaskBrief brief }](string(args.Payload)).TaskBrief.Objective)
	}
	if l.job == nil || args.Type == "task_assignment" {
		return
	}
	for _, p := range l.job.parts {
		if p.agent == to {
			p.nudged = true // a message to an agent at work is always this one
		}
	}
}
