package llmmodel_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/demo"
	"society-tui/llm/llmtest"
	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
	"society-tui/runtime/graph/execute/llmmodel"
)

// A chat whose answer is reviewed, by the offline model that is built in.
func Example() {
	offline, err := demo.New(demo.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := graph.New("chat-and-review").
		AddLLMNode("chat", "Chat", "", nil, "You are a helpful assistant.").
		AddLLMNode("review", "Review", "", nil, "You review the answer.").
		AddEdge("chat", "review").
		SetEntryPoint("chat").
		SetEndPoints([]string{"review"}).
		Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	streamed := map[string]int{}
	x, err := execute.Start(context.Background(), g, execute.Config{Model: llmmodel.New(offline)}, "chat", graph.State{
		Context:   []graph.Message{{Role: graph.User, Text: "hello"}},
		SendChunk: func(c graph.Chunk) { streamed[c.Node] += len(c.Text) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := x.Wait()
	fmt.Println(result.Status, result.Iterations, streamed["chat"] > 0, streamed["review"] == len(result.FinalMessage))
	// Output: completed 2 true true
}

func single(t fatal) *graph.Graph {
	t.Helper()
	g, err := graph.New("single").AddLLMNode("node", "Node", "", nil, "Answer.").
		SetEntryPoint("node").SetEndPoints([]string{"node"}).Build()
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	return g
}

type fatal interface {
	Helper()
	Fatalf(string, ...any)
}

// Whatever the caller's history is, what a model is sent is what every endpoint takes.
func TestS004WhatAModelIsSentIsLegalWhateverTheHistory(t *testing.T) {
	t.Parallel()
	g := single(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", " ", "hello", "世界"})
		id := rapid.SampledFrom([]string{"c1", "c2", "c3"})
		draw := rapid.Custom(func(t *rapid.T) graph.Message {
			m := graph.Message{Role: rapid.SampledFrom([]graph.Role{graph.System, graph.User, graph.Assistant, graph.Tool}).Draw(t, "role"), Text: text.Draw(t, "text")}
			switch m.Role {
			case graph.Assistant:
				for _, c := range rapid.SliceOfNDistinct(id, 0, 2, rapid.ID).Draw(t, "calls") {
					m.Calls = append(m.Calls, graph.Call{ID: c, Name: "look", Arguments: "{}"})
				}
			case graph.Tool:
				m.CallID = id.Draw(t, "call")
			}
			return m
		})
		messages := rapid.SliceOfN(draw, 0, 12).Draw(t, "context")
		seen := map[string]bool{} // ids are unique within a conversation
		for i := range messages {
			for k := range messages[i].Calls {
				c := &messages[i].Calls[k]
				for seen[c.ID] {
					c.ID += "x"
				}
				seen[c.ID] = true
			}
		}
		var asked llm.Request
		model := llmtest.Func("strict", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
			asked = req
			return llmtest.Say("yes")(ctx, req)
		})
		x, err := execute.Start(context.Background(), g, execute.Config{Model: llmmodel.New(model)}, "", graph.State{
			History: rapid.SliceOfN(draw, 0, 6).Draw(t, "history"), Context: messages,
		})
		if err != nil {
			t.Fatal(err)
		}
		if r := x.Wait(); !r.Success {
			t.Fatalf("the run is %s: %s", r.Status, r.Detail)
		}
		if err := llmtest.CheckHistory(asked); err != nil {
			t.Fatalf("%v\n%+v", err, asked.Messages)
		}
		if first, last := asked.Messages[0], asked.Messages[len(asked.Messages)-1]; first.Role != llm.User || last.Role == llm.Assistant {
			t.Fatalf("it begins with %s and ends with %s", first.Role, last.Role)
		}
	})
}

func TestErrorsThatNoRetryMendsAreFinal(t *testing.T) {
	t.Parallel()
	calls := []llm.Call{{ID: "c1", Name: "look", Arguments: `{"pa`}}
	for name, c := range map[string]struct {
		chunk llm.Chunk
		err   error
		final bool
		fails bool
	}{
		"a wrong key":            {err: &llm.Error{Class: llm.Auth, Text: "no"}, final: true, fails: true},
		"an overload":            {err: &llm.Error{Class: llm.Overload, Text: "busy"}, fails: true},
		"a filter":               {chunk: llm.Chunk{Done: true, Finish: llm.FinishFilter}, final: true, fails: true},
		"calls that are cut off": {chunk: llm.Chunk{Done: true, Finish: llm.FinishLength, Calls: calls}, fails: true},
		"a text that is cut off": {chunk: llm.Chunk{Text: "half", Done: true, Finish: llm.FinishLength}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			model := answering(func() (llm.Chunk, error) { asked++; return c.chunk, c.err })
			_, err := llmmodel.New(model).Answer(t.Context(), execute.Question{Messages: []graph.Message{{Role: graph.User, Text: "hi"}}}, func(string) {})
			if (err != nil) != c.fails || c.err != nil && !errors.Is(err, c.err) {
				t.Errorf("Answer: %v, want a failure: %t", err, c.fails)
			}
			g, buildErr := graph.New("retried").AddNode(graph.Node{Key: "node", Retries: 1, RetryWait: graph.Duration(1)}).
				SetEntryPoint("node").SetEndPoints([]string{"node"}).Build()
			if buildErr != nil {
				t.Fatal(buildErr)
			}
			asked = 0
			x, startErr := execute.Start(t.Context(), g, execute.Config{Model: llmmodel.New(model)}, "", graph.State{})
			if startErr != nil {
				t.Fatal(startErr)
			}
			x.Wait()
			if want := map[bool]int{true: 2, false: 1}[c.fails && !c.final]; asked != want {
				t.Errorf("the node with one retry asked %d times, want %d", asked, want)
			}
		})
	}
}

type answering func() (llm.Chunk, error)

func (answering) Name() string { return "answering" }

func (a answering) Generate(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) { yield(a()) }
}
