package runtime_test

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/storage/memdb"
)

// deltas is a model whose calls stream when they are let go, and then say no more.
type deltas struct {
	each     int
	running  atomic.Int64
	let      chan struct{}
	streamed sync.WaitGroup
}

func (*deltas) Name() string { return "deltas" }

func (m *deltas) Generate(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		m.running.Add(1)
		<-m.let
		for range m.each {
			if !yield(llm.Chunk{Text: "word "}, nil) {
				break
			}
		}
		m.streamed.Done()
		<-ctx.Done()
		yield(llm.Chunk{}, ctx.Err())
	}
}

// BenchmarkDeltasThatNobodyReads measures a million pieces of text over a thousand agents,
// with a watcher that never reads: what each takes, and what the heap has grown by beside
// the texts themselves, which are kept until the answers are complete.
func BenchmarkDeltasThatNobodyReads(b *testing.B) {
	const agents, each = 1000, 1000
	c := newCrowd(b, agents)
	var took figure
	var grown float64
	eachRound(b, func() {
		m := &deltas{each: each, let: make(chan struct{})}
		m.streamed.Add(agents)
		t := open(b, c.fill(b, memdb.New()), agents, m, func() { await(b, func() bool { return m.running.Load() == agents }) })
		w := t.r.Watch()
		before := memory()
		begun := time.Now()
		close(m.let)
		m.streamed.Wait()
		took.add(time.Since(begun))
		grown = max(grown, float64(memory().HeapAlloc)-float64(before.HeapAlloc))
		w.Close()
		t.quit()
	})
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took.median().Nanoseconds())/agents/each, "ns/delta")
	b.ReportMetric(grown/(1<<20), "MiB")
}
