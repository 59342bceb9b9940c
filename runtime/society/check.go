package society

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Check verifies every invariant of the state after a command, and returns all
// violations. Tests run it after every command, and so does `society-tui check` on stored
// societies.
func Check(s *State) error {
	var problems []error
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if !s.Empty() && s.agents[Root] == nil {
		wrong("there are agents but no root")
	}
	children, worktrees := 0, map[string]AgentID{}
	for id, a := range s.agents {
		if other, twice := worktrees[a.Worktree]; twice && a.Worktree != "" {
			wrong("%s and %s have one worktree", other, id)
		}
		worktrees[a.Worktree] = id
		if a.ID != id {
			wrong("%s is kept as %s", a.ID, id)
		}
		s.checkTree(a, wrong)
		children += len(a.children)
	}
	if n := max(0, len(s.agents)-1); children != n && len(problems) == 0 {
		wrong("of %d agents below root %d are somebody's child", n, children)
	}
	if len(problems) > 0 { // what follows goes up and down the tree
		return errors.Join(problems...)
	}
	for id, a := range s.agents {
		checkMailbox(s, a, wrong)
		checkWork(a, wrong)
		checkBranches(a, wrong)
		s.checkDrain(a, wrong)
		s.checkWaits(a, wrong)
		s.checkLater(a, wrong)
		if a.Order > s.counters.Order {
			wrong("%s: order %d is above the counter %d", id, a.Order, s.counters.Order)
		}
		s.checkContacts(a, wrong)
		s.checkApprovals(a, wrong)
	}
	s.checkRequests(wrong)
	s.checkUserContacts(wrong)
	s.checkArtifacts(wrong)
	s.checkTotals(wrong)
	if n := s.countBudgets(); n != s.bounds {
		wrong("%d budgets are kept, %d are counted", n, s.bounds)
	}
	if n := s.countDrains(); n != s.drains {
		wrong("%d agents are being drained, %d are counted", n, s.drains)
	}
	for id := range s.tombs {
		if s.agents[id] != nil {
			wrong("%s is alive and has a tombstone", id)
		}
	}
	if made := s.countByRole(); !maps.Equal(made, s.made) {
		wrong("agents were made by role %v, %v are counted", made, s.made)
	}
	return errors.Join(problems...)
}

// checkContacts checks that contacts of an agent exist and know it.
func (s *State) checkContacts(a *Agent, wrong func(string, ...any)) {
	for _, c := range a.Contacts {
		other := AgentID(c.ID)
		if b := s.agents[other]; other != User && (b == nil || !slices.Contains(b.knownBy, a)) {
			wrong("%s has %s in its contacts, who is not there", a.ID, other)
		}
	}
	for _, b := range a.knownBy {
		if s.agents[b.ID] != b || !b.Contacts.Knows(a.ID) {
			wrong("%s is taken to be known by %s, who does not know it", a.ID, b.ID)
		}
	}
}

// checkUserContacts checks that contacts of the user exist, and that root is one.
func (s *State) checkUserContacts(wrong func(string, ...any)) {
	for _, c := range s.userKnows {
		if s.agents[AgentID(c.ID)] == nil {
			wrong("the user has %s among the contacts, who is not there", c.ID)
		}
	}
	if !s.Empty() && !s.userKnows.Knows(Root) {
		wrong("the user does not know root")
	}
}

func (s *State) countDrains() int {
	n := 0
	for _, a := range s.agents {
		if a.Drained != nil {
			n++
		}
	}
	return n
}

func (s *State) checkTree(a *Agent, wrong func(string, ...any)) {
	last := a.Order
	for i, child := range a.children {
		if child.Parent != a.ID || child.parent != a || s.agents[child.ID] != child || child.Order <= last {
			wrong("%s is child %d of %s, which it cannot be", child.ID, i, a.ID)
		}
		last = child.Order
	}
	if s.roles[a.Role] == nil {
		wrong("%s: its role %s is not there", a.ID, a.Role)
	}
	if a.ID == Root {
		if a.Parent != User || a.Depth != 0 {
			wrong("root: parent %s, depth %d", a.Parent, a.Depth)
		}
		return
	}
	p := s.agents[a.Parent]
	switch {
	case p == nil:
		wrong("%s: its parent %s is not there", a.ID, a.Parent)
	case a.Depth != p.Depth+1:
		wrong("%s: depth %d below a parent at %d", a.ID, a.Depth, p.Depth)
	case p.Status == Terminating && a.Status != Terminating:
		wrong("%s is %s below %s, which is terminating", a.ID, a.Status, p.ID)
	}
}

func checkMailbox(s *State, a *Agent, wrong func(string, ...any)) {
	last := a.Cursor
	for _, m := range a.Mailbox {
		if m.Seq <= last {
			wrong("%s: message %d waits behind %d", a.ID, m.Seq, last)
		}
		last = m.Seq
	}
	if last > s.counters.Seq {
		wrong("%s: message %d is above the counter %d", a.ID, last, s.counters.Seq)
	}
	if len(a.Mailbox) > 0 && a.Status.Ended() {
		wrong("%s is %s with %d messages waiting", a.ID, a.Status, len(a.Mailbox))
	}
}

// checkWork checks that an active agent has work or waits for a drain, that an idle one
// has none, and that no step is open twice.
func checkWork(a *Agent, wrong func(string, ...any)) {
	seen := map[uint64]bool{}
	own := 0
	for _, step := range a.Open {
		if step.N > a.Step || seen[step.N] {
			wrong("%s: step %d is open, the last is %d", a.ID, step.N, a.Step)
		}
		seen[step.N] = true
		if step.Kind == CompressStep && a.Turn == nil && !step.ByUser {
			wrong("%s: step %d compresses its context, and it is in no turn", a.ID, step.N)
		}
		if !step.aside() {
			own++
		}
	}
	open := a.openAnswers()
	switch {
	case a.Status.Active() && (a.SideBySide() || a.Turn.isLost()): // a lost one may have had branches
	case a.Status == WaitingLLM && (own != 1 || a.Turn == nil || len(open) > 0):
		wrong("%s is waiting_llm with %d pieces of work", a.ID, own)
	case a.Status == Processing && (len(open) != 1 || a.Turn == nil):
		wrong("%s is processing without open calls", a.ID)
	case !a.Status.Active() && (own != 0 || len(open) > 0):
		wrong("%s is %s with %d pieces of work", a.ID, a.Status, own)
	case a.Status.Ended() && a.Turn != nil:
		wrong("%s is %s and has a turn", a.ID, a.Status)
	case a.Turn != nil && a.Turn.Suspended == a.Status.Active():
		wrong("%s is %s in a turn, suspended: %t", a.ID, a.Status, a.Turn.Suspended)
	}
	calls := 0
	for _, o := range open {
		calls += len(o.group.Calls)
	}
	if a.Turn != nil && len(a.Turn.Calls) != calls {
		wrong("%s: the turn has %d calls, the open answers %d", a.ID, len(a.Turn.Calls), calls)
	}
	if next := a.Tail.Next; a.Tail.First > next {
		wrong("%s: its conversation begins at %d and ends at %d", a.ID, a.Tail.First, next)
	}
}

// checkBranches holds what is so while branches run side by side: each waits for one
// piece of work or is at the calls of an answer, no call changes anything but in the
// branch whose turn it is, and the agent is waiting_llm while any of them waits.
func checkBranches(a *Agent, wrong func(string, ...any)) {
	if !a.Status.Active() || !a.SideBySide() {
		return
	}
	works := map[uint64]int{}
	for _, step := range a.Open {
		switch {
		case step.aside():
		case !step.ofCall():
			works[step.Work]++
		case step.Writes && a.AtHand().Step != step.Work:
			wrong("%s runs call %s in a branch whose turn it is not", a.ID, step.Call)
		}
	}
	for _, o := range a.openAnswers() {
		if o.at == nil {
			wrong("%s has an open answer of branch %d, which is not open", a.ID, o.branch)
			return
		}
		works[o.at.Step]++
	}
	for _, w := range a.Turn.Run.Next() {
		if works[w.Step] != 1 {
			wrong("%s: %d pieces of work are for step %d of its run", a.ID, works[w.Step], w.Step)
		}
		delete(works, w.Step)
	}
	if len(works) > 0 {
		wrong("%s works on steps %v, which its run does not wait for", a.ID, works)
	}
	if (a.Status == WaitingLLM) != a.waits() {
		wrong("%s is %s, a branch waits: %t", a.ID, a.Status, a.waits())
	}
}

// checkApprovals checks that each call that waits for the user has a request, and that it is
// not one that would begin.
func (s *State) checkApprovals(a *Agent, wrong func(string, ...any)) {
	asks := map[string]bool{}
	for _, w := range s.approvals.of[a.ID] {
		switch {
		case asks[w.Call]:
			wrong("%s asks twice for call %s", a.ID, w.Call)
		case w.Yes && a.Paused == "" && !a.replans(w.Call):
			wrong("%s was allowed call %s, and nothing keeps it from beginning", a.ID, w.Call)
		}
		asks[w.Call] = true
	}
	for _, step := range a.Open {
		if step.waitsForUser() && !asks[step.Call] {
			wrong("%s waits for an answer to call %s, which it did not ask for", a.ID, step.Call)
		}
	}
}

// checkRequests checks that all requests are of calls that wait.
func (s *State) checkRequests(wrong func(string, ...any)) {
	n := 0
	for id, list := range s.approvals.of {
		n += len(list)
		for _, w := range list {
			if a := s.agents[id]; a == nil || w.Agent != id || s.approvals.waiting[w.ID] != w || !a.plansOrAsks(w.Call) {
				wrong("request %d of %s for call %s is open, and the call does not wait", w.ID, id, w.Call)
			}
			if w.ID == 0 || w.ID > s.counters.Approvals {
				wrong("request %d is above the counter %d", w.ID, s.counters.Approvals)
			}
		}
	}
	if n != len(s.approvals.waiting) {
		wrong("%d requests are open, %d of agents", len(s.approvals.waiting), n)
	}
	for _, r := range s.approvals.rules {
		if r.ID == 0 || r.ID > s.counters.Rules {
			wrong("rule %d is above the counter %d", r.ID, s.counters.Rules)
		}
	}
	for of := range s.approvals.modes {
		if of.Agent != "" && s.agents[of.Agent] == nil {
			wrong("%s has a mode, and is not there", of.Agent)
		}
	}
}

// checkDrain checks that an agent marked as draining is in a drain that will end: by its
// deadline, or by work that goes on.
func (s *State) checkDrain(a *Agent, wrong func(string, ...any)) {
	bounds := 0
	for _, step := range a.Open {
		if step.waits(DrainDeadline) {
			bounds++
		}
	}
	top := s.agents[a.Drain]
	switch {
	case (a.Drained != nil) != (bounds == 1) || bounds > 1:
		wrong("%s waits %d times for the bound of its drain", a.ID, bounds)
	case a.Drained != nil && a.Drain != a.ID:
		wrong("%s is drained and lies in the drain of %q", a.ID, a.Drain)
	case a.Drain == "" && !a.Status.Ended() && s.drainAbove(a) != "":
		wrong("%s lies in the drain of %s and accepts messages", a.ID, s.drainAbove(a))
	case a.Drain == "":
	case top == nil || top.Drained == nil || a.ID != a.Drain && !s.Below(a.ID, a.Drain):
		wrong("%s lies in the drain of %s, which is none", a.ID, a.Drain)
	case a.Drained != nil && !slices.ContainsFunc(s.Subtree(a.ID), func(id AgentID) bool { return s.agents[id].unfinished() }):
		wrong("nothing of %s is left to do, but its drain goes on", a.ID)
	}
}

// checkWaits checks that nobody waits in vain. An idle agent has no unread messages
// unless the user or a drain holds it; a call without a worker is one that a drain will
// answer; and an agent that was asked owes an answer or has not read the question yet.
func (s *State) checkWaits(a *Agent, wrong func(string, ...any)) {
	if a.Status == Idle && a.Paused == "" && len(a.Mailbox) > 0 && !a.compressesForUser() && (a.Drain == "" || !s.busyBelow(a.ID)) {
		wrong("%s is idle with %d messages waiting", a.ID, len(a.Mailbox))
	}
	for _, o := range a.openAnswers() {
		if call, found, _ := o.next(); !found || !a.Turn.isLost() && !a.runs(call.ID) && !s.drainOf(a, call.ID) && !a.behind(o, call) {
			wrong("%s is at calls of branch %d, and nothing will go on", a.ID, o.branch)
		}
	}
	for _, id := range a.Asked {
		b := s.agents[id]
		if b.live() && (slices.Contains(b.Owes, a.ID) || b.unread(a.ID)) {
			continue
		}
		wrong("%s waits for %s, who owes it nothing", a.ID, id)
	}
	if len(a.Requests) > 0 && !slices.Contains(a.Owes, User) {
		wrong("%s has requests of the user, whom it owes nothing", a.ID)
	}
}

// checkTotals checks that the sums of subtrees are what their agents have used.
func (s *State) checkTotals(wrong func(string, ...any)) {
	totals := make(map[*Agent]Usage, len(s.agents))
	for _, a := range s.agents {
		for b := a; b != nil; b = b.parent {
			totals[b] = totals[b].Plus(a.Usage).Plus(a.Ended)
		}
	}
	for a, total := range totals {
		if a.total != total {
			wrong("%s and all below it used %+v, counted is %+v", a.ID, total, a.total)
		}
	}
}
