package tui_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/tui"
)

// crowd is n agents, ten below each, in all states.
func crowd(n int) runtime.Changes {
	c := runtime.Changes{All: true, Model: "demo", Health: "ok"}
	states := []society.Status{society.WaitingLLM, society.Processing, society.Idle, society.Stopped}
	for i := range n {
		id, parent := society.AgentID(fmt.Sprintf("agent-%d", i)), society.AgentID(fmt.Sprintf("agent-%d", (i-1)/10))
		if i == 0 {
			id, parent = society.Root, society.User
		} else if i <= 10 {
			parent = society.Root
		}
		c.Rows = append(c.Rows, runtime.Row{
			ID: id, Parent: parent, Role: "worker", Order: uint64(i), State: states[i%len(states)], Since: time.Now(),
			Doing: "does what has to be done", Tool: "send_message", Asks: i%50 == 7,
		})
	}
	return c
}

// BenchmarkUpdateAndView measures one message and the frame after it, at 200x50.
// p99 is what SCREEN.md 6 bounds with 4 ms.
func BenchmarkUpdateAndView(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		for _, bench := range []struct {
			name  string
			focus tea.KeyPressMsg
			next  func(i int) tea.Msg
		}{
			{"typing", key("alt+2"), func(i int) tea.Msg { return tea.PasteMsg{Content: string(rune('a' + i%26))} }},
			{"down", key("alt+1"), func(int) tea.Msg { return key("down") }},
			{"frame of 100 rows", key("alt+1"), func(i int) tea.Msg { return tui.Frame(changed(n, i, 100)) }},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, bench.name), func(b *testing.B) {
				ctx, cancel := context.WithCancel(context.Background())
				cancel() // the model's commands end at once: only the model is measured
				f := newFake()
				m := tui.NewModel(ctx, config(f))
				update := func(msg tea.Msg) {
					m, _ = m.Update(msg)
					m.View()
				}
				update(tea.WindowSizeMsg{Width: 200, Height: 50})
				update(tui.Frame(crowd(n)))
				update(bench.focus)
				took := make([]time.Duration, 0, b.N)
				b.ResetTimer()
				for i := range b.N {
					msg := bench.next(i)
					begun := time.Now()
					update(msg)
					took = append(took, time.Since(begun))
				}
				b.StopTimer()
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
			})
		}
	}
}

// changed is a frame in which some agents of a crowd have changed.
func changed(n, i, rows int) runtime.Changes {
	all := runtime.Changes{Model: "demo", Health: "ok"}
	for k := range rows {
		at := (i*rows + k) % n
		id, parent := society.AgentID(fmt.Sprintf("agent-%d", at)), society.AgentID(fmt.Sprintf("agent-%d", (at-1)/10))
		if at == 0 {
			id, parent = society.Root, society.User
		} else if at <= 10 {
			parent = society.Root
		}
		all.Rows = append(all.Rows, runtime.Row{
			ID: id, Parent: parent, Role: "worker", Order: uint64(at), State: society.WaitingLLM, Since: time.Now(),
			Doing: fmt.Sprintf("does %d", i),
		})
	}
	return all
}
