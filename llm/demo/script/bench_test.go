package script_test

import (
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/demo/script"
)

// What is read of a text is bounded, so a megabyte takes no longer than its copying.
func BenchmarkAnswer(b *testing.B) {
	for name, text := range map[string]string{
		"one line":  strings.Repeat("很长的句子没有尽头", 200000),
		"sentences": strings.Repeat("We have 40 guests in May, and the hall was rented by Friday if it is free. ", 60000),
		"question":  strings.Repeat("who and ", 600000) + "?",
		"lines":     strings.Repeat("Report on “x”\n- 1: 2\n\n", 200000),
	} {
		for _, id := range []string{"root", "planner-1"} {
			b.Run(name+" "+id, func(b *testing.B) {
				req := llm.Request{
					System:   "You are agent " + id + ", role \"Planner\", in a society of AI agents led by a person.",
					Messages: []llm.Message{{Role: llm.User, Text: "[Message from the user]\n" + text}}, Tools: orgTools(),
				}
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					script.Answer(req)
				}
			})
		}
	}
}
