package tree

import (
	"fmt"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// crowd is root and 9,999 agents below it, twenty under each.
func crowd() []api.Row {
	rows := []api.Row{{ID: society.Root, Parent: society.User, State: society.WaitingLLM, Since: noon}}
	for i := 1; i < 10_000; i++ {
		rows = append(rows, api.Row{
			ID: society.AgentID(fmt.Sprintf("agent-%d", i)), Parent: rows[(i-1)/20].ID, Order: uint64(i),
			State: []society.Status{society.Idle, society.WaitingLLM, society.Processing}[i%3], Since: noon,
			Usage: society.Usage{Input: i},
		})
	}
	return rows
}

func crowded(b *testing.B) *Model {
	b.Helper()
	r := english()
	apply(r, api.Changes{All: true, Rows: crowd()})
	r.Rows(44, 45)
	b.ReportAllocs()
	return r
}

func BenchmarkCursorDownIn10000(b *testing.B) {
	r := crowded(b)
	for b.Loop() {
		r.Down()
		if r.cursor == len(r.lines)-1 {
			r.Top()
		}
		r.Rows(44, 45)
	}
}

func BenchmarkPageDownIn10000(b *testing.B) {
	r := crowded(b)
	for b.Loop() {
		r.PageDown()
		if r.cursor == len(r.lines)-1 {
			r.Top()
		}
		r.Rows(44, 45)
	}
}

func BenchmarkFoldIn10000(b *testing.B) {
	r := crowded(b)
	r.Select("agent-3")
	for b.Loop() {
		r.fold(r.society.Agent("agent-3"), !r.folded["agent-3"])
		r.Rows(44, 45)
	}
}

func BenchmarkCollapseAllIn10000(b *testing.B) {
	r := crowded(b)
	for b.Loop() {
		r.CollapseAll()
		r.Rows(44, 45)
		r.Top()
		r.ExpandAll()
		r.Rows(44, 45)
	}
}

func BenchmarkApply100RowsOf10000(b *testing.B) {
	r := crowded(b)
	rows := crowd()[5000:5100]
	for b.Loop() {
		for i := range rows {
			rows[i].Usage.Input++
		}
		apply(r, api.Changes{Rows: rows})
		r.Rows(44, 45)
	}
}

func BenchmarkFilterIn10000(b *testing.B) {
	r := crowded(b)
	for b.Loop() {
		r.Filter("agent-77")
		r.Rows(44, 45)
	}
}

func BenchmarkLoad10000(b *testing.B) {
	rows := crowd()
	b.ReportAllocs()
	for b.Loop() {
		r := english()
		apply(r, api.Changes{All: true, Rows: rows})
		r.Rows(44, 45)
	}
}

// The cost per second of a tree sorted by activity while all agents work.
func BenchmarkSort10000(b *testing.B) {
	r := crowded(b)
	r.society.CycleOrder()
	rows := crowd()
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		for i := range rows {
			rows[i].State = society.Idle
			rows[i].Since = noon.Add(time.Duration((i*7919+n*31)%10_007) * time.Second)
		}
		apply(r, api.Changes{Rows: rows})
		b.StartTimer()
		r.society.Sort()
		r.Rows(44, 45)
	}
}

func BenchmarkApply100RowsOf10000Sorted(b *testing.B) {
	r := crowded(b)
	r.society.CycleOrder()
	rows := crowd()[5000:5100]
	for b.Loop() {
		for i := range rows {
			rows[i].Usage.Input++
		}
		apply(r, api.Changes{Rows: rows})
		r.Rows(44, 45)
	}
}
