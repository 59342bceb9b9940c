package runtime

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// spec/decisions.md 24: a rule that panics costs the command that broke it and
// pauses its agent; what was in the same batch is carried out.
func TestARuleThatPanicsCostsOnlyItsCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.Script("scripted", llmtest.Say("this breaks it"), llmtest.Say("this does not"))
		r, err := Open(Config{Store: memdb.New(), Model: model, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		broken := false
		r.advance = func(s *society.State, at time.Time, cmd society.Command) ([]society.Event, any, error) {
			events, reply, err := s.Advance(at, cmd)
			if _, ok := cmd.(society.Answered); ok && !broken {
				broken = true
				panic("a rule is broken") // half done: the events were applied
			}
			return events, reply, err
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		if _, err := r.Do(ctx, society.Send{To: society.Root, Text: "go"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		var a society.Agent
		if err := r.inLoop(ctx, func(s *society.State) { a = *s.Agent(society.Root) }); err != nil {
			t.Fatal(err)
		}
		if a.Paused != society.Quarantined || a.Turn == nil || len(model.Requests()) != 1 {
			t.Fatalf("root is %s, paused %q, after %d requests", a.Status, a.Paused, len(model.Requests()))
		}
		if _, err := r.Do(ctx, society.Resume{Agent: society.Root}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		inbox, err := r.Inbox(ctx, 0)
		if err != nil || len(inbox) != 1 || inbox[0].Body != "this does not" {
			t.Fatalf("the person got %+v (%v)", inbox, err)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}
