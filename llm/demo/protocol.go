package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"society-tui/llm"
)

// A chatRequest is the body of a request, as far as it matters here.
type chatRequest struct {
	Model         string        `json:"model"`
	Messages      []wireMessage `json:"messages"`
	Tools         []wireTool    `json:"tools"`
	ToolChoice    any           `json:"tool_choice"`
	Stream        bool          `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens           int `json:"max_tokens"`
	MaxCompletionTokens int `json:"max_completion_tokens"`
	N                   int `json:"n"`
}

type wireMessage struct {
	Role             string     `json:"role"`
	Content          content    `json:"content"`
	ReasoningContent string     `json:"reasoning_content"`
	ToolCalls        []wireCall `json:"tool_calls"`
	ToolCallID       string     `json:"tool_call_id"`
}

type wireTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// A wireCall is a call in a message, or a piece of one in a stream.
type wireCall struct {
	Index    *int     `json:"index,omitempty"`
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type,omitempty"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

// content is a text, or a list of parts whose texts are joined.
type content string

func (c *content) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil { // null too
		*c = content(text)
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return errors.New("content is neither a text nor a list of parts")
	}
	for _, p := range parts {
		if p.Type == "text" {
			*c += content(p.Text)
		}
	}
	return nil
}

// decode reads a body, or returns what is wrong with it.
func decode(body []byte) (chatRequest, llm.Request, error) {
	var in chatRequest
	var out llm.Request
	if err := json.Unmarshal(body, &in); err != nil {
		return in, out, fmt.Errorf("the body is no chat request: %w", err)
	}
	switch {
	case len(in.Messages) == 0:
		return in, out, errors.New("messages is empty")
	case in.N > 1:
		return in, out, errors.New("n is more than 1")
	case in.MaxTokens < 0 || in.MaxCompletionTokens < 0:
		return in, out, errors.New("max_tokens is less than 0")
	}
	var system []string
	for i, m := range in.Messages {
		switch m.Role {
		case "system", "developer":
			system = append(system, string(m.Content))
		case "user":
			out.Messages = append(out.Messages, llm.Message{Role: llm.User, Text: string(m.Content)})
		case "assistant":
			said := llm.Message{Role: llm.Assistant, Text: string(m.Content), Reasoning: m.ReasoningContent}
			for _, c := range m.ToolCalls {
				said.Calls = append(said.Calls, llm.Call{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
			}
			out.Messages = append(out.Messages, said)
		case "tool":
			out.Messages = append(out.Messages, llm.Message{Role: llm.Tool, CallID: m.ToolCallID, Text: string(m.Content)})
		default:
			return in, out, fmt.Errorf("messages[%d] has the unknown role %q", i, m.Role)
		}
	}
	out.System = strings.Join(system, "\n\n")
	out.MaxTokens = max(in.MaxTokens, in.MaxCompletionTokens)
	if in.ToolChoice == "none" {
		return in, out, nil
	}
	for _, t := range in.Tools {
		if err := llm.CheckSchema(t.Function.Parameters); err != nil {
			return in, out, fmt.Errorf("the tool %q: %w", t.Function.Name, err)
		}
		out.Tools = append(out.Tools, llm.ToolSpec{Name: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters})
	}
	return in, out, nil
}

// A completion is an answer, whole or a piece of it.
type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"` // always 0: the same request has the same answer
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

type choice struct {
	Index        int     `json:"index"`
	Message      *spoken `json:"message,omitempty"`
	Delta        *spoken `json:"delta,omitempty"`
	FinishReason *string `json:"finish_reason"`
}

type spoken struct {
	Role             string     `json:"role,omitempty"`
	Content          *string    `json:"content,omitempty"`
	ReasoningContent string     `json:"reasoning_content,omitempty"`
	ToolCalls        []wireCall `json:"tool_calls,omitempty"`
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

// A failure is an error in the protocol's form.
type failure struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}
