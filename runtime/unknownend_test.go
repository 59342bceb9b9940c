package runtime_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// boredServer ends its first answers, which have a text and a call, for a reason of its own.
func boredServer(t *testing.T, bored int64) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.NotFound(w, r)
			return
		}
		n := asked.Add(1)
		w.Header().Set("Content-Type", "text/event-stream")
		if n > bored {
			fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"done"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
			return
		}
		fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"content":"I look at the figures (%d)."}}]}`+"\n\n", n)
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"get_org","arguments":"{}"}}]}}]}`+"\n\n")
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"bored"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// An answer with calls that ends for an unknown reason is asked for once more. If that ends so too,
// its text stays, the word is named, and no call is run.
func TestACallIsNotRunIfItsAnswerEndsForAnUnknownReason(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bored, asked int64
		fails        bool
	}{
		"once":   {bored: 1, asked: 2},
		"always": {bored: 9, asked: 2, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, asked := boredServer(t, c.bored)
			model, err := chatapi.New(chatapi.Config{BaseURL: url, Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			defer model.Close()
			r, err := runtime.Open(runtime.Config{Store: memdb.New(), Model: model, Check: true})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			ended := make(chan error, 1)
			go func() { ended <- r.Run(ctx) }()
			if _, err := r.Do(ctx, society.Send{To: society.Root, Text: "go"}); err != nil {
				t.Fatal(err)
			}
			w := r.Watch()
			defer w.Close()
			failure, class := "", ""
			for rests := false; !rests; {
				changes, err := w.Next(ctx)
				if err != nil {
					t.Fatal(err)
				}
				for _, row := range changes.Rows {
					failure, class, rests = row.Error, row.ErrorClass, !row.State.Active() && row.Waiting == 0
				}
			}
			entries, err := r.Entries(ctx, society.Root, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			kept := ""
			for _, e := range entries.Entries {
				if e.Kind == conversation.Result || len(e.Calls) > 0 {
					t.Errorf("a call was taken: %+v", e)
				}
				if e.Kind == conversation.Aborted && e.Text != "" {
					kept += e.Text + e.Cause
				}
			}
			want := ""
			if c.fails {
				want = "I look at the figures (2)."
			}
			if n := asked.Load(); n != c.asked || !strings.HasPrefix(kept, want) || (kept != "") != c.fails || c.fails && !strings.Contains(kept, "(bored)") {
				t.Errorf("asked %d times, want %d; of the text is kept %q, want %q", n, c.asked, kept, want)
			}
			if c.fails != (strings.Contains(failure, "bored") && class == string(llm.Empty)) {
				t.Errorf("it failed with %q, class %q; want a failure: %t", failure, class, c.fails)
			}
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
