package society

import (
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// A Decision holds the outcome of a command.
type Decision struct {
	Events []Event
	Reply  Reply
}

// Decide returns what cmd, carried out at this time, leads to, or why it is
// refused: a *Refusal, or ErrStale for a result that counts no more. It does not
// change s.
func (s *State) Decide(at time.Time, cmd Command) (Decision, error) {
	d := newDecision(s, at)
	reply, err := cmd.decide(d)
	if err != nil {
		return Decision{}, err
	}
	return Decision{Events: d.events, Reply: reply}, nil
}

// Follow returns what the rules do next by themselves for an agent, nothing when
// it is quiet. The loop applies it and asks again, in the same transaction.
func (s *State) Follow(at time.Time, id AgentID) []Event {
	a := s.agents[id]
	if a == nil || a.Status == Terminating {
		return nil
	}
	d := newDecision(s, at)
	switch {
	case d.followBudgets(a):
	case a.busy() && a.Turn.isLost(): // before it begins a further call
		d.runLost(a, graph.ErrChanged)
	case !a.Status.Ended() && d.alarm(a):
	case d.dueAt(a):
	case a.Status == Processing, a.Status == WaitingLLM && a.SideBySide():
		d.goOn(a)
	case a.Status == Idle:
		d.begin(a)
	}
	if len(d.events) == 0 && a.Drain != "" {
		d.drainOn(s.agents[a.Drain])
	}
	return d.events
}

// A decision gathers the events of one command. Numbers that its later events
// need are counted here, on copies, since s itself only changes in Apply.
type decision struct {
	s      *State
	at     time.Time
	events []Event
	seq    uint64
	tails  map[AgentID]*conversation.Tail
	// runs are the runs that this decision has changed, nil for one that begins anew.
	runs map[AgentID]*graph.Run
	// queued are the messages this decision puts into mailboxes, sent counts those
	// between agents in a task.
	queued map[AgentID][]Mail
	sent   int
	kept   int // messages to be sent later
	// fileChanges counts the changes of files that this decision records.
	fileChanges uint64
	// dropped are kept messages that this decision has dropped.
	dropped []DelayedRef
	// used is what this decision adds to what its agent has used.
	used Usage
	// guarded is the agent that this decision pauses for its many messages.
	guarded AgentID
}

func newDecision(s *State, at time.Time) *decision {
	return &decision{
		s: s, at: at, seq: s.counters.Seq,
		tails: map[AgentID]*conversation.Tail{}, runs: map[AgentID]*graph.Run{},
	}
}

func (d *decision) add(e Event) { d.events = append(d.events, e) }

// tail returns a copy of the agent's tail on which slots can be reserved.
func (d *decision) tail(a *Agent) *conversation.Tail {
	t, ok := d.tails[a.ID]
	if !ok {
		copied := a.Tail
		t = &copied
		d.tails[a.ID] = t
	}
	return t
}

// next gives a message its number.
func (d *decision) next() uint64 {
	d.seq++
	return d.seq
}

func (d *decision) say(key protocol.Key, args ...any) string {
	return protocol.Sentence(d.s.lang, key, args...)
}

func (c Found) decide(d *decision) (Reply, error)       { return Done{}, d.found(c) }
func (c Send) decide(d *decision) (Reply, error)        { return replied(c, d.send) }
func (c DropWaiting) decide(d *decision) (Reply, error) { return replied(c, d.withdraw) }
func (c Interrupt) decide(d *decision) (Reply, error)   { return replied(c, d.interrupt) }
func (c Rewind) decide(d *decision) (Reply, error)      { return replied(c, d.rewind) }
func (c Fork) decide(d *decision) (Reply, error)        { return replied(c, d.fork) }
func (c Stop) decide(d *decision) (Reply, error)        { return replied(c, d.stop) }
func (c PauseAgent) decide(d *decision) (Reply, error)  { return replied(c, d.pauseAgent) }
func (c Resume) decide(d *decision) (Reply, error)      { return replied(c, d.resume) }
func (c Terminate) decide(d *decision) (Reply, error)   { return replied(c, d.terminate) }
func (c Halted) decide(d *decision) (Reply, error)      { return Done{}, d.halted(c) }
func (c Restart) decide(d *decision) (Reply, error)     { return Done{}, d.restart(c) }
func (c Quarantine) decide(d *decision) (Reply, error)  { return Done{}, d.quarantine(c) }
func (PauseAll) decide(d *decision) (Reply, error)      { return Done{}, d.pauseAll() }
func (c Seen) decide(d *decision) (Reply, error)        { return Done{}, d.seen(c) }
func (c Spawn) decide(d *decision) (Reply, error)       { return replied(c, d.spawnFor) }
func (c Rename) decide(d *decision) (Reply, error)      { return Done{}, d.rename(c) }
func (c MakeRole) decide(d *decision) (Reply, error)    { return replied(c, d.makeRole) }
func (c EditRole) decide(d *decision) (Reply, error)    { return replied(c, d.editRole) }
func (c ChooseModel) decide(d *decision) (Reply, error) { return replied(c, d.chooseModel) }
func (c AssignModel) decide(d *decision) (Reply, error) { return replied(c, d.assignModel) }
func (c RenameModel) decide(d *decision) (Reply, error) { d.renameModel(c); return Done{}, nil }
func (c SetEffort) decide(d *decision) (Reply, error)   { return replied(c, d.setEffort) }
func (c ChooseGraph) decide(d *decision) (Reply, error) { return replied(c, d.chooseGraph) }
func (c AddTeam) decide(d *decision) (Reply, error)     { return replied(c, d.addTeam) }

func (c CompressContext) decide(d *decision) (Reply, error) { return replied(c, d.compressFor) }
func (c ForgetWindow) decide(d *decision) (Reply, error) {
	d.forgetWindow(c)
	return Done{}, nil
}

func (c AnswerApproval) decide(d *decision) (Reply, error) { return replied(c, d.answerApprovals) }
func (c MakeRule) decide(d *decision) (Reply, error)       { return replied(c, d.makeRule) }
func (c RemoveRule) decide(d *decision) (Reply, error)     { return Done{}, d.removeRule(c) }
func (c SetMode) decide(d *decision) (Reply, error)        { return replied(c, d.setMode) }
func (c CountTry) decide(d *decision) (Reply, error)       { d.countTry(c); return Done{}, nil }
func (c SetBudget) decide(d *decision) (Reply, error)      { return replied(c, d.setBudget) }
func (RenewBudgets) decide(d *decision) (Reply, error)     { d.renewBudgets(); return Done{}, nil }
func (DenyOverdue) decide(d *decision) (Reply, error)      { return Done{}, d.overdue() }
func (c KeepFileChanges) decide(d *decision) (Reply, error) {
	d.filesChanged(c.Of, c.Files, c.Undoes...)
	return Done{}, nil
}

func (c Answered) decide(d *decision) (Reply, error) { return result(d, c, d.answered) }
func (c Failed) decide(d *decision) (Reply, error)   { return result(d, c, d.failed) }
func (c ToolDone) decide(d *decision) (Reply, error) { return result(d, c, d.toolDone) }
func (c Planned) decide(d *decision) (Reply, error)  { return result(d, c, d.planned) }
func (c Compressed) decide(d *decision) (Reply, error) {
	switch c.Work.(type) {
	case Act, Compress:
		return result(d, c, d.compressed)
	}
	return Done{}, ErrStale
}
func (c Judged) decide(d *decision) (Reply, error)     { return result(d, c, d.judged) }
func (c Joined) decide(d *decision) (Reply, error)     { return result(d, c, d.joined) }
func (c TimerFired) decide(d *decision) (Reply, error) { return result(d, c, d.timerFired) }
func (c Panicked) decide(d *decision) (Reply, error)   { return result(d, c, d.panicked) }

// result decides on the result of work. It refuses stale work: that is how a stop wins
// over an answer (S001 P6, P13).
func result[C Result](d *decision, c C, decide func(*Agent, C)) (Reply, error) {
	w := c.Of()
	if w == nil || !d.s.agents[w.Item().Agent].expects(w) {
		return Done{}, ErrStale
	}
	decide(d.s.agents[w.Item().Agent], c)
	return Done{}, nil
}

// A Result is a command with the result of work.
type Result interface {
	Command
	// Of returns the work.
	Of() Work
}

// WorkOf returns the work whose result cmd is, nil if it is none.
func WorkOf(cmd Command) Work {
	if c, ok := cmd.(Result); ok {
		return c.Of()
	}
	return nil
}

// agent returns the agent that a command names, or the refusal.
func (d *decision) agent(id AgentID) (*Agent, *Refusal) {
	if id == User {
		return nil, refuse(InvalidRecipient, User, protocol.UserIsNoAgent)
	}
	if a := d.s.agents[id]; a != nil && a.Status == Terminating {
		return nil, refuse(AgentStopped, id, protocol.BeingTerminated, id)
	} else if a != nil {
		return a, nil
	}
	if d.s.tombs[id] != nil {
		return nil, refuse(AgentNotFound, id, protocol.WasTerminated, id)
	}
	return nil, refuse(AgentNotFound, id, protocol.NoSuchAgent, id)
}

// found makes root and its role.
func (d *decision) found(c Found) error {
	if !d.s.Empty() {
		return refuse(InvalidArguments, Root, protocol.FoundedBefore)
	}
	role := Role{ID: RootRole, Name: c.Role, Prompt: c.Prompt, CreatedBy: User, CreatedAt: d.at, Order: 1}
	d.add(Founded{Lang: c.Lang, Salt: uint16(d.at.UnixNano() >> 10)})
	d.add(RoleMade{Role: role})
	d.add(AgentMade{Agent: Agent{
		ID: Root, Role: role.ID, Parent: User, Order: 2, Created: d.at, Since: d.at, Status: Idle,
	}})
	d.add(ContactAdded{Agent: Root, Contact: protocol.Contact{
		ID: string(User), Role: string(User), Source: protocol.System, AddedAt: d.at,
	}})
	d.add(ContactAdded{Agent: User, Contact: protocol.Contact{
		ID: string(Root), Role: role.Name, Source: protocol.System, AddedAt: d.at,
	}})
	return nil
}

func (d *decision) seen(c Seen) error {
	if c.Agent == User {
		if d.s.counters.Unread > 0 {
			d.add(MarkedSeen{Agent: User})
		}
		return nil
	}
	a, err := d.agent(c.Agent)
	if err != nil {
		return err
	}
	if a.Unread > 0 || a.Reported {
		d.add(MarkedSeen{Agent: a.ID})
	}
	return nil
}

func (d *decision) rename(c Rename) error {
	a, err := d.agent(c.Agent)
	if err != nil {
		return err
	}
	if c.Name != "" {
		if why := protocol.CheckRoleName(c.Name); why != nil {
			return &Refusal{Code: InvalidArguments, Agent: a.ID, Why: why}
		}
		if id := AgentID(c.Name); id != a.ID && (d.s.agents[id] != nil || d.s.tombs[id] != nil) {
			return refuse(InvalidArguments, a.ID, protocol.NameOfAgent)
		}
	}
	d.add(Renamed{Agent: a.ID, Name: c.Name})
	return nil
}
