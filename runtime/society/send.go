package society

import (
	"encoding/json"
	"slices"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// send delivers the person's message (S000 P1, P2). It goes straight to the
// agent it names.
func (d *decision) send(c Send) (any, error) {
	a, err := d.agent(c.To)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.Text) == "" {
		return nil, refuse(InvalidArguments, c.To, "there is no text; write something first")
	}
	stopped := c.Resume && a.Status == Stopped
	switch r := d.accepts(User, c.To, len(c.Text)); {
	case c.Resume && a.Status == Stopping:
		return nil, refuse(AgentStopped, a.ID, "%s is still stopping; try again in a moment", a.ID)
	case stopped && d.s.drainAbove(a) != "":
		return nil, refuse(AgentStopped, a.ID, "%s is being ended and takes no messages any more", a.ID)
	case r != nil && !(stopped && r.Code == AgentStopped):
		return nil, r
	}
	task := c.Task
	if task == "" && !c.NewTask {
		task = a.Task
		if a.Turn != nil {
			task = a.Turn.Task
		}
	}
	switch {
	case task == "":
		task = d.beginTask(c.To)
	case d.s.tasks[task] == nil:
		return nil, refuse(TaskNotFound, c.To, "there is no task %q; leave it out to continue the agent's", task)
	}
	if a.Paused != "" && !stopped {
		d.add(ResumedNow{Agent: a.ID, At: d.at}) // writing to it takes the pause off
	}
	sent := Sent{Task: task}
	if stopped {
		sent.Resumed = d.unstop(a.ID)
	}
	sent.Message = d.post(message{from: User, kind: protocol.General, task: task, payload: protocol.Payload{Text: c.Text}}, c.To)
	return sent, nil
}

// beginTask begins a task with the message that is posted next.
func (d *decision) beginTask(to AgentID) TaskID {
	id := TaskID(d.s.mint(d.at, d.next()))
	d.add(TaskBegun{Task: Task{ID: id, Begun: d.at, To: to, First: d.seq + 1}})
	return id
}

// unstop takes an agent up again with all below it that are stopped: a stop took
// them along.
func (d *decision) unstop(top AgentID) []AgentID {
	var ids []AgentID
	for _, id := range d.s.Subtree(top) {
		if d.s.agents[id].Status == Stopped {
			ids = append(ids, id)
			d.add(ResumedNow{Agent: id, At: d.at})
		}
	}
	return ids
}

// takeBack gives the person's own message back before it was read.
func (d *decision) takeBack(c DropWaiting) (any, error) {
	a, err := d.agent(c.Agent)
	if err != nil {
		return nil, err
	}
	for _, m := range slices.Backward(a.Mailbox) {
		if m.From == User && (c.Seq == 0 || m.Seq == c.Seq) {
			d.add(TakenBack{Agent: a.ID, Seq: m.Seq})
			return Dropped{Seq: m.Seq}, nil
		}
	}
	return nil, refuse(InvalidArguments, a.ID, "no message of yours is waiting for %s; it has been read", a.ID)
}

// sendMessage is the tool send_message. The sender is whose turn it is, whatever
// the arguments say (S002 P8).
func (d *decision) sendMessage(a *Agent, call conversation.Call) (string, bool) {
	var args struct {
		To           json.RawMessage `json:"to"`
		Type         string          `json:"message_type"`
		Payload      json.RawMessage `json:"payload"`
		QuickReplies []string        `json:"quickReplies"`
		Delay        json.RawMessage `json:"delayMs"`
	}
	if err := json.Unmarshal([]byte(call.Arguments), &args); err != nil {
		return d.badArguments(err), false
	}
	to, err := recipients(args.To)
	if err != nil {
		return d.badArguments(err), false
	}
	kind, err := protocol.ParseType(args.Type)
	if err != nil {
		return payloadOf(protocol.FormatError{
			Code: string(InvalidMessageFormat), MessageType: protocol.MessageType(args.Type),
			MissingFields: []string{}, Errors: []string{err.Error()}, Message: err.Error(),
		}), false
	}
	payload, bad := protocol.ParsePayload(kind, args.Payload, d.named)
	switch {
	case bad != nil && bad.Nobody != "":
		return refused(nobodyToIntroduce(AgentID(bad.Nobody))), false
	case bad != nil:
		return payloadOf(bad), false
	case payload.Target != nil:
		introduced := AgentID(payload.Target.ID)
		payload = payload.Completed(d.s.RoleName(introduced), d.s.interfaceOf(introduced))
	}
	m := message{from: a.ID, kind: kind, task: a.Turn.Task, payload: payload, quick: args.QuickReplies}
	if m.delay, err = delayOf(args.Delay); err != nil {
		return d.badArguments(err), false
	}
	if len(to) == 1 {
		result, ok := d.sendTo(a, to[0], m)
		return payloadOf(result), ok
	}
	results, all := make([]map[string]any, 0, len(to)), true
	for _, id := range to {
		result, ok := d.sendTo(a, id, m)
		result["to"] = id
		results, all = append(results, result), all && ok
	}
	return payloadOf(map[string]any{"results": results}), all
}

// sendTo sends one message of an agent to one recipient, or keeps it until later.
func (d *decision) sendTo(a *Agent, to AgentID, m message) (map[string]any, bool) {
	known := a.Contacts.Knows(to)
	refusal := d.accepts(a.ID, to, len(m.payload.Body()))
	if refusal == nil {
		refusal = d.guard(m, to)
	}
	var later Later
	if refusal == nil && m.delay > 0 {
		later, refusal = d.delay(a, m, to)
	}
	if refusal != nil {
		return map[string]any{"error": refusal.Code, "message": refusal.Message, "agentId": to}, false
	}
	if m.delay > 0 {
		return map[string]any{
			"ok": true, "messageId": later.Mail.ID, "contactKnown": known, "dueAt": later.Due.Format("2006-01-02T15:04:05.000Z07:00"),
		}, true
	}
	id := d.post(a.answering(m, to), to)
	return map[string]any{"ok": true, "messageId": id, "contactKnown": known}, true
}

// answering returns a message to somebody as what it is: to whom the agent owes an
// answer it is the answer, unless it is a request: that is a reply which asks
// again, and what it asks for is needed for the answer (spec/decisions.md 21).
func (a *Agent) answering(m message, to AgentID) message {
	m.pays, m.back = "", slices.Contains(a.Owes, to)
	if m.back && (m.kind == protocol.General || !m.kind.Asks()) {
		m.pays = to
	}
	return m
}

// recipients reads the argument "to": a string or a list of them. Nobody is
// written to twice.
func recipients(raw json.RawMessage) ([]AgentID, error) {
	var one AgentID
	if err := json.Unmarshal(raw, &one); err == nil {
		return []AgentID{one}, nil
	}
	var many []AgentID
	if err := json.Unmarshal(raw, &many); err != nil || len(many) == 0 {
		return nil, errTo
	}
	var each []AgentID
	for _, id := range many {
		each = with(each, id)
	}
	return each, nil
}

func nobodyToIntroduce(id AgentID) *Refusal {
	return refuse(AgentNotFound, id, "there is no agent %q to introduce (target.id); get_org lists those there are", id)
}

// named says whether an id can be named in a brief or an introduction.
func (d *decision) named(id string) bool {
	a := d.s.agents[AgentID(id)]
	return a != nil && a.Status != Terminating
}
