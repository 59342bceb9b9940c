package runtime_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/catalog"
	"society-tui/llm/discover"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/apikey"
	"society-tui/runtime/society"
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
			cfg.AskEndpoints = func(_ context.Context, of *registry.Registry, _ bool) []api.Asked {
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

// A command for a key runs only when its model is used, or when the user asks: neither at the
// start nor because another model is used.
func TestAKeyIsLookedForWhenItsModelIsUsed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		looked := make([]atomic.Int32, 5)
		var entries []registry.Entry
		for i := range looked {
			name := string(rune('a' + i))
			find := func(context.Context) (apikey.Found, error) {
				looked[i].Add(1)
				return apikey.Found{Key: "key"}, nil
			}
			open := func(apikey.Found) (llm.Model, error) {
				return &listed{Scripted: llmtest.Func(name, llmtest.Say("well"))}, nil
			}
			entries = append(entries, registry.Entry{Name: name, Model: apikey.NewModel(name, find, open), Endpoint: "https://" + name + ".example/v1"})
		}
		counts := func() (n [5]int32) {
			for i := range looked {
				n[i] = looked[i].Load()
			}
			return n
		}
		var mu sync.Mutex // of answered
		var answered []int
		asked := func() []int {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(answered)
		}
		s := run(t, newCast(), memdb.New(), among(t, entries...), func(cfg *runtime.Config) {
			cfg.AskEndpoints = func(ctx context.Context, of *registry.Registry, all bool) (asked []api.Asked) {
				answers := discover.Learn(ctx, of, catalog.New(""), all)
				mu.Lock()
				defer mu.Unlock()
				answered = append(answered, len(answers))
				return nil
			}
		})
		synctest.Wait()
		if n := counts(); n != [5]int32{} || !slices.Equal(asked(), []int{0}) {
			t.Errorf("at the start keys are looked for %v times, endpoints asked %v", n, asked())
		}
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Minute)
		if n := counts(); n != [5]int32{1} || !slices.Equal(asked(), []int{0, 1}) {
			t.Errorf("with one in use keys are looked for %v times, endpoints asked %v", n, asked())
		}
		if _, err := s.r.AskEndpoints(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := counts(); n != [5]int32{1, 1, 1, 1, 1} || !slices.Equal(asked(), []int{0, 1, 5}) {
			t.Errorf("when the user asks keys are looked for %v times, endpoints asked %v", n, asked())
		}
	})
}

// A listed model has an endpoint that lists it.
type listed struct{ *llmtest.Scripted }

func (l *listed) Lookup(context.Context, string, []byte) ([]byte, error) {
	return []byte(`{"data":[{"id":"` + l.Name() + `"}]}`), nil
}
