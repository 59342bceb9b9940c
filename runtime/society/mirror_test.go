package society

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/todo"
)

// A mirror keeps what a store would keep of the events, and holds every event to
// what all of them promise, whatever the history:
//
//   - each message is delivered once, in order, as the runtime rendered it
//     (S000 P3, S003 4.2, S002 P9), and dropped only by a stop or its sender;
//   - a message that is not delivered waits, was taken back, or is counted in the
//     reply to the stop or in the record of the termination that dropped it;
//   - nothing of an agent that was stopped or terminated counts (S001 P6, P13);
//   - the model is asked only with a legal history (S003 5.4);
//   - no id, message number, slot or step is used twice (SPEC.md, decision 38).
type mirror struct {
	t      fatal
	said   map[AgentID]map[uint64]conversation.Entry
	letter map[AgentID]map[uint64]*delivery
	asking map[uint64]string // what each message asks to do, as in Agent
	later  map[DelayedRef]*postponed
	inbox  []MessageToUser
	ended  map[AgentID]bool   // stopped or to be erased
	born   map[AgentID]bool   // ever
	steps  map[AgentID]uint64 // the last one
	runs   map[AgentID]*graph.Run
	seq    uint64 // of the last message
	ids    map[MessageID]bool
	made   map[AgentID]AgentMade
	knows  map[[2]AgentID]bool // contacts over time
	events int                 // so many
	cutOff bool                // a drain reached its bound
	jumps  bool                // the clock goes back
	early  int                 // messages that were dropped before their time by what ends next
	lost   int                 // messages that the last command's stop cleared
	spent  map[spentOn]Usage
}

// spentOn is what the store sums up by.
type spentOn struct {
	task  TaskID
	day   string
	model string
}

// A delivery is the outcome of a message to an agent.
type delivery struct {
	mail    Mail
	text    string
	taken   int
	dropped bool
}

// postponed is the outcome of a delayed message.
type postponed struct {
	Delayed
	over, dropped bool // delivered or dropped; dropped
}

// sums are what the store holds of what was spent.
func (m *mirror) sums() (all []SpentSum) {
	for on, usage := range m.spent {
		all = append(all, SpentSum{Task: on.task, Day: on.day, Usage: usage})
	}
	slices.SortFunc(all, func(a, b SpentSum) int {
		return cmp.Or(cmp.Compare(a.Task, b.Task), cmp.Compare(a.Day, b.Day), cmp.Compare(a.Usage.Tokens(), b.Usage.Tokens()), cmp.Compare(a.Usage.Cost, b.Usage.Cost))
	})
	return all
}

func newMirror(t fatal) *mirror {
	return &mirror{
		t: t, said: map[AgentID]map[uint64]conversation.Entry{}, letter: map[AgentID]map[uint64]*delivery{}, later: map[DelayedRef]*postponed{},
		ended: map[AgentID]bool{}, born: map[AgentID]bool{}, steps: map[AgentID]uint64{}, ids: map[MessageID]bool{},
		made: map[AgentID]AgentMade{}, knows: map[[2]AgentID]bool{}, runs: map[AgentID]*graph.Run{}, spent: map[spentOn]Usage{},
		asking: map[uint64]string{},
	}
}

// note keeps one event. s is the society after the command that it belongs to.
func (m *mirror) note(s *State, e Event) {
	m.t.Helper()
	m.events++
	for _, id := range []AgentID{actor(e), doer(e)} {
		if id != "" && m.ended[id] {
			m.t.Fatalf("%T of %s, which had ended", e, id)
		}
	}
	switch e := e.(type) {
	case AgentMade:
		if m.born[e.Agent.ID] || e.Agent.ID == User {
			m.t.Fatalf("the id %s is used again", e.Agent.ID)
		}
		m.born[e.Agent.ID], m.made[e.Agent.ID] = true, e
	case SetAside:
		m.setAside(e)
	case ConversationCopied:
		m.copied(e)
	case ContactAdded:
		m.knows[[2]AgentID{e.Agent, AgentID(e.Contact.ID)}] = true
	case Delayed:
		m.delayed(e)
	case DelayedMoved:
		m.later[e.Held].Later.Due = e.Due
	case DelayedDropped:
		for _, h := range e.List {
			m.over(h).dropped = true
			if e.Why == "" { // with the stop or termination that comes next
				m.early++
			}
		}
	case MessageQueued:
		if e.Held != nil {
			e.Body, e.Text = m.due(*e.Held, e.Mail, e.To)
			e.Text += e.Introduction
		}
		m.accepted(s, e)
	case MessageToUser:
		if e.Held != nil {
			e.Body, _ = m.due(*e.Held, e.Mail, User)
		}
		m.numbered(e.Mail)
		m.inbox = append(m.inbox, e)
	case MessageWithdrawn:
		m.letter[e.Agent][e.Seq].dropped = true
	case GraphAdvanced:
		m.runs[e.Agent] = e.Run
	case MailTaken:
		m.taken(e)
	case GroupDropped:
		entry := m.said[e.Agent][e.Slot]
		entry.Kind = conversation.Superseded
		m.said[e.Agent][e.Slot] = entry
	case ResumedNow:
		delete(m.ended, e.Agent)
	case StopBegun:
		for _, answer := range e.Aborted {
			if m.ended[answer.Agent] {
				m.t.Fatalf("an answer of %s, which had ended, is cut short", answer.Agent)
			}
			m.put(answer.Agent, answer.Entry(e.At))
		}
		for _, u := range e.Unread {
			if d := m.letter[u.Agent][u.Mail.Seq]; d == nil || d.taken > 0 || d.dropped || u.Mail.From != User {
				m.t.Fatalf("%+v is told as cleared, and was %+v", u, d)
			}
			m.put(u.Agent, u.Entry(e.At))
		}
		mine := 0
		for _, id := range e.Agents {
			for _, d := range m.waiting(id) {
				if d.mail.From == User {
					mine++
				}
			}
		}
		if mine != len(e.Unread) {
			m.t.Fatalf("%d messages of the person are cleared, told are %+v", mine, e.Unread)
		}
		m.lost += m.ending(e.Agents)
	case TerminationBegun:
		m.cutOff = m.cutOff || e.Ending.CutOff > 0
		m.counted(e)
	case Erased:
		for _, t := range e.Tombs {
			delete(m.said, t.ID)
			delete(m.letter, t.ID)
		}
	}
	if id, entry, ok := kept(e); ok {
		m.put(id, entry)
	}
	if e, ok := e.(Spends); ok {
		if of := e.Spent(); of.Usage != (Usage{}) {
			on := spentOn{of.Task, DayOf(of.At), of.Model}
			m.spent[on] = m.spent[on].Plus(of.Usage)
		}
	}
	m.stepped(e)
}

// actor returns whose event it is, of those that nothing of an ended agent may
// lead to: it neither thinks, acts, answers, sends nor receives.
func actor(e Event) AgentID {
	switch e := e.(type) {
	case MessageQueued:
		return e.To
	case MessageToUser:
		return e.Mail.From
	case MailTaken:
		return e.Agent
	case ThinkOpened:
		return e.Agent
	case CallOpened:
		return e.Agent
	case PlanOpened:
		return e.Agent
	case ApprovalAsked:
		return e.Approval.Agent
	case ApprovalGiven:
		return e.Agent
	case CompressOpened:
		return e.Agent
	case JudgeOpened:
		return e.Agent
	case RunWaits:
		return e.Agent
	case RetrySet:
		return e.Agent
	case TurnFailed:
		return e.Agent
	case TurnEnded:
		return e.Agent
	}
	id, _, _ := kept(e)
	return id
}

// doer returns who has sent, made or ended something, which nobody does who has
// ended.
func doer(e Event) AgentID {
	switch e := e.(type) {
	case MessageQueued:
		return e.Mail.From
	case AgentMade:
		return e.Agent.Parent
	case RoleMade:
		return e.Role.CreatedBy
	case DrainBegun:
		return e.Drain.By
	}
	return ""
}

// kept returns the entry that an event puts into a conversation.
func kept(e Event) (AgentID, conversation.Entry, bool) {
	switch e := e.(type) {
	case AnswerKept:
		return e.Agent, e.Entry, true
	case AnswerDropped:
		return e.Agent, e.Entry, true
	case ToolResultKept:
		return e.Agent, e.Entry, true
	case Noted:
		return e.Agent, e.Entry, true
	case ModelReplaced:
		return e.Agent, e.Entry, true
	case Compacted:
		return e.Agent, e.Entry, true
	case BranchesMerged:
		return e.Agent, e.Entry, true
	}
	return "", conversation.Entry{}, false
}

func (m *mirror) put(id AgentID, entry conversation.Entry) {
	m.t.Helper()
	if m.said[id] == nil {
		m.said[id] = map[uint64]conversation.Entry{}
	}
	if old, ok := m.said[id][entry.Slot]; ok {
		m.t.Fatalf("%s: slot %d has %+v and gets %+v", id, entry.Slot, old, entry)
	}
	m.said[id][entry.Slot] = entry
}

func (m *mirror) numbered(mail Mail) {
	m.t.Helper()
	if mail.Seq <= m.seq || m.ids[mail.ID] {
		m.t.Fatalf("message %d (%s) comes after message %d", mail.Seq, mail.ID, m.seq)
	}
	m.seq, m.ids[mail.ID] = mail.Seq, true
}

// delayed keeps a message until it is delivered, once and not before its time,
// or dropped.
func (m *mirror) delayed(e Delayed) {
	m.t.Helper()
	if e.Later.N <= m.seq || m.later[DelayedRef{e.By, e.Later.N}] != nil {
		m.t.Fatalf("message %d comes after message %d", e.Later.N, m.seq)
	}
	m.seq = e.Later.N
	m.later[DelayedRef{e.By, e.Later.N}] = &postponed{Delayed: e}
}

// over ends what is known of a message that was to be sent later.
func (m *mirror) over(h DelayedRef) *postponed {
	m.t.Helper()
	p := m.later[h]
	if p == nil || p.over {
		m.t.Fatalf("%+v is delivered or dropped once more", h)
	}
	p.over = true
	return p
}

// due checks that a message is the one that was accepted, and that its time has come, and
// returns its texts.
func (m *mirror) due(h DelayedRef, mail Mail, to AgentID) (body, text string) {
	m.t.Helper()
	p := m.over(h)
	l := p.Later
	if mail.At.Before(l.Due) && !m.jumps || to != l.To || mail.ID != l.Mail.ID || mail.From != h.By || mail.Line != l.Mail.Line {
		m.t.Fatalf("%+v is delivered at %s to %s as %+v", l, mail.At, to, mail)
	}
	return p.Body, p.Text
}

func (m *mirror) accepted(s *State, e MessageQueued) {
	m.t.Helper()
	m.numbered(e.Mail)
	from := protocol.Sender{ID: string(e.Mail.From), Role: e.Mail.Role}
	var files []protocol.Attachment
	for _, f := range e.Mail.Attached {
		said := protocol.Attachment{Name: f.Name, Size: f.Size, Image: f.IsImage(), Text: f.Name} // as those files say that stand in a message
		if f.Artifact != "" {
			said.Text, said.Artifact = "", fmt.Sprintf("%s@%d", f.Artifact, f.Version)
		}
		files = append(files, said)
	}
	want := protocol.Render(s.Lang(), from, protocol.Payload{Text: e.Body}, files...)
	if made, agent := m.made[e.Mail.From]; agent && !m.knows[[2]AgentID{e.To, e.Mail.From}] {
		want += "\n" + protocol.IntroductionLine(s.Lang(), m.card(s, made))
	}
	if e.Text != want || e.Mail.Size != len(want) {
		m.t.Fatalf("S002 P9 and 5.3: %s is given %q, not %q", e.To, e.Text, want)
	}
	if m.letter[e.To] == nil {
		m.letter[e.To] = map[uint64]*delivery{}
	}
	m.letter[e.To][e.Mail.Seq] = &delivery{mail: e.Mail, text: e.Text}
	m.asking[e.Mail.Seq] = e.Mail.Doing()
}

// card is what an agent is introduced with, by what it was made with.
func (m *mirror) card(s *State, made AgentMade) protocol.Contact {
	role := s.Role(made.Agent.Role)
	c := protocol.Contact{ID: string(made.Agent.ID), Role: role.Name, InterfaceSpec: role.Interface}
	switch {
	case made.Agent.ID == Root:
		c.Description = protocol.Sentence(s.Lang(), protocol.RootPurpose)
	case made.Brief != nil && strings.TrimSpace(made.Brief.Objective) != "":
		c.Description, _, _ = strings.Cut(strings.TrimSpace(made.Brief.Objective), "\n")
	case role.Interface != nil:
		c.Description = role.Interface.Services
	}
	return c
}

func (m *mirror) taken(e MailTaken) {
	m.t.Helper()
	waiting := m.waiting(e.Agent)
	if len(waiting) != len(e.Mails) {
		m.t.Fatalf("S003 4.3: %s takes %d of %d messages", e.Agent, len(e.Mails), len(waiting))
	}
	for i, mail := range e.Mails {
		d := waiting[i]
		if d.mail.Seq != mail.Seq {
			m.t.Fatalf("%s takes message %d, next is %d", e.Agent, mail.Seq, d.mail.Seq)
		}
		d.taken++
		m.put(e.Agent, conversation.Entry{
			Slot: e.First + uint64(i), Kind: conversation.Inbound, Text: d.text, From: string(mail.From), Seq: mail.Seq, MessageID: string(mail.ID),
		})
	}
}

// waiting returns what was accepted for an agent and neither taken nor dropped.
func (m *mirror) waiting(id AgentID) []*delivery {
	var list []*delivery
	for _, seq := range slices.Sorted(maps.Keys(m.letter[id])) {
		if d := m.letter[id][seq]; d.taken == 0 && !d.dropped {
			list = append(list, d)
		}
	}
	return list
}

// ending drops what waits for agents, and returns how much it was.
func (m *mirror) ending(ids []AgentID) (dropped int) {
	dropped, m.early = m.early, 0
	for _, id := range ids {
		for _, d := range m.waiting(id) {
			d.dropped = true
			dropped++
		}
		m.ended[id] = true
	}
	return dropped
}

// counted checks that no message vanishes uncounted: a termination by the user counts
// what it drops, the end of a drain what it cuts off, where a turn that is cut short
// counts too.
func (m *mirror) counted(e TerminationBegun) {
	m.t.Helper()
	dropped := m.ending(e.Agents)
	switch {
	case e.Ending.By == User && (e.Ending.Dropped != dropped || e.Ending.CutOff != 0):
		m.t.Fatalf("the termination of %v drops %d messages, and counts %+v", e.Agents, dropped, e.Ending)
	case e.Ending.By != User && (e.Ending.Dropped != 0 || e.Ending.CutOff < dropped || e.Ending.CutOff > dropped+len(e.Agents)):
		m.t.Fatalf("the end of the drain of %v cuts off %d messages, and counts %+v", e.Agents, dropped, e.Ending)
	}
}

// stepped checks that the steps of an agent grow, and that a think begins with a legal
// history.
func (m *mirror) stepped(e Event) {
	m.t.Helper()
	next := func(id AgentID, step uint64) {
		m.t.Helper()
		if step <= m.steps[id] {
			m.t.Fatalf("%T of %s has step %d after step %d", e, id, step, m.steps[id])
		}
		m.steps[id] = step
	}
	switch e := e.(type) {
	case ThinkOpened:
		next(e.Agent, e.Step)
		m.legalAt(e.Agent, e.Work)
	case CallOpened:
		next(e.Agent, e.Step)
	case PlanOpened:
		next(e.Agent, e.Step)
	case ApprovalAsked:
		next(e.Approval.Agent, e.Step)
	case CompressOpened:
		next(e.Agent, e.Step)
	case JudgeOpened:
		next(e.Agent, e.Step)
		m.legalAt(e.Agent, e.Work)
	case RunWaits:
		next(e.Agent, e.Step)
	case DeadlineSet:
		if e.Step != 0 {
			next(e.Agent, e.Step)
		}
	case AlarmSet:
		if e.Step != 0 {
			next(e.Agent, e.Step)
		}
	case RetrySet:
		next(e.Agent, e.Next)
	case DrainBegun:
		next(e.Agents[0], e.Step)
	case EpochRaised:
		for _, step := range e.Steps {
			next(e.Agent, step.N)
		}
	}
}

// history returns a conversation in slot order.
func (m *mirror) history(id AgentID) []conversation.Entry {
	said := m.said[id]
	list := make([]conversation.Entry, 0, len(said))
	for slot, n := uint64(0), 0; n < len(said); slot++ {
		e, ok := said[slot]
		if ok {
			n++
		}
		if ok && e.SetAside.IsZero() {
			list = append(list, e)
		}
	}
	return list
}

// setAside marks what the user goes back behind. The context is then what it was before the
// message, whatever was compressed since.
func (m *mirror) setAside(e SetAside) {
	m.t.Helper()
	if first := m.said[e.Agent][e.From]; first.Kind != conversation.Inbound || first.From != string(User) {
		m.t.Fatalf("%s goes back to %+v, which is no message of the user's", e.Agent, first)
	}
	for slot, entry := range m.said[e.Agent] {
		if slot >= e.From && slot >= e.Upto {
			m.t.Fatalf("%s keeps %+v behind what is set aside", e.Agent, entry)
		}
		if slot >= e.From {
			e.Rewrite(&entry)
			m.said[e.Agent][slot] = entry
		}
	}
	delete(m.runs, e.Agent)
}

// copied gives a new agent a conversation, which is whole.
func (m *mirror) copied(e ConversationCopied) {
	m.t.Helper()
	m.said[e.To], m.letter[e.To] = maps.Clone(m.said[e.From]), map[uint64]*delivery{}
	if m.said[e.To] == nil {
		m.said[e.To] = map[uint64]conversation.Entry{}
	}
	for _, entry := range e.Results {
		m.put(e.To, entry)
	}
	made := m.made[e.To]
	made.Brief = m.made[e.From].Brief
	m.made[e.To] = made
	m.legal(e.To, m.history(e.To))
}

// whole is a conversation with what was set aside.
func (m *mirror) whole(id AgentID) []conversation.Entry {
	all := make([]conversation.Entry, 0, len(m.said[id]))
	for _, slot := range slices.Sorted(maps.Keys(m.said[id])) {
		all = append(all, m.said[id][slot])
	}
	return all
}

// point is what the runtime finds out for a rewind.
func (w *world) point(c Rewind) Rewind {
	all := w.whole(c.Agent)
	if a := w.s.Agent(c.Agent); a != nil {
		c.Rewound = a.Rewound
		c.At, _ = conversation.PointOf(all, string(User), string(c.Message), todo.Name, w.s.budgets(a, nil))
		for _, e := range all {
			if e.Slot < c.At.Slot && e.SetAside.IsZero() && e.Kind == conversation.Inbound {
				c.Doing = cmp.Or(w.asking[e.Seq], c.Doing)
			}
		}
	}
	return c
}

// legalAt checks that what a model is asked about at a step of the run is legal. While
// branches run side by side, calls of another one may be open.
func (m *mirror) legalAt(id AgentID, step uint64) {
	m.t.Helper()
	run := m.runs[id]
	if run == nil || run.OneByOne || !run.Forked() || step == 0 {
		m.legal(id, m.history(id))
		return
	}
	next := run.Next()
	i := slices.IndexFunc(next, func(w graph.Work) bool { return w.Step == step })
	if i < 0 {
		m.t.Fatalf("%s is asked to think at step %d, which its run does not wait for", id, step)
	}
	var branches []int
	for branch := next[i].Branch; branch != 0; branch, _ = run.Parent(branch) {
		branches = append(branches, branch)
	}
	m.legal(id, conversation.Seen(m.history(id), branches))
}

// legal checks that every answer is directly followed by the recorded results of its
// calls, in their order, without any mending (S003 5.4, SPEC.md, decision 27).
func (m *mirror) legal(id AgentID, history []conversation.Entry) {
	m.t.Helper()
	context := slices.DeleteFunc(history, func(e conversation.Entry) bool { return !e.Kind.InContext() })
	var due []string
	for _, e := range context {
		if len(due) > 0 {
			if e.Kind != conversation.Result || e.CallID != due[0] {
				m.t.Fatalf("%s is asked to think, but %s is followed by %+v", id, due[0], e)
			}
			due = due[1:]
			continue
		}
		if e.Kind == conversation.Result {
			m.t.Fatalf("%s is asked to think with a result of nothing: %+v", id, e)
		}
		for _, c := range e.Calls {
			due = append(due, c.ID)
		}
	}
	if len(due) > 0 {
		m.t.Fatalf("%s is asked to think without a result for %s", id, due[0])
	}
}

// agrees checks that the society has what the events said.
func (m *mirror) agrees(s *State) {
	m.t.Helper()
	for _, id := range s.Agents() {
		a := s.Agent(id)
		var seqs, want []uint64
		for _, mail := range a.Mailbox {
			seqs = append(seqs, mail.Seq)
		}
		for _, d := range m.waiting(id) {
			want = append(want, d.mail.Seq)
		}
		if !slices.Equal(seqs, want) {
			m.t.Fatalf("%s has the messages %v waiting, it should be %v", id, seqs, want)
		}
		if m.ended[id] != a.Status.Ended() {
			m.t.Fatalf("%s is %s, ended: %t", id, a.Status, m.ended[id])
		}
		m.counts(a)
	}
	m.keeps(s)
}

// keeps checks that senders hold exactly the delayed messages.
func (m *mirror) keeps(s *State) {
	m.t.Helper()
	open, kept := 0, 0
	for h, p := range m.later {
		if a := s.Agent(h.By); !p.over && (a == nil || a.later(h.N) == nil) {
			m.t.Fatalf("%+v is neither delivered nor dropped nor kept", p.Later)
		} else if !p.over {
			open++
		}
	}
	for _, id := range s.Agents() {
		kept += len(s.Agent(id).Later)
	}
	if open != kept {
		m.t.Fatalf("%d messages are kept, %d are to be", kept, open)
	}
}

// counts checks that the tail knows the conversation that it stands for: what is seen in
// the trunk, and in each branch of its run that is open.
func (m *mirror) counts(a *Agent) {
	m.t.Helper()
	for slot := range m.said[a.ID] {
		if slot >= a.Tail.Next {
			m.t.Fatalf("%s has an entry in slot %d, its conversation ends at %d", a.ID, slot, a.Tail.Next)
		}
	}
	m.countsIn(a, 0)
	if a.Turn == nil || a.Turn.Run == nil {
		return
	}
	for _, thread := range a.Turn.Run.Branches {
		m.countsIn(a, thread.ID)
	}
}

func (m *mirror) countsIn(a *Agent, branch int) {
	m.t.Helper()
	n, summary := 0, false
	for _, e := range m.seen(a, branch) {
		switch {
		case e.Kind == conversation.Summary:
			summary = true
		case e.Kind == conversation.Answer && e.Text == "" && len(e.Calls) == 0: // no model sees it
		case e.Kind.InContext():
			n++
		}
	}
	if summary {
		n++
	}
	if counted := a.TailAt(&graph.Work{Branch: branch}).Count; n != counted {
		m.t.Fatalf("%s has %d entries in context in branch %d, its tail counts %d", a.ID, n, branch, counted)
	}
}

// seen is what of an agent's conversation its model sees in a branch.
func (m *mirror) seen(a *Agent, branch int) []conversation.Entry {
	var all []conversation.Entry
	for _, slot := range slices.Sorted(maps.Keys(m.said[a.ID])) {
		if slot >= a.Tail.First && m.said[a.ID][slot].SetAside.IsZero() {
			all = append(all, m.said[a.ID][slot])
		}
	}
	return conversation.Seen(all, a.around(branch))
}
