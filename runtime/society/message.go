package society

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// A message is a message before it is sent.
type message struct {
	from    AgentID
	kind    protocol.MessageType
	task    TaskID
	payload protocol.Payload
	pays    AgentID // whose question it answers, "" for nobody's
	back    bool    // goes to somebody who is owed an answer
	quick   []string
	delay   time.Duration // before it is sent

	attached []conversation.Attachment
	said     []protocol.Attachment // what the model is told of them
}

// accepts returns why the agent refuses a message from this sender, nil if it does not
// (SPEC.md, decisions 2, 3, 39).
func (d *decision) accepts(from, to AgentID, size int) *Refusal {
	if to == from {
		return refuse(InvalidRecipient, to, protocol.ToOneself)
	}
	if r := d.tooLarge(to, size); r != nil {
		return r
	}
	if to == User {
		return nil
	}
	a, r := d.agent(to)
	if r != nil {
		return r
	}
	switch {
	case a.Status.Ended():
		return refuse(AgentStopped, to, protocol.StoppedAgent, to)
	case a.Drain != "" && !d.admits(a, from):
		return refuse(AgentStopped, to, protocol.BeingEnded, to)
	case len(a.Mailbox)+len(d.queued[to]) >= d.s.limits.Queue:
		return refuse(MailboxFull, to, protocol.MailboxIsFull, d.s.limits.Queue, to)
	}
	return nil
}

func (d *decision) tooLarge(to AgentID, size int) *Refusal {
	if size > d.s.limits.MessageBytes {
		return refuse(TooLarge, to, protocol.MessageTooLarge, size, d.s.limits.MessageBytes)
	}
	return nil
}

// guard refuses a message between agents when their task has had too many without the
// user, and pauses the sender (SPEC.md, decision 24).
func (d *decision) guard(m message, to AgentID) *Refusal {
	task := d.s.tasks[m.task]
	if task == nil || m.from == User || to == User || task.Hops+d.sent < d.s.limits.TaskMessages {
		return nil
	}
	if a := d.s.agents[m.from]; a != nil && a.Paused == "" && d.guarded != a.ID {
		d.guarded = a.ID
		d.add(PausedNow{Agent: a.ID, Why: MessageGuard, At: d.at})
	}
	return refuse(LimitReached, to, protocol.TooManyMessages, d.s.limits.TaskMessages)
}

// post puts an accepted message on its way and makes both sides known to each
// other (S002 P7). It returns the message's id.
func (d *decision) post(m message, to AgentID) MessageID {
	mail, body, text := d.compose(m, to)
	mail.Seq = d.next()
	mail.ID = MessageID(d.s.mint(d.at, mail.Seq))
	h := handed{body: body, text: text}
	if m.kind == protocol.IntroductionResponse {
		h.target = m.payload.Target
	}
	d.hand(mail, to, m.pays, h)
	return mail.ID
}

// compose returns a message's header without number and id, its body, and the text for
// the recipient's model.
func (d *decision) compose(m message, to AgentID) (mail Mail, body, text string) {
	mail = Mail{
		From: m.from, Role: d.s.RoleName(m.from), Type: m.kind, Task: m.task,
		Reply: m.back || m.pays == to, At: d.at, Quick: m.quick, Line: firstLine(m.payload), Attached: m.attached,
	}
	if mail.Line == "" && len(m.attached) > 0 {
		mail.Line = m.attached[0].Name
	}
	if a := d.s.agents[to]; m.from == User && a != nil && a.Asks != nil {
		for _, task := range a.asking() {
			if task != m.task {
				mail.Also = append(mail.Also, task)
			}
		}
	}
	if d.answers(m, to) {
		mail.Line = "" // the task stays what the agent was asked to do
	}
	body = m.payload.Body()
	if to != User {
		text = protocol.Render(d.s.lang, protocol.Sender{ID: string(m.from), Role: mail.Role}, m.payload, m.said...)
		entry := conversation.Entry{Kind: conversation.Inbound, Text: text, Body: body, Attached: m.attached}
		mail.Size, mail.Weight = len(text), entry.Weight(d.budgetsOf(to))
	}
	return mail, body, text
}

// answers reports whether a message is the user's answer to a question within the
// agent's task.
func (d *decision) answers(m message, to AgentID) bool {
	a := d.s.agents[to]
	if m.from != User || a == nil || a.Asks == nil || a.Doing == "" {
		return false
	}
	return m.task == a.Task || a.Turn != nil && m.task == a.Turn.Task
}

// budgetsOf returns what a recipient's model is sent of one text. The recipient may
// have been made by this decision.
func (d *decision) budgetsOf(to AgentID) conversation.Budgets {
	if a := d.s.agents[to]; a != nil {
		return d.s.budgets(a, a.AtHand())
	}
	for _, e := range d.events {
		if made, ok := e.(AgentMade); ok && made.Agent.ID == to {
			return d.s.budgets(&made.Agent, nil)
		}
	}
	return conversation.BudgetsFor(0)
}

// handed holds the texts of a message beside its header, or where they are stored.
type handed struct {
	body, text string
	held       *DelayedRef
	target     *protocol.Target // the agent it introduces, nil for none
}

// hand delivers a message.
func (d *decision) hand(mail Mail, to, pays AgentID, h handed) {
	if to == User {
		mail.Also = d.s.agents[mail.From].waitingTasks(mail.Task)
		d.add(MessageToUser{Mail: mail, Body: h.body, Held: h.held, Asks: mail.AsksUser(), Pays: pays})
		d.acquaint(mail.From, User)
		return
	}
	accepted := MessageQueued{To: to, Mail: mail, Body: h.body, Text: h.text, Held: h.held, Pays: pays}
	if mail.From != User && mail.From != Runtime && !d.knows(to, mail.From) {
		d.introduceSender(&accepted)
	}
	d.add(accepted)
	if d.queued == nil {
		d.queued = map[AgentID][]Mail{}
	}
	d.queued[to] = append(d.queued[to], accepted.Mail)
	if mail.From == Runtime {
		return
	}
	if mail.From != User {
		d.sent++
	}
	d.acquaint(mail.From, to)
	if h.target != nil {
		d.introduce(to, mail.From, *h.target)
	}
}

// introduceSender adds a line on the sender to a message whose recipient does not
// know it.
func (d *decision) introduceSender(a *MessageQueued) {
	sender := d.contact(a.Mail.From, protocol.FirstMessage, "")
	sender.Description = d.s.purposeOf(a.Mail.From)
	line := "\n" + protocol.IntroductionLine(d.s.lang, sender)
	a.Mail.Size += len(line)
	a.Mail.Weight += conversation.Estimate(line)
	if a.Held != nil {
		a.Introduction = line
	} else {
		a.Text += line
	}
}

// acquaint makes the two sides of a message known to each other.
func (d *decision) acquaint(from, to AgentID) {
	for _, side := range [][2]AgentID{{from, to}, {to, from}} {
		if who, whom := side[0], side[1]; !d.knows(who, whom) {
			d.add(ContactAdded{Agent: who, Contact: d.contact(whom, protocol.FirstMessage, "")})
		}
	}
}

// knows reports whether somebody is among the contacts of another, by what this decision
// has added too.
func (d *decision) knows(who, whom AgentID) bool {
	return d.s.Contacts(who).Knows(whom) || slices.ContainsFunc(d.events, func(e Event) bool {
		added, ok := e.(ContactAdded)
		return ok && added.Agent == who && added.Contact.ID == string(whom)
	})
}

// contact returns the organisation's record of an agent, of one too that is just
// being made.
func (d *decision) contact(id AgentID, source protocol.Source, by AgentID) protocol.Contact {
	c := protocol.Contact{
		ID: string(id), Role: d.s.RoleName(id), InterfaceSpec: d.s.interfaceOf(id),
		Source: source, IntroducedBy: string(by), AddedAt: d.at,
	}
	for _, e := range d.events {
		if made, ok := e.(AgentMade); ok && made.Agent.ID == id {
			role := d.s.roles[made.Agent.Role]
			c.Role, c.InterfaceSpec = role.Name, role.Interface
		}
	}
	return c
}

// introduce adds the introduced agent as the organisation has it, with what the
// introducer says of it beside that.
func (d *decision) introduce(to, by AgentID, t protocol.Target) {
	target := AgentID(t.ID)
	if target == to || target == by || !d.named(t.ID) || d.knows(to, target) {
		return
	}
	c := d.contact(target, protocol.Introduction, by)
	c.Said = t.Said(c.Role, c.InterfaceSpec)
	d.add(ContactAdded{Agent: to, Contact: c})
}

// DoingBytes is the most of a message that an agent's row says it does; a longer one is cut.
const DoingBytes = 120

// firstLine returns a short first line of what a message says, for the tree.
func firstLine(p protocol.Payload) string {
	line := p.Text
	if p.Brief != nil {
		line = p.Brief.Objective
	}
	line = strings.TrimSpace(line)
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	return clip(line, DoingBytes)
}

// clip returns at most n bytes of s, cut between runes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
