package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/runtime"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// The benchmark of turns prints what one turn of root takes in a society in memory, with
// a model that answers at once and a watcher as the screen has one:
//
//	go test -run '^$' -bench Turn ./runtime

// A quick model answers at once: to a text that holds look with a call of the
// tool, to everything else with its pieces.
type quickModel struct{ pieces []string }

func (*quickModel) Name() string { return "prompt" }

func (m *quickModel) Generate(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		last := req.Messages[len(req.Messages)-1]
		if last.Role == llm.User && strings.Contains(last.Text, "look") {
			id := fmt.Sprintf("call-%d", len(req.Messages))
			yield(llm.Chunk{Done: true, Finish: llm.FinishStop, Calls: []llm.Call{{ID: id, ProviderID: id, Name: "look", Arguments: `{"at":"lid"}`}}}, nil)
			return
		}
		for i, piece := range m.pieces {
			c := llm.Chunk{Text: piece, Done: i == len(m.pieces)-1}
			if c.Done {
				c.Finish = llm.FinishStop
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// lookTool is a tool that takes no time.
type lookTool struct{}

func (lookTool) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{
		Name: "look", Purpose: "Looks at something.", Class: tool.ClassRead, Group: tool.Read,
		Parameters: []tool.Property{tool.Must("at", tool.Text(""))},
	}
}

func (lookTool) Call(context.Context, tool.Caller, json.RawMessage) (tool.Result, error) {
	return tool.Result{Text: "a hinge"}, nil
}

// A conversant is a running society whose root has turns.
type conversant struct {
	r    *runtime.Runtime
	w    *runtime.Watcher
	quit func()
}

func newConversant(tb testing.TB, store storage.Store, model llm.Model) *conversant {
	tb.Helper()
	r, err := runtime.Open(runtime.Config{Store: store, Model: model, Tools: []tool.Tool{lookTool{}}})
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t := &conversant{r: r, w: r.Watch()}
	t.quit = func() {
		t.w.Close()
		cancel()
		if err := <-ended; err != nil {
			tb.Error(err)
		}
	}
	return t
}

// turn writes to root and looks on, as the screen does, until it rests.
func (t *conversant) turn(tb testing.TB, text string) {
	if _, err := t.r.Do(tb.Context(), society.Send{To: society.Root, Text: text}); err != nil {
		tb.Fatal(err)
	}
	for {
		c, err := t.w.Next(tb.Context())
		if err != nil {
			tb.Fatal(err)
		}
		if len(c.Streaming) > 0 {
			t.r.Draft(society.Root)
		}
		for _, row := range c.Rows {
			if row.ID == society.Root && row.State == society.Idle {
				return
			}
		}
	}
}

func BenchmarkTurn(b *testing.B) {
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprintf("word %d of it ", i)
	}
	for _, kind := range []struct {
		name, text string
		pieces     []string
		history    int
	}{
		{"plain", "Say something, please.", many[:1], 0},
		{"tool", "Please look at the lid.", many[:1], 0},
		{"tool and 100 chunks", "Please look at the lid.", many, 0},
		{"plain at 200 messages", "Say something, please.", many[:1], 200},
	} {
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			for begun := 0; begun < b.N; {
				b.StopTimer()
				t := newConversant(b, memdb.New(), &quickModel{kind.pieces})
				for range 1 + kind.history/2 {
					t.turn(b, "Say something, please.")
				}
				b.StartTimer()
				for n := 0; n < 20 && begun < b.N; n++ {
					t.turn(b, kind.text)
					begun++
				}
				b.StopTimer()
				t.quit()
			}
		})
	}
}
