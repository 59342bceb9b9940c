package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"society-tui/llm"
)

// decode reads the body of a request, or returns what is wrong with it.
func decode(body []byte) (in openai.ChatCompletionRequest, out llm.Request, err error) {
	if err := json.Unmarshal(body, &in); err != nil {
		return in, out, fmt.Errorf("the body is no chat request: %w", err)
	}
	//lint:ignore SA1019 older clients send max_tokens
	limits := []int{in.MaxTokens, in.MaxCompletionTokens}
	switch {
	case len(in.Messages) == 0:
		return in, out, errors.New("messages is empty")
	case in.N > 1:
		return in, out, errors.New("n is more than 1")
	case slices.Min(limits) < 0:
		return in, out, errors.New("max_tokens is less than 0")
	}
	var system []string
	for i, m := range in.Messages {
		text := textOf(m)
		switch m.Role {
		case "system", "developer":
			system = append(system, text)
		case "user":
			out.Messages = append(out.Messages, llm.Message{Role: llm.User, Text: text})
		case "assistant":
			said := llm.Message{Role: llm.Assistant, Text: text, Reasoning: m.ReasoningContent}
			for _, c := range m.ToolCalls {
				said.Calls = append(said.Calls, llm.Call{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
			}
			out.Messages = append(out.Messages, said)
		case "tool":
			out.Messages = append(out.Messages, llm.Message{Role: llm.Tool, CallID: m.ToolCallID, Text: text})
		default:
			return in, out, fmt.Errorf("messages[%d] has the unknown role %q", i, m.Role)
		}
	}
	out.System = strings.Join(system, "\n\n")
	out.MaxTokens = slices.Max(limits)
	if in.ToolChoice != "none" {
		out.Tools, err = toolsOf(in.Tools)
	}
	return in, out, err
}

// textOf returns the text of a message, which may come in parts.
func textOf(m openai.ChatCompletionMessage) string {
	text := m.Content
	for _, p := range m.MultiContent {
		if p.Type == openai.ChatMessagePartTypeText {
			text += p.Text
		}
	}
	return text
}

func toolsOf(offered []openai.Tool) ([]llm.ToolSpec, error) {
	var tools []llm.ToolSpec
	for _, t := range offered {
		if t.Function == nil {
			continue
		}
		parameters, err := json.Marshal(t.Function.Parameters)
		if err == nil {
			err = llm.CheckSchema(parameters)
		}
		if err != nil {
			return nil, fmt.Errorf("the tool %q: %w", t.Function.Name, err)
		}
		tools = append(tools, llm.ToolSpec{Name: t.Function.Name, Description: t.Function.Description, Parameters: parameters})
	}
	return tools, nil
}

// A completion is an answer, whole or a piece of it.
type completion struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"`
	Created int64         `json:"created"` // always 0: the same request has the same answer
	Model   string        `json:"model"`
	Choices []choice      `json:"choices"`
	Usage   *openai.Usage `json:"usage,omitempty"`
}

type choice struct {
	Index        int     `json:"index"`
	Message      *spoken `json:"message,omitempty"`
	Delta        *spoken `json:"delta,omitempty"`
	FinishReason *string `json:"finish_reason"`
}

type spoken struct {
	Role             string            `json:"role,omitempty"`
	Content          *string           `json:"content,omitempty"`
	ReasoningContent string            `json:"reasoning_content,omitempty"`
	ToolCalls        []openai.ToolCall `json:"tool_calls,omitempty"`
}
