package programtest

import (
	"context"
	"iter"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

// Pausing an agent in a graph ends the current node, and the agent continues
// with the next one; the inspector shows where that is.
func TestPausedAgentInAGraphContinuesWithTheNextNode(t *testing.T) {
	t.Parallel()
	written := make(chan struct{})
	first := llmtest.When(written, llmtest.Say("This is the first draft."))
	asked := make(chan llmtest.Answer, 1)
	asked <- first
	server := llmtest.StartStrict(t, llmtest.Strict{Answer: func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		select {
		case answer := <-asked:
			return answer(ctx, req)
		default: // a review, a judgement and a final text
			return llmtest.Say("No fault is left in it.")(ctx, req)
		}
	}})
	h := newHome(t, "[model]")
	h.env = append(h.env, "OPENAI_BASE_URL="+server.URL, "SOCIETY_MODEL=cast")
	x := h.open(160, 45, "--template", "write").opened()
	x.sees("Author")
	x.talkTo("Author")
	x.write("Write a note about tea.")
	x.press("enter")
	x.states("⠿ Author")
	x.sees("Draft (1/12)")

	x.press("ctrl+x")
	x.sees("p pause")
	x.press("p")
	x.states("¦ Author")
	x.sees("Author will pause after the current step", "pausing…")
	if n := server.Counts().Begun; n != 1 {
		t.Errorf("the model was asked %d times before the pause", n)
	}
	close(written)
	x.states("‖ Author")
	x.sees("This is the first draft.", "paused: as asked")
	x.press("alt+3")
	x.sees("▌Inspector")
	x.press("5")
	x.sees("▌Graph", "draft-review", "node 2 of 12", "paused before Review", "✓ Draft", "‖ Review")
	if n := server.Counts().Begun; n != 1 {
		t.Errorf("the model was asked %d times while the agent was paused", n)
	}

	x.press("ctrl+x", "r")
	x.sees("completed", "✓ Final text", "no · Draft", "3 of 12 nodes")
	x.press("z")
	rows := x.sees("╒", "✓ Review ×1", "↺ a Draft", "a Review → Draft", "no 1")
	if stands(rows, "Author → own notes") {
		t.Error("the inspector does not fill the screen")
	}
	x.press("z", "alt+2")
	rows = x.sees("own notes · Draft", "own notes · Review", "you · Final text")
	_, said := panes(rows)
	for _, row := range said {
		if row, _, _ = strings.Cut(row, "│"); strings.Contains(row, "Does the newest review name") { // before the inspector
			t.Errorf("what is judged stands in the conversation:\n%s", strings.Join(rows, "\n"))
		}
	}
	if v := server.Violations(); len(v) > 0 {
		t.Errorf("the requests are not legal: %v", v)
	}
	x.quit()
}
