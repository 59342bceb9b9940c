package runtime_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/apikey"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// seeks returns a model at the endpoint "a" that looks for its key in a place and finds these,
// one after another; open are the models with each.
func seeks(name, place string, keys []string, open map[string]llm.Model) registry.Entry {
	find := func(context.Context) (apikey.Found, error) {
		key := keys[0]
		keys = keys[min(1, len(keys)-1):]
		return apikey.Found{Key: key}, nil
	}
	model := apikey.NewModel(name, find, func(found apikey.Found) (llm.Model, error) { return open[found.Key], nil })
	return registry.Entry{Name: name, Model: model, Endpoint: "a", Account: place}
}

// onModel returns the agent that a model answers.
func (s *stage) onModel(model string) society.AgentID {
	s.t.Helper()
	for id, row := range s.rows() {
		if id != society.Root && row.Model == model {
			return id
		}
	}
	s.t.Fatalf("no agent has the model %s", model)
	return ""
}

// One refusal stops all models with that key at that endpoint, wherever each has it from, and
// no model with another key.
func TestARefusalStopsTheModelsWithTheSameKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		given := llmtest.Script("given", tooMany(time.Minute), llmtest.Say("well"))
		same, other := llmtest.Func("same", llmtest.Say("well")), llmtest.Func("other", llmtest.Say("well"))
		s := run(t, newCast(), memdb.New(), among(
			t, registry.Entry{Name: "given", Model: given, Endpoint: "a", Account: apikey.Account("k")},
			seeks("same", "in a file", []string{"k"}, map[string]llm.Model{"k": same}),
			seeks("other", "by a command", []string{"k2"}, map[string]llm.Model{"k2": other}),
		), func(cfg *runtime.Config) { cfg.FirstTeam = staff(1, "given", "same", "other") })
		s.do(society.Send{To: s.onModel("given"), Text: "go"})
		synctest.Wait()
		opens := time.Now().Add(time.Minute)
		waits := s.onModel("same")
		s.do(society.Send{To: waits, Text: "go"})
		s.do(society.Send{To: s.onModel("other"), Text: "go"})
		synctest.Wait()
		if retry := s.rows()[waits].Retry; retry == nil || retry.Cause != api.WaitsForEndpoint || retry.At.Sub(opens).Abs() > time.Second {
			t.Errorf("with the same key an agent is shown to wait for %+v, want %v", retry, opens)
		}
		if n, m := len(same.Requests()), len(other.Requests()); n != 0 || m != 1 {
			t.Errorf("with the same key %d requests were made and with another %d, want 0 and 1", n, m)
		}
		time.Sleep(2 * time.Minute)
		if n, m := len(given.Requests()), len(same.Requests()); n != 2 || m != 1 {
			t.Errorf("after the wait there were %d requests and %d, want 2 and 1", n, m)
		}
	})
}

// A key that was refused may have become one whose requests the endpoint refuses for now.
func TestAnotherKeyHasAnotherBrake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first := llmtest.Func("first", llmtest.Fail(&llm.Error{Class: llm.Auth, Status: 401, Text: "no such key"}))
		second := llmtest.Func("second", llmtest.Say("well"))
		given := llmtest.Script("given", tooMany(time.Minute), llmtest.Say("well"))
		s := run(t, newCast(), memdb.New(), among(
			t, registry.Entry{Name: "given", Model: given, Endpoint: "a", Account: apikey.Account("new")},
			seeks("moves", "in a file", []string{"old", "new"}, map[string]llm.Model{"old": first, "new": second}),
		), func(cfg *runtime.Config) { cfg.FirstTeam = staff(1, "given", "moves") })
		s.do(society.Send{To: s.onModel("given"), Text: "go"})
		synctest.Wait()
		s.do(society.Send{To: s.onModel("moves"), Text: "go"})
		time.Sleep(50 * time.Second)
		if n, m := len(first.Requests()), len(second.Requests()); n != 1 || m != 0 {
			t.Errorf("while the brake of the other key is closed there were %d requests with the first and %d with it, want 1 and 0", n, m)
		}
		time.Sleep(2 * time.Minute)
		if n, m := len(first.Requests()), len(second.Requests()); n != 1 || m != 1 {
			t.Errorf("after that there were %d and %d requests, want 1 and 1", n, m)
		}
	})
}
