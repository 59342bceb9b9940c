package runtime

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// oneSlowCommit takes a second for the next commit.
type oneSlowCommit struct {
	storage.Store
	next bool
}

func (s *oneSlowCommit) Update(f func(storage.Tx) error) error {
	if s.next {
		s.next = false
		time.Sleep(time.Second)
	}
	return s.Store.Update(f)
}

// Whatever a rule refuses in the end, the work that was cut for it goes on.
func TestWorkThatWasCutForARefusedVerbIsBegunAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &oneSlowCommit{Store: memdb.New()}
		model := llmtest.Script("scripted", llmtest.Hang(), llmtest.Say("here I am again"))
		r, err := Open(Config{Store: store, Model: model, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		no := &society.Refusal{Code: society.LimitReached, Why: protocol.Because(protocol.SpawnsAtMost, 3)}
		r.advance = func(s *society.State, at time.Time, cmd society.Command) ([]society.Event, society.Reply, error) {
			if _, ok := cmd.(society.Interrupt); ok {
				return nil, nil, no
			}
			return s.Advance(at, cmd)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		if _, err := r.Do(ctx, society.Send{To: society.Root, Text: "go"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		store.next = true
		kept := make(chan error, 1)
		go func() {
			_, err := r.Keep(ctx, map[string]api.Value{"something": {}})
			kept <- err
		}()
		synctest.Wait()
		if _, err := r.Do(ctx, society.Interrupt{Agent: society.Root}); err != no { //nolint:errorlint // Do returns it bare
			t.Fatalf("the interrupt came to %v", err)
		}
		time.Sleep(time.Minute)
		inbox, err := r.Inbox(ctx, api.InboxQuery{})
		if err != nil || len(inbox) != 1 || inbox[0].Body != "here I am again" {
			t.Fatalf("the person got %+v (%v)", inbox, err)
		}
		cancel()
		if err := <-ended; err != nil || <-kept != nil {
			t.Fatal(err)
		}
	})
}
