package registry

import (
	"context"
	"time"

	"society-tui/llm"
)

// probeTokens bounds the answer to a probe. A model that thinks first may spend
// all of it on that, and has answered nevertheless.
const probeTokens = 64

// Probe asks a model for one word and returns how long the answer took, or why there was
// none: an *llm.Error, or ctx's.
func Probe(ctx context.Context, m llm.Model) (took time.Duration, err error) {
	begun := time.Now()
	req := llm.Request{
		System:    "This is a test of the connection.",
		Messages:  []llm.Message{{Role: llm.User, Text: "Answer with the word ok, and nothing else."}},
		MaxTokens: probeTokens,
	}
	done := false
	for chunk, err := range m.Generate(ctx, req) {
		if err != nil {
			return time.Since(begun), err
		}
		done = done || chunk.Done
	}
	if !done {
		return time.Since(begun), &llm.Error{Class: llm.Overload, Text: "the answer ended early", Truncated: true}
	}
	return time.Since(begun), nil
}
