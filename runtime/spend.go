package runtime

import (
	"context"
	"sync"
	"time"

	"society-tui/llm"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
)

// used returns what a model call has used and cost: as its endpoint counts, else as is
// estimated. What an endpoint refused has used nothing; what was cut short, or ended early or
// with nothing, was worked on.
func (t *modelCall) used(ctx context.Context, a *reply, err error, currency string) society.Usage {
	u := a.last.Usage
	estimated := u.InputTokens+u.OutputTokens == 0
	switch {
	case !estimated:
	case err == nil, a.first != 0, ctx.Err() != nil, llm.AsError(err).Class == llm.Empty:
		u.InputTokens, _ = t.tail.Calibrated(t.asked)
		u.OutputTokens = conversation.Estimate(a.text) + conversation.Estimate(a.reasoning)
		for _, c := range a.last.Calls {
			u.OutputTokens += conversation.Estimate(c.Name) + conversation.Estimate(c.Arguments)
		}
	default:
		return society.Usage{}
	}
	return t.priced(u, estimated, currency)
}

// dollars is the sign of the currency in which endpoints and the catalogue give prices.
const dollars = "$"

// priced returns the usage of a call with its price. What the endpoint itself says that it cost
// wins. Amounts in dollars do not count where the settings have prices in another currency; what
// costs nothing costs nothing in each.
func (t *modelCall) priced(u llm.Usage, estimated bool, currency string) society.Usage {
	used := society.Usage{
		Input: max(u.InputTokens, 0), Output: max(u.OutputTokens, 0),
		Cached: max(u.CachedTokens, 0), CacheWrite: max(u.CacheWriteTokens, 0), Reasoning: max(u.ReasoningTokens, 0),
	}
	if estimated {
		used.Estimated = used.Tokens()
	}
	foreign := currency != "" && currency != dollars
	switch price := t.model.Facts.Price; {
	case foreign && price.Source != llm.FromSetting && !price.Value.Included:
	case !foreign && u.Cost != nil && *u.Cost >= 0:
		used.Cost, used.Priced = society.MoneyOf(*u.Cost), used.Tokens()
	case price.IsKnown():
		used.Cost, used.Priced = society.MoneyOf(price.Value.Of(u)), used.Tokens()
		if price.IsOld(time.Now()) {
			used.OldPrice = used.Priced
		}
	}
	return used
}

// countTry reports what a call has used that led to no answer.
func (r *Runtime) countTry(t *modelCall, used society.Usage) {
	if used != (society.Usage{}) {
		r.post(society.CountTry{Agent: t.item.Agent, Task: t.item.Task, Model: t.model.Name, Usage: used})
	}
}

// overBudget are the agents that a budget holds, with what that is for. A call that still waits
// for its turn when its agent is held is not made. Its methods may be called from any goroutine.
type overBudget struct {
	mu    sync.RWMutex
	holds map[society.AgentID]society.BudgetScope
}

func (o *overBudget) of(id society.AgentID) (budget society.BudgetScope, held bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	budget, held = o.holds[id]
	return budget, held
}

func (o *overBudget) hold(id society.AgentID, budget society.BudgetScope) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.holds == nil {
		o.holds = map[society.AgentID]society.BudgetScope{}
	}
	o.holds[id] = budget
}

func (o *overBudget) free(id society.AgentID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.holds, id)
}

// followBudget holds up the calls of an agent while a budget holds it.
func (r *Runtime) followBudget(e society.Event) {
	switch e := e.(type) {
	case society.PausedNow:
		if by, held := r.state.HeldBy(e.Agent, time.Now()); held && e.Why == society.OverBudget {
			r.overBudget.hold(e.Agent, by.BudgetScope)
		}
	case society.ResumedNow:
		r.overBudget.free(e.Agent)
	}
}

// An overBudgetError is why a call is not made: a budget was spent while it waited.
type overBudgetError society.BudgetScope

func (e overBudgetError) Error() string {
	return "the budget of " + society.BudgetScope(e).Name() + " is spent"
}

// renewal returns the channel on which the loop hears that a day with a budget is over, nil
// while none holds agents.
func (r *Runtime) renewal() <-chan time.Time {
	at := r.state.RenewsAt(time.Now())
	if at.IsZero() || r.outage != nil {
		return nil
	}
	return r.midnight.until(at)
}

// renewBudgets has the rules look again at agents that a day's budget held.
func (r *Runtime) renewBudgets() {
	r.midnight.at = time.Time{}
	r.carryOut([]*pendingCommand{{cmd: society.RenewBudgets{}, done: make(chan struct{})}})
}
