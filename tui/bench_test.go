package tui_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/tui"
)

// BenchmarkFrameWithManyAgents is Update and View at 200x50 (PERFORMANCE.md 17):
// each frame brings ten changed agents and more text of the conversation that is
// open, as at a busy society's thirty frames a second.
func BenchmarkFrameWithManyAgents(b *testing.B) {
	for _, agents := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(agents), func(b *testing.B) {
			f := newFake()
			for i := range agents - 1 {
				parent := society.Root
				if i >= 100 {
					parent = society.AgentID(fmt.Sprint("web-", i%100))
				}
				f.spawn(society.AgentID(fmt.Sprint("web-", i)), parent, "web")
			}
			f.set(society.Root, func(r *runtime.Row) { r.State = society.WaitingLLM })
			ctx, cancel := context.WithCancel(b.Context())
			m := tui.NewModel(ctx, config(f))
			var crew sync.WaitGroup
			defer crew.Wait()
			defer cancel()
			msgs := make(chan tea.Msg, 1000)
			m = benchUpdate(m, tea.WindowSizeMsg{Width: 200, Height: 50}, &crew, msgs)
			m = benchFrame(b, m, f, &crew, msgs)
			for settled := false; !settled; { // pages that were asked for
				select {
				case msg := <-msgs:
					m = benchUpdate(m, msg, &crew, msgs)
				case <-time.After(100 * time.Millisecond):
					settled = true
				}
			}
			var took []time.Duration
			n := 0
			for b.Loop() {
				f.stream(society.Root, "some more words of the answer ")
				for k := range 10 {
					f.set(society.AgentID(fmt.Sprint("web-", (n+k*97)%(agents-1))), func(r *runtime.Row) { r.Tokens++; r.Usage.Output++ })
				}
				n++
				changes, err := f.Next(ctx)
				if err != nil {
					b.Fatal(err)
				}
				begun := time.Now()
				m, _ = m.Update(tui.Frame(changes))
				if m.View().Content == "" {
					b.Fatal("nothing is drawn")
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}

// benchUpdate updates the model and runs its commands aside.
func benchUpdate(m tea.Model, msg tea.Msg, crew *sync.WaitGroup, msgs chan tea.Msg) tea.Model {
	next, cmd := m.Update(msg)
	benchRun(cmd, crew, msgs)
	return next
}

func benchRun(cmd tea.Cmd, crew *sync.WaitGroup, msgs chan tea.Msg) {
	if cmd == nil {
		return
	}
	crew.Go(func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				benchRun(c, crew, msgs)
			}
		default:
			select {
			case msgs <- msg:
			default:
			}
		}
	})
}

func benchFrame(b *testing.B, m tea.Model, f *fakeSociety, crew *sync.WaitGroup, msgs chan tea.Msg) tea.Model {
	b.Helper()
	changes, err := f.Next(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return benchUpdate(m, tui.Frame(changes), crew, msgs)
}
