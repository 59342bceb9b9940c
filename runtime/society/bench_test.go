package society_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"society-tui/runtime/society"
	"society-tui/runtime/society/societytest"
)

// BenchmarkStopInTheRules is what deciding and applying a stop takes alone, of the whole
// tree and of one agent of it, and what the rules take for the end of its workers, for
// taking all up again and for terminating them. Each figure is the median of the rounds.
func BenchmarkStopInTheRules(b *testing.B) {
	for _, agents := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprint(agents), func(b *testing.B) {
			crowd, _, err := societytest.Crowd(agents)
			if err != nil {
				b.Fatal(err)
			}
			took := map[string][]time.Duration{}
			for n := 0; b.Loop() || n < 5; n++ {
				s := societytest.Again(crowd)
				last := s.Agents()[agents-1]
				runtime.GC()
				measure := func(what string, cmd society.Command) []society.Event {
					begun := time.Now()
					events, _, err := s.Advance(begun, cmd)
					took[what] = append(took[what], time.Since(begun))
					if err != nil {
						b.Fatalf("%s: %v", what, err)
					}
					return events
				}
				measure("one", society.Stop{Agent: last})
				measure("all", society.Stop{Agent: society.Root})
				ids := s.Subtree(society.Root)
				measure("halted", society.Halted{Agents: ids})
				measure("resumed", society.Resume{Agent: society.Root})
				measure("terminated", society.Terminate{Agent: ids[1], By: society.User})
			}
			b.ReportMetric(0, "ns/op") // it would count what prepares a round too
			for what, all := range took {
				slices.Sort(all)
				b.ReportMetric(float64(all[len(all)/2].Nanoseconds())/1000, what+"-µs")
			}
		})
	}
}

// A stop of many agents is one event and a handful of lists, however many they are:
// counts stand for the time, which a test does not take.
func TestS001P1AStopOfManyAgentsAllocatesAFewListsAndNothingForEach(t *testing.T) {
	const agents, most, bytes = 2_000, 100, 300
	crowd, _, err := societytest.Crowd(agents)
	if err != nil {
		t.Fatal(err)
	}
	s := societytest.Again(crowd)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	events, reply, err := s.Advance(time.Now(), society.Stop{Agent: society.Root})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := reply.(society.StopResult); !ok || len(r.CascadeStopped) != agents-1 || len(events) != 1 {
		t.Fatalf("%d events stop %+v", len(events), reply)
	}
	if n := after.Mallocs - before.Mallocs; n > most {
		t.Errorf("%d allocations for %d agents", n, agents)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > bytes*agents {
		t.Errorf("%d bytes for each agent", n/agents)
	}
	if err := society.Check(s); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d allocations, %d bytes for each agent", after.Mallocs-before.Mallocs, (after.TotalAlloc-before.TotalAlloc)/agents)
}

// A frame over many agents looks at each of them once for all budgets, and not at what is below
// each: counts stand for the time, which a test does not take.
func TestBudgetsLookAtEachOfManyAgentsOnce(t *testing.T) {
	const agents, most, bytes = 2_000, 6, 600
	crowd, _, err := societytest.Crowd(agents)
	if err != nil {
		t.Fatal(err)
	}
	s := societytest.Again(crowd)
	at := time.Now()
	for _, cmd := range []society.Command{
		society.SetBudget{Day: true, Limit: society.Amount{Tokens: 10}},
		society.SetBudget{Agent: society.Root, Limit: society.Amount{Tokens: 20}},
		society.CountTry{Agent: society.Root, Usage: society.Usage{Input: 30}},
	} {
		if _, _, err := s.Advance(at, cmd); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	budgets := s.Budgets(at)
	asks := society.Questions(budgets)
	runtime.ReadMemStats(&after)
	if len(budgets) != 2 || budgets[0].Holds != agents || budgets[1].Holds != agents || len(asks) != 1 || asks[society.Root] != &budgets[0] {
		t.Fatalf("budgets %+v, asked is %+v", budgets, asks)
	}
	if n := after.Mallocs - before.Mallocs; n > most*agents {
		t.Errorf("%d allocations for %d agents", n, agents)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > bytes*agents {
		t.Errorf("%d bytes for each agent", n/agents)
	}
	t.Logf("%d allocations, %d bytes for each agent", after.Mallocs-before.Mallocs, (after.TotalAlloc-before.TotalAlloc)/agents)
}

// BenchmarkBudgets is what a frame takes to know what is spent of budgets, while they hold all.
func BenchmarkBudgets(b *testing.B) {
	for _, agents := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprint(agents), func(b *testing.B) {
			crowd, _, err := societytest.Crowd(agents)
			if err != nil {
				b.Fatal(err)
			}
			s := societytest.Again(crowd)
			at := time.Now()
			for _, cmd := range []society.Command{society.SetBudget{Day: true, Limit: society.Amount{Tokens: 10}}, society.CountTry{Agent: society.Root, Usage: society.Usage{Input: 30}}} {
				if _, _, err := s.Advance(at, cmd); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				society.Questions(s.Budgets(at))
			}
		})
	}
}
