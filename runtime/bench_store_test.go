package runtime_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/runtime/society/societytest"
	"society-tui/runtime/tables/tablestest"
	"society-tui/storage"
	"society-tui/storage/boltdb"
	"society-tui/storage/storagetest"
)

// The benchmarks of the store print their figures beside
// bare bbolt, as medians of five rounds:
//
//	go test -run '^$' -bench Store ./runtime

// BenchmarkStoreOfMessages measures durable messages of 200 bytes,
// from many senders and from one, as rates. The anchor puts the very same keys and
// values into bare bbolt, in as many commits, one after another, without anybody to
// be answered.
func BenchmarkStoreOfMessages(b *testing.B) {
	for name, c := range map[string]struct{ senders, each int }{"64 senders": {64, 150}, "one sender": {1, 1000}} {
		b.Run(name, func(b *testing.B) {
			var ours, bare figure
			perMessage := 0.0
			eachRound(b, func() {
				ours.add(messages(b, onFile, c.senders, c.each))
				var recorder *storagetest.Recorder
				messages(b, func(b *testing.B) storage.Store {
					recorder = storagetest.NewRecorder(onFile(b))
					return recorder
				}, c.senders, c.each)
				writes, commits := recorder.Writes(), recorder.Commits()
				from := slices.IndexFunc(writes, func(w storagetest.Write) bool {
					return w.Bucket == "mail" && strings.Contains(string(w.Value), tellTale)
				})
				writes = writes[from:]
				perMessage = float64(len(writes)) / float64(c.senders*c.each)
				b.ReportMetric(float64(c.senders*c.each)/float64(commits-writes[0].Commit+1), "messages/commit")
				bare.add(replay(b, writes))
			})
			n := float64(c.senders * c.each)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(n/ours.median().Seconds(), "messages/s")
			b.ReportMetric(n/bare.median().Seconds(), "bbolt/s")
			b.ReportMetric(bare.median().Seconds()/ours.median().Seconds(), "x-bbolt")
			b.ReportMetric(perMessage, "keys/message")
		})
	}
}

func onFile(b *testing.B) storage.Store {
	b.Helper()
	store, err := boltdb.Open(filepath.Join(b.TempDir(), "society.db"))
	if err != nil {
		b.Fatal(err)
	}
	return store
}

const tellTale = "a message that is measured"

// messages returns how long it takes until so many senders have each had so many
// messages acknowledged, to agents that are in a model call.
func messages(b *testing.B, on func(*testing.B) storage.Store, senders, each int) time.Duration {
	b.Helper()
	model := &silent{}
	t := open(b, newCrowd(b, senders+1).fill(b, on(b)), 10*senders*each, model, func() {})
	await(b, func() bool { return model.running.Load() == int64(senders+1) })
	defer t.quit()
	text := tellTale + strings.Repeat(".", 200-len(tellTale))
	var all sync.WaitGroup
	begun := time.Now()
	for i := range senders {
		all.Go(func() {
			to := society.AgentID(fmt.Sprint("worker-", i+1))
			for range each {
				if _, err := t.r.Do(t.ctx, society.Send{To: to, Text: text}); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(begun)
}

// replay puts writes into bare bbolt, commit by commit, and returns how long that
// took.
func replay(b *testing.B, writes []storagetest.Write) time.Duration {
	b.Helper()
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "bare.db"), 0o600, &bbolt.Options{
		FreelistType: bbolt.FreelistMapType, NoFreelistSync: true, NoStatistics: true, InitialMmapSize: 1 << 30,
	})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	begun := time.Now()
	for len(writes) > 0 {
		n := slices.IndexFunc(writes, func(w storagetest.Write) bool { return w.Commit != writes[0].Commit })
		if n < 0 {
			n = len(writes)
		}
		batch := writes[:n]
		writes = writes[n:]
		err := db.Update(func(tx *bbolt.Tx) error {
			for _, w := range batch {
				bucket, err := tx.CreateBucketIfNotExists([]byte(w.Bucket))
				if err != nil {
					return err
				}
				if w.Value == nil {
					err = bucket.Delete([]byte(w.Key))
				} else {
					err = bucket.Put([]byte(w.Key), w.Value)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(begun)
}

// settled returns the path of a store with a settlement.
func settled(b *testing.B, s tablestest.Settlement) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "society.db")
	store, err := boltdb.Open(path)
	if err == nil {
		err = cmp.Or(s.Fill(store), store.Close())
	}
	if err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkStoreOfIdleAgents measures what each of 10,000 idle agents
// takes of the heap and of stacks, where each knows its parent, and where their
// parents know them as well.
func BenchmarkStoreOfIdleAgents(b *testing.B) {
	const agents = 10_000
	for name, children := range map[string]bool{"who know their parents": false, "and are known by them": true} {
		b.Run(name, func(b *testing.B) {
			path := settled(b, tablestest.Settlement{Agents: agents, Said: 1, Children: children})
			var heap, stack []float64
			eachRound(b, func() {
				before := memory()
				store, r := begin(b, path, agents)
				after := memory()
				heap = append(heap, (float64(after.HeapAlloc)-float64(before.HeapAlloc))/agents)
				stack = append(stack, (float64(after.StackInuse)-float64(before.StackInuse))/agents)
				goruntime.KeepAlive(r)
				if err := store.Close(); err != nil {
					b.Fatal(err)
				}
			})
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(slices.Sorted(slices.Values(heap))[len(heap)/2], "heap-B/agent")
			b.ReportMetric(slices.Sorted(slices.Values(stack))[len(stack)/2], "stack-B/agent")
		})
	}
}

func memory() goruntime.MemStats {
	goruntime.GC()
	goruntime.GC()
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return m
}

func begin(b *testing.B, path string, agents int) (*boltdb.Store, *runtime.Runtime) {
	b.Helper()
	store, err := boltdb.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	limits := societytest.Limits(agents)
	r, err := runtime.Open(runtime.Config{Store: store, Model: llmtest.Func("none", llmtest.Say("")), Limits: limits})
	if err != nil {
		b.Fatal(err)
	}
	return store, r
}

// BenchmarkStoreAtTheStart measures from nothing to usable with 1,000
// agents and 100,000 messages, beside bbolt reading all that is in the file.
func BenchmarkStoreAtTheStart(b *testing.B) {
	path := settled(b, tablestest.Settlement{Agents: 1000, Said: 100, Children: true})
	figures := map[string]*figure{"ms-start": {}, "ms-bbolt-reads-all": {}}
	eachRound(b, func() {
		begun := time.Now()
		store, _ := begin(b, path, 1000)
		figures["ms-start"].add(time.Since(begun))
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
		begun = time.Now()
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		err = db.View(func(tx *bbolt.Tx) error {
			return tx.ForEach(func(_ []byte, bucket *bbolt.Bucket) error {
				return bucket.ForEach(func(_, value []byte) error { n += len(value); return nil })
			})
		})
		if err != nil {
			b.Fatal(err)
		}
		figures["ms-bbolt-reads-all"].add(time.Since(begun))
		if err := db.Close(); err != nil || n < 100_000*200 {
			b.Fatal(n, err)
		}
	})
	report(b, figures)
	ratio(b, figures["ms-start"], figures["ms-bbolt-reads-all"])
}
