package tui_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui"
)

// BenchmarkFrameWithManyAgents is Update and View at 200x50: each frame has ten
// changed agents and more text of the open conversation, as in a busy society
// at thirty frames a second.
func BenchmarkFrameWithManyAgents(b *testing.B) {
	for _, agents := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(agents), func(b *testing.B) {
			c := newCrowd(b, agents)
			var took []time.Duration
			n := 0
			for b.Loop() {
				took = append(took, c.frame(n))
				n++
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(0, "ns/op") // it would count how the changes are made up, too
		})
	}
}

// A crowd is many agents on a screen of 200x50, updated by hand on the real
// clock.
type crowd struct {
	t     testing.TB
	f     *fakeSociety
	model tea.Model
	crew  sync.WaitGroup
	msgs  chan tea.Msg
	count int
}

// newCrowd shows so many agents, the first hundred below root and the others
// below them. Root is open and working.
func newCrowd(t testing.TB, agents int) *crowd {
	t.Helper()
	c := &crowd{t: t, f: newFake(), msgs: make(chan tea.Msg, 1000), count: agents}
	for i := range agents - 1 {
		parent := society.Root
		if i >= 100 {
			parent = society.AgentID(fmt.Sprint("web-", i%100))
		}
		c.f.spawn(society.AgentID(fmt.Sprint("web-", i)), parent, "web")
	}
	c.f.set(society.Root, func(r *api.Row) { r.State = society.WaitingLLM })
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		c.crew.Wait()
	})
	c.model = tui.NewModel(ctx, config(c.f))
	c.update(tea.WindowSizeMsg{Width: 200, Height: 50})
	c.update(tui.Frame(c.changes()))
	for settled := false; !settled; { // requested pages
		select {
		case msg := <-c.msgs:
			c.update(msg)
		case <-time.After(100 * time.Millisecond):
			settled = true
		}
	}
	return c
}

func (c *crowd) changes() api.Changes {
	c.t.Helper()
	changes, err := c.f.Next(context.Background())
	if err != nil {
		c.t.Fatal(err)
	}
	return changes
}

// update updates the model and runs its commands.
func (c *crowd) update(msg tea.Msg) {
	next, cmd := c.model.Update(msg)
	c.model = next
	c.run(cmd)
}

func (c *crowd) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	c.crew.Go(func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, part := range msg {
				c.run(part)
			}
		default:
			select {
			case c.msgs <- msg:
			default:
			}
		}
	})
}

// frame changes root's draft and ten agents, and returns the time to draw that.
func (c *crowd) frame(n int) time.Duration {
	c.t.Helper()
	c.f.stream(society.Root, "some more words of the answer ")
	for k := range 10 {
		c.f.set(society.AgentID(fmt.Sprint("web-", (n+k*97)%(c.count-1))), func(r *api.Row) { r.Tokens++; r.Usage.Output++ })
	}
	changes := c.changes()
	return c.draws(tui.Frame(changes))
}

// draws updates the model without running commands, draws it, and returns the
// time.
func (c *crowd) draws(msg tea.Msg) time.Duration {
	c.t.Helper()
	begun := time.Now()
	c.model, _ = c.model.Update(msg)
	if c.model.View().Content == "" {
		c.t.Fatal("nothing is drawn")
	}
	return time.Since(begun)
}

// The cost of a key depends on the visible lines, not on the number of agents.
// The test counts allocations, so it runs alone.
func TestKeyCostsTheSameInALargeTree(t *testing.T) {
	cost := map[int]map[string]float64{1_000: {}, 10_000: {}}
	for agents, of := range cost {
		c := newCrowd(t, agents)
		c.draws(key("alt+1"))
		for _, name := range []string{"down", "pgdown", "up", "pgup"} {
			of[name] = testing.AllocsPerRun(20, func() { c.draws(key(name)) })
		}
	}
	t.Logf("allocations a key: %v", cost)
	for name, few := range cost[1_000] {
		if many := cost[10_000][name]; many > 1.2*few+20 {
			t.Errorf("%s takes %.0f allocations with 10,000 agents, and %.0f with 1,000", name, many, few)
		}
	}
}

// While nobody has said anything yet, the welcome and the hints are drawn for a large team
// at rest as for a small one. A walk over all agents shows in bytes rather than in
// allocations.
func TestKeyTakesNoMoreBytesInALargeTeamAtRest(t *testing.T) {
	cost := map[int]uint64{}
	for _, agents := range []int{1_000, 10_000} {
		c := newCrowd(t, agents)
		c.f.set(society.Root, func(r *api.Row) { r.State = society.Idle })
		c.draws(tui.Frame(c.changes()))
		c.draws(key("alt+1"))
		c.draws(key("down"))
		const keys = 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range keys / 2 {
			c.draws(key("down"))
			c.draws(key("up"))
		}
		runtime.ReadMemStats(&after)
		cost[agents] = (after.TotalAlloc - before.TotalAlloc) / keys
	}
	t.Logf("bytes a key: %v", cost)
	if cost[10_000] > cost[1_000]+100_000 {
		t.Errorf("a key takes %d bytes with 10,000 agents, and %d with 1,000", cost[10_000], cost[1_000])
	}
}

// Ten thousand agents: the time from a key, and from a change, to its frame. It
// needs an idle machine, so the limit only holds with SOCIETY_LONG=1.
func TestTenThousandAgentsAreDrawnInTime(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("SOCIETY_LONG=1 measures it")
	}
	c := newCrowd(t, 10_000)
	held := func(what string, share int, bound time.Duration, draw func(i int) time.Duration) {
		var took []time.Duration
		for i := range 400 {
			took = append(took, draw(i))
		}
		slices.Sort(took)
		at := took[len(took)*share/100]
		t.Logf("%s: median %v, %d %% within %v, most %v", what, took[len(took)/2], share, at, took[len(took)-1])
		if at > bound {
			t.Errorf("%s takes %v, more than %v", what, at, bound)
		}
	}
	held("a frame", 99, 4*time.Millisecond, c.frame)
	c.draws(key("alt+1"))
	const bound = 16 * time.Millisecond
	for _, name := range []string{"down", "pgdown"} {
		held(name, 95, bound, func(i int) time.Duration {
			if i%100 == 0 {
				c.draws(key("g"))
			}
			return c.draws(key(name))
		})
	}
	held("collapse all", 95, bound, func(int) time.Duration {
		c.draws(key("g"))
		c.draws(key("down"))
		c.draws(key("*"))
		return c.draws(key("-"))
	})
}
