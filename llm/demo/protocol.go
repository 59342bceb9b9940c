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

// decode reads the body of a request, or returns what some endpoint refuses in it.
func decode(body []byte) (in openai.ChatCompletionRequest, out llm.Request, wanted wish, err error) {
	if err := json.Unmarshal(body, &in); err != nil {
		return in, out, wanted, fmt.Errorf("the body is no chat request: %w", err)
	}
	if out, err = requestOf(in); err != nil {
		return in, out, wanted, err
	}
	if wanted, err = readWish(body, in, out.Tools); err != nil {
		return in, out, wanted, err
	}
	if err = llm.CheckHistory(out); wanted.none {
		out.Tools = nil
	}
	return in, out, wanted, err
}

// requestOf returns a request in our words.
func requestOf(in openai.ChatCompletionRequest) (out llm.Request, err error) {
	//lint:ignore SA1019 older clients send max_tokens
	limits := []int{in.MaxTokens, in.MaxCompletionTokens}
	switch {
	case len(in.Messages) == 0:
		return out, errors.New("messages is empty")
	case in.N > 1:
		return out, errors.New("n is more than 1")
	case slices.Min(limits) < 0:
		return out, errors.New("max_tokens is less than 0")
	}
	var system []string
	for i, m := range in.Messages {
		text := textOf(m)
		switch m.Role {
		case "system", "developer":
			system = append(system, text)
		case "user":
			out.Messages = append(out.Messages, llm.Message{Role: llm.User, Text: text, Images: imagesOf(m)})
		case "assistant":
			said := llm.Message{Role: llm.Assistant, Text: text, Reasoning: m.ReasoningContent}
			for _, c := range m.ToolCalls {
				if err := checkCall(c); err != nil {
					return out, fmt.Errorf("messages[%d]: %w", i, err)
				}
				said.Calls = append(said.Calls, llm.Call{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
			}
			out.Messages = append(out.Messages, said)
		case "tool":
			out.Messages = append(out.Messages, llm.Message{Role: llm.Tool, CallID: m.ToolCallID, Text: text})
		default:
			return out, fmt.Errorf("messages[%d] has the unknown role %q", i, m.Role)
		}
	}
	out.System = strings.Join(system, "\n\n")
	out.MaxTokens = slices.Max(limits)
	out.Tools, err = toolsOf(in.Tools)
	return out, err
}

// checkCall returns what is wrong with a call of a history.
func checkCall(c openai.ToolCall) error {
	var arguments map[string]json.RawMessage
	switch {
	case len(c.ID) > 64:
		return fmt.Errorf("the id of the call of %q is longer than 64 characters", c.Function.Name)
	case c.Type != openai.ToolTypeFunction:
		return fmt.Errorf("the call %q is of type %q instead of function", c.ID, c.Type)
	case !llm.IsToolName(c.Function.Name):
		return fmt.Errorf("%q cannot be the name of a function", c.Function.Name)
	case json.Unmarshal([]byte(c.Function.Arguments), &arguments) != nil || arguments == nil:
		return fmt.Errorf("the arguments of the call %q are not a JSON object", c.ID)
	}
	return nil
}

// imagesOf returns an image without data for each of a message. The model does not look at them.
func imagesOf(m openai.ChatCompletionMessage) []llm.Image {
	var images []llm.Image
	for _, p := range m.MultiContent {
		if p.Type == openai.ChatMessagePartTypeImageURL {
			images = append(images, llm.Image{})
		}
	}
	return images
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
	if offered != nil && len(offered) == 0 {
		return nil, errors.New("tools is an empty array")
	}
	var tools []llm.ToolSpec
	for _, t := range offered {
		if t.Type != openai.ToolTypeFunction || t.Function == nil {
			return nil, fmt.Errorf("a tool is of type %q and not a function", t.Type)
		}
		parameters, err := json.Marshal(t.Function.Parameters)
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
