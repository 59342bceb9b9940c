package runtime_test

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// figures returns what was spent of a society that runs with a model, after a message and what
// the user does then.
func figures(t *testing.T, model llm.Model, price llm.Fact[llm.Price], currency string, then func(*runtime.Runtime)) (f api.Figures) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		models, err := registry.New(registry.Entry{Name: "m", Model: model, Facts: llm.Facts{Price: price}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := runtime.Open(runtime.Config{Store: memdb.New(), Models: models, Currency: currency})
		if err != nil {
			t.Fatal(err)
		}
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		if _, err := r.Do(ctx, society.Send{To: society.Root, Text: "go"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		then(r)
		synctest.Wait()
		if f, err = r.Figures(ctx); err != nil {
			t.Fatal(err)
		}
		leave()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
	return f
}

var twoForAMillion = llm.Fact[llm.Price]{Value: llm.Price{Input: 2, Output: 2}, Source: llm.FromSetting}

func TestAnAnswerThatIsCutShortCountsAsEstimated(t *testing.T) {
	t.Parallel()
	model := llmtest.Script("m", llmtest.HangAfter("half of an answer"))
	f := figures(t, model, twoForAMillion, "$", func(r *runtime.Runtime) {
		if _, err := r.Do(context.Background(), society.Interrupt{Agent: society.Root}); err != nil {
			t.Error(err)
		}
	})
	u := f.Roles[0].Usage
	if u.Input == 0 || u.Output == 0 || u.Estimated != u.Tokens() || u.Cost == 0 || u.Unpriced() != 0 || len(f.Spent) != 1 || f.Spent[0].Usage != u || f.Spent[0].Model != "m" {
		t.Errorf("an answer that was cut short counts as %+v, in the sums %+v", u, f.Spent)
	}
}

// Tries that led to nothing count, as they were counted or else estimated; a refusal does not.
func TestAnEmptyAnswerCounts(t *testing.T) {
	t.Parallel()
	empty := func(u llm.Usage, class llm.Class) llmtest.Answer {
		return func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
			return func(yield func(llm.Chunk, error) bool) {
				yield(llm.Chunk{Usage: u}, &llm.Error{Class: class, Text: "nothing", Final: true})
			}
		}
	}
	for name, c := range map[string]struct {
		answer  llmtest.Answer
		counted bool
		input   int
	}{
		"counted":   {empty(llm.Usage{InputTokens: 7, OutputTokens: 2}, llm.Empty), true, 7},
		"estimated": {empty(llm.Usage{}, llm.Empty), true, 0},
		"refused":   {empty(llm.Usage{}, llm.Invalid), false, 0},
	} {
		u := figures(t, llmtest.Func("m", c.answer), twoForAMillion, "$", func(*runtime.Runtime) {}).Roles[0].Usage
		if (u.Input > 0) != c.counted || c.input > 0 && (u.Input != c.input || u.Estimated > 0) || c.counted && u.Cost == 0 {
			t.Errorf("%s: %+v", name, u)
		}
	}
}

func TestTheCostThatAnEndpointNamesWinsOverThePrice(t *testing.T) {
	t.Parallel()
	cost := 0.25
	for name, c := range map[string]struct {
		usage    llm.Usage
		price    llm.Fact[llm.Price]
		currency string
		want     society.Usage
	}{
		"named":            {llm.Usage{InputTokens: 10, OutputTokens: 5, Cost: &cost}, twoForAMillion, "$", society.Usage{Input: 10, Output: 5, Cost: society.Currency / 4, Priced: 15}},
		"priced":           {llm.Usage{InputTokens: 10, OutputTokens: 5, CachedTokens: 4, ReasoningTokens: 1}, twoForAMillion, "$", society.Usage{Input: 10, Output: 5, Cached: 4, Reasoning: 1, Cost: 30_000, Priced: 15}},
		"unpriced":         {llm.Usage{InputTokens: 10, OutputTokens: 5}, llm.Fact[llm.Price]{}, "$", society.Usage{Input: 10, Output: 5}},
		"included":         {llm.Usage{InputTokens: 10, OutputTokens: 5}, llm.Fact[llm.Price]{Value: llm.Price{Included: true}, Source: llm.FromSetting}, "$", society.Usage{Input: 10, Output: 5, Priced: 15}},
		"old price":        {llm.Usage{InputTokens: 10, OutputTokens: 5}, llm.Fact[llm.Price]{Value: llm.Price{Input: 2, Output: 2}, Source: llm.FromCatalogue, At: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)}, "$", society.Usage{Input: 10, Output: 5, Cost: 30_000, Priced: 15, OldPrice: 15}},
		"own currency":     {llm.Usage{InputTokens: 10, OutputTokens: 5, Cost: &cost}, twoForAMillion, "€", society.Usage{Input: 10, Output: 5, Cost: 30_000, Priced: 15}},
		"free elsewhere":   {llm.Usage{InputTokens: 10, OutputTokens: 5}, llm.Fact[llm.Price]{Value: llm.Price{Included: true}, Source: llm.FromEndpoint, At: time.Now()}, "€", society.Usage{Input: 10, Output: 5, Priced: 15}},
		"foreign currency": {llm.Usage{InputTokens: 10, OutputTokens: 5, Cost: &cost}, llm.Fact[llm.Price]{Value: llm.Price{Input: 2, Output: 2}, Source: llm.FromCatalogue}, "€", society.Usage{Input: 10, Output: 5}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := llmtest.Script("m", llmtest.Chunks(llm.Chunk{Text: "done", Done: true, Finish: llm.FinishStop, Usage: c.usage}))
			f := figures(t, model, c.price, c.currency, func(*runtime.Runtime) {})
			if got := f.Roles[0].Usage; got != c.want {
				t.Errorf("counted as %+v, want %+v", got, c.want)
			}
		})
	}
}

// The endpoint answers one call at a time, so that nine agents still wait for their turn when the
// second answer has spent the budget.
func TestCallsThatWaitWhenABudgetIsSpentAreNotMadeUntilItIsRaised(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.Func("m", llmtest.After(time.Second, llmtest.Chunks(llm.Chunk{Text: "done", Done: true, Finish: llm.FinishStop, Usage: llm.Usage{InputTokens: 100}})))
		models, err := registry.New(registry.Entry{Name: "m", Model: model})
		if err != nil {
			t.Fatal(err)
		}
		r, err := runtime.Open(runtime.Config{Store: memdb.New(), Models: models, ModelCalls: 1, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		do := func(cmd society.Command) any {
			reply, err := r.Do(ctx, cmd)
			if err != nil {
				t.Fatalf("%T: %v", cmd, err)
			}
			return reply
		}
		do(society.SetBudget{Agent: society.Root, Limit: society.Amount{Tokens: 150}})
		const agents = 11
		for range agents {
			do(society.Spawn{Parent: society.Root, Role: "role-root", Text: "dig"})
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		// The slot is free a moment before the second answer is counted: one more may have begun.
		if asked := len(model.Requests()); asked < 2 || asked > 3 {
			t.Errorf("the model was asked %d times, want 2 or 3: the first two answers have spent the budget", asked)
		}
		if reply := do(society.SetBudget{Agent: society.Root}).(society.BudgetSet); reply.Resumed < agents-2 {
			t.Errorf("without the budget %d agents go on, want at least %d", reply.Resumed, agents-2)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if asked := len(model.Requests()); asked < agents {
			t.Errorf("without the budget the model was asked %d times, want at least %d", asked, agents)
		}
		leave()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}
