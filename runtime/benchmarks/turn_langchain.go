package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/prompts"
	"github.com/tmc/langchaingo/tools"
)

// A langchainSeat is an executor of langchaingo with an agent that calls functions
// and a conversation buffer. A turn is one Call. The buffer gives the conversation
// as one text, and tool calls are not kept in it: less is done than by the others.
type langchainSeat struct {
	turn     turn
	model    *langchainModel
	executor *agents.Executor
}

func langchainTurn(t turn) func() (seat, error) {
	return func() (seat, error) {
		m := &langchainModel{turn: t}
		options := agents.NewOpenAIOption()
		a := agents.NewOpenAIFunctionsAgent(m, []tools.Tool{langchainLooker{}},
			options.WithSystemMessage(prompt),
			options.WithExtraMessages([]prompts.MessageFormatter{
				prompts.NewHumanMessagePromptTemplate("{{.history}}", []string{"history"}),
			}))
		s := &langchainSeat{turn: t, model: m, executor: agents.NewExecutor(a, agents.WithMemory(memory.NewConversationBuffer()))}
		for range max(t.history/2, 1) {
			if err := s.ask(say); err != nil {
				return nil, err
			}
		}
		return s, nil
	}
}

func (s *langchainSeat) act() error {
	return s.ask(s.turn.asked())
}

func (s *langchainSeat) ask(text string) error {
	heard := 0
	out, err := chains.Call(context.Background(), s.executor, map[string]any{"input": text},
		chains.WithStreamingFunc(func(context.Context, []byte) error {
			heard++
			return nil
		}))
	if err != nil {
		return err
	}
	if out["output"] != s.turn.answer() {
		return fmt.Errorf("it came to %v", out)
	}
	return nil
}

func (s *langchainSeat) leave() error {
	if s.turn.tool && s.model.called.Load() == 0 {
		return errors.New("the tool was never called")
	}
	return nil
}

// langchainLooker is the tool.
type langchainLooker struct{}

func (langchainLooker) Name() string        { return "look" }
func (langchainLooker) Description() string { return "Looks at something." }

func (langchainLooker) Call(context.Context, string) (string, error) { return saw, nil }

// langchainModel answers as turn.go says.
type langchainModel struct {
	turn   turn
	called atomic.Int64
}

func (m *langchainModel) GenerateContent(ctx context.Context, in []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var o llms.CallOptions
	for _, option := range options {
		option(&o)
	}
	last := in[len(in)-1]
	if text, ok := last.Parts[0].(llms.TextContent); ok && last.Role == llms.ChatMessageTypeHuman && calls(text.Text) {
		return &llms.ContentResponse{Choices: []*llms.ContentChoice{{ToolCalls: []llms.ToolCall{{
			ID: key(int(m.called.Add(1))), Type: "function", FunctionCall: &llms.FunctionCall{Name: "look", Arguments: where},
		}}}}}, nil
	}
	if o.StreamingFunc != nil && m.turn.chunks > 1 {
		for _, piece := range m.turn.pieces() {
			if err := o.StreamingFunc(ctx, []byte(piece)); err != nil {
				return nil, err
			}
		}
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: m.turn.answer()}}}, nil
}

func (m *langchainModel) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, options...)
}
