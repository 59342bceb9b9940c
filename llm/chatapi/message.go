package chatapi

import (
	"encoding/json"
	"fmt"
	"slices"

	openai "github.com/sashabaranov/go-openai"
)

// A message is one in the protocol's form. go-openai's own encodes itself to a text of its
// own, which encoding/json then checks and copies; that takes most of a request's time.
type message struct {
	Role             string            `json:"role"`
	Content          any               `json:"content,omitempty"` // a *string, a string or parts; nil for none
	ReasoningContent string            `json:"reasoning_content,omitempty"`
	ToolCalls        []openai.ToolCall `json:"tool_calls,omitempty"`
	ToolCallID       string            `json:"tool_call_id,omitempty"`
}

// textContent is a text as the content of a message, nil if it is empty. The pointer saves a
// copy in the interface.
func textContent(text *string) any {
	if *text == "" {
		return nil
	}
	return text
}

// withMessages puts the messages into a body, which go-openai wrote without any.
func withMessages(body []byte, messages []message) ([]byte, error) {
	none := value(body).member("messages")
	if none == nil {
		return nil, fmt.Errorf("no messages in the request %.80q", body)
	}
	encoded, err := json.Marshal(messages)
	if err != nil {
		return nil, fmt.Errorf("encode the messages: %w", err)
	}
	at := offset(body, none)
	return slices.Concat(body[:at], encoded, body[at+len(none):]), nil
}
