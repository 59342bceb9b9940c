package society

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// A DelayedMessage is a message that waits with its sender until it is due (delayMs): it
// is on disk, and in no queue. A stop or termination of either side drops it. When it is
// due, it is checked as if it were sent then (SPEC.md, decision 10). Its body is in the
// store, under the sender and N.
type DelayedMessage struct {
	N     uint64        `json:"n"` // a number of its own, from the same count as Mail.Seq
	To    AgentID       `json:"to"`
	Due   time.Time     `json:"due"`
	Delay time.Duration `json:"delay"`
	Mail  Mail          `json:"mail"` // without a Seq, which it gets when it is due
	// Target is the agent that it introduces.
	Target *protocol.Target `json:"target,omitempty"`
}

// DelayedRef names a message that a sender keeps.
type DelayedRef struct {
	By AgentID
	N  uint64
}

// Delayed keeps a message until its time comes.
type Delayed struct {
	By         AgentID
	Later      DelayedMessage
	Body, Text string // as in MessageQueued
}

func (e Delayed) apply(s *State) {
	c := s.count()
	c.Seq = max(c.Seq, e.Later.N)
	c.Delayed++
	s.hold(s.agents[e.By], e.Later)
}

// Logged implements Logs.
func (e Delayed) Logged(*State) []LogLine {
	m := &e.Later.Mail
	return logged("message delayed", "from", e.By, "to", e.Later.To, "type", m.Type, "message", m.ID, "due", e.Later.Due)
}

// DelayedDropped drops messages before their time: a stop or a termination took
// one of their sides, or at their time they were refused.
type DelayedDropped struct {
	List []DelayedRef
	At   time.Time
	// Why is why they were refused, empty if one of their sides is no more.
	Why Code
}

func (e DelayedDropped) apply(s *State) {
	for _, h := range e.List {
		s.unhold(h)
	}
}

// Lines implements Shows: one for each sender.
func (e DelayedDropped) Lines() (lines []TimelineLine) {
	dropped := map[AgentID]int{}
	for _, h := range e.List {
		dropped[h.By]++
	}
	for _, by := range sorted(dropped) {
		kind, text := "dropped", strconv.Itoa(dropped[by])
		if e.Why != "" {
			kind, text = "undelivered", string(e.Why)
		}
		lines = append(lines, shown(e.At, by, kind, text, "code", e.Why, "messages", dropped[by])...)
	}
	return lines
}

// DelayedMoved gives a message another time, because the clock has gone back.
type DelayedMoved struct {
	Held DelayedRef
	Due  time.Time
}

func (e DelayedMoved) apply(s *State) {
	a := s.agents[e.Held.By]
	s.touchRows(a)
	l := *a.later(e.Held.N)
	l.Due = e.Due
	a.drop(l.N)
	a.insert(l)
}

// AlarmSet has a sender wait for the first of the messages that it keeps.
type AlarmSet struct {
	Agent  AgentID
	Closes uint64 // the Wait until now, 0 for none
	Step   uint64 // 0: nothing is kept any more
	Until  time.Time
}

func (e AlarmSet) apply(s *State) {
	a := s.touch(e.Agent)
	if e.Closes != 0 {
		a.close(e.Closes)
	}
	if e.Step != 0 {
		a.Step = e.Step
		a.Open = append(a.Open, Step{N: e.Step, Kind: WaitStep, Until: e.Until, For: MessageDue})
	}
}

// Delayed counts the messages to the agent whose time has not come.
func (a *Agent) Delayed() int {
	n := 0
	for _, more := range a.inbound {
		n += more
	}
	return n
}

// writesLater reports whether the agent keeps a message to another.
func (a *Agent) writesLater(to AgentID) bool {
	return slices.ContainsFunc(a.Later, func(l DelayedMessage) bool { return l.To == to })
}

func (a *Agent) later(n uint64) *DelayedMessage {
	for i := range a.Later {
		if a.Later[i].N == n {
			return &a.Later[i]
		}
	}
	return nil
}

// alarmed returns the step that waits for the first kept message, nil for none.
func (a *Agent) alarmed() *Step {
	for i := range a.Open {
		if a.Open[i].waits(MessageDue) {
			return &a.Open[i]
		}
	}
	return nil
}

// delay stores a message until it is due, or refuses it.
func (d *decision) delay(a *Agent, m message, to AgentID) (DelayedMessage, *Refusal) {
	if kept := len(a.Later) + d.kept; kept >= d.s.limits.Queue {
		return DelayedMessage{}, refuse(LimitReached, to, protocol.TooManyDelayed, kept)
	}
	if b := d.s.agents[to]; b != nil && b.Delayed()+d.kept >= d.s.limits.Queue {
		return DelayedMessage{}, refuse(MailboxFull, to, protocol.TooManyDelayedTo, b.Delayed(), to)
	}
	d.kept++
	l := DelayedMessage{N: d.next(), To: to, Due: d.at.Add(m.delay), Delay: m.delay}
	mail, body, text := d.compose(m, to)
	mail.ID = MessageID(d.s.mint(d.at, l.N))
	l.Mail = mail
	if m.kind == protocol.IntroductionResponse {
		l.Target = m.payload.Target
	}
	d.add(Delayed{By: a.ID, Later: l, Body: body, Text: text})
	return l, nil
}

// sendDelayed sends the messages whose time has come, each checked as if it were sent
// now. The timer is believed, whatever the clock says: it may have been set.
func (d *decision) sendDelayed(a *Agent, until time.Time) {
	if d.at.After(until) {
		until = d.at
	}
	for _, l := range a.Later {
		if l.Due.After(until) {
			continue
		}
		m := a.answering(message{from: a.ID, kind: l.Mail.Type, task: l.Mail.Task}, l.To)
		refusal := d.accepts(a.ID, l.To, 0)
		if refusal == nil {
			refusal = d.guard(m, l.To)
		}
		if refusal == nil && l.Target != nil && !d.named(l.Target.ID) {
			refusal = nobodyToIntroduce(AgentID(l.Target.ID))
		}
		if refusal != nil {
			d.bounce(a, l, refusal)
			continue
		}
		mail := l.Mail
		mail.Seq, mail.At, mail.Reply = d.next(), d.at, m.back
		d.hand(mail, l.To, m.pays, handed{held: &DelayedRef{a.ID, l.N}, target: l.Target})
	}
}

// bounce tells the sender that its delayed message was refused when it was due, since it
// believes that the message was sent (SPEC.md, decision 3). The notice comes from the
// runtime and needs no answer. If the sender cannot be reached either, the user sees it.
func (d *decision) bounce(a *Agent, l DelayedMessage, why *Refusal) {
	d.add(DelayedDropped{List: []DelayedRef{{a.ID, l.N}}, At: d.at, Why: why.Code})
	text := d.say(protocol.NotDelivered, l.Mail.ID, l.To, why.Why)
	if a.Status.Ended() || a.Drain != "" || len(a.Mailbox)+len(d.queued[a.ID]) >= d.s.limits.Queue {
		d.add(Noted{Agent: a.ID, Entry: conversation.Entry{
			Slot: d.tail(a).Aside(), Kind: conversation.Notice, At: d.at, From: string(a.ID), Text: text, Cause: string(why.Code),
		}})
		return
	}
	d.post(message{from: Runtime, kind: protocol.StatusReport, task: l.Mail.Task, payload: protocol.Payload{Text: text}}, a.ID)
}

// dropLater drops what agents that end keep, and what is kept for them, and
// returns how much that is.
func (d *decision) dropLater(all []*Agent) int {
	var list []DelayedRef
	for _, a := range all {
		for _, l := range a.Later {
			list = append(list, DelayedRef{a.ID, l.N})
		}
		if len(a.inbound) == 0 {
			continue // most: this is for each of thousands that a stop ends
		}
		for _, by := range sorted(a.inbound) {
			for _, l := range d.s.agents[by].Later {
				if l.To == a.ID {
					list = append(list, DelayedRef{by, l.N})
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b DelayedRef) int { return cmp.Or(cmp.Compare(a.By, b.By), cmp.Compare(a.N, b.N)) })
	list = slices.Compact(list) // between two that end there is one, not two
	// A restart may end two drains at once, with a message from one to the other.
	list = slices.DeleteFunc(list, func(h DelayedRef) bool { return slices.Contains(d.dropped, h) })
	d.dropped = append(d.dropped, list...)
	if len(list) > 0 {
		d.add(DelayedDropped{List: list, At: d.at})
	}
	return len(list)
}

// alarm keeps the wait for the first message that an agent keeps. It reports whether
// there was something to do.
func (d *decision) alarm(a *Agent) bool {
	e, now := AlarmSet{Agent: a.ID}, a.alarmed()
	if now != nil {
		e.Closes = now.N
	}
	if len(a.Later) > 0 {
		e.Step, e.Until = a.Step+1, a.Later[0].Due
	}
	if now == nil && e.Step == 0 || now != nil && e.Step != 0 && now.Until.Equal(e.Until) {
		return false
	}
	d.add(e)
	return true
}

// resetAlarm lets no message wait longer than it was to, after a start with a clock
// that has gone back.
func (d *decision) resetAlarm(a *Agent) {
	for _, l := range a.Later {
		if latest := d.at.Add(l.Delay); l.Due.After(latest) && !slices.Contains(d.dropped, DelayedRef{a.ID, l.N}) {
			d.add(DelayedMoved{Held: DelayedRef{a.ID, l.N}, Due: latest})
		}
	}
}

// insert puts a message where its time is, behind those of the same time.
func (a *Agent) insert(l DelayedMessage) {
	i, _ := slices.BinarySearchFunc(a.Later, l, func(x, l DelayedMessage) int {
		return cmp.Or(x.Due.Compare(l.Due), cmp.Compare(x.N, l.N))
	})
	a.Later = slices.Insert(a.Later, i, l)
}

// drop takes a message away.
func (a *Agent) drop(n uint64) {
	a.Later = slices.DeleteFunc(a.Later, func(x DelayedMessage) bool { return x.N == n })
}

// hold lets an agent keep a message; its recipient counts it.
func (s *State) hold(a *Agent, l DelayedMessage) {
	s.touchRows(a)
	a.insert(l)
	if b := s.agents[l.To]; b != nil {
		s.touchRows(b)
		b.expect(a.ID)
	}
}

// expect counts one more message that another keeps for the agent, if it is one.
func (a *Agent) expect(by AgentID) {
	if a != nil {
		a.counts(by, 1)
	}
}

// unhold takes a message from the agent that keeps it.
func (s *State) unhold(h DelayedRef) {
	a := s.agents[h.By]
	s.touchRows(a)
	l := a.later(h.N)
	if b := s.agents[l.To]; b != nil {
		s.touchRows(b)
		b.counts(a.ID, -1)
	}
	a.drop(h.N)
}

// counts counts messages that another keeps for the agent.
func (a *Agent) counts(by AgentID, n int) {
	if a.inbound == nil {
		a.inbound = map[AgentID]int{}
	}
	if a.inbound[by] += n; a.inbound[by] == 0 {
		delete(a.inbound, by)
	}
}

// checkLater checks that delayed messages have a sender and a recipient, and that a wait
// for the first of them is open.
func (s *State) checkLater(a *Agent, wrong func(string, ...any)) {
	inbound := 0
	for i, l := range a.Later {
		b := s.agents[l.To]
		switch {
		case l.To != User && (b == nil || b.Status.Ended()), a.Status.Ended():
			wrong("%s keeps message %d to %s, and one of them has ended", a.ID, l.N, l.To)
		case l.N > s.counters.Seq:
			wrong("%s keeps message %d, above the counter %d", a.ID, l.N, s.counters.Seq)
		case i > 0 && l.Due.Before(a.Later[i-1].Due):
			wrong("%s keeps message %d behind a later one", a.ID, l.N)
		}
	}
	for _, by := range sorted(a.inbound) {
		if b := s.agents[by]; b == nil || !b.writesLater(a.ID) {
			wrong("%s waits for messages that %s does not keep", a.ID, by)
		}
		inbound += a.inbound[by]
	}
	waits := 0
	for _, step := range a.Open {
		if !step.waits(MessageDue) {
			continue
		}
		if waits++; len(a.Later) > 0 && !step.Until.Equal(a.Later[0].Due) {
			wrong("%s waits until %s, its first message is due at %s", a.ID, step.Until, a.Later[0].Due)
		}
	}
	if waits != min(1, len(a.Later)) {
		wrong("%s waits %d times for the %d messages that it keeps", a.ID, waits, len(a.Later))
	}
}
