package demo_test

import (
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/demo/mind"
	"society-tui/llm/demo/prose"
)

func BenchmarkThinkHuge(b *testing.B) {
	text := strings.Repeat("很长的句子没有尽头", 2000)
	req := llm.Request{
		System:   "You are agent critic-1, role \"Critic\", in a society of AI agents led by a person.",
		Messages: []llm.Message{{Role: llm.User, Text: "[Message from the user]\n" + text}}, Tools: orgTools(),
	}
	for b.Loop() {
		mind.Think(req)
	}
}

func BenchmarkFind(b *testing.B) {
	for name, text := range map[string]string{"zh": strings.Repeat("很长的句子没有尽头。", 20000), "en": strings.Repeat("We have 40 guests in May, and the hall was rented by Friday if it is free. ", 8000)} {
		for _, s := range prose.Skills() {
			b.Run(name+" "+string(s), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					prose.Find(s, text)
				}
			})
		}
	}
}

func BenchmarkThinkMegabytes(b *testing.B) {
	for name, text := range map[string]string{
		"words":    strings.Repeat("We have 40 guests in May, and the hall was rented by Friday if it is free. ", 60000),
		"question": strings.Repeat("who and ", 600000) + "?",
	} {
		b.Run(name, func(b *testing.B) {
			req := llm.Request{
				System:   "You are agent root, role \"root\", in a society of AI agents led by a person.",
				Messages: []llm.Message{{Role: llm.User, Text: "[Message from the user]\n" + text}}, Tools: orgTools(),
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				mind.Think(req)
			}
		})
	}
}
