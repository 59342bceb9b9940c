package runtime_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/limits"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// trialOf has a model at the endpoint "a", with the key "k", tried beside those of a society.
func trialOf(s *stage, model llm.Model) (text string, err error) {
	entry := registry.Entry{Name: "tried", Model: model, Endpoint: "a", Account: "k", Facts: llm.Facts{Price: twoForAMillion}}
	req := llm.Request{System: "This is a test.", Messages: []llm.Message{{Role: llm.User, Text: "Say ok."}}}
	for chunk, err := range s.r.Trial(entry).Model.Generate(s.ctx, req) {
		if text += chunk.Text; err != nil {
			return text, err
		}
	}
	return text, nil
}

func atA(model llm.Model) registry.Entry {
	return registry.Entry{Name: "m", Model: model, Endpoint: "a", Account: "k"}
}

func tooMany(wait time.Duration) llmtest.Answer {
	return llmtest.Fail(&llm.Error{Class: llm.Rate, Status: 429, Text: "slow down", RetryAfter: wait})
}

// While an endpoint refuses requests a trial is not made, or waits if that is soon over; what a
// trial is refused stops the agents too.
func TestATrialStandsBehindTheBrakeOfItsEndpoint(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.Script("m", tooMany(time.Minute), llmtest.Say("well"), llmtest.Say("well"))
		tried := llmtest.Script("tried", llmtest.Say("ok"), tooMany(time.Minute))
		s := run(t, newCast(), memdb.New(), among(t, atA(model)))
		s.do(society.Send{To: society.Root, Text: "go"})
		synctest.Wait()
		opens := time.Now().Add(time.Minute)
		_, err := trialOf(s, tried)
		if held, ok := errors.AsType[*limits.Held](err); !ok || held.Until.Sub(opens).Abs() > time.Second || len(tried.Requests()) != 0 {
			t.Fatalf("while the brake is closed the trial gave %v, and the model was asked %d times", err, len(tried.Requests()))
		}
		time.Sleep(52 * time.Second)
		if text, err := trialOf(s, tried); text != "ok" || err != nil || time.Now().Before(opens) {
			t.Errorf("the trial said %q, %v, %s before the brake opens", text, err, time.Until(opens))
		}
		time.Sleep(time.Minute)
		if n := len(model.Requests()); n != 2 {
			t.Fatalf("the agent's model was asked %d times, want 2", n)
		}
		if _, err := trialOf(s, tried); llm.AsError(err).Class != llm.Rate {
			t.Errorf("the trial gave %v, want that the endpoint refused it", err)
		}
		s.do(society.Send{To: society.Root, Text: "again"})
		time.Sleep(50 * time.Second)
		if n := len(model.Requests()); n != 2 {
			t.Errorf("after a trial was refused the agent's model was asked %d times, want it to wait", n)
		}
		time.Sleep(20 * time.Second)
		if n := len(model.Requests()); n != 3 {
			t.Errorf("after the wait the agent's model was asked %d times, want 3", n)
		}
	})
}

// A trial that gets no turn is given up with the user's patience, unasked.
func TestATrialWithoutATurnIsNotMade(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tried := llmtest.Script("tried", llmtest.Say("ok"))
		s := run(t, newCast(), memdb.New(), among(t, atA(llmtest.Func("m", llmtest.Hang()))), func(cfg *runtime.Config) { cfg.ModelCalls = 1 })
		s.do(society.Send{To: society.Root, Text: "go"})
		synctest.Wait()
		patient := *s
		var stop context.CancelFunc
		patient.ctx, stop = context.WithTimeout(s.ctx, 30*time.Second)
		defer stop()
		if _, err := trialOf(&patient, tried); !errors.Is(err, limits.ErrNoTurn) || len(tried.Requests()) != 0 {
			t.Errorf("the trial gave %v, and the model was asked %d times", err, len(tried.Requests()))
		}
	})
}

// What a trial uses counts for the day, the model and all agents together, and while a budget of
// those is spent there is none.
func TestATrialCountsAndHasABudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tried := llmtest.Func("tried", llmtest.Chunks(llm.Chunk{Text: "ok"}, llm.Chunk{Done: true, Usage: llm.Usage{InputTokens: 30, OutputTokens: 20}}))
		store := memdb.New()
		s := run(t, newCast(), store, among(t, atA(llmtest.Func("m", llmtest.Say("well")))))
		synctest.Wait()
		want := society.Usage{Input: 30, Output: 20, Cost: 100_000, Priced: 50}
		check := func(when string) {
			t.Helper()
			synctest.Wait()
			f, err := s.r.Figures(s.ctx)
			if err != nil || len(f.Spent) != 1 || f.Spent[0].Usage != want || f.Spent[0].Model != "tried" || f.Spent[0].Task != "" || f.Spent[0].Day == "" {
				t.Errorf("%s the sums are %+v, %v, want %+v", when, f.Spent, err, want)
			}
			root := s.rows()[society.Root]
			if all := s.spent(); all != want || root.Ended != want || root.Usage != (society.Usage{}) {
				t.Errorf("%s all used %+v, the root %+v and what is no agent's %+v, want %+v", when, all, root.Usage, root.Ended, want)
			}
		}
		if text, err := trialOf(s, tried); text != "ok" || err != nil {
			t.Fatalf("the trial said %q, %v", text, err)
		}
		check("after a trial")
		for _, budget := range []society.SetBudget{{Day: true}, {Agent: society.Root}} {
			bounded := budget
			bounded.Limit.Tokens = 40
			s.do(bounded)
			_, err := trialOf(s, tried)
			if spent, ok := errors.AsType[*society.Refusal](err); !ok || !strings.Contains(spent.Error(), "/budget") || len(tried.Requests()) != 1 {
				t.Errorf("with %+v spent the trial gave %v, and the model was asked %d times", bounded, err, len(tried.Requests()))
			}
			s.do(budget)
		}
		s.quit()
		s = run(t, newCast(), store, among(t, atA(llmtest.Func("m", llmtest.Say("well")))))
		check("after a restart")
	})
}

// What the society knows of a model, from its endpoint too, is known in its trial.
func TestATrialKnowsWhatTheSocietyKnows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := atA(llmtest.Func("m", llmtest.Say("well")))
		e.Facts.Window = llm.Fact[int]{Value: 50_000, Source: llm.FromEndpoint}
		s := run(t, newCast(), memdb.New(), among(t, e))
		other := atA(llmtest.Func("another", llmtest.Say("well")))
		if same, another := s.r.Trial(atA(e.Model)).Facts.Window.Value, s.r.Trial(other).Facts.Window.Value; same != 50_000 || another != 0 {
			t.Errorf("of the same model a window of %d is known and of another %d, want 50000 and 0", same, another)
		}
	})
}
