package society

import (
	"strings"
	"testing"

	"society-tui/runtime/conversation"
	"society-tui/runtime/tool/org"
)

// A message weighs what the model of its recipient is sent of it, also where the
// recipient is made by the same call.
func TestAMessageWeighsWhatItsRecipientIsSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.s.SetModels([]string{"big", "small"}, nil)
	w.s.SetWindow(func(model, _ string) int { return map[string]int{"": 128_000, "small": 8_192}[model] })
	text := strings.Repeat("many words, ", 10_000)
	w.must(MakeRole{Name: "clerk", Prompt: "Work."})
	w.must(ChooseModel{Role: "role-clerk", Model: "small"})
	weighs := func(to AgentID) int {
		t.Helper()
		for _, e := range w.last {
			if e, ok := e.(MessageQueued); ok && e.To == to {
				return e.Mail.Weight
			}
		}
		t.Fatalf("nothing was sent to %s", to)
		return 0
	}
	w.send(Root, text)
	if got, whole := weighs(Root), conversation.Weigh(text); got < whole {
		t.Errorf("for root it weighs %d, the text %d", got, whole)
	}
	const part = 8_192/4 + 8 // tokens: a quarter of the window, and the header
	w.calling(Root, w.call(org.SpawnAgent, object{"roleId": "role-clerk", "taskBrief": brief(), "initialMessage": text}))
	made := weighs("clerk-1")
	w.send("clerk-1", text)
	for _, got := range []int{made, weighs("clerk-1")} {
		if got > part || got < part*3/4 {
			t.Errorf("for clerk-1 it weighs %d, at most %d is sent", got, part)
		}
	}
}
