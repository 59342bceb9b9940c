package httpapi

import (
	"maps"
	"net/http"
	"slices"

	"society-tui/runtime/society"
)

// A Usage counts tokens.
type Usage struct {
	Input      int      `json:"input"`
	Output     int      `json:"output"`
	Cached     int      `json:"cached,omitempty" jsonschema:"part of input, read from a cache"`
	CacheWrite int      `json:"cacheWrite,omitempty" jsonschema:"part of input, written to a cache"`
	Reasoning  int      `json:"reasoning,omitempty" jsonschema:"part of output"`
	Estimated  int      `json:"estimated,omitempty" jsonschema:"tokens that no endpoint has counted"`
	Cost       *float64 `json:"cost,omitempty" jsonschema:"in the currency of the prices; missing if no price is known"`
	Currency   string   `json:"currency,omitempty" jsonschema:"the sign of the currency of the cost; missing if the settings name none"`
	Unpriced   int      `json:"unpriced,omitempty" jsonschema:"tokens without a price, which are not in the cost"`
}

// usageOf returns what was used. Its costs are in a currency.
func usageOf(u society.Usage, currency string) Usage {
	v := Usage{
		Input: u.Input, Output: u.Output, Cached: u.Cached, CacheWrite: u.CacheWrite, Reasoning: u.Reasoning,
		Estimated: u.Estimated, Unpriced: u.Unpriced(),
	}
	if u.IsPriced() {
		cost := u.Cost.Amount()
		v.Cost, v.Currency = &cost, currency
	}
	return v
}

// Spent is the sum over the calls of one day, task and model.
type Spent struct {
	Day     string `json:"day"`
	TaskID  string `json:"taskId,omitempty"`
	Model   string `json:"model,omitempty" jsonschema:"missing for retries"`
	Calls   int    `json:"calls"`
	Retries int    `json:"retries"`
	TookMS  int64  `json:"tookMs"`
	Usage   Usage  `json:"usage"`
}

// An AgentSpent is what an agent has used.
type AgentSpent struct {
	AgentID string `json:"agentId"`
	Usage   Usage  `json:"usage" jsonschema:"its own"`
	Ended   *Usage `json:"ended,omitempty" jsonschema:"of agents below it that were terminated, with all theirs"`
}

// A SpentSum is a sum over the calls of a task, a day or a model.
type SpentSum struct {
	Name  string `json:"name" jsonschema:"the id of the task, the date, or the name of the model; empty if it is unknown"`
	Usage Usage  `json:"usage"`
}

// sumsOf returns sums in order of their names.
func sumsOf(of map[string]society.Usage, currency string) []SpentSum {
	all := make([]SpentSum, 0, len(of))
	for _, name := range slices.Sorted(maps.Keys(of)) {
		all = append(all, SpentSum{name, usageOf(of[name], currency)})
	}
	return all
}

// An Amount is a bound. A part that is missing is not bounded.
type Amount struct {
	Cost   float64 `json:"cost,omitempty" jsonschema:"in the currency of the prices"`
	Tokens int     `json:"tokens,omitempty"`
}

// A Budget bounds what may be spent. One of its first three fields is there.
type Budget struct {
	AgentID string `json:"agentId,omitempty" jsonschema:"with all below it, unless alone"`
	TaskID  string `json:"taskId,omitempty"`
	Day     string `json:"day,omitempty" jsonschema:"of the clock of the society's machine"`
	Alone   bool   `json:"alone,omitempty" jsonschema:"only what the agent itself spends counts"`
	Limit   Amount `json:"limit"`
	Spent   Usage  `json:"spent"`
	Percent int    `json:"percent" jsonschema:"how much of the limit is spent"`
	Holds   bool   `json:"holds" jsonschema:"nothing is left: who would spend more is paused until the user raises it"`
}

func budgetOf(b *society.BudgetStatus, currency string) Budget {
	return Budget{
		AgentID: string(b.Agent), TaskID: string(b.Task), Day: b.Day, Alone: b.Alone, Limit: Amount{b.Limit.Cost.Amount(), b.Limit.Tokens},
		Spent: usageOf(b.Spent, currency), Percent: b.Percent, Holds: b.IsSpent(),
	}
}

func (h *Handler) usageRoutes() []route {
	type usage struct {
		Usage    Usage        `json:"usage" jsonschema:"of all agents, ended ones included"`
		Currency string       `json:"currency,omitempty" jsonschema:"the sign of the currency of all costs; missing if the settings name none"`
		Spent    []Spent      `json:"spent" jsonschema:"by day, task and model; without what was spent before that was kept"`
		Agents   []AgentSpent `json:"agents" jsonschema:"those alive, in order of creation"`
		Tasks    []SpentSum   `json:"tasks" jsonschema:"sums of spent"`
		Days     []SpentSum   `json:"days" jsonschema:"sums of spent"`
		Models   []SpentSum   `json:"models" jsonschema:"sums of spent"`
	}
	type budgets struct {
		Budgets  []Budget `json:"budgets" jsonschema:"those in force: of agents, of the tasks they are at, and of the day"`
		Currency string   `json:"currency,omitempty" jsonschema:"the sign of the currency of all amounts; missing if the settings name none"`
	}
	return []route{
		routeJSON(h, http.MethodGet, "/api/usage", http.StatusOK, "Show what was spent", func(c *call, _ nothing) (*usage, error) {
			f, err := h.cfg.Society.Figures(c)
			if err != nil {
				return nil, err
			}
			now, err := c.look()
			u := usage{Spent: []Spent{}, Currency: now.Currency, Agents: []AgentSpent{}}
			tasks, days, models := map[string]society.Usage{}, map[string]society.Usage{}, map[string]society.Usage{}
			for _, s := range f.Spent {
				u.Spent = append(u.Spent, Spent{s.Day, string(s.Task), s.Model, s.Calls, s.Retries, s.Took.Milliseconds(), usageOf(s.Usage, now.Currency)})
				tasks[string(s.Task)] = tasks[string(s.Task)].Plus(s.Usage)
				days[s.Day] = days[s.Day].Plus(s.Usage)
				models[s.Model] = models[s.Model].Plus(s.Usage)
			}
			u.Tasks, u.Days, u.Models = sumsOf(tasks, now.Currency), sumsOf(days, now.Currency), sumsOf(models, now.Currency)
			for i := range now.Rows {
				r := &now.Rows[i]
				a := AgentSpent{AgentID: string(r.ID), Usage: usageOf(r.Usage, now.Currency)}
				if r.Ended != (society.Usage{}) {
					ended := usageOf(r.Ended, now.Currency)
					a.Ended = &ended
				}
				u.Agents = append(u.Agents, a)
			}
			var all society.Usage
			for _, r := range f.Roles {
				all = all.Plus(r.Usage)
			}
			u.Usage = usageOf(all, now.Currency)
			return &u, err
		}),
		routeJSON(h, http.MethodGet, "/api/budgets", http.StatusOK, "List the budgets with what is spent of them", func(c *call, _ nothing) (*budgets, error) {
			now, err := c.look()
			b := budgets{Budgets: []Budget{}, Currency: now.Currency}
			for i := range now.Budgets {
				b.Budgets = append(b.Budgets, budgetOf(&now.Budgets[i], now.Currency))
			}
			return &b, err
		}),
	}
}
