package runtime_test

import (
	"context"
	goruntime "runtime"
	"testing"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/society/societytest"
	"society-tui/runtime/tables/tablestest"
	"society-tui/storage/memdb"
)

// A thousand idle agents need as many goroutines as one. The test counts them, so it runs
// alone.
func TestAnIdleAgentHasNoGoroutine(t *testing.T) {
	const agents, few = 1000, 20
	store := memdb.New()
	if err := (tablestest.Settlement{Agents: agents, Said: 1, Children: true}).Fill(store); err != nil {
		t.Fatal(err)
	}
	before := goruntime.NumGoroutine()
	r, err := runtime.Open(runtime.Config{Store: store, Model: llmtest.Func("none", llmtest.Say("")), Limits: societytest.Limits(agents)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	w := r.Watch()
	defer w.Close()
	changes, err := w.Next(ctx)
	if err != nil || len(changes.Rows) != agents {
		t.Fatalf("%d rows of %d agents, %v", len(changes.Rows), agents, err)
	}
	if more := goruntime.NumGoroutine() - before; more > few {
		t.Errorf("%d idle agents have %d goroutines", agents, more)
	}
	leave()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}
