package programtest

import (
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

// Problems are shown in place of the answer: that it was aborted, the cause of
// an error, the number of attempts, and the time of the next one.
func TestProblemsOfAnAnswerAreShown(t *testing.T) {
	t.Parallel()
	busy := llmtest.Fail(&llm.Error{Class: llm.Overload, Status: 503, Text: "out of breath", RetryAfter: 9 * time.Minute})
	nothing := llmtest.Say("")
	refused := llmtest.Fail(&llm.Error{Class: llm.Invalid, Status: 400, Text: "no such model"})
	c := newCast(t)
	c.plays("root", llmtest.CallTools(spawn("lead", 3)...))
	c.plays("lead-1", busy).plays("lead-2", refused).plays("lead-3", nothing, nothing)
	x := c.open(120, 36, "root")

	x.talkTo("root")
	x.sees("root-says-3")
	x.press("esc", "esc")
	x.states("‖ root")
	x.sees("■ cancelled", "root-says-3")

	x.talkTo("lead-1")
	x.sees("↻ retry 1/3", "out of breath", "next try in 8m")

	x.talkTo("lead-2")
	x.states("✗ lead-2")
	x.sees("✗ error", "no such model (tried once: asking again")

	x.talkTo("lead-3")
	x.states("✗ lead-3")
	x.sees("✗ error", "tried 2 times")
	c.sound()
}
