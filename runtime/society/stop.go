package society

import (
	"society-tui/runtime/protocol"
)

// stop ends an agent and all below it, in one event (S001 P1–P3, P8, P10, P11).
func (d *decision) stop(c Stop) (StopResult, error) {
	a, err := d.agent(c.Agent)
	if err != nil {
		return StopResult{}, err
	}
	room := 1
	if a.parent == nil {
		room = len(d.s.agents)
	}
	all := a.below(make([]*Agent, 0, room))
	result := StopResult{OK: true, CascadeStopped: []AgentID{}}
	ids, aborted := make([]AgentID, 0, len(all)), make([]AbortedAnswer, 0, len(all))
	var unread []UnreadMessage
	found, lying := all[:0], 0
	for _, b := range all {
		if b.Status.Ended() && b.Drain == "" {
			continue
		}
		ids, found = append(ids, b.ID), append(found, b)
		result.Dropped += len(b.Mailbox)
		if !b.Status.Ended() { // else it is only in a drain, which this replaces
			result.Stopped = true
		} else {
			lying++
		}
		slot := b.Tail.Next
		if answer, was := d.cutShort(b, 0); was {
			aborted = append(aborted, answer)
			slot++
		}
		for _, m := range b.Mailbox {
			if m.From == User {
				unread = append(unread, UnreadMessage{b.ID, slot, m})
				slot++
			}
		}
		d.endDrain(b, AgentStopped, protocol.StopTookOver)
	}
	switch {
	case lying == 0 && len(found) > 0 && found[0] == a: // mostly: the list is that of the event
		result.CascadeStopped = ids[1:len(ids):len(ids)]
	default:
		for _, b := range found {
			if b != a && !b.Status.Ended() {
				result.CascadeStopped = append(result.CascadeStopped, b.ID)
			}
		}
	}
	if !result.Stopped {
		result.Reason = "it is stopped already"
	}
	result.Dropped += d.dropLater(found)
	if len(ids) > 0 {
		d.add(StopBegun{Agents: ids, Aborted: aborted, Unread: unread, At: d.at, Reason: c.Reason, found: found, in: d.s})
	}
	return result, nil
}

// halted ends a stop or termination after all work of these agents has ended: stopping
// agents are stopped, terminating ones are erased.
func (d *decision) halted(c Halted) error {
	var stopped []AgentID
	seen := make(map[AgentID]struct{}, len(c.Agents))
	for _, id := range c.Agents {
		a := d.s.agents[id]
		if _, again := seen[id]; again || a == nil {
			continue
		}
		seen[id] = struct{}{}
		switch {
		case a.Status == Stopping:
			stopped = append(stopped, id)
		case a.Status == Terminating && (d.s.agents[a.Parent] == nil || d.s.agents[a.Parent].Status != Terminating):
			d.erase(a.ID)
		}
	}
	if len(stopped) > 0 {
		d.add(StopEnded{Agents: stopped, At: d.at})
	}
	return nil
}

// resume takes pauses off and stopped agents up again, and asks the model again where a
// turn had stayed open (SPEC.md, decision 1).
func (d *decision) resume(c Resume) (Resumption, error) {
	a, err := d.agent(c.Agent)
	if err != nil {
		return Resumption{}, err
	}
	ids := []AgentID{a.ID}
	if !c.Alone {
		ids = d.s.Subtree(a.ID)
	}
	result := Resumption{Agents: []AgentID{}}
	for _, id := range ids {
		b := d.s.agents[id]
		if b.Status == Stopping || b.Status == Terminating {
			if id == a.ID {
				return Resumption{}, refuse(AgentStopped, id, protocol.StillStopping, id)
			}
			continue
		}
		if wait := b.retryWait(); c.Now && wait != nil {
			result.Agents, result.Again = append(result.Agents, id), append(result.Again, id)
			d.waited(b, *wait)
			continue
		}
		if by, held := d.s.heldBy(b, Usage{}, d.at); held && b.Paused == OverBudget {
			if id == a.ID {
				return Resumption{}, refuse(LimitReached, id, protocol.BudgetSpent, by.BudgetScope)
			}
			continue
		}
		open := b.Status == Idle && b.Turn != nil && b.Turn.Suspended
		if b.Paused == "" && b.Status != Stopped && !open {
			continue
		}
		compresses := b.compressesForUser()
		if compresses && id == a.ID {
			return Resumption{}, refuse(InvalidArguments, id, protocol.CompressBusy, id)
		}
		if compresses && b.Paused == "" && b.Status != Stopped {
			continue
		}
		result.Agents = append(result.Agents, id)
		if b.Paused != "" || b.Status == Stopped {
			d.add(ResumedNow{Agent: id, At: d.at})
		}
		if open && !compresses { // else it waits for the smaller context
			result.Again = append(result.Again, id)
			d.takeUp(b)
		}
	}
	return result, nil
}

// takeUp asks the model again for a turn that an interrupt or a failure had left
// open. What waits is taken first, by begin, which the pause held up; only in the
// middle of a graph the run goes on where it was, and takes what waits if it is at
// a border.
func (d *decision) takeUp(a *Agent) {
	switch midway := a.Turn.Run != nil && !a.Turn.Run.Status.Over(); {
	case len(a.Mailbox) == 0:
	case !midway:
		return
	case a.atBorder() && !d.waitsBelow(a) && d.attaches(a):
		d.takeInto(a, false)
	}
	d.goAhead(a, opening{again: true, afterCompression: a.Turn.Full})
}

func (d *decision) pauseAll() error {
	for _, id := range d.s.Agents() {
		d.pause(d.s.agents[id])
	}
	return nil
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
