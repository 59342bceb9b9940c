package runtime_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/storage/memdb"
)

func TestEndpointsAreAskedInTheBackgroundAndAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		models, err := registry.New(registry.Entry{Name: "a", Model: llmtest.Func("x", llmtest.Say("well")), Endpoint: "http://a.example/v1"})
		if err != nil {
			t.Fatal(err)
		}
		var times atomic.Int32
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
			cfg.Model, cfg.Models = nil, models
			cfg.AskEndpoints = func(_ context.Context, of *registry.Registry) []api.Asked {
				n := int(times.Add(1))
				of.Learn("a", llm.FromEndpoint, llm.Facts{Window: llm.Fact[int]{Value: 1000 * n, Source: llm.FromEndpoint}})
				return []api.Asked{{Host: "a.example", Listed: true, Models: n}}
			}
		})
		synctest.Wait()
		if m := s.r.Models()[0]; m.Window != 1000 || m.WindowFrom.Source != api.KnownFromEndpoint || m.ID != "x" {
			t.Errorf("after the start: %+v", m)
		}
		asked, err := s.r.AskEndpoints(t.Context())
		if err != nil || len(asked) != 1 || asked[0].Models != 2 || s.r.Models()[0].Window != 2000 {
			t.Errorf("asked again: %+v, %v, %+v", asked, err, s.r.Models()[0])
		}
	})
}
