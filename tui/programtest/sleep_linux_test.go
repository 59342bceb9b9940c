package programtest

import (
	"context"
	"iter"
	"strings"
	"syscall"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

// The machine sleeps during a stream, for longer than the endpoint's idle
// timeout and a delayed message. On waking all timers expire at once: answer
// and message arrive once, and the user is notified once that all agents are
// idle.
func TestProgramContinuesAfterTheMachineSleptDuringAStream(t *testing.T) {
	t.Parallel()
	const sleep = 3 * time.Second
	for name, speaks := range map[string]bool{"the endpoint goes on meanwhile": true, "the endpoint is gone": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asleep := make(chan struct{})
			half := func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
				return func(yield func(llm.Chunk, error) bool) {
					if !yield(llm.Chunk{Text: "One half "}, nil) {
						return
					}
					if !speaks {
						<-ctx.Done()
						yield(llm.Chunk{}, ctx.Err())
						return
					}
					<-asleep
					_ = yield(llm.Chunk{Text: "and the other."}, nil) && yield(llm.Chunk{Done: true, Finish: llm.FinishStop}, nil)
				}
			}
			c := newCast(t).plays("root",
				llmtest.CallTools(call("send_message", map[string]any{"to": "user", "payload": "It is time.", "delayMs": 1000})),
				half, llmtest.Say("One half and the other."), // if it retries
			)
			h := newHome(t, `notify = "always"`, `notify_by = "osc9"`, "[model]", `idle_timeout = "2s"`)
			h.env = append(h.env, "OPENAI_BASE_URL="+c.server.URL, "SOCIETY_MODEL=cast")
			x := h.open(100, 40).opened()
			x.write("begin")
			x.press("enter")
			x.sees("One half")
			x.signal(syscall.SIGSTOP)
			x.stops(true)
			close(asleep)
			<-time.After(sleep)
			x.signal(syscall.SIGCONT)
			const rest = "\x1b]9;society-tui: All agents are idle\a"
			x.writes(rest)
			rows := x.until("both texts answered", func(rows []string) bool {
				return stands(rows, "One half and the other.") && stands(rows, "It is time.") && !stands(rows, " unread")
			})
			for _, text := range []string{"One half", "It is time."} {
				if n := count(rows, text); n != 1 {
					t.Errorf("%q is there %d times:\n%s", text, n, strings.Join(rows, "\n"))
				}
			}
			x.quit()
			if n := strings.Count(x.written(), rest); n != 1 {
				t.Errorf("told %d times that all are at rest", n)
			}
			if asked := c.asked("root"); asked > 3 || !speaks && asked != 3 {
				t.Errorf("the model was asked %d times", asked)
			}
			c.sound()
			h.left(true)
		})
	}
}
