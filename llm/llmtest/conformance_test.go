package llmtest

import (
	"testing"

	"society-tui/llm"
)

func TestScriptedKeepsThePromisesOfAModel(t *testing.T) {
	t.Parallel()
	RunScripted(t, func(_ *testing.T, answer Answer) llm.Model { return Func("actor", answer) })
}
