package runtime_test

import (
	"context"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// Thoughts that are shown, and those that an endpoint only counts.
func TestAnAnswerOfThoughtsUpToItsLimitIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	counted := llm.Usage{InputTokens: 10, OutputTokens: 30, ReasoningTokens: 30}
	for name, answer := range map[string]llmtest.Answer{
		"shown":   llmtest.Chunks(llm.Chunk{Reasoning: "hm"}, llm.Chunk{Done: true, Finish: llm.FinishLength}),
		"counted": llmtest.Chunks(llm.Chunk{Done: true, Finish: llm.FinishLength, Usage: counted}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			askedOnce(t, answer)
		})
	}
}

// askedOnce holds that an answer of thoughts alone is named as that, not asked for again, and
// counted.
func askedOnce(t *testing.T, answer llmtest.Answer) {
	t.Helper()
	server := llmtest.StartStrict(t, llmtest.Strict{Answer: answer})
	model, err := chatapi.New(chatapi.Config{BaseURL: server.URL, Model: "strict"})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	r, err := runtime.Open(runtime.Config{Store: memdb.New(), Model: model, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	w := r.Watch()
	defer w.Close()
	if _, err := r.Do(ctx, society.Send{To: society.Root, Text: "go"}); err != nil {
		t.Fatal(err)
	}
	for said := ""; said == ""; {
		c, err := w.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range c.Rows {
			said = row.Error
		}
		if said != "" && !strings.Contains(said, "max_tokens") {
			t.Errorf("it is told as %q", said)
		}
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
	cancel()
	<-ended
}
