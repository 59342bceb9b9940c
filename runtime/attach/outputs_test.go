package attach_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
)

// A chatter is a tool whose calls write what they are given until they are let go.
type chatter struct {
	mu    sync.Mutex
	write map[string]func([]byte) // by agent
	over  chan struct{}
}

func (*chatter) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: "talk", Purpose: "Talk.", Class: tool.ClassRead, Group: tool.Read}
}

func (k *chatter) Call(ctx context.Context, by tool.Caller, _ json.RawMessage) (tool.Result, error) {
	k.mu.Lock()
	k.write[by.Agent] = by.Output
	k.mu.Unlock()
	select {
	case <-k.over:
	case <-ctx.Done():
	}
	return tool.Result{Text: "said"}, nil
}

func (k *chatter) says(agent society.AgentID, text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.write[string(agent)]([]byte(text))
}

func openTalking(t *testing.T) (*host, *chatter) {
	t.Helper()
	k := &chatter{write: map[string]func([]byte){}, over: make(chan struct{})}
	model := llmtest.Func("talking", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		if req.Messages[len(req.Messages)-1].Role == llm.Tool {
			return llmtest.Say("well")(ctx, req)
		}
		return llmtest.CallTools(llm.Call{Name: "talk", Arguments: "{}"})(ctx, req)
	})
	h := &host{TB: t, store: memdb.New(), model: model, change: func(cfg *runtime.Config) { cfg.Tools = []tool.Tool{k} }}
	h.start()
	return h, k
}

// sameOutputs checks that a client shows the end of the outputs that there are.
func (h *host) sameOutputs(c *attach.Client, id society.AgentID) {
	h.Helper()
	want, got := h.society.Outputs(id), c.Outputs(id)
	for _, all := range [][]api.Output{want, got} {
		for i := range all {
			all[i].Begun, all[i].Last = all[i].Begun.Round(0).UTC(), all[i].Last.Round(0).UTC()
		}
	}
	if !slices.Equal(got, want) {
		h.Errorf("Outputs(%s) of the client are %.300v, want %.300v", id, fmt.Sprint(got), fmt.Sprint(want))
	}
}

func TestOutputOfAWatchedAgentIsShownAlsoAfterACut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, k := openTalking(t)
		defer h.leave()
		c := h.connect()
		defer c.Close()
		do(t, h, society.Send{To: society.Root, Text: "go"})
		settle()
		c.Outputs(society.Root) // it is watched from now on
		settle()
		for i := range 200 {
			line := strings.Repeat(fmt.Sprintf("字 line %d\x1b[31m\n", i), 1+i%40)
			k.says(society.Root, line[:len(line)-i%7]) // in the middle of a sequence, too
			if i == 120 {
				h.cut()
			}
			time.Sleep(30 * time.Millisecond)
			if i%10 == 9 {
				settle()
				h.sameOutputs(c, society.Root)
			}
		}
		k.says(society.Root, "\xff\xfe binary ")
		settle()
		k.says(society.Root, "and more")
		settle()
		if all := c.Outputs(society.Root); !strings.HasSuffix(all[0].Text, "\ufffd binary and more") || len(all[0].Text) < 1000 {
			t.Errorf("of what is not UTF-8 the client has %q", all[0].Text)
		}
		close(k.over)
		settle()
		h.sameOutputs(c, society.Root)
		if all := c.Outputs(society.Root); len(all) != 0 {
			t.Errorf("behind the result there is %v", all)
		}
	})
}

// What a call has written that went while the client was away is not shown any more.
func TestOutputThatWentDuringACutIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, k := openTalking(t)
		defer h.leave()
		c := h.connect()
		defer c.Close()
		do(t, h, society.Send{To: society.Root, Text: "go"})
		settle()
		c.Outputs(society.Root)
		k.says(society.Root, "text")
		settle()
		h.sameOutputs(c, society.Root)
		if len(c.Outputs(society.Root)) != 1 {
			t.Fatal("the client has no output")
		}
		h.cut()
		close(k.over)
		settle()
		time.Sleep(3 * time.Second)
		if all := c.Outputs(society.Root); len(all) != 0 {
			t.Errorf("after the cut there is %v", all)
		}
	})
}

// Of agents that are not watched nothing is sent, and a flood costs a frame no more than
// what is kept.
func TestFloodIsSentToWatchersInBoundedFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, k := openTalking(t)
		defer h.leave()
		role := do(t, h, society.MakeRole{Name: "helper", Prompt: "You help."}).Role
		other := do(t, h, society.Spawn{Parent: society.Root, Role: role, Text: "go"}).Agent
		do(t, h, society.Send{To: society.Root, Text: "go"})
		settle()
		c := h.connect()
		defer c.Close()
		c.Outputs(society.Root)
		settle()
		before := h.sent()
		const frames = 100
		for range frames {
			for range 20 {
				k.says(society.Root, strings.Repeat("yes ", 8<<10))
				k.says(other, strings.Repeat("no ", 8<<10))
			}
			time.Sleep(50 * time.Millisecond)
		}
		settle()
		h.sameOutputs(c, society.Root)
		if sent := h.sent() - before; sent > 2*frames*api.OutputKept {
			t.Errorf("%d bytes were sent of a flood of %d", sent, frames*20*(32<<10))
		}
	})
}

func TestProcessIsEndedByAnAttachedScreenUnlessItLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("scripted"))
		defer h.leave()
		for _, look := range []bool{false, true} {
			c := h.connect(func(cfg *attach.Config) { cfg.Look = look })
			err := c.EndProcess(t.Context(), society.Root, "p 1/ä")
			if want := map[bool]error{false: api.ErrNoProcess, true: api.ErrLookOnly}[look]; !errors.Is(err, want) {
				t.Errorf("EndProcess of a screen that only looks (%t) = %v, want %v", look, err, want)
			}
			c.Close()
		}
	})
}
