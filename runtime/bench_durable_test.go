package runtime_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables/tablestest"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/storagetest"
)

// glance is a tool that reads, at once.
type glance struct{}

func (glance) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: "glance", Purpose: "Look.", Class: tool.ClassRead, Group: tool.Read}
}

func (glance) Call(context.Context, tool.Caller, json.RawMessage) (tool.Result, error) {
	return tool.Result{Text: strings.Repeat("seen ", 40)}, nil
}

// glances is a model that calls the tool and then answers. Unlike those of llmtest it
// does not look at what it is asked.
type glances struct{}

func (glances) Name() string { return "glances" }

func (glances) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	if last := req.Messages[len(req.Messages)-1]; last.Role == llm.Tool {
		return llmtest.Say(strings.Repeat("word ", 40))(ctx, req)
	}
	return llmtest.CallTools(llm.Call{ID: fmt.Sprint("call-", len(req.Messages)), Name: "glance", Arguments: "{}"})(ctx, req)
}

// BenchmarkDurableTurns measures turns with a tool, from the user's message until a
// watcher sees the agent idle, of one agent and of 64 at once, as rates. Beside it bare
// bbolt writes the same, commit by commit.
func BenchmarkDurableTurns(b *testing.B) {
	for _, c := range []struct{ agents, each int }{{1, 100}, {64, 10}} {
		b.Run(fmt.Sprint("agents-", c.agents), func(b *testing.B) {
			var ours, bare figure
			var commits float64
			eachRound(b, func() {
				ours.add(durableTurns(b, onFile(b), c.agents, c.each))
				recorder := storagetest.NewRecorder(onFile(b))
				durableTurns(b, recorder, c.agents, c.each)
				writes := recorder.Writes()
				from := slices.IndexFunc(writes, func(w storagetest.Write) bool { return w.Bucket == "mail" })
				commits = float64(recorder.Commits()-writes[from].Commit+1) / float64(c.agents*c.each)
				bare.add(replay(b, writes[from:]))
			})
			n := float64(c.agents * c.each)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(n/ours.median().Seconds(), "turns/s")
			b.ReportMetric(n/bare.median().Seconds(), "bbolt/s")
			b.ReportMetric(commits, "commits/turn")
		})
	}
}

// durableTurns returns how long so many agents take for so many turns each.
func durableTurns(b *testing.B, store storage.Store, agents, each int) time.Duration {
	b.Helper()
	const slots = 4 // of a turn: the message, the call, its result, the answer
	if err := (tablestest.Settlement{Agents: agents + 1, Children: true}).Fill(store); err != nil {
		b.Fatal(err)
	}
	r, err := runtime.Open(runtime.Config{Store: store, Model: glances{}, ModelCalls: agents, Tools: []tool.Tool{glance{}}})
	if err != nil {
		b.Fatal(err)
	}
	ctx, leave := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	rests := map[society.AgentID]chan uint64{} // each told where the conversation ends
	for i := range agents {
		rests[society.AgentID(fmt.Sprintf("worker-%06d", i+1))] = make(chan uint64, 2*each)
	}
	go func() {
		w := r.Watch()
		defer w.Close()
		for {
			changes, err := w.Next(ctx)
			if err != nil {
				return
			}
			for _, row := range changes.Rows {
				if rest := rests[row.ID]; rest != nil && row.State == society.Idle && row.Next%slots == 0 {
					rest <- row.Next
				}
			}
		}
	}()
	var all sync.WaitGroup
	begun := time.Now()
	for id, rest := range rests {
		all.Go(func() {
			for n := range each {
				if _, err := r.Do(ctx, society.Send{To: id, Text: strings.Repeat("do ", 60)}); err != nil {
					b.Error(err)
					return
				}
				for <-rest < uint64(n+1)*slots {
				}
			}
		})
	}
	all.Wait()
	took := time.Since(begun)
	leave()
	if err := cmp.Or(<-ended, store.Close()); err != nil {
		b.Error(err)
	}
	return took
}
