package society

import (
	"slices"
	"strings"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/org"
)

// send delivers the user's message (S000 P1, P2). It goes straight to the agent it names.
func (d *decision) send(c Send) (Sent, error) {
	a, err := d.agent(c.To)
	if err != nil {
		return Sent{}, err
	}
	if strings.TrimSpace(c.Text) == "" && len(c.Attachments) == 0 {
		return Sent{}, refuse(InvalidArguments, c.To, protocol.NothingWritten)
	}
	if r := d.checkAttached(c.To, c.Attachments); r != nil {
		return Sent{}, r
	}
	stopped := c.Resume && a.Status == Stopped
	switch r := d.accepts(User, c.To, len(c.Text)+inlineBytes(c.Attachments)); {
	case c.Resume && a.Status == Stopping:
		return Sent{}, refuse(AgentStopped, a.ID, protocol.StillStopping, a.ID)
	case stopped && d.s.drainAbove(a) != "":
		return Sent{}, refuse(AgentStopped, a.ID, protocol.BeingEnded, a.ID)
	case r != nil && !(stopped && r.Code == AgentStopped):
		return Sent{}, r
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
		return Sent{}, refuse(TaskNotFound, c.To, protocol.UnknownTask, task)
	}
	_, held := d.s.heldBy(a, Usage{}, d.at)
	if a.Paused != "" && !stopped && !held {
		d.add(ResumedNow{Agent: a.ID, At: d.at}) // writing to it takes the pause off
	}
	sent := Sent{Task: task, Held: held}
	if stopped {
		sent.Resumed = d.resumeSubtree(a.ID)
	}
	m := message{from: User, kind: protocol.General, task: task, payload: protocol.Payload{Text: c.Text}}
	if r := d.attach(&m, c.Attachments); r != nil {
		return Sent{}, r
	}
	sent.Message = d.post(m, c.To)
	return sent, nil
}

// beginTask begins a task with the message that is posted next.
func (d *decision) beginTask(to AgentID) TaskID {
	id := TaskID(d.s.mint(d.at, d.next()))
	d.add(TaskBegun{Task: Task{ID: id, Begun: d.at, To: to, First: d.seq + 1}})
	return id
}

// resumeSubtree takes an agent up again with all below it that are stopped: a stop took
// them along.
func (d *decision) resumeSubtree(top AgentID) []AgentID {
	var ids []AgentID
	for _, id := range d.s.Subtree(top) {
		if d.s.agents[id].Status == Stopped {
			ids = append(ids, id)
			d.add(ResumedNow{Agent: id, At: d.at})
		}
	}
	return ids
}

// withdraw gives the user's own message back before it was read.
func (d *decision) withdraw(c DropWaiting) (Dropped, error) {
	a, err := d.agent(c.Agent)
	if err != nil {
		return Dropped{}, err
	}
	for _, m := range slices.Backward(a.Mailbox) {
		if m.From == User && (c.Seq == 0 || m.Seq == c.Seq) {
			d.add(MessageWithdrawn{Agent: a.ID, Seq: m.Seq})
			return Dropped{Seq: m.Seq}, nil
		}
	}
	return Dropped{}, refuse(InvalidArguments, a.ID, protocol.NothingWaiting, a.ID)
}

// sendMessage is the tool send_message. The sender is whose turn it is, whatever
// the arguments say (S002 P8).
func (d *decision) sendMessage(a *Agent, call conversation.Call) (string, bool) {
	args := d.arguments(call)
	to, typed, quick := recipients(args), args.Text("message_type"), args.Texts("quickReplies")
	delay, _ := args.Whole("delayMs", org.MostDelay.Milliseconds())
	if why := args.Wrong(call.Name); why != nil {
		return d.badArguments(why), false
	}
	kind, why := protocol.ParseType(typed)
	if why != nil {
		text := why.In(d.s.lang)
		return payloadOf(protocol.FormatError{
			Code: string(InvalidMessageFormat), MessageType: protocol.MessageType(typed),
			MissingFields: []string{}, Errors: []string{text}, Message: text,
		}), false
	}
	payload, bad := protocol.ParsePayload(d.s.lang, kind, args.Raw("payload"), d.named)
	switch {
	case bad != nil && bad.Nobody != "":
		return d.refused(nobodyToIntroduce(AgentID(bad.Nobody))), false
	case bad != nil:
		return payloadOf(bad), false
	case payload.Target != nil:
		introduced := AgentID(payload.Target.ID)
		payload = payload.Completed(d.s.RoleName(introduced), d.s.interfaceOf(introduced))
	}
	m := message{
		from: a.ID, kind: kind, task: a.Turn.Task, payload: payload, quick: quick, delay: time.Duration(delay) * time.Millisecond,
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
	var later DelayedMessage
	if refusal == nil && m.delay > 0 {
		later, refusal = d.delay(a, m, to)
	}
	if refusal != nil {
		result := d.refusal(refusal)
		result["agentId"] = to
		return result, false
	}
	if m.delay > 0 {
		return map[string]any{
			"ok": true, "messageId": later.Mail.ID, "contactKnown": known, "dueAt": later.Due.Format("2006-01-02T15:04:05.000Z07:00"),
		}, true
	}
	id := d.post(a.answering(m, to), to)
	return map[string]any{"ok": true, "messageId": id, "contactKnown": known}, true
}

// answering turns a message to an agent that is owed an answer into that answer. A
// request stays one: a reply that asks again needs its own answer first (SPEC.md,
// decision 21).
func (a *Agent) answering(m message, to AgentID) message {
	m.pays, m.back = "", slices.Contains(a.Owes, to)
	if m.back && (m.kind == protocol.General || !m.kind.Asks()) {
		m.pays = to
	}
	return m
}

// recipients reads the recipients of a message, each once.
func recipients(args *protocol.Arguments) []AgentID {
	var each []AgentID
	for _, id := range args.Recipients("to") {
		each = with(each, AgentID(id))
	}
	return each
}

func nobodyToIntroduce(id AgentID) *Refusal {
	return refuse(AgentNotFound, id, protocol.NobodyToIntroduce, id)
}

// named reports whether an id can be named in a brief or an introduction.
func (d *decision) named(id string) bool {
	a := d.s.agents[AgentID(id)]
	return a != nil && a.Status != Terminating
}
