package society

import (
	"fmt"
	"time"

	"society-tui/runtime/protocol"
)

// BudgetReached tells that a budget is nearly or wholly spent.
type BudgetReached struct {
	Status BudgetStatus
	At     time.Time
}

func (e BudgetReached) apply(s *State) {
	b := Budget{}
	if own := s.budgetOf(e.Status.BudgetScope); own != nil {
		b = *own
	}
	b.Warned, b.Asked = true, b.Asked || e.Status.IsSpent()
	s.keepBudget(e.Status.BudgetScope, &b)
	s.lookAgain()
}

// Lines implements Shows.
func (e BudgetReached) Lines() []TimelineLine {
	b := e.Status
	kind := "budget_near"
	if b.IsSpent() {
		kind = "budget_spent"
	}
	return shown(e.At, b.Lead, kind, fmt.Sprintf("%s %d%%", b.Name(), b.Percent), "budget", b.Name(), "percent", b.Percent, "unpriced", b.Spent.Unpriced())
}

// Name names what a budget is for in records: the id of the agent, "task" with its id, or "day"
// with its date.
func (b BudgetScope) Name() string {
	switch {
	case b.Agent != "":
		return string(b.Agent)
	case b.Task != "":
		return "task " + string(b.Task)
	}
	return "day " + b.Day
}

// In names what a budget is for in a language.
func (b BudgetScope) In(lang protocol.Lang) string {
	switch {
	case b.Agent != "":
		return string(b.Agent)
	case b.Task != "":
		return protocol.Sentence(lang, protocol.BudgetOfTask, b.Task)
	}
	return protocol.Sentence(lang, protocol.BudgetOfDay, b.Day)
}

// BudgetChosen sets a budget that the user chose, or removes an agent's.
type BudgetChosen struct {
	Scope   BudgetScope
	Budget  Budget
	Removed bool
	At      time.Time
}

func (e BudgetChosen) apply(s *State) {
	b := &e.Budget
	if e.Removed {
		b = nil
	}
	s.keepBudget(e.Scope, b)
	s.lookAgain()
}

// Lines implements Shows.
func (e BudgetChosen) Lines() []TimelineLine {
	return shown(e.At, e.Scope.Agent, "budget", e.Scope.Name(), "budget", e.Scope.Name(),
		"cost", e.Budget.Cost.Amount(), "tokens", e.Budget.Tokens)
}

// BudgetsRenewed has all agents looked at again: a new day has begun, or other limits hold.
type BudgetsRenewed struct{}

func (BudgetsRenewed) apply(s *State) { s.lookAgain() }

// keepBudget sets the budget record of a scope, nil for none.
func (s *State) keepBudget(of BudgetScope, b *Budget) {
	if s.budgetOf(of) != nil {
		s.bounds--
	}
	if b != nil {
		s.bounds++
	}
	switch {
	case of.Agent != "":
		s.touch(of.Agent).Budget = b
	case of.Task != "":
		task := *s.tasks[of.Task]
		task.Budget = b
		s.tasks[of.Task] = &task
		s.tasked[of.Task] = struct{}{}
	default:
		if s.counters.Budget != nil && s.counters.Budget.Day != of.Day { // yesterday's
			s.bounds--
		}
		if s.count().Budget = nil; b != nil {
			s.counters.Budget = &DayBudget{Day: of.Day, Budget: *b}
		}
	}
}

// lookAgain has the rules look at all agents that a budget may hold, or does.
func (s *State) lookAgain() {
	for _, a := range s.agents {
		if !a.Status.Ended() {
			s.queueRules(a)
		}
	}
}
