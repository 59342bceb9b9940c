package society

import (
	"slices"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/tool"
)

// An openAnswer is an answer with calls that have no result yet. A turn has at most one
// in each branch.
type openAnswer struct {
	group  conversation.Group
	calls  []conversation.Call // with their arguments
	branch int                 // that gave it
	at     *graph.Work         // that gave it, nil in the plain graph
}

// openAnswers returns those of the turn, in the order in which they were given.
func (a *Agent) openAnswers() []openAnswer {
	if a.Tail.Group == nil {
		return nil
	}
	var calls []conversation.Call
	if a.Turn != nil {
		calls = a.Turn.Calls
	}
	groups := a.Tail.Opened()
	all := make([]openAnswer, len(groups))
	for i, g := range groups {
		n := min(len(g.Calls), len(calls))
		all[i] = openAnswer{group: g, calls: calls[:n], branch: g.Branch, at: a.workIn(g.Branch)}
		if g.Branch == 0 && a.Turn != nil { // in the trunk, or in a record of before answers knew their branch
			all[i].at, all[i].branch = a.Turn.at(a.Turn.Work), a.branch(a.Turn.Work)
		}
		calls = calls[n:]
	}
	return all
}

// workIn returns the open work of the run in a branch, nil for none.
func (a *Agent) workIn(branch int) *graph.Work {
	if a.Turn == nil || a.Turn.Run == nil {
		return nil
	}
	for _, w := range a.Turn.Run.Next() {
		if w.Branch == branch {
			return &w
		}
	}
	return nil
}

// answerOf returns the open answer that waits for the result of a call; ok is false
// for none.
func (a *Agent) answerOf(call string) (o openAnswer, ok bool) {
	for _, o := range a.openAnswers() {
		if slices.ContainsFunc(o.group.Calls, func(c conversation.OpenCall) bool { return c.ID == call && !c.Done }) {
			return o, true
		}
	}
	return o, false
}

// next returns the first call without a result, and whether any call has one.
func (o openAnswer) next() (call conversation.Call, found, executed bool) {
	for i, c := range o.group.Calls {
		if c.Done {
			executed = true
			continue
		}
		if !found && i < len(o.calls) {
			call, found = o.calls[i], true
		}
	}
	return call, found, executed
}

// runs reports whether a worker plans or runs that call, or it waits for the user.
func (a *Agent) runs(call string) bool {
	return slices.ContainsFunc(a.Open, func(s Step) bool { return s.ofCall() && s.Call == call })
}

// works reports whether a worker plans or runs that call.
func (a *Agent) works(call string) bool {
	return slices.ContainsFunc(a.Open, func(s Step) bool { return s.ofCall() && !s.waitsForUser() && s.Call == call })
}

// Running returns the calls of an agent that a worker runs, or that wait for the end of
// a child.
func (s *State) Running(a *Agent) (calls []conversation.Call) {
	for _, o := range a.openAnswers() {
		if call, found, _ := o.next(); found && (a.works(call.ID) || s.drainOf(a, call.ID)) {
			calls = append(calls, call)
		}
	}
	return calls
}

// waitsForTurn reports whether a call cannot begin yet. Of branches side by side, only
// the first that has not ended may change something, so that changes happen one at a
// time, in the order of the branches.
func (s *State) waitsForTurn(a *Agent, o openAnswer, call conversation.Call) bool {
	return a.behind(o, call) && s.risk(call.Name) != tool.Reads && s.MayUseAt(a, o.at, call.Name)
}

// behind reports whether a call is in a branch before whose end another one comes. It does
// not depend on the tools that there are, which may be others at the next start.
func (a *Agent) behind(o openAnswer, call conversation.Call) bool {
	return a.SideBySide() && call.Problem == "" && a.AtHand() != nil && a.AtHand().Branch != o.branch
}

// waits reports whether a model, a join or a point in time is waited for in some
// branch of the turn.
func (a *Agent) waits() bool {
	return slices.ContainsFunc(a.Open, func(s Step) bool { return !s.ofCall() && !s.aside() })
}

// executes sets the state of an agent that has open calls: it is waiting_llm while
// another branch of its turn waits.
func (a *Agent) executes() {
	if a.Status = Processing; a.SideBySide() && a.waits() {
		a.Status = WaitingLLM
	}
}
