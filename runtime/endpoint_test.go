package runtime_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/chatapi"
	"society-tui/llm/demo"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage/boltdb"
	"society-tui/storage/memdb"
)

// patience guards against hanging, on the slowest machine too; nothing here is a timed
// test.
const patience = 2 * time.Minute

// quiet waits until no agent works and the user has an answer to the task.
func quiet(t *testing.T, r *runtime.Runtime) []api.InboxMessage {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := r.Watch()
	defer w.Close()
	rows := map[society.AgentID]api.Row{}
	for {
		c, err := w.Next(ctx)
		if err != nil {
			t.Fatalf("the society does not come to rest: %v; %+v", err, rows)
		}
		for _, row := range c.Rows {
			rows[row.ID] = row
		}
		for _, id := range c.Gone {
			delete(rows, id)
		}
		busy := false
		for _, row := range rows {
			busy = busy || row.State.Active() || row.Waiting > 0
		}
		if busy {
			continue
		}
		inbox, err := r.Inbox(ctx, api.InboxQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(inbox, func(m api.InboxMessage) bool { return !m.Note }) {
			return inbox
		}
	}
}

// S001 P1, P14 and the issue's own end: seen by the server at the other side.
func TestAStopClosesTheConnectionsAtTheEndpoint(t *testing.T) {
	t.Parallel()
	c := newCast().plays("root", spawning(3), llmtest.Say("asked"))
	for _, who := range []string{"worker-1", "worker-2", "worker-3"} {
		c.plays(who, llmtest.HangAfter("I begin"))
	}
	server := llmtest.StartStrict(t, llmtest.Strict{Answer: c.answer})
	model, err := chatapi.New(chatapi.Config{BaseURL: server.URL, Model: "strict"})
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
	// Two of root, and one each of three workers that never end.
	if err := server.Await(ctx, func(c llmtest.Counts) bool { return c.Begun == 5 && c.Running == 3 }); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if _, err := r.Do(ctx, society.Stop{Agent: society.Root}); err != nil {
		t.Fatal(err)
	}
	if err := server.Await(ctx, func(c llmtest.Counts) bool { return c.Running == 0 }); err != nil {
		t.Fatal(err)
	}
	t.Logf("stop to last connection closed at the server: %v", time.Since(begun))
	if n := server.Counts().Begun; n != 5 {
		t.Fatalf("%d requests were begun after the stop", n-5)
	}
	if v := server.Violations(); len(v) > 0 {
		t.Fatalf("the server refuses histories: %v", v)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// The main job: each example of the offline model leads a society to an answer,
// in each language, and what is stored of it is sound.
func TestTheOfflineModelLeadsASocietyToAnAnswer(t *testing.T) {
	t.Parallel()
	for _, lang := range protocol.Langs() {
		for i, request := range demo.Examples(string(lang)) {
			t.Run(string(lang)+string(rune('1'+i)), func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "society.db")
				synctest.Test(t, func(t *testing.T) { answered(t, path, lang, request) })
				store, err := boltdb.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer store.Close()
				if err := runtime.Check(store); err != nil {
					t.Fatalf("the store is not sound: %v", err)
				}
			})
		}
	}
}

func answered(t *testing.T, path string, lang protocol.Lang, request string) {
	t.Helper()
	model, err := demo.New(demo.Config{})
	if err != nil {
		t.Fatal(err)
	}
	store, err := boltdb.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	r, err := runtime.Open(runtime.Config{Store: store, Model: model, Lang: lang, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	if _, err := r.Do(ctx, society.Send{To: society.Root, Text: request}); err != nil {
		t.Fatal(err)
	}
	inbox := quiet(t, r)
	if quick := inbox[0].Quick; len(quick) > 0 { // it asks before it begins
		if _, err := r.Do(ctx, society.Send{To: society.Root, Text: quick[0]}); err != nil {
			t.Fatal(err)
		}
		inbox = quiet(t, r)
	}
	last := inbox[len(inbox)-1]
	if last.From != society.Root || last.Note || !strings.ContainsAny(last.Body, "0123456789") || !strings.Contains(last.Body, "#") {
		t.Errorf("the answer is no result: %+v", last)
	}
	t.Logf("%s\n", last.Body)
	w := r.Watch()
	defer w.Close()
	if c, err := w.Next(ctx); err != nil || len(c.Rows) < 3 {
		t.Errorf("%d agents were at work (%v)", len(c.Rows), err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
