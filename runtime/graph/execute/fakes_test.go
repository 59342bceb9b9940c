package execute_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

func TestMain(m *testing.M) {
	propertytest.SetCases(1000, 100)
	goleak.VerifyTestMain(m)
}

// A model that a test scripts: what it answers is a function of what it is asked.
type fakeModel struct {
	mu     sync.Mutex
	asked  []execute.Question
	answer func(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error)
}

func (m *fakeModel) Answer(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
	m.mu.Lock()
	m.asked = append(m.asked, q)
	m.mu.Unlock()
	return m.answer(ctx, q, send)
}

// times counts the questions with that system prompt.
func (m *fakeModel) times(prompt string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, q := range m.asked {
		if system(q) == prompt {
			n++
		}
	}
	return n
}

func system(q execute.Question) string {
	if len(q.Messages) > 0 && q.Messages[0].Role == graph.System {
		return q.Messages[0].Text
	}
	return ""
}

// beginsStep reports whether a message only says that a node begins.
func beginsStep(m graph.Message) bool { return strings.HasPrefix(m.Text, "(The next step begins") }

// shown returns the messages of a question that were said before it.
func shown(q execute.Question) []graph.Message {
	return slices.DeleteFunc(slices.Clone(q.Messages), beginsStep)
}

// last returns what was said last before a question.
func last(q execute.Question) graph.Message {
	said := shown(q)
	return said[len(said)-1]
}

func says(text string) graph.Message { return graph.Message{Text: text} }

// echo answers with the node's prompt, which is the node's key in these tests.
func echo() *fakeModel {
	return &fakeModel{answer: func(_ context.Context, q execute.Question, send func(string)) (graph.Message, error) {
		send(system(q))
		return says(system(q)), nil
	}}
}

// slow answers as echo does, after that time, or not at all.
func slow(d time.Duration) *fakeModel {
	return &fakeModel{answer: func(ctx context.Context, q execute.Question, _ func(string)) (graph.Message, error) {
		select {
		case <-time.After(d):
			return says(system(q)), nil
		case <-ctx.Done():
			return graph.Message{}, ctx.Err()
		}
	}}
}

// nodes begins a graph whose nodes have their keys as prompts.
func nodes(keys ...string) *graph.Builder {
	b := graph.New("test")
	for _, key := range keys {
		b.AddLLMNode(key, "", "", nil, key)
	}
	return b.SetEntryPoint(keys[0]).SetEndPoints(keys[len(keys)-1:])
}

func built(t *testing.T, b *graph.Builder) *graph.Graph {
	t.Helper()
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func start(t *testing.T, g *graph.Graph, c execute.Config, state graph.State) *execute.Execution {
	t.Helper()
	x, err := execute.Start(t.Context(), g, c, "", state)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func hello() graph.State {
	return graph.State{Context: []graph.Message{{Role: graph.User, Text: "hello"}}}
}

// spoken are the texts of a context.
func spoken(messages []graph.Message) string {
	var all []string
	for _, m := range messages {
		all = append(all, m.Text)
	}
	return strings.Join(all, " ")
}

// walked are the nodes of a path that were executed.
func walked(path []graph.Record) string {
	var all []string
	for _, r := range path {
		if r.Kind == graph.Execute {
			all = append(all, r.Node)
		}
	}
	return strings.Join(all, " ")
}

// A tool that a test scripts.
type fakeTool struct {
	name string
	call func(ctx context.Context, args string) (tool.Result, error)
}

func (f fakeTool) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: f.name, Purpose: "test", Class: tool.ClassRead}
}

func (f fakeTool) Call(ctx context.Context, _ tool.Caller, args json.RawMessage) (tool.Result, error) {
	return f.call(ctx, string(args))
}

var errAway = errors.New("the model is away")
