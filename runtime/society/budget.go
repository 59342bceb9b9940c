package society

import (
	"cmp"
	"slices"
	"time"

	"society-tui/runtime/protocol"
)

// A budget bounds what a subtree, a task or a day may spend, in money or in tokens. Every
// model call counts: answers, failed and aborted tries, summaries and judgements.
//
// Whether a budget is spent follows from the sums alone, so a restart cannot lose it. While it
// is spent no agent within it has its model asked: what was asked before is still answered,
// which is how much too much is spent at most. Agents keep their messages, and their turns rest
// where they are.

// Amount is an amount of money and of tokens; zero is no bound.
type Amount struct {
	Cost   Money `json:"cost,omitempty"`
	Tokens int   `json:"tokens,omitempty"`
}

// IsZero reports whether it bounds nothing.
func (m Amount) IsZero() bool { return m == Amount{} }

// plus adds what is bounded.
func (m Amount) plus(n Amount) Amount {
	if m.Cost > 0 {
		m.Cost += n.Cost
	}
	if m.Tokens > 0 {
		m.Tokens += n.Tokens
	}
	return m
}

// share returns how much of the amount is spent, in percent.
func (m Amount) share(spent Usage) int {
	part := func(of, n float64) int {
		if of <= 0 {
			return 0
		}
		return int(min(n/of*100, 1e6))
	}
	percent := max(part(float64(m.Cost), float64(spent.Cost)), part(float64(m.Tokens), float64(spent.Tokens())))
	if percent >= 100 && !m.isSpent(spent) { // rounding
		percent = 99
	}
	return percent
}

func (m Amount) isSpent(spent Usage) bool {
	return m.Cost > 0 && spent.Cost >= m.Cost || m.Tokens > 0 && spent.Tokens() >= m.Tokens
}

// warnedAt is the share of a budget, in percent, at which the user is warned.
const warnedAt = 80

// A Budget is a bound on what may be spent, and what became of it; a part of stored records.
type Budget struct {
	// Amount bounds a subtree, or a task or day in place of the settings, if it is Set.
	Amount
	Set bool `json:"set,omitempty"`
	// More is what was added to the amount in force.
	More Amount `json:"more,omitzero"`
	// Alone is set if only what the agent itself spends counts, and only it is held.
	Alone bool `json:"alone,omitempty"`
	// Warned and Asked are set when the user was told that most is spent, and that all is.
	Warned bool `json:"warned,omitempty"`
	Asked  bool `json:"asked,omitempty"`
}

// DayBudget is the budget of a day.
type DayBudget struct {
	Day string `json:"day"`
	Budget
}

// A BudgetScope is what a budget is for. One field is set.
type BudgetScope struct {
	Agent AgentID `json:"agent,omitempty"`
	Task  TaskID  `json:"task,omitempty"`
	Day   string  `json:"day,omitempty"`
}

// BudgetStatus is a budget and what was spent of it.
type BudgetStatus struct {
	BudgetScope
	Limit Amount `json:"limit"` // all that may be spent
	Step  Amount `json:"step"`  // what "once more" adds
	Spent Usage  `json:"spent"`
	Alone bool   `json:"alone,omitempty"` // as in Budget
	// Percent is how much of the limit is spent.
	Percent int `json:"percent"`
	// Lead is the agent with whose row the user is asked.
	Lead AgentID `json:"lead"`
	// Holds is how many agents it keeps from asking their models, for Budgets. While it is
	// not 0, the user is asked.
	Holds int `json:"holds,omitempty"`
}

// IsSpent reports whether nothing is left.
func (b *BudgetStatus) IsSpent() bool { return b.Limit.isSpent(b.Spent) }

// onceMore returns what "once more" adds: the step, and what is spent above the limit where the
// step alone would let nobody go on.
func (b *BudgetStatus) onceMore() Amount {
	more := b.Step
	if b.Limit.plus(more).isSpent(b.Spent) {
		more.Cost += max(0, b.Spent.Cost-b.Limit.Cost)
		more.Tokens += max(0, b.Spent.Tokens()-b.Limit.Tokens)
	}
	return more
}

// IsNear reports whether most of it is spent.
func (b *BudgetStatus) IsNear() bool { return b.Percent >= warnedAt }

// hasBudgets reports whether anything is bounded.
func (s *State) hasBudgets() bool {
	return s.bounds > 0 || !s.limits.Task.IsZero() || !s.limits.Day.IsZero()
}

// countBudgets counts the agents and tasks, and the day, that have a Budget.
func (s *State) countBudgets() (n int) {
	for _, a := range s.agents {
		if a.Budget != nil {
			n++
		}
	}
	for _, t := range s.tasks {
		if t.Budget != nil {
			n++
		}
	}
	if s.counters.Budget != nil {
		n++
	}
	return n
}

// budgetOf returns the record of a scope, nil if it has none.
func (s *State) budgetOf(of BudgetScope) *Budget {
	switch {
	case of.Agent != "":
		if a := s.agents[of.Agent]; a != nil {
			return a.Budget
		}
	case of.Task != "":
		if t := s.tasks[of.Task]; t != nil {
			return t.Budget
		}
	case s.counters.Budget != nil && s.counters.Budget.Day == of.Day:
		return &s.counters.Budget.Budget
	}
	return nil
}

// status returns the budget of a scope with what is spent of it; ok is false if nothing
// bounds it.
func (s *State) status(of BudgetScope) (b BudgetStatus, ok bool) {
	b.BudgetScope, b.Lead = of, Root
	switch {
	case of.Task != "":
		t := s.tasks[of.Task]
		if t == nil {
			return b, false
		}
		b.Step, b.Spent = s.limits.Task, s.spent.tasks[of.Task]
		if s.agents[t.To] != nil {
			b.Lead = t.To
		}
	case of.Day != "":
		b.Step, b.Spent = s.limits.Day, s.spent.days[of.Day]
	}
	own := s.budgetOf(of)
	if own != nil && own.Set {
		b.Step = own.Amount
	}
	b.Limit = b.Step
	if own != nil {
		b.Limit, b.Alone = b.Limit.plus(own.More), own.Alone
	}
	if b.Limit.IsZero() {
		return b, false
	}
	if a := s.agents[of.Agent]; a != nil {
		if b.Lead, b.Spent = a.ID, a.Usage; !b.Alone {
			b.Spent = a.total
		}
	}
	b.Percent = b.Limit.share(b.Spent)
	return b, true
}

// newsOf returns the budget of a scope if the user is to be told that it is nearly or wholly
// spent.
func (s *State) newsOf(of BudgetScope) (b BudgetStatus, news bool) {
	b, bounded := s.status(of)
	own := s.budgetOf(of)
	return b, bounded && (b.IsSpent() && (own == nil || !own.Asked) || b.IsNear() && (own == nil || !own.Warned))
}

// taskAtHand returns the task of the agent's turn, else of the one that would begin.
func (a *Agent) taskAtHand() TaskID {
	switch {
	case a.Turn != nil:
		return a.Turn.Task
	case len(a.Mailbox) > 0:
		return a.Mailbox[0].Task
	}
	return ""
}

// scopesOf returns what the agent's next model call would count for.
func (s *State) scopesOf(a *Agent, at time.Time) []BudgetScope {
	var scopes []BudgetScope
	for b := a; b != nil; b = b.parent {
		if b.Budget != nil && (b == a || !b.Budget.Alone) {
			scopes = append(scopes, BudgetScope{Agent: b.ID})
		}
	}
	if task := a.taskAtHand(); task != "" {
		scopes = append(scopes, BudgetScope{Task: task})
	}
	return append(scopes, BudgetScope{Day: DayOf(at)})
}

// heldBy returns the budget that keeps the agent's model from being asked; more is what the
// agent has used beside what is in the sums. ok is false if there is none.
func (s *State) heldBy(a *Agent, more Usage, at time.Time) (by BudgetStatus, ok bool) {
	if !s.hasBudgets() {
		return by, false
	}
	for _, scope := range s.scopesOf(a, at) {
		b, bounded := s.status(scope)
		if b.Spent = b.Spent.Plus(more); bounded && b.IsSpent() {
			return b, true
		}
	}
	return by, false
}

// HeldBy returns the budget that keeps an agent's model from being asked; ok is false if there
// is none.
func (s *State) HeldBy(id AgentID, at time.Time) (by BudgetStatus, ok bool) {
	if a := s.agents[id]; a != nil {
		return s.heldBy(a, Usage{}, at)
	}
	return by, false
}

// SpentOfAll returns the budget of all agents, or of the day, of which nothing is left; ok is
// false if there is none. It keeps models from being asked for no agent.
func (s *State) SpentOfAll(at time.Time) (by BudgetStatus, ok bool) {
	for _, scope := range []BudgetScope{{Agent: Root}, {Day: DayOf(at)}} {
		if b, bounded := s.status(scope); bounded && !b.Alone && b.IsSpent() {
			return b, true
		}
	}
	return by, false
}

// Budgets returns the budgets in force: of agents in order of creation, of the tasks that
// agents are at in order of their beginning, and of the day. It looks at each agent once.
func (s *State) Budgets(at time.Time) []BudgetStatus {
	if !s.hasBudgets() {
		return nil
	}
	holds := map[BudgetScope]int{} // by scope, and of all that may be bounded
	var bounded []*Agent
	for _, a := range s.agents {
		if a.Budget != nil {
			bounded = append(bounded, a)
		}
		for _, task := range []TaskID{a.taskAtHand(), a.Task} {
			if task != "" {
				holds[BudgetScope{Task: task}] += 0
			}
		}
		if a.Paused == OverBudget {
			for _, scope := range s.scopesOf(a, at) {
				holds[scope]++
			}
		}
	}
	var all []BudgetStatus
	add := func(of BudgetScope) {
		if b, ok := s.status(of); ok {
			if b.IsSpent() {
				b.Holds = holds[of]
			}
			all = append(all, b)
		}
	}
	for _, a := range slices.SortedFunc(slices.Values(bounded), func(a, b *Agent) int { return cmp.Compare(a.Order, b.Order) }) {
		add(BudgetScope{Agent: a.ID})
	}
	var tasks []*Task
	for scope := range holds {
		if t := s.tasks[scope.Task]; t != nil {
			tasks = append(tasks, t)
		}
	}
	for _, t := range slices.SortedFunc(slices.Values(tasks), func(a, b *Task) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.ID, b.ID)) }) {
		add(BudgetScope{Task: t.ID})
	}
	add(BudgetScope{Day: DayOf(at)})
	return all
}

// Questions returns, of the budgets in force, the first that the user is asked about with the
// row of each agent.
func Questions(budgets []BudgetStatus) map[AgentID]*BudgetStatus {
	var asks map[AgentID]*BudgetStatus
	for i := range budgets {
		if b := &budgets[i]; b.Holds > 0 && asks[b.Lead] == nil {
			if asks == nil {
				asks = map[AgentID]*BudgetStatus{}
			}
			asks[b.Lead] = b
		}
	}
	return asks
}

// RenewsAt returns when a budget begins anew that holds agents now: the next day, zero if that
// changes nothing.
func (s *State) RenewsAt(now time.Time) time.Time {
	if !s.hasBudgets() || s.counters.Budget == nil || !s.counters.Budget.Asked {
		return time.Time{}
	}
	// Whether it holds anybody is found out then: it may have been raised.
	y, m, day := now.Local().Date()
	return time.Date(y, m, day+1, 0, 0, 0, 0, time.Local)
}

// held reports whether a budget keeps the agent's model from being asked, by what this
// decision counts too.
func (d *decision) held(a *Agent) bool {
	_, held := d.s.heldBy(a, d.used, d.at)
	return held
}

// hold lets a turn rest before its model is asked, until its budget allows that. Of branches
// side by side what still runs is cut short: it is asked again with the others.
func (d *decision) hold(a *Agent, closes uint64) {
	open := slices.ContainsFunc(a.Open, func(s Step) bool { return !s.aside() && s.N != closes })
	if open || len(a.openAnswers()) > 0 {
		d.answerOpen(a, d.cutOff(a))
		d.add(WorkAborted{Agent: a.ID, At: d.at})
	}
	d.add(TurnHeld{Agent: a.ID, At: d.at})
}

// notAsked lets a turn rest whose model was not asked because a budget was spent while the call
// waited, unless that allows it again by now.
func (d *decision) notAsked(a *Agent, step Step) {
	if step.Kind == CompressStep {
		d.openCompression(a, CompressOpened{Closes: step.N, Attempt: step.Attempt, Waited: step.Waited, Work: step.Work})
		return
	}
	d.add(RetryOver{Agent: a.ID, Step: step.N})
	d.goAhead(a, opening{closes: step.N, attempt: step.Attempt, waited: step.Waited, afterCompression: step.AfterCompression})
}

// followBudgets tells the user of budgets that are nearly or wholly spent, and pauses the
// agent if one holds it, or ends that pause. It reports whether something changed.
func (d *decision) followBudgets(a *Agent) bool {
	if d.s.hasBudgets() {
		scopes := d.s.scopesOf(a, d.at)
		if task := (BudgetScope{Task: a.Task}); a.Task != "" && !slices.Contains(scopes, task) { // its turn may have ended
			scopes = append(scopes, task)
		}
		for _, scope := range scopes {
			if b, news := d.s.newsOf(scope); news {
				d.add(BudgetReached{Status: b, At: d.at})
			}
		}
		if len(d.events) > 0 {
			return true
		}
	}
	switch held := d.held(a); {
	case held && a.Paused == "":
		d.add(PausedNow{Agent: a.ID, Why: OverBudget, At: d.at})
	case !held && a.Paused == OverBudget:
		d.add(ResumedNow{Agent: a.ID, At: d.at, Why: OverBudget})
		if a.Status == Idle && a.Turn != nil && a.Turn.Held {
			d.takeUp(a)
		}
	default:
		return false
	}
	return true
}

// awaitsBudget reports whether the agent has work that its budget keeps it from.
func (a *Agent) awaitsBudget() bool {
	return a.Paused == OverBudget && !a.Status.Ended() && !a.busy() && (len(a.Mailbox) > 0 || a.Turn != nil && a.Turn.Held)
}

// SetBudget bounds what an agent with all below it, a task or the present day may spend. One
// of Agent, Task and Day is set.
type SetBudget struct {
	Agent AgentID
	Task  TaskID
	Day   bool
	// Limit is all that may be spent, what was spent already included; zero is no bound.
	Limit Amount
	// Alone has only what the agent itself spends count.
	Alone bool
	// More adds the present amount once more, instead of setting one; to what is spent where that
	// is more than both.
	More bool
}

// BudgetSet is the reply to SetBudget.
type BudgetSet struct {
	Budget  BudgetStatus // zero without a bound
	Resumed int          // agents that go on
}

// RenewBudgets looks at all agents again: a new day has begun.
type RenewBudgets struct{}

// setBudget decides on the user's own bounds. More than is spent lets held agents go on; less
// holds them from their next model call on.
func (d *decision) setBudget(c SetBudget) (BudgetSet, error) {
	scope := BudgetScope{Agent: c.Agent, Task: c.Task}
	if c.Day {
		scope.Day = DayOf(d.at)
	}
	switch {
	case (c.Agent != "" || c.Task != "") && c.Day, c.Agent != "" && c.Task != "", scope == BudgetScope{}, c.Limit.Cost < 0, c.Limit.Tokens < 0:
		return BudgetSet{}, refuse(InvalidArguments, c.Agent, protocol.BadBudget)
	case c.Agent != "":
		if _, err := d.agent(c.Agent); err != nil {
			return BudgetSet{}, err
		}
	case c.Task != "" && d.s.tasks[c.Task] == nil:
		return BudgetSet{}, refuse(TaskNotFound, "", protocol.UnknownTask, c.Task)
	}
	was, bounded := d.s.status(scope)
	now := Budget{Amount: c.Limit, Set: true, Alone: c.Alone && c.Agent != ""}
	if c.More {
		if !bounded {
			return BudgetSet{}, refuse(InvalidArguments, c.Agent, protocol.NoBudget)
		}
		if own := d.s.budgetOf(scope); own != nil {
			now = *own
		} else {
			now = Budget{}
		}
		more := was.onceMore()
		now.More = Amount{now.More.Cost + more.Cost, now.More.Tokens + more.Tokens}
	}
	// What the user chooses to be is known to him: he is warned of what comes after it.
	after := was
	after.Limit = c.Limit
	if c.More {
		after.Limit = was.Limit.plus(was.onceMore())
	}
	if c.Agent != "" && !bounded || c.Agent != "" && now.Alone != was.Alone {
		after.Spent = d.s.agents[c.Agent].Usage
		if !now.Alone {
			after.Spent = d.s.agents[c.Agent].total
		}
	}
	after.Percent, after.Alone = after.Limit.share(after.Spent), now.Alone
	now.Warned, now.Asked = after.IsNear(), false
	e := BudgetChosen{Scope: scope, Budget: now, At: d.at}
	if c.Agent != "" && c.Limit.IsZero() && !c.More {
		e.Removed, after = true, BudgetStatus{}
	}
	d.add(e)
	reply := BudgetSet{Budget: after}
	if reply.Budget.Limit.IsZero() {
		reply.Budget = BudgetStatus{}
	}
	reply.Resumed = d.s.resumedBy(scope, after, d.at)
	return reply, nil
}

// resumedBy counts the agents that a budget's new limit lets go on.
func (s *State) resumedBy(scope BudgetScope, after BudgetStatus, at time.Time) (n int) {
	if after.IsSpent() {
		return 0
	}
	for _, a := range s.agents {
		if a.Paused != OverBudget {
			continue
		}
		others := slices.DeleteFunc(s.scopesOf(a, at), func(b BudgetScope) bool { return b == scope })
		if !slices.ContainsFunc(others, func(of BudgetScope) bool {
			b, bounded := s.status(of)
			return bounded && b.IsSpent()
		}) {
			n++
		}
	}
	return n
}

func (d *decision) renewBudgets() { d.add(BudgetsRenewed{}) }

// anyPaused reports whether any agent is paused for that reason.
func (s *State) anyPaused(why Pause) bool {
	for _, a := range s.agents {
		if a.Paused == why {
			return true
		}
	}
	return false
}
