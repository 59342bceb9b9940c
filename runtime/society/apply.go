package society

import (
	"maps"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// Apply changes s as e says. It cannot refuse: e has already happened.
func (s *State) Apply(e Event) {
	switch e := e.(type) {
	case Founded:
		c := s.count()
		s.lang, c.Lang, c.Salt = e.Lang, e.Lang, e.Salt
	case RoleMade:
		role := e.Role
		s.setRole(&role)
		c := s.count()
		c.Order = max(c.Order, role.Order)
	case RoleEdited:
		role := e.Role
		s.setRole(&role)
	case PlantedNow:
		c := s.count()
		if c.Planted == nil {
			c.Planted = map[string]int{}
		}
		c.Planted[e.Template]++
	case TaskBegun:
		task := e.Task
		s.tasks[task.ID] = &task
		s.tasked[task.ID] = struct{}{}
	case AgentMade:
		s.applyMade(e)
	case ContactAdded:
		a := s.agents[e.Agent]
		s.brush(a)
		a.Contacts = a.Contacts.With(e.Contact)
		s.know(a, AgentID(e.Contact.ID))
	case Accepted:
		s.applyAccepted(e)
	case Delivered:
		s.applyDelivered(e)
	case TakenBack:
		a := s.agents[e.Agent]
		s.brush(a)
		a.Mailbox = slices.DeleteFunc(a.Mailbox, func(m Mail) bool { return m.Seq == e.Seq })
	case Taken:
		s.applyTaken(e)
	case Looked:
		s.applyLooked(e)
	case Renamed:
		s.touch(e.Agent).alter(func(r *Rare) { r.Name = e.Name })
	case Panic:
		a := s.touch(e.Agent)
		a.alter(func(r *Rare) { r.Panics = append(recent(r.Panics, e.At), e.At) })
	default:
		s.applyTurn(e)
	}
}

// applyTurn applies what happens within an agent's turn.
func (s *State) applyTurn(e Event) {
	switch e := e.(type) {
	case ThinkOpened:
		s.applyThink(e, Think)
	case AnswerKept:
		s.applyAnswer(e)
	case AnswerDropped:
		a := s.touch(e.Agent)
		a.close(e.Step)
		a.Usage = a.Usage.Plus(e.Usage)
		a.Tail.Counted(e.Usage.Input, e.Guess)
		a.Tail.Aside()
		a.Turn.dropped(e.ByAgents)
	case GroupDropped:
		a := s.touch(e.Agent)
		a.Tail.Drop()
		a.Turn.Calls = nil
		a.Turn.Rounds--
		a.Turn.dropped(e.ByAgents)
	case CallOpened:
		a := s.touch(e.Agent)
		a.Step, a.Status, a.Since = e.Step, Processing, e.At
		a.Open = append(a.Open, Step{N: e.Step, Kind: Act, Call: e.Call, Writes: e.Writes, Held: e.Held})
	case Resulted:
		s.applyResult(e)
	case RetrySet:
		a := s.touch(e.Agent)
		a.close(e.Step)
		a.Step, a.Since = e.Next, e.At
		a.Open = append(a.Open, Step{N: e.Next, Kind: Wait, Until: e.Until, Plain: e.Plain, Work: e.Work, Attempt: e.Attempt, Squeezes: e.Squeezes, Squeezed: e.Squeezed})
		a.Turn.Retry = &RetryWait{At: e.Until, Cause: e.Cause, Attempt: e.Attempt}
	case RetryOver:
		s.touch(e.Agent).close(e.Step)
	case Noted:
		s.touch(e.Agent).Tail.Aside()
	case TurnFailed:
		a := s.touch(e.Agent)
		a.suspend(e.At)
		a.alter(func(r *Rare) { r.Error = e.Text })
	case TurnEnded:
		a := s.touch(e.Agent)
		a.rememberRun()
		a.Open = slices.DeleteFunc(a.Open, func(s Step) bool { return s.Due })
		a.Turn, a.Status, a.Since, a.Reported = nil, Idle, e.At, e.Reported
	case CompressOpened:
		a := s.touch(e.Agent)
		a.close(e.Closes)
		a.Step, a.Since = e.Step, e.At
		a.Open = append(a.Open, Step{N: e.Step, Kind: Compress, Plain: e.Plain, Work: e.Work, Attempt: e.Attempt})
		a.Turn.Retry = nil
	case Compacted:
		a := s.touch(e.Agent)
		if e.Step != 0 {
			a.close(e.Step)
		}
		a.Usage = a.Usage.Plus(e.Usage)
		a.inBranch(e.Entry.Branch, func(t *conversation.Tail) {
			t.Aside()
			t.Count += e.Cut.After - e.Cut.Before
			t.Guessed(e.Guess)
		})
		if e.Entry.Branch == 0 { // else others see what was compressed away
			a.Tail.First = e.Cut.Upto
		}
	default:
		s.applyRun(e)
	}
}

// applyRun applies what happens in the run of an agent's graph.
func (s *State) applyRun(e Event) {
	switch e := e.(type) {
	case RunMoved:
		a := s.touch(e.Agent)
		a.close(e.Closes)
		a.Usage = a.Usage.Plus(e.Usage)
		a.rememberRun()
		a.Turn.Run = e.Run
		a.Turn.Loads = slices.DeleteFunc(a.Turn.Loads, func(l BranchLoad) bool { return a.around(l.Branch) == nil })
		if e.Run != nil {
			if e.Run.Branch > a.Branched {
				a.alter(func(r *Rare) { r.Branched = e.Run.Branch })
			}
		} else {
			a.Turn.Held, a.Turn.lost = false, false
		}
	case JudgeOpened:
		s.applyThink(ThinkOpened{
			Agent: e.Agent, Step: e.Step, At: e.At, Retry: e.Retry, Again: e.Again, Attempt: e.Attempt, Work: e.Work, Squeezed: e.Squeezed,
		}, e.Kind)
	case RunWaits:
		a := s.touch(e.Agent)
		a.Step, a.Status, a.Since = e.Step, WaitingLLM, e.At
		a.Open = append(a.Open, Step{N: e.Step, Kind: Wait, Until: e.Until, Run: true, Work: e.Work})
		a.Turn.Suspended, a.Turn.Retry = false, &RetryWait{At: e.Until, Cause: e.Cause}
	case BranchesMerged:
		a := s.touch(e.Agent)
		a.inBranch(e.Entry.Branch, func(t *conversation.Tail) {
			t.Append()
			t.Weighed(e.Entry.Weight())
		})
	case DueSet:
		a := s.touch(e.Agent)
		if e.Closes != 0 {
			a.close(e.Closes)
		}
		if e.Step != 0 {
			a.Step = e.Step
			a.Open = append(a.Open, Step{N: e.Step, Kind: Wait, Until: e.Until, Due: true})
		}
	case TurnHeld:
		a := s.touch(e.Agent)
		a.suspend(e.At)
		a.Turn.Held = true
	default:
		s.applyLife(e)
	}
}

// rememberRun keeps the run of a turn that has ended, for the person to look at.
func (a *Agent) rememberRun() {
	if a.Turn != nil && a.Turn.Run != nil && a.Turn.Run.Status.Over() {
		a.alter(func(r *Rare) { r.Ran = a.Turn.Run })
	}
}

// applyLife applies what the verbs do.
func (s *State) applyLife(e Event) {
	switch e := e.(type) {
	case PausedNow:
		a := s.touch(e.Agent)
		a.Paused, a.Since = e.Why, e.At
	case ResumedNow:
		a := s.touch(e.Agent)
		a.Paused, a.Since = "", e.At
		if a.Status == Stopped {
			a.Status = Idle
			if top := s.drainAbove(a); top != a.Drain {
				a.alter(func(r *Rare) { r.Drain = top })
			}
		}
	case Cut:
		a := s.touch(e.Agent)
		a.Epoch++
		a.suspend(e.At)
	case StopBegun:
		s.applyStop(e)
	case StopEnded:
		for _, a := range s.named(e.Agents) {
			s.mark(a)
			a.Status, a.Since = Stopped, e.At
		}
	case TerminationBegun:
		whole, part := e.Ending, Ending{By: e.Ending.By, Reason: e.Ending.Reason}
		for i, a := range s.named(e.Agents) {
			s.mark(a)
			if a.parent != nil {
				s.list(a.parent) // what it has Left is more now
			}
			s.end(a, Terminating, e.At)
			a.alter(func(r *Rare) {
				if r.Ending = &part; i == 0 {
					r.Ending = &whole
				}
			})
		}
	case Erased:
		for _, t := range e.Tombs {
			s.erase(t)
		}
	case DrainBegun:
		for _, id := range e.Agents {
			// A drain within this one goes on by itself; who is stopped gets the
			// mark when it is resumed.
			if a := s.touch(id); a.Drain == "" && (!a.Status.Ended() || id == e.Agents[0]) {
				a.alter(func(r *Rare) { r.Drain = e.Agents[0] })
			}
		}
		a, d := s.touch(e.Agents[0]), e.Drain
		s.drains++
		a.alter(func(r *Rare) { r.Drained = &d })
		a.Step = e.Step
		a.Open = append(a.Open, Step{N: e.Step, Kind: Wait, Until: d.Deadline, Drain: true})
	case EpochRaised:
		a := s.touch(e.Agent)
		a.Epoch++
		a.Open = slices.Clone(e.Steps)
		for _, step := range e.Steps {
			a.Step = max(a.Step, step.N)
		}
	default:
		s.applyLater(e)
	}
}

func (s *State) applyStop(e StopBegun) {
	all := e.found
	if e.in != s {
		all = s.named(e.Agents)
	}
	s.changed = slices.Grow(s.changed, len(all))
	aborted, unread := e.Aborted, e.Unread
	for _, a := range all {
		s.keep(a)
		s.end(a, Stopping, e.At)
		if len(aborted) > 0 && aborted[0].Agent == a.ID {
			a.Tail.Aside()
			aborted = aborted[1:]
		}
		for len(unread) > 0 && unread[0].Agent == a.ID {
			a.Tail.Aside()
			unread = unread[1:]
		}
	}
	if s.drains > 0 { // else nothing follows for anybody who ends
		for _, a := range all {
			s.stir(a)
		}
	}
}

// drainAbove returns the root of the drain that an agent lies in, "" for none.
func (s *State) drainAbove(a *Agent) AgentID {
	for ; a != nil; a = s.agents[a.Parent] {
		if a.Drain != "" {
			return a.Drain
		}
	}
	return ""
}

// touch returns an agent that is about to change.
func (s *State) touch(id AgentID) *Agent {
	a := s.agents[id]
	s.mark(a)
	return a
}

func (s *State) applyMade(e AgentMade) {
	a := e.Agent
	a.alter(func(*Rare) {})
	s.agents[a.ID] = &a
	s.mark(&a)
	c := s.count()
	c.Order = max(c.Order, a.Order)
	if e.Slug != "" {
		c.Names[e.Slug] = e.Num
	}
	if p := s.agents[a.Parent]; p != nil {
		p.adopt(&a)
		s.brush(p)
		if a.Planted == "" { // the cap contains runaways, which the person is not
			s.spawned = append(recent(s.spawned, a.Created), a.Created)
		}
	}
}

// mended forgets how the last turn failed.
func (a *Agent) mended() {
	if a.Error != "" {
		a.alter(func(r *Rare) { r.Error = "" })
	}
}

// recent returns what of times lies within the minute before now.
func recent(times []time.Time, now time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(times), func(t time.Time) bool {
		return now.Sub(t) >= time.Minute
	})
}

func (s *State) applyAccepted(e Accepted) {
	if e.Held != nil {
		s.unhold(*e.Held)
	}
	a, m := s.agents[e.To], e.Mail
	s.brush(a)
	c := s.count()
	c.Seq = max(c.Seq, m.Seq)
	a.Mailbox = append(a.Mailbox, m)
	task := s.tasks[m.Task]
	if m.From == User {
		if a.Asks != nil {
			s.touch(a.ID).alter(func(r *Rare) { r.Asks = nil })
		}
		if task != nil && task.Hops != 0 {
			task.Hops = 0
			s.tasked[task.ID] = struct{}{}
		}
		return
	}
	if task != nil && m.From != Runtime {
		task.Hops++
		s.tasked[task.ID] = struct{}{}
	}
	if m.Type == protocol.StatusReport {
		s.told(a.ID, m.From)
	}
	sender := s.agents[m.From]
	if sender == nil {
		return
	}
	s.brush(sender)
	s.pay(sender, e.Pays)
	if m.Earns() && !slices.Contains(sender.Asked, e.To) {
		s.mark(sender)
		sender.Asked = with(sender.Asked, e.To)
	}
}

// applyLooked counts what the person has seen: an agent's own messages to them
// when they looked at the agent, all when they looked at the inbox.
func (s *State) applyLooked(e Looked) {
	if e.Agent != User {
		a := s.touch(e.Agent)
		c := s.count()
		c.Unread = max(0, c.Unread-a.Unread)
		a.Reported = false
		a.alter(func(r *Rare) { r.Unread = 0 })
		return
	}
	s.count().Unread = 0
	for id, a := range s.agents {
		if a.Unread > 0 {
			s.touch(id).alter(func(r *Rare) { r.Unread = 0 })
		}
	}
}

func (s *State) applyDelivered(e Delivered) {
	if e.Held != nil {
		s.unhold(*e.Held)
	}
	c := s.count()
	c.Seq = max(c.Seq, e.Mail.Seq)
	c.Unread++
	a := s.agents[e.Mail.From]
	if a == nil {
		return
	}
	s.mark(a)
	a.alter(func(r *Rare) {
		r.Unread++
		if e.Asks {
			r.Asks = &Question{Seq: e.Mail.Seq, Replies: e.Mail.Quick, Line: e.Mail.Line}
		}
	})
	s.pay(a, e.Pays)
}

func (s *State) applyTaken(e Taken) {
	a := s.touch(e.Agent)
	last := e.Mails[len(e.Mails)-1]
	a.Cursor = last.Seq
	a.Mailbox = nil
	if e.Fresh {
		a.Turn = &Turn{Begun: e.At, From: e.First}
		a.Task = e.Task
	}
	a.Turn.Task, a.Turn.Suspended, a.Turn.Held, a.Turn.Retry = e.Task, false, false, nil
	a.Reported = false
	a.mended()
	for _, m := range e.Mails {
		a.Tail.Append()
		a.Tail.Weighed(m.Weight)
		if m.Earns() {
			a.Owes = with(a.Owes, m.From)
		}
		if m.Line != "" && (m.From == User || m.Type == protocol.TaskAssignment) {
			a.Doing = m.Line
		}
	}
	for d := a; d != nil; d = s.agents[d.Parent] {
		if d.Drained != nil { // counts for every drain that it lies in
			counted := *d.Drained
			counted.Taken += len(e.Mails)
			s.touch(d.ID).alter(func(r *Rare) { r.Drained = &counted })
		}
	}
}

func (s *State) applyThink(e ThinkOpened, kind WorkKind) {
	a := s.touch(e.Agent)
	a.Step, a.Status, a.Since = e.Step, WaitingLLM, e.At
	a.mended()
	a.Open = append(a.Open, Step{N: e.Step, Kind: kind, Work: e.Work, Attempt: e.Attempt, Squeezed: e.Squeezed})
	a.Turn.Suspended, a.Turn.Held, a.Turn.Retry = false, false, nil
	if e.Again { // the person let it go on: what had contained it counts from here
		a.Turn.Rounds, a.Turn.Repeats = 0, nil
	}
}

func (s *State) applyAnswer(e AnswerKept) {
	a := s.touch(e.Agent)
	if step := a.step(e.Step); step != nil {
		a.Turn.Work = step.Work
	}
	a.close(e.Step)
	a.Usage = a.Usage.Plus(e.Usage)
	output := e.Usage.Output
	if e.Entry.Reasoning != "" {
		output = 0 // it counts the thoughts too
	}
	a.inBranch(e.Entry.Branch, func(t *conversation.Tail) {
		t.Counted(e.Usage.Input, e.Guess)
		switch {
		case len(e.Entry.Calls) > 0:
			t.Open(e.Entry.Calls)
			t.Answered(e.Entry.Weight(), output)
		case strings.TrimSpace(e.Entry.Text) == "":
			t.Aside()
		default:
			t.Append()
			t.Answered(e.Entry.Weight(), output)
		}
	})
	if len(e.Entry.Calls) == 0 {
		a.Turn.Dropped = 0
		return
	}
	a.Turn.Calls = slices.Clone(e.Entry.Calls)
	a.Turn.Rounds++
	a.Status, a.Since = Processing, e.Entry.At
}

func (s *State) applyResult(e Resulted) {
	a := s.touch(e.Agent)
	if e.Step != 0 {
		a.close(e.Step)
	}
	a.inBranch(e.Entry.Branch, func(t *conversation.Tail) {
		t.Result(e.Entry.CallID)
		t.Weighed(e.Entry.Weight())
	})
	if a.Turn == nil {
		return
	}
	if a.Tail.Group == nil { // not before: until then its calls can still be dropped
		a.Turn.Calls, a.Turn.Dropped = nil, 0
	}
	if e.Repeat != "" {
		repeats := maps.Clone(a.Turn.Repeats)
		if repeats == nil {
			repeats = map[string]int{}
		}
		repeats[e.Repeat]++
		a.Turn.Repeats = repeats
	}
}

func (t *Turn) dropped(byAgents bool) {
	if byAgents {
		t.Dropped++
	} else {
		t.Dropped = 0
	}
}

// suspend ends what runs of a turn, and keeps the turn to be taken up again. The
// wait for the bound of a drain goes on.
func (a *Agent) suspend(at time.Time) {
	a.Open = slices.DeleteFunc(slices.Clone(a.Open), func(s Step) bool { return !s.aside() || s.Due })
	a.Status, a.Since = Idle, at
	if a.Turn != nil {
		if !a.Turn.Suspended {
			a.Turn.Rested = at
		}
		a.Turn.Suspended, a.Turn.Retry, a.Turn.Calls = true, nil, nil
	}
}

func with(ids []AgentID, id AgentID) []AgentID {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(slices.Clone(ids), id)
}

func without(ids []AgentID, id AgentID) []AgentID {
	return slices.DeleteFunc(slices.Clone(ids), func(x AgentID) bool { return x == id })
}
