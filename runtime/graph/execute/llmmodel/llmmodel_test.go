package llmmodel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/demo"
	"society-tui/llm/llmtest"
	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
	"society-tui/runtime/graph/execute/llmmodel"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
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
		if err := llm.CheckHistory(asked); err != nil {
			t.Fatalf("%v\n%+v", err, asked.Messages)
		}
		if first, last := asked.Messages[0], asked.Messages[len(asked.Messages)-1]; first.Role != llm.User || last.Role == llm.Assistant {
			t.Fatalf("it begins with %s and ends with %s", first.Role, last.Role)
		}
	})
}

// look is a tool.
type look struct{}

func (look) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{
		Name: "look", Purpose: "Looks.", Class: tool.ClassRead,
		Parameters: []tool.Property{tool.Must("at", tool.Text("where"))},
	}
}

func (look) Call(context.Context, tool.Caller, json.RawMessage) (tool.Result, error) {
	return tool.Result{Text: "seen"}, nil
}

func executed(t *testing.T, b *graph.Builder, c execute.Config, state graph.State) execute.Result {
	t.Helper()
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	x, err := execute.Start(t.Context(), g, c, "", state)
	if err != nil {
		t.Fatal(err)
	}
	return x.Wait()
}

func asks(text string) graph.State {
	return graph.State{Context: []graph.Message{{Role: graph.User, Text: text}}}
}

// one is a graph with one node, of those retries.
func one(retries int) *graph.Builder {
	return graph.New("one").AddNode(graph.Node{Key: "a", Prompt: "Be brief.", Retries: retries}).SetEntryPoint("a").SetEndPoints([]string{"a"})
}

func TestAnswersAreStreamedAndRequestsHaveAllThatWasSaid(t *testing.T) {
	t.Parallel()
	model := llmtest.Script("m", llmtest.SayAndCall("Let me see.", llm.Call{Name: "look", Arguments: `{"at":"it"}`}), llmtest.Say("It is well."))
	streamed := ""
	state := asks("how is it?")
	state.SendChunk = func(c graph.Chunk) { streamed += c.Text }
	r := executed(t, one(0), execute.Config{Model: llmmodel.New(model), Tools: []tool.Tool{look{}}}, state)
	if !r.Success || r.FinalMessage != "It is well." || streamed != "Let me see.It is well." {
		t.Fatalf("it came to %s %q, streamed %q", r.Status, r.Detail, streamed)
	}
	first, second := model.Requests()[0].Request, model.Requests()[1].Request
	if first.System != "Be brief." || len(first.Messages) != 1 || first.Messages[0].Role != llm.User || first.Messages[0].Text != "how is it?" {
		t.Errorf("asked first was %+v", first)
	}
	if len(first.Tools) != 1 || first.Tools[0].Name != "look" || first.Tools[0].Description != "Looks." || !strings.Contains(string(first.Tools[0].Parameters), `"at"`) {
		t.Errorf("offered is %+v", first.Tools)
	}
	said := second.Messages
	if len(said) != 3 || len(said[1].Calls) != 1 || said[1].Calls[0].Arguments != `{"at":"it"}` || said[2].CallID != said[1].Calls[0].ID || said[2].Text != "seen" {
		t.Errorf("asked then was %+v", said)
	}
}

// thinking answers with all that an endpoint may want back.
func thinking(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		call := llm.Call{ID: "ours", ProviderID: "theirs", Name: "look", Arguments: `{"at":"it"}`, Extra: json.RawMessage(`{"sign":1}`)}
		last := llm.Chunk{Done: true, Finish: llm.FinishStop, Calls: []llm.Call{call}, Extra: json.RawMessage(`{"details":2}`)}
		if req.Messages[len(req.Messages)-1].Role == llm.Tool || strings.HasPrefix(req.System, "other") {
			last.Calls, last.Extra = nil, nil
			last.Text = "done"
		}
		_ = yield(llm.Chunk{Reasoning: "hm "}, nil) && yield(llm.Chunk{Reasoning: "so"}, nil) && yield(last, nil)
	}
}

// A recorder keeps what a model is asked.
type recorder struct {
	name  string
	asked []llm.Request
}

func (r *recorder) Name() string { return r.name }

func (r *recorder) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	r.asked = append(r.asked, req)
	return thinking(ctx, req)
}

// What an endpoint wants back it gets back; a model that is another does not get it.
func TestAModelGetsBackWhatItWantsBack(t *testing.T) {
	t.Parallel()
	mine, other := &recorder{name: "mine"}, &recorder{name: "other"}
	g := graph.New("two").AddLLMNode("a", "", "", nil, "mine").AddLLMNode("b", "", "other", nil, "other").
		AddEdge("a", "b").SetEntryPoint("a").SetEndPoints([]string{"b"})
	c := execute.Config{Model: llmmodel.New(mine), Models: map[string]execute.Model{"other": llmmodel.New(other)}, Tools: []tool.Tool{look{}}}
	if r := executed(t, g, c, asks("look")); !r.Success {
		t.Fatalf("it is %s: %s", r.Status, r.Detail)
	}
	back := mine.asked[1].Messages[1]
	if back.Reasoning != "hm so" || string(back.Extra) != `{"details":2}` || back.Calls[0].ProviderID != "theirs" || string(back.Calls[0].Extra) != `{"sign":1}` {
		t.Errorf("the model got back %+v", back)
	}
	for _, m := range other.asked[0].Messages {
		if m.Reasoning != "" || len(m.Extra) > 0 || len(m.Calls) > 0 && (m.Calls[0].ProviderID != "" || len(m.Calls[0].Extra) > 0) {
			t.Errorf("the other one got %+v", m)
		}
	}
}

func TestAFailureIsTriedAgainIfThatMayHelp(t *testing.T) {
	ends := func(chunk llm.Chunk) llmtest.Answer { return llmtest.Chunks(chunk) }
	for name, c := range map[string]struct {
		answer llmtest.Answer
		again  bool
	}{
		"overload":  {llmtest.Fail(&llm.Error{Class: llm.Overload, Text: "busy"}), true},
		"rate":      {llmtest.Fail(&llm.Error{Class: llm.Rate, Text: "wait"}), true},
		"empty":     {llmtest.Fail(&llm.Error{Class: llm.Empty, Text: "nothing"}), true},
		"key":       {llmtest.Fail(&llm.Error{Class: llm.Auth, Text: "no such key"}), false},
		"context":   {llmtest.Fail(&llm.Error{Class: llm.Context, Text: "too long"}), false},
		"cut call":  {llmtest.CutShort(llmtest.CallTools(llm.Call{Name: "look"})), true},
		"no end":    {ends(llm.Chunk{Text: "well"}), true},
		"no text":   {ends(llm.Chunk{Text: " ", Done: true, Finish: llm.FinishStop}), true},
		"refusal":   {ends(llm.Chunk{Done: true, Finish: llm.FinishRefusal}), false},
		"filter":    {ends(llm.Chunk{Done: true, Finish: llm.FinishFilter}), false},
		"cut short": {llmtest.CutShort(llmtest.Say("and then")), true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := llmtest.Script("m", c.answer, llmtest.Say("well"))
				r := executed(t, one(1), execute.Config{Model: llmmodel.New(model), Tools: []tool.Tool{look{}}}, asks("look"))
				want := 1
				if c.again && name != "cut short" { // a text that was cut is an answer
					want = 2
				}
				if len(model.Requests()) != want || r.Success != c.again {
					t.Errorf("asked %d times it is %s: %s", len(model.Requests()), r.Status, r.Detail)
				}
			})
		})
	}
}

// breaking is a model whose answer ends early, which none should.
type breaking struct{ llm.Model }

func (breaking) Generate(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) { yield(llm.Chunk{Text: "well"}, nil) }
}

func TestAnAnswerWithoutAnEndIsNone(t *testing.T) {
	t.Parallel()
	r := executed(t, one(0), execute.Config{Model: llmmodel.New(breaking{llmtest.Script("m")})}, asks("look"))
	if r.Success || !strings.Contains(r.Detail, "early") {
		t.Errorf("it is %s with %q: %s", r.Status, r.FinalMessage, r.Detail)
	}
}

// An abort is no failure that is to be tried again, and nothing is waited for.
func TestAnAbortEndsTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, err := one(3).Build()
		if err != nil {
			t.Fatal(err)
		}
		model := llmtest.Func("m", llmtest.HangAfter("one moment"))
		gone := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		x, err := execute.Start(ctx, g, execute.Config{Model: llmmodel.New(model)}, "", asks("look"))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		cancel(gone)
		if r := x.Wait(); r.Status != graph.Cancelled || !errors.Is(r.Err, gone) || len(model.Requests()) != 1 || model.Running() != 0 {
			t.Errorf("asked %d times it is %s, %v", len(model.Requests()), r.Status, r.Err)
		}
	})
}
