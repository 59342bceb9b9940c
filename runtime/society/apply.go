package society

import (
	"slices"

	"society-tui/runtime/conversation"
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
		s.addContact(e.Agent, e.Contact)
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
		s.touch(e.Agent).Name = e.Name
	case Panic:
		a := s.touch(e.Agent)
		a.Panics = append(recent(a.Panics, e.At), e.At)
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
		a.Step, a.Since = e.Step, e.At
		a.Open = append(a.Open, Step{N: e.Step, Kind: Act, Call: e.Call, Writes: e.Writes, Held: e.Held, Work: e.Work})
		a.executes()
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
		a.Error = e.Text
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
		if a.Status == WaitingLLM && a.Tail.Group != nil { // the last branch that waited may have come to its end
			if a.executes(); a.Status == Processing {
				a.Since = e.At
			}
		}
		if e.Run != nil {
			if e.Run.Branch > a.Branched {
				a.Branched = e.Run.Branch
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
			t.Weighed(e.Entry.Weight(s.budgets(a, nil)))
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
		a.Ran = a.Turn.Run
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
				a.Drain = top
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
			if a.Ending = &part; i == 0 {
				a.Ending = &whole
			}
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
				a.Drain = e.Agents[0]
			}
		}
		a, d := s.touch(e.Agents[0]), e.Drain
		s.drains++
		a.Drained = &d
		a.Step = e.Step
		a.Open = append(a.Open, Step{N: e.Step, Kind: Wait, Until: d.Deadline, Drain: true})
	case EpochRaised:
		a := s.touch(e.Agent)
		a.Epoch++
		a.Open = slices.Clone(e.Steps)
		for _, step := range e.Steps {
			a.Step = max(a.Step, step.N)
		}
		if !e.Since.IsZero() {
			a.Since = e.Since
		}
		if e.Back > 0 && a.Turn.Retry != nil {
			retry := *a.Turn.Retry
			retry.At = retry.At.Add(-e.Back)
			a.Turn.Retry = &retry
		}
	default:
		s.applyLater(e)
	}
}

// touch returns an agent that is about to change.
func (s *State) touch(id AgentID) *Agent {
	a := s.agents[id]
	s.mark(a)
	return a
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
