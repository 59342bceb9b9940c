package api_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// replying is a society that answers every command alike.
type replying struct {
	api.Society
	reply society.Reply
	err   error
}

func (s replying) Do(context.Context, society.Command) (society.Reply, error) { return s.reply, s.err }

func TestDoReturnsTheReplyOfTheCommand(t *testing.T) {
	t.Parallel()
	sent, err := api.Do(t.Context(), replying{reply: society.Sent{Message: "m1"}}, society.Send{To: society.Root, Text: "go"})
	if err != nil || sent.Message != "m1" {
		t.Errorf("Do(Send) = %+v, %v", sent, err)
	}
	refused := errors.New("refused")
	if _, err := api.Do(t.Context(), replying{err: refused}, society.Rename{Agent: society.Root}); !errors.Is(err, refused) {
		t.Errorf("Do(Rename) of a society that refuses = %v, want %v", err, refused)
	}
}

// A client may be older than the society that it asks.
func TestDoRefusesTheReplyOfAnotherCommand(t *testing.T) {
	t.Parallel()
	for _, reply := range []society.Reply{nil, society.Done{}} {
		_, err := api.Do(t.Context(), replying{reply: reply}, society.Stop{Agent: society.Root})
		if err == nil || !strings.Contains(err.Error(), "society.Stop was answered with") {
			t.Errorf("Do(Stop) with the reply %T = %v", reply, err)
		}
	}
}
