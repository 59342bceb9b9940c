package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"society-tui/llm"
)

// The longest id of a call that the strictest provider takes.
const maxCallID = 64

// wireRequest is the body of a chat-completions request, as far as it is looked
// at.
type wireRequest struct {
	Model    string        `json:"model"`
	Messages []wireMessage `json:"messages"`
	Tools    []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	MaxTokens           int  `json:"max_tokens"`
	MaxCompletionTokens int  `json:"max_completion_tokens"`
	Stream              bool `json:"stream"`
	StreamOptions       struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type wireMessage struct {
	Role             string          `json:"role"`
	Content          *string         `json:"content"`
	ReasoningContent string          `json:"reasoning_content"`
	ToolCalls        []wireCall      `json:"tool_calls"`
	ToolCallID       string          `json:"tool_call_id"`
	Extra            json.RawMessage `json:"-"`
}

// UnmarshalJSON also keeps the fields that are not of the protocol.
func (m *wireMessage) UnmarshalJSON(text []byte) error {
	type plain wireMessage
	if err := json.Unmarshal(text, (*plain)(m)); err != nil {
		return err
	}
	var err error
	m.Extra, err = others(text, "role", "content", "reasoning_content", "tool_calls", "tool_call_id")
	return err
}

type wireCall struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Index    json.RawMessage `json:"index"`
	Function struct {
		Name      string  `json:"name"`
		Arguments *string `json:"arguments"`
	} `json:"function"`
	Extra json.RawMessage `json:"-"`
}

// UnmarshalJSON also keeps the fields that are not of the protocol.
func (c *wireCall) UnmarshalJSON(text []byte) error {
	type plain wireCall
	if err := json.Unmarshal(text, (*plain)(c)); err != nil {
		return err
	}
	var err error
	c.Extra, err = others(text, "id", "type", "index", "function")
	return err
}

// others is the object text without the named fields; nil if none is left.
func others(text []byte, names ...string) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	for _, name := range names {
		delete(fields, name)
	}
	if len(fields) == 0 {
		return nil, nil
	}
	return json.Marshal(fields)
}

// refusedField is the first of the names that is a field of the body.
func refusedField(body []byte, names []string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return ""
	}
	for _, name := range names {
		if _, there := fields[name]; there {
			return name
		}
	}
	return ""
}

// parseRequest reads a request as strictly as the strictest provider and says
// it in our words, and whether it asks for the usage.
func parseRequest(body []byte, callID *regexp.Regexp) (llm.Request, bool, error) {
	var w wireRequest
	decoder := json.NewDecoder(bytes.NewReader(body))
	if err := decoder.Decode(&w); err != nil {
		return llm.Request{}, false, fmt.Errorf("parse the body: %w", err)
	}
	if w.Model == "" || !w.Stream {
		return llm.Request{}, false, errors.New("the request has no model or asks for no stream")
	}
	req := llm.Request{MaxTokens: max(w.MaxTokens, w.MaxCompletionTokens)}
	for i, m := range w.Messages {
		if m.Role == "system" {
			if i > 0 || m.Content == nil || *m.Content == "" {
				return llm.Request{}, false, fmt.Errorf("message %d: a system message that is empty or not the first", i)
			}
			req.System = *m.Content
			continue
		}
		message, err := m.message(callID)
		if err != nil {
			return llm.Request{}, false, fmt.Errorf("message %d: %w", i, err)
		}
		req.Messages = append(req.Messages, message)
	}
	if w.Tools != nil && len(w.Tools) == 0 {
		return llm.Request{}, false, errors.New("tools is an empty array")
	}
	for _, t := range w.Tools {
		if t.Type != "function" {
			return llm.Request{}, false, fmt.Errorf("tool %q is of type %q", t.Function.Name, t.Type)
		}
		req.Tools = append(req.Tools, llm.ToolSpec{
			Name: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters,
		})
	}
	return req, w.StreamOptions.IncludeUsage, nil
}

func (m wireMessage) message(callID *regexp.Regexp) (llm.Message, error) {
	message := llm.Message{
		Role: llm.Role(m.Role), Reasoning: m.ReasoningContent, CallID: m.ToolCallID, Extra: m.Extra,
	}
	if !slices.Contains([]llm.Role{llm.User, llm.Assistant, llm.Tool}, message.Role) {
		return message, fmt.Errorf("there is no role %q", m.Role)
	}
	if m.Content == nil && message.Role != llm.Assistant {
		return message, errors.New("content is missing")
	}
	if m.Content != nil {
		message.Text = *m.Content
	}
	if m.ToolCalls != nil && len(m.ToolCalls) == 0 {
		return message, errors.New("tool_calls is an empty array")
	}
	for _, c := range m.ToolCalls {
		if err := c.check(callID); err != nil {
			return message, fmt.Errorf("tool call %q: %w", c.ID, err)
		}
		message.Calls = append(message.Calls, llm.Call{
			ID: c.ID, Name: c.Function.Name, Arguments: *c.Function.Arguments, Extra: c.Extra,
		})
	}
	return message, nil
}

func (c wireCall) check(id *regexp.Regexp) error {
	var arguments map[string]json.RawMessage
	switch {
	case len(c.ID) > maxCallID:
		return errors.New("the id is too long")
	case id != nil && !id.MatchString(c.ID):
		return fmt.Errorf("tool call id was %s but must match %s", c.ID, id)
	case c.Type != "function":
		return fmt.Errorf("type is %q instead of function", c.Type)
	case c.Index != nil:
		return errors.New("index does not belong into a history")
	case !llm.IsToolName(c.Function.Name):
		return fmt.Errorf("%q cannot be the name of a function", c.Function.Name)
	case c.Function.Arguments == nil:
		return errors.New("arguments are missing")
	case json.Unmarshal([]byte(*c.Function.Arguments), &arguments) != nil || arguments == nil:
		return errors.New("arguments are not a JSON object")
	}
	return nil
}
