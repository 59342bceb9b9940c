package society

import (
	"slices"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// terminate ends a subtree for the user: it clears at once, and replaces a stop or a
// drain that is under way (SPEC.md, decision 8).
func (d *decision) terminate(c Terminate) (TerminateResult, error) {
	if c.By != User {
		return TerminateResult{}, refuse(NotYourChild, c.Agent, protocol.ParentsUseTool)
	}
	if c.Agent == Root {
		return TerminateResult{}, refuse(InvalidRecipient, Root, protocol.RootStays)
	}
	a, err := d.agent(c.Agent)
	if err != nil {
		if t := d.s.agents[c.Agent]; t != nil {
			return TerminateResult{OK: true, TerminatedAgentID: t.ID, CascadeTerminated: []AgentID{}}, nil
		}
		return TerminateResult{}, err
	}
	all := a.notTerminating()
	ending := Ending{By: User, Reason: c.Reason}
	for _, b := range all {
		ending.Dropped += len(b.Mailbox)
		d.endDrain(b, AgentNotFound, protocol.UserTerminated)
	}
	ending.Dropped += d.dropLater(all)
	ids := idsOf(all)
	d.add(TerminationBegun{Agents: ids, At: d.at, Ending: ending})
	return d.terminated(ids, ending), nil
}

// notTerminating returns the agent and all below it but those that terminate
// already, parents before children.
func (a *Agent) notTerminating() []*Agent {
	return slices.DeleteFunc(a.subtree(), func(b *Agent) bool { return b.Status == Terminating })
}

func (d *decision) terminated(ids []AgentID, e Ending) TerminateResult {
	result := TerminateResult{
		OK: true, Terminated: true, TerminatedAgentID: ids[0],
		CascadeTerminated: append([]AgentID{}, ids[1:]...), CutOff: e.CutOff, Dropped: e.Dropped,
	}
	if e.Budget {
		result.CutOffBy = OverBudget
	}
	return result
}

// terminateAgent is the parent's tool: it drains first (S000 P7, P8). An accepted
// call stays open until the drain has ended.
func (d *decision) terminateAgent(a *Agent, call conversation.Call) {
	fails := func(text string) { d.answerCall(a, call, 0, text, conversation.Failed, 0) }
	args := d.arguments(call)
	id, reason := AgentID(args.Required("agentId")), args.Text("reason")
	if why := args.Wrong(call.Name); why != nil {
		fails(d.badArguments(why))
		return
	}
	child, r := d.agent(id)
	switch {
	case r != nil:
		fails(d.refused(r))
	case child.Parent != a.ID:
		fails(d.refused(refuse(NotYourChild, child.ID, protocol.NotAChild, child.ID)))
	case child.Drain != "":
		fails(d.refused(refuse(AgentStopped, child.ID, protocol.AlreadyEnding, child.ID)))
	default:
		d.add(DrainBegun{
			Agents: idsOf(child.notTerminating()), Step: child.Step + 1, At: d.at,
			Drain: Drain{By: a.ID, CallID: call.ID, Reason: reason, Deadline: d.at.Add(d.s.limits.DrainTime)},
		})
	}
}

// drainOf reports whether a call of the agent waits for the end of a drain, or of the
// termination behind it.
func (s *State) drainOf(a *Agent, call string) bool {
	return slices.ContainsFunc(a.Children(), func(id AgentID) bool {
		b := s.agents[id]
		return b.Drained != nil && b.Drained.CallID == call || b.Ending != nil && b.Ending.CallID == call
	})
}

// admits reports whether a draining agent takes a message: only from below, so that a
// child's last report is not lost, and only until it is drained itself.
func (d *decision) admits(a *Agent, from AgentID) bool {
	return d.s.Below(from, a.ID)
}

func (s *State) busyBelow(id AgentID) bool {
	return slices.ContainsFunc(s.agents[id].subtree()[1:], (*Agent).unfinished)
}

// unfinished reports whether a draining agent has something left that goes on by itself.
// What is paused or waits for the user is not waited for.
func (a *Agent) unfinished() bool {
	if a.awaitsBudget() { // which the user may raise, until the drain ends at its bound
		return true
	}
	if a.Status.Ended() || a.Paused != "" && !a.busy() || a.waitsForUser() {
		return false
	}
	return a.busy() || len(a.Mailbox) > 0
}

// drainOn ends a drain when nothing of its subtree goes on by itself any more,
// or when it has taken all the messages that it may.
func (d *decision) drainOn(top *Agent) {
	if top == nil || top.Drained == nil {
		return
	}
	if top.Drained.Taken > d.s.limits.DrainMessages {
		d.drainEnds(top, true)
		return
	}
	if !slices.ContainsFunc(top.subtree(), (*Agent).unfinished) {
		d.drainEnds(top, false)
	}
}

// drainEnds begins the termination behind a drain. What its bound cut off is
// counted.
func (d *decision) drainEnds(top *Agent, cut bool) {
	all := top.notTerminating()
	ending := Ending{By: top.Drained.By, Reason: top.Drained.Reason, CallID: top.Drained.CallID}
	for _, a := range all {
		ending.CutOff += len(a.Mailbox)
		if cut && (a.busy() || a.awaitsBudget() && a.Turn != nil) {
			ending.CutOff++
		}
		ending.Budget = ending.Budget || cut && a.awaitsBudget()
	}
	ending.CutOff += d.dropLater(all)
	d.add(TerminationBegun{Agents: idsOf(all), At: d.at, Ending: ending})
}

// endDrain answers the terminate_agent call that waits for an agent which the user stops
// or terminates meanwhile.
func (d *decision) endDrain(a *Agent, code Code, why protocol.Key) {
	if a.Drained == nil {
		return
	}
	d.answerWaiting(a.Drained.By, a.Drained.CallID, payloadOf(TerminateResult{
		TerminatedAgentID: a.ID, CascadeTerminated: []AgentID{}, Error: code, Message: d.say(why),
	}), conversation.Failed)
}

func (d *decision) answerWaiting(by AgentID, callID, text string, outcome conversation.Outcome) {
	parent := d.s.agents[by]
	if parent == nil || parent.Status.Ended() {
		return
	}
	o, _ := parent.answerOf(callID)
	for _, call := range o.calls {
		if call.ID == callID {
			d.answerCall(parent, call, 0, text, outcome, 0)
		}
	}
}

// erase removes a terminating subtree, children before parents, and answers the
// call that waited for it in the same transaction.
func (d *decision) erase(top AgentID) {
	a := d.s.agents[top]
	ids := d.s.Subtree(top)
	result := d.terminated(ids, *a.Ending)
	slices.Reverse(ids)
	e := Erased{}
	for _, id := range ids {
		b := d.s.agents[id]
		by := b.Ending
		if by == nil {
			by = a.Ending
		}
		e.Tombs = append(e.Tombs, Tombstone{
			ID: id, Role: b.Role, RoleName: d.s.RoleName(id), Parent: b.Parent, CreatedAt: b.Created, Template: b.Template,
			TerminatedAt: d.at, TerminatedBy: by.By, Reason: by.Reason, Usage: b.Usage.Plus(b.Ended), Order: b.Order, Worktree: b.Worktree, Copied: b.Copied,
		})
		e.Knew = append(e.Knew, d.s.knownBy(id))
	}
	d.add(e)
	if a.Ending.CallID != "" {
		d.answerWaiting(a.Ending.By, a.Ending.CallID, payloadOf(result), conversation.OK)
	}
}
