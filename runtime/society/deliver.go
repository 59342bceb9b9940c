package society

import (
	"encoding/json"
	"slices"
	"strings"

	"society-tui/runtime/protocol"
)

// deliver sends the text of a finished turn to the agents that are owed an answer
// (SPEC.md, decision 21).
func (d *decision) deliver(a *Agent, text string) (reported bool) {
	if strings.TrimSpace(text) == "" {
		return false
	}
	payload := protocol.Payload{Text: text}
	hearers, note := d.hearers(a)
	if note {
		if len(hearers) > 0 {
			mail := Mail{
				Seq: d.next(), From: a.ID, Role: d.s.RoleName(a.ID), Type: protocol.General, Task: a.Turn.Task, At: d.at,
				Also: a.waitingTasks(a.Turn.Task),
			}
			mail.ID = MessageID(d.s.mint(d.at, mail.Seq))
			d.add(MessageToUser{Mail: mail, Body: text, Note: true})
			d.acquaint(a.ID, User)
		}
		return false
	}
	if len(a.Owes) == 0 {
		d.report(a, a.Parent, message{from: a.ID, kind: protocol.StatusReport, task: a.Turn.Task, payload: payload})
		return true
	}
	for _, to := range a.Owes {
		d.report(a, to, message{from: a.ID, kind: protocol.General, task: a.Turn.Task, payload: payload, pays: to})
	}
	return true
}

// hearers returns the recipients of a turn's final text. A note has no recipients, and is
// shown to the user if the user asked.
func (d *decision) hearers(a *Agent) (ids []AgentID, note bool) {
	switch {
	case !d.awaits(a) && len(a.Owes) == 0:
		return []AgentID{a.Parent}, false
	case !d.awaits(a):
		return a.Owes, false
	case slices.Contains(a.Owes, User):
		return []AgentID{User}, true
	}
	return nil, true
}

// awaits reports whether the agent still waits for something that it asked or assigned:
// from an agent that is working, paused by the user in the middle, or waiting likewise.
// An agent that is idle without having answered is not waited for, or its caller would
// never answer. In a drain, only agents below can still be heard. An unread answer counts
// as awaited too: the text was written without it, and its recipients must not depend on
// timing.
func (d *decision) awaits(a *Agent) bool {
	if d.reads(a) && slices.ContainsFunc(a.Mailbox, func(m Mail) bool { return m.Reply }) {
		return true
	}
	seen := map[AgentID]bool{a.ID: true}
	for queue := []*Agent{a}; len(queue) > 0; queue = queue[1:] {
		for _, id := range queue[0].Asked {
			b := d.s.agents[id]
			if seen[id] || !b.live() || queue[0].Drain != "" && !d.s.Below(id, queue[0].ID) {
				continue
			}
			if b.stirs() || b.writesLater(queue[0].ID) {
				return true
			}
			seen[id] = true
			queue = append(queue, b)
		}
	}
	return false
}

// report sends an automatic text; one that is refused goes to the nearest ancestor that
// accepts it, at last to the user, with the reason.
func (d *decision) report(a *Agent, to AgentID, m message) {
	size := len(m.payload.Text)
	refusal := d.accepts(a.ID, to, size)
	if refusal == nil {
		refusal = d.guard(m, to)
	}
	if refusal == nil {
		d.post(m, to)
		return
	}
	m.kind = protocol.StatusReport // it still answers, but not its recipient
	m.payload.Fields = json.RawMessage(payloadOf(map[string]any{
		"undelivered_to": to, "reason": refusal.Code,
	}))
	for up := a.Parent; up != User; {
		if up != to && d.accepts(a.ID, up, size) == nil && d.guard(m, up) == nil {
			d.post(m, up)
			return
		}
		p := d.s.agents[up]
		if p == nil {
			break
		}
		up = p.Parent
	}
	d.post(m, User)
}
