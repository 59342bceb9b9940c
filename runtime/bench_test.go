package runtime_test

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/society/societytest"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
	"society-tui/storage/memdb"
)

// The benchmarks of stopping print, as the median of five rounds, what it takes and what
// the bare act takes that cannot be left out:
//
//	go test -run '^$' -bench Stop ./runtime ./runtime/society
const rounds = 5

// silent is a model that begins an answer and says no more.
type silent struct{ running atomic.Int64 }

func (m *silent) Name() string { return "silent" }

func (m *silent) Generate(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		m.running.Add(1)
		defer m.running.Add(-1)
		if yield(llm.Chunk{Text: "I begin"}, nil) {
			<-ctx.Done()
			yield(llm.Chunk{}, ctx.Err())
		}
	}
}

// A crowd is a society that stores are filled with.
type crowd struct {
	state   *society.State
	events  []society.Event
	changed society.Changed
}

func newCrowd(tb testing.TB, agents int) crowd {
	tb.Helper()
	s, events, err := societytest.Crowd(agents)
	if err != nil {
		tb.Fatal(err)
	}
	return crowd{s, events, s.TakeChanged()}
}

func (c crowd) fill(tb testing.TB, store storage.Store) storage.Store {
	tb.Helper()
	err := store.Update(func(tx storage.Tx) error { return tables.Record(tx, c.state, c.events, c.changed) })
	if err != nil {
		tb.Fatal(err)
	}
	return store
}

// onDisk returns a store in a file, filled with the crowd.
func (c crowd) onDisk(tb testing.TB) storage.Store {
	tb.Helper()
	store, err := boltdb.Open(filepath.Join(tb.TempDir(), "society.db"))
	if err != nil {
		tb.Fatal(err)
	}
	return c.fill(tb, store)
}

// A throng is a running society of many thinking agents.
type throng struct {
	tb      testing.TB
	r       *runtime.Runtime
	ctx     context.Context
	decided time.Time // when the last stop was decided; read it after the stop
	opened  time.Duration
	started time.Duration
	quit    func()
}

// open starts the society of a store and waits until all of it thinks.
func open(tb testing.TB, store storage.Store, agents int, model llm.Model, thinking func()) *throng {
	tb.Helper()
	begun := time.Now()
	r, err := runtime.Open(runtime.Config{Store: store, Model: model, Limits: societytest.Limits(agents), ModelCalls: agents})
	if err != nil {
		tb.Fatal(err)
	}
	opened := time.Since(begun)
	t := started(tb, r, store)
	t.opened = opened
	thinking()
	t.started = time.Since(begun)
	goruntime.GC()
	return t
}

// started runs the society of a store.
func started(tb testing.TB, r *runtime.Runtime, store storage.Store) *throng {
	tb.Helper()
	t := &throng{tb: tb, r: r}
	r.Advanced(func(c society.Command, at time.Time) {
		if _, ok := c.(society.Stop); ok {
			t.decided = at
		}
	})
	ctx, cancel := context.WithCancel(tb.Context())
	t.ctx = ctx
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.quit = func() {
		r.Force()
		cancel()
		if err := cmp.Or(<-ended, store.Close()); err != nil {
			tb.Error(err)
		}
	}
	return t
}

// do carries a command out and returns how long that took.
func (t *throng) do(cmd society.Command) time.Duration {
	t.tb.Helper()
	begun := time.Now()
	if _, err := t.r.Do(t.ctx, cmd); err != nil {
		t.tb.Fatalf("%T: %v", cmd, err)
	}
	return time.Since(begun)
}

// a figure is what several rounds have measured.
type figure []time.Duration

func (f *figure) add(d time.Duration) { *f = append(*f, d) }

func (f *figure) median() time.Duration {
	return slices.Sorted(slices.Values(*f))[len(*f)/2]
}

func report(b *testing.B, figures map[string]*figure) {
	b.ReportMetric(0, "ns/op") // it would count what prepares a round too
	for unit, f := range figures {
		b.ReportMetric(float64(f.median().Microseconds())/1000, unit)
	}
}

func ratio(b *testing.B, ours, anchor *figure) {
	b.ReportMetric(float64(ours.median())/float64(anchor.median()), "ratio")
}

// eachRound calls f at least so often that a median means something.
func eachRound(b *testing.B, f func()) {
	n := 0
	for ; b.Loop(); n++ {
		f()
	}
	for ; n < rounds; n++ {
		f()
	}
}

// BenchmarkStopOfTenThousand measures a stop through the loop: from asking
// for the stop until nothing of the agents can pass any more, with all of them in
// a model call. The anchor is a compare-and-set over all. Beside it stand when the
// stop has returned, on disk and with nothing running, and what the same number
// of agents costs otherwise.
func BenchmarkStopOfTenThousand(b *testing.B) {
	const agents = 10_000
	c := newCrowd(b, agents)
	var loop, bare, returned, resumed, opened, started, terminated figure
	eachRound(b, func() {
		m := &silent{}
		t := open(b, c.onDisk(b), agents, m, func() { await(b, func() bool { return m.running.Load() == agents }) })
		opened.add(t.opened)
		started.add(t.started)
		bare.add(compareAndSet(agents))
		asked := time.Now()
		returned.add(t.do(society.Stop{Agent: society.Root}))
		loop.add(t.decided.Sub(asked))
		if n := m.running.Load(); n != 0 {
			b.Fatalf("%d calls run after the stop has returned", n)
		}
		resumed.add(t.do(society.Resume{Agent: society.Root}))
		terminated.add(t.terminateAll())
		t.quit()
	})
	report(b, map[string]*figure{
		"loop-ms": &loop, "bare-ms": &bare, "returned-ms": &returned, "resume-ms": &resumed,
		"open-ms": &opened, "start-ms": &started, "terminate-ms": &terminated,
	})
	ratio(b, &loop, &bare)
}

// BenchmarkStopOfOneAgent measures what the stop of one agent takes
// among few and among many, all of them in a model call and watched by a screen:
// until it has returned, and until the screen was told. The store is in memory,
// as the disk takes what it takes.
func BenchmarkStopOfOneAgent(b *testing.B) {
	for _, agents := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprint("among-", agents), func(b *testing.B) {
			c := newCrowd(b, agents)
			var returned, told figure
			eachRound(b, func() {
				m := &silent{}
				t := open(b, c.fill(b, memdb.New()), agents, m, func() { await(b, func() bool { return m.running.Load() == int64(agents) }) })
				w := t.r.Watch()
				t.look(w, society.Root)
				for i := range 20 { // they have no children
					id := society.AgentID(fmt.Sprint("worker-", agents-1-i))
					begun := time.Now()
					returned.add(t.do(society.Stop{Agent: id}))
					t.look(w, id)
					told.add(time.Since(begun))
				}
				w.Close()
				t.quit()
			})
			report(b, map[string]*figure{"returned-ms": &returned, "told-ms": &told})
		})
	}
}

// look waits until a watcher was told of an agent.
func (t *throng) look(w *runtime.Watcher, id society.AgentID) {
	t.tb.Helper()
	for {
		c, err := w.Next(t.ctx)
		if err != nil {
			t.tb.Fatal(err)
		}
		if slices.ContainsFunc(c.Rows, func(r api.Row) bool { return r.ID == id }) {
			return
		}
	}
}

// terminateAll terminates all below root and waits until they are erased.
func (t *throng) terminateAll() time.Duration {
	t.tb.Helper()
	begun := time.Now()
	for i := range societytest.Width {
		t.do(society.Terminate{Agent: society.AgentID(fmt.Sprint("worker-", i+1)), By: society.User})
	}
	t.do(society.Seen{Agent: society.Root}) // what is erased in slices comes before it
	return time.Since(begun)
}

func compareAndSet(n int) time.Duration {
	states := make(map[int]*atomic.Int32, n)
	for i := range n {
		states[i] = new(atomic.Int32)
	}
	begun := time.Now()
	for _, s := range states {
		s.CompareAndSwap(0, 1)
	}
	return time.Since(begun)
}

func await(tb testing.TB, held func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(time.Minute); !held(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatal("what was awaited did not come")
		}
	}
}
