package society

import (
	"slices"
	"time"
)

// Money is an amount in billionths of the currency of the prices. Integers add up to the same
// sum in any order, so that the sums over agents, tasks and days agree to the last digit; a
// token of the cheapest models costs tens of them.
type Money int64

// Currency is one unit of the currency of the prices.
const Currency Money = 1e9

// MoneyOf returns an amount of the currency, rounded.
func MoneyOf(amount float64) Money {
	amount *= float64(Currency)
	switch {
	case amount != amount: // not a number
		return 0
	case amount >= 1<<62:
		return 1 << 62
	case amount <= -1<<62:
		return -1 << 62
	case amount < 0:
		return Money(amount - 0.5)
	}
	return Money(amount + 0.5)
}

// Amount returns the amount in units of the currency.
func (m Money) Amount() float64 { return float64(m) / float64(Currency) }

// Usage counts tokens, and what they cost.
type Usage struct {
	Input  int `json:"in,omitempty"`
	Output int `json:"out,omitempty"`
	// Cached and CacheWrite are parts of Input, Reasoning is a part of Output.
	Cached     int `json:"cached,omitempty"`
	CacheWrite int `json:"cacheWrite,omitempty"`
	Reasoning  int `json:"reasoning,omitempty"`
	// Estimated is how many tokens of Input and Output no endpoint has counted.
	Estimated int `json:"estimated,omitempty"`
	// Cost is that of the tokens with a price, Priced how many have one: what the others cost
	// is unknown, not nothing.
	Cost   Money `json:"cost,omitempty"`
	Priced int   `json:"priced,omitempty"`
	// OldPrice is how many of Priced have a price that may have changed since.
	OldPrice int `json:"oldPrice,omitempty"`
}

// Tokens returns the tokens of both directions.
func (u Usage) Tokens() int { return u.Input + u.Output }

// IsPriced reports whether any of the tokens has a price, if only that it costs nothing.
func (u Usage) IsPriced() bool { return u.Cost != 0 || u.Priced > 0 }

// Unpriced returns how many tokens have no price.
func (u Usage) Unpriced() int { return u.Tokens() - u.Priced }

// Plus returns the sum.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output,
		Cached: u.Cached + v.Cached, CacheWrite: u.CacheWrite + v.CacheWrite, Reasoning: u.Reasoning + v.Reasoning,
		Estimated: u.Estimated + v.Estimated, Cost: u.Cost + v.Cost, Priced: u.Priced + v.Priced, OldPrice: u.OldPrice + v.OldPrice,
	}
}

// Minus returns the difference.
func (u Usage) Minus(v Usage) Usage {
	return u.Plus(Usage{
		Input: -v.Input, Output: -v.Output, Cached: -v.Cached, CacheWrite: -v.CacheWrite, Reasoning: -v.Reasoning,
		Estimated: -v.Estimated, Cost: -v.Cost, Priced: -v.Priced, OldPrice: -v.OldPrice,
	})
}

// counted returns the tokens of each direction as far as the endpoint counted them: an
// estimate says nothing about how well is estimated.
func (u Usage) counted() (input, output int) {
	if u.Estimated > 0 {
		return 0, 0
	}
	return u.Input, u.Output
}

// answered returns the usage of one answered call.
func (u Usage) answered(agent AgentID, at time.Time, task TaskID, model string, took time.Duration) Spending {
	return Spending{At: at, Agent: agent, Task: task, Model: model, Calls: 1, Took: took, Usage: u}
}

// DayOf returns the day to which what is spent at a time belongs: the date where the program
// runs.
func DayOf(at time.Time) string { return at.Local().Format(time.DateOnly) }

// uses adds what an agent has used.
func (a *Agent) uses(u Usage) {
	a.Usage = a.Usage.Plus(u)
	a.count(u)
}

// count adds to the sums of the subtrees that an agent lies in.
func (a *Agent) count(u Usage) {
	if u == (Usage{}) {
		return
	}
	for b := a; b != nil; b = b.parent {
		b.total = b.total.Plus(u)
	}
}

// spend adds what an event has spent to the sums of its task and day.
func (s *State) spend(of Spending) {
	if of.Usage == (Usage{}) {
		return
	}
	s.spent.tasks[of.Task] = s.spent.tasks[of.Task].Plus(of.Usage)
	day := DayOf(of.At)
	s.spent.days[day] = s.spent.days[day].Plus(of.Usage)
	if !s.hasBudgets() {
		return
	}
	scopes := []BudgetScope{{Task: of.Task}, {Day: day}}
	for a := s.agents[of.Agent]; a != nil; a = a.parent {
		scopes = append(scopes, BudgetScope{Agent: a.ID})
	}
	if slices.ContainsFunc(scopes, func(of BudgetScope) bool { _, news := s.newsOf(of); return news }) {
		s.lookAgain() // who spent it may not be asked any more
	}
}

// sums are what was spent by task and by day, over all agents.
type sums struct {
	tasks map[TaskID]Usage
	days  map[string]Usage
}

// A SpentSum is what was spent in a task on a day, for Load.
type SpentSum struct {
	Task  TaskID
	Day   string
	Usage Usage
}

// TryCounted adds the usage of a call whose answer counts no more: it failed, was cut short,
// or came too late.
type TryCounted struct {
	Agent AgentID
	// Ended is set if the agent that asked has ended, or none has asked: Agent is the nearest
	// above it.
	Ended bool
	Task  TaskID
	Model string
	Usage Usage
	At    time.Time
}

func (e TryCounted) apply(s *State) {
	a := s.touch(e.Agent)
	if e.Ended {
		a.Ended = a.Ended.Plus(e.Usage)
		a.count(e.Usage)
	} else {
		a.uses(e.Usage)
	}
}

// Spent implements Spends.
func (e TryCounted) Spent() Spending {
	return Spending{At: e.At, Agent: e.Agent, Task: e.Task, Model: e.Model, Usage: e.Usage}
}

// countTry decides on what a call has used whose answer counts no more.
func (d *decision) countTry(c CountTry) {
	if c.Usage == (Usage{}) {
		return
	}
	e := TryCounted{Agent: c.Agent, Task: c.Task, Model: c.Model, Usage: c.Usage, At: d.at}
	for d.s.agents[e.Agent] == nil {
		if tomb := d.s.tombs[e.Agent]; tomb != nil {
			e.Agent, e.Ended = tomb.Parent, true
		} else {
			e.Agent, e.Ended = Root, true
		}
		if d.s.Empty() {
			return
		}
	}
	d.add(e)
}
