package society

import (
	"encoding/json"
	"slices"
	"strings"

	"society-tui/runtime/protocol"
)

// deliver sends the text of a turn that has come to its end to those who are owed it
// (SPEC.md, decision 21).
func (d *decision) deliver(a *Agent, text string) (reported bool) {
	if strings.TrimSpace(text) == "" {
		return false
	}
	payload := protocol.Payload{Text: text}
	hearers, note := d.hearers(a)
	if note {
		if len(hearers) > 0 {
			mail := Mail{Seq: d.next(), From: a.ID, Role: d.s.RoleName(a.ID), Type: protocol.General, Task: a.Turn.Task, At: d.at}
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

// hearers are those who get the text of a turn's end; a note is for nobody but the agent
// itself, and is shown to the user if the user has asked.
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

// awaits reports whether something that the agent asked or assigned is open with a live
// agent: one that goes on, that the user has paused in the middle, or that itself waits
// for such a one. Who has come to rest without an answer is not waited for, or nobody
// would hear of what is waiting. In a drain only those below can still be heard. An
// answer that has come and was not read yet is still awaited: the text was written
// without it, and who hears the text must not hang on which of the two was a moment
// earlier.
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
	m.kind = protocol.StatusReport // it answers still, but not whom it goes to
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
