package stats_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/feature/stats"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// frugal returns a society with usage on two days.
func frugal() *apitest.Society {
	f := apitest.New()
	f.Put(api.Row{ID: society.Root, State: society.WaitingLLM})
	f.Put(api.Row{ID: "lead-1", Parent: society.Root, State: society.WaitingLLM, Order: 1, Ended: society.Usage{Input: 100, Output: 10}})
	f.Put(api.Row{ID: "web-1", Parent: "lead-1", State: society.WaitingLLM, Order: 2, Usage: society.Usage{Input: 700, Output: 70}})
	f.Put(api.Row{ID: "web-2", Parent: "lead-1", State: society.Idle, Order: 3, Usage: society.Usage{Input: 200, Output: 20}})
	f.Tell(func(c *api.Changes) { c.Usage = society.Usage{Input: 1500, Output: 150} })
	begun := time.Date(1999, 12, 30, 8, 0, 0, 0, time.UTC)
	f.Holds.Figures = api.Figures{
		Made: 5, Ended: 1, Messages: 42,
		Roles: []api.RoleFigures{
			{Name: "researcher", Made: 3, Ended: 1, Usage: society.Usage{Input: 1000, Output: 100}},
			{Name: "never used"},
		},
		Spent: []api.Spent{
			{Day: "1999-12-30", Task: "TASK-AAAA", Model: "big\x1b[31m", Calls: 3, Retries: 1, Took: 90 * time.Second, Usage: society.Usage{Input: 600, Output: 60}},
			{Day: "1999-12-31", Task: "TASK-AAAA", Model: "small", Calls: 2, Retries: 4, Took: time.Minute, Usage: society.Usage{Input: 300, Output: 30}},
			{Day: "1999-12-31", Task: "TASK-BBBB", Model: "small", Calls: 1, Usage: society.Usage{Input: 100, Output: 10}},
		},
		Tasks: map[society.TaskID]api.TaskFigures{
			"TASK-AAAA": {Begun: begun}, "TASK-BBBB": {Begun: begun, Text: "Find \x1b[31mthe\nold harbour, and say how deep it is"},
		},
	}
	return f
}

func TestStatsShowSizeAndUsageOfTheSociety(t *testing.T) {
	t.Parallel()
	size := func(context.Context) (int64, error) { return 20 << 10, nil }
	synctest.Test(t, func(t *testing.T) {
		s := pagetest.New(t, frugal(), func(d *page.Deps) page.Feature { return stats.New(d, size) })
		s.At = "lead-1"
		s.Do("/stats").Shows("Statistics", "thinking 3", "idle 1", "5, 1 terminated", "42", "6, 5 retries, 2m30s in all", "20.5 kB · saved",
			"lead-1 and its subtree (of all: /to root, then /stats)", "web-1", "in 700    out 70", "in 200    out 20", "in 100    out 10",
			"researcher", "3 agents, 1 terminated", "in 600    out 60      –         3 calls", "small", "messages sent").Hides("never used")
		if s.Press("y").Hides("Statistics"); len(s.Copied) != 1 {
			t.Errorf("copied %q, want the report", s.Copied)
		}
	})
}

func TestStatsNameDurationsInChinese(t *testing.T) {
	t.Parallel()
	size := func(context.Context) (int64, error) { return 0, nil }
	synctest.Test(t, func(t *testing.T) {
		s := pagetest.New(t, frugal(), func(d *page.Deps) page.Feature {
			d.Printer.Lang = protocol.Chinese
			d.Actions.Printer = d.Printer
			return stats.New(d, size)
		})
		s.Do("/stats").Shows("用时 2 分 30 秒")
	})
}

// What models have used in tests is no agent's; root's line of it says so.
func TestStatsNameTestsOfModelsWithRoot(t *testing.T) {
	t.Parallel()
	f := frugal()
	f.Put(api.Row{ID: society.Root, State: society.WaitingLLM, Ended: society.Usage{Input: 30, Output: 20}})
	synctest.Test(t, func(t *testing.T) {
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature { return stats.New(d, nil) })
		s.At = society.Root
		s.Do("/stats").Shows("terminated, model tests", "in 30     out 20")
	})
}
