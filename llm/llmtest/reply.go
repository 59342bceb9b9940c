package llmtest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"society-tui/llm"
)

// A reply writes one answer as server-sent events.
type reply struct {
	w      http.ResponseWriter
	flush  func() error
	status int // what was sent; 0 before anything was
}

// object is a piece of JSON.
type object = map[string]any

// send writes a chunk, and what ends the answer if it is the last.
func (r *reply) send(chunk llm.Chunk, usage bool) error {
	delta := object{}
	if chunk.Text != "" {
		delta["content"] = chunk.Text
	}
	if chunk.Reasoning != "" {
		delta["reasoning_content"] = chunk.Reasoning
	}
	if chunk.Extra != nil {
		if err := json.Unmarshal(chunk.Extra, &delta); err != nil {
			return err
		}
	}
	if len(delta) > 0 {
		if err := r.frame(choices(delta, nil)); err != nil {
			return err
		}
	}
	if !chunk.Done {
		return nil
	}
	return r.finish(chunk, usage)
}

func (r *reply) finish(chunk llm.Chunk, usage bool) error {
	for i, call := range chunk.Calls {
		first := object{
			"index": i, "id": call.ID, "type": "function",
			"function": object{"name": call.Name, "arguments": ""},
		}
		if call.Extra != nil {
			if err := json.Unmarshal(call.Extra, &first); err != nil {
				return err
			}
		}
		rest := object{"index": i, "function": object{"arguments": call.Arguments}}
		for _, piece := range []object{first, rest} {
			if err := r.frame(choices(object{"tool_calls": []object{piece}}, nil)); err != nil {
				return err
			}
		}
	}
	reason := string(chunk.Finish)
	if chunk.Finish == llm.FinishStop && len(chunk.Calls) > 0 {
		reason = "tool_calls"
	}
	if err := r.frame(choices(object{}, reason)); err != nil {
		return err
	}
	if usage {
		counted := object{
			"prompt_tokens":             chunk.Usage.InputTokens,
			"completion_tokens":         chunk.Usage.OutputTokens,
			"total_tokens":              chunk.Usage.InputTokens + chunk.Usage.OutputTokens,
			"prompt_tokens_details":     object{"cached_tokens": chunk.Usage.CachedTokens},
			"completion_tokens_details": object{"reasoning_tokens": chunk.Usage.ReasoningTokens},
		}
		if err := r.frame(object{"object": "chat.completion.chunk", "choices": []object{}, "usage": counted}); err != nil {
			return err
		}
	}
	return r.data("[DONE]")
}

// fail ends the answer with an error: a status if nothing was sent yet, else an
// error frame.
func (r *reply) fail(e *llm.Error) {
	body := object{"error": object{"message": e.Text, "type": string(e.Class)}}
	if r.status != 0 {
		_ = r.frame(body) // the client is gone, or it reads this; either is an end
		return
	}
	r.status = e.Status
	if r.status == 0 {
		r.status = http.StatusInternalServerError
	}
	if e.RetryAfter > 0 {
		r.w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds()))))
	}
	r.w.Header().Set("Content-Type", "application/json")
	r.w.WriteHeader(r.status)
	_ = json.NewEncoder(r.w).Encode(body) // as above
}

func (r *reply) frame(o object) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return r.data(string(text))
}

func (r *reply) data(text string) error {
	if r.status == 0 {
		r.status = http.StatusOK
		r.w.Header().Set("Content-Type", "text/event-stream")
	}
	if _, err := fmt.Fprintf(r.w, "data: %s\n\n", text); err != nil {
		return err
	}
	return r.flush()
}

// choices is a chunk with one choice.
func choices(delta object, finish any) object {
	return object{
		"id": "strict", "object": "chat.completion.chunk", "model": "strict",
		"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}},
	}
}
