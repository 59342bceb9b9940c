package runtime

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// SPEC.md, decision 24: a rule that panics costs the command that broke it and pauses its
// agent; what was in the same batch is carried out.
func TestARuleThatPanicsCostsOnlyItsCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.Script("scripted", llmtest.Say("this breaks it"), llmtest.Say("this does not"))
		r, err := Open(Config{Store: memdb.New(), Model: model, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		broken := false
		r.advance = func(s *society.State, at time.Time, cmd society.Command) ([]society.Event, society.Reply, error) {
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
		inbox, err := r.Inbox(ctx, api.InboxQuery{})
		if err != nil || len(inbox) != 1 || inbox[0].Body != "this does not" {
			t.Fatalf("the person got %+v (%v)", inbox, err)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}

// The same holds while nothing is saved: the loop goes on, and what was ended
// before stays ended.
func TestARuleThatPanicsInAnOutageCostsOnlyItsVerb(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := storagetest.NewFaulty(memdb.New())
		model := llmtest.Script("scripted", llmtest.Hang())
		r, err := Open(Config{Store: store, Model: model, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		broken := false
		r.advance = func(s *society.State, at time.Time, cmd society.Command) ([]society.Event, society.Reply, error) {
			events, reply, err := s.Advance(at, cmd)
			if _, ok := cmd.(society.Interrupt); ok && !broken {
				broken = true
				panic("a rule is broken")
			}
			return events, reply, err
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		do := func(cmd society.Command) error {
			_, err := r.Do(ctx, cmd)
			return err
		}
		if err := do(society.Send{To: society.Root, Text: "go"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		store.FailAll(errors.New("the disk is full"))
		if err := do(society.Send{To: society.Root, Text: "lost"}); err == nil {
			t.Fatal("a message was saved on a full disk")
		}
		if err := do(society.Stop{Agent: society.Root}); err != nil {
			t.Fatal(err)
		}
		if err := do(society.Interrupt{Agent: society.Root}); err == nil || !broken {
			t.Fatalf("a broken rule came to %v", err)
		}
		store.Heal()
		time.Sleep(time.Minute)
		var status society.Status
		if err := r.inLoop(ctx, func(s *society.State) { status = s.Agent(society.Root).Status }); err != nil {
			t.Fatal(err)
		}
		if status != society.Stopped || model.Running() != 0 {
			t.Errorf("root is %s and %d calls run", status, model.Running())
		}
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}
